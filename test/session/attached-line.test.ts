import { describe, expect, it } from 'vitest';
import type { AttachedLine } from '../../drivers/session/attached-line.ts';
import { settle } from '../support/zvt-clock.ts';
import { createLineRig, type FakeConnection, limits } from './line-rig.ts';

const never = new AbortController().signal;
const REFUSED = '10.0.0.5:20007 refused the connection.';

describe('a line to a terminal', () => {
  it('is opened, set up under the turn, and told at each step', async () => {
    const turns: boolean[] = [];
    const rig = createLineRig({
      setUp: async (made) => {
        turns.push(rig.line.turns.isTaken());
        rig.line.learn(made, { isReady: true, firmwareVersion: '1.2', serialNumber: '52500038' });
      },
    });
    expect(rig.line.state()).toEqual({ state: 'DISCONNECTED', isConnected: false });
    rig.line.start();
    rig.line.start();
    await settle();
    expect(rig.told).toEqual(['CONNECTING', 'CONNECTING', 'IDLE']);
    expect(turns).toEqual([true]);
    expect(rig.line.turns.isTaken()).toBe(false);
    expect(rig.line.state()).toEqual({
      state: 'IDLE',
      isConnected: true,
      firmwareVersion: '1.2',
      serialNumber: '52500038',
    });
    expect(rig.line.ready()).toBe(rig.last());
    expect(rig.made).toHaveLength(1);
  });

  it('that cannot be opened is tried again after growing pauses, which begin small again once it was set up', async () => {
    const rig = createLineRig();
    rig.refuse(REFUSED);
    rig.line.start();
    await settle();
    expect(rig.line.state()).toEqual({ state: 'DISCONNECTED', isConnected: false, problem: REFUSED });
    for (const [pauseMs, tries] of [
      [500, 2],
      [1_000, 3],
      [2_000, 4],
      [4_000, 5],
      [4_000, 6],
    ] as const) {
      await rig.clock.advance(pauseMs - 1);
      expect(rig.made).toHaveLength(tries - 1);
      await rig.clock.advance(1);
      expect(rig.made).toHaveLength(tries);
    }
    rig.refuse(undefined);
    await rig.clock.advance(4_000);
    expect(rig.line.state()).toEqual({ state: 'IDLE', isConnected: true });
    rig.last().drop('reset by the terminal');
    await rig.clock.advance(500);
    expect(rig.made).toHaveLength(8);
  });

  it('that is lost gets a new connection, and what an old one tells is dropped', async () => {
    const rig = createLineRig();
    rig.line.start();
    await settle();
    const first = rig.last();
    first.drop('reset by the terminal');
    expect(rig.line.state()).toEqual({
      state: 'DISCONNECTED',
      isConnected: false,
      problem: 'The link to the terminal was lost: reset by the terminal.',
    });
    await rig.clock.advance(500);
    expect(rig.line.current()).toBe(rig.last());
    expect(rig.last()).not.toBe(first);
    rig.line.learn(first, { problem: 'It has no paper.' });
    first.drop('late');
    expect(rig.line.state()).toEqual({ state: 'IDLE', isConnected: true });
    expect([rig.line.isAttached(first), rig.line.isReady(first)]).toEqual([false, false]);
    expect(rig.line.isReady(rig.last())).toBe(true);
  });

  it('that is lost twice for one reason is told to be lost twice', async () => {
    const rig = createLineRig({ setUp: async () => undefined });
    rig.line.start();
    await settle();
    rig.last().drop('reset');
    await rig.clock.advance(500);
    rig.last().drop('reset');
    expect(rig.told).toEqual(['CONNECTING', 'CONNECTING', 'DISCONNECTED', 'CONNECTING', 'CONNECTING', 'DISCONNECTED']);
  });

  it('is tried at once for somebody who waits', async () => {
    const rig = createLineRig();
    rig.refuse(REFUSED);
    rig.line.start();
    await rig.clock.advance(500);
    expect(rig.made).toHaveLength(2);
    rig.refuse(undefined);
    expect(await rig.line.waitForLink(never, 5_000)).toBe(rig.last());
    expect(rig.made).toHaveLength(3);
    expect(await rig.line.waitForLink(never, 5_000)).toBe(rig.made[2]);
    // A connection that is just being closed is none: its end opens the next one without the pause.
    rig.last().fade();
    const next = rig.line.waitForLink(never, 5_000);
    rig.last().drop('reset');
    expect(await next).toBe(rig.last());
    expect(rig.made).toHaveLength(4);
  });

  it('is waited for no longer than the caller wants', async () => {
    const rig = createLineRig();
    rig.refuse(REFUSED);
    rig.line.start();
    await settle();
    const tooShort = rig.line.waitForLink(never, 900);
    const caller = new AbortController();
    const givenUp = rig.line.waitForLink(caller.signal, 60_000);
    caller.abort();
    expect(await givenUp).toBeUndefined();
    expect(await rig.line.waitForLink(caller.signal, 60_000)).toBeUndefined();
    await rig.clock.advance(900);
    expect(await tooShort).toBeUndefined();
  });

  it('says what the terminal lacks, and that it is busy with something else', async () => {
    const rig = createLineRig();
    rig.line.start();
    await settle();
    rig.line.learn(rig.last(), { problem: 'The terminal reports: paper out.' });
    expect(rig.line.state()).toMatchObject({ state: 'ERROR', problem: 'The terminal reports: paper out.' });
    rig.line.learn(rig.last(), { isTerminalBusy: true });
    expect(rig.line.state()).toMatchObject({ state: 'BUSY', problem: 'The terminal reports: paper out.' });
    rig.line.learn(rig.last(), { isTerminalBusy: false, problem: null });
    rig.line.setBusy(true);
    expect(rig.line.state()).toEqual({ state: 'BUSY', isConnected: true });
    rig.line.setBusy(false);
    const before = rig.told.length;
    rig.last().receive();
    rig.line.learn(rig.last(), {});
    expect(rig.line.state().lastSeenMs).toBe(rig.clock.nowMs());
    expect(rig.told).toHaveLength(before);
  });
});

describe('the keep-alive of a line', () => {
  function asked(given: { readonly delayMs?: () => number } = {}) {
    let questions = 0;
    const rig = createLineRig({
      keepAlive: {
        delayMs: given.delayMs ?? (() => 45_000),
        async ask() {
          questions++;
        },
      },
    });
    rig.line.start();
    return { ...rig, questions: () => questions };
  }

  it('asks after each pause, never into an exchange', async () => {
    const rig = asked();
    await rig.clock.advance(45_000);
    expect(rig.questions()).toBe(1);
    const turn = rig.line.turns.takeIfFree();
    await rig.clock.advance(90_000);
    expect(rig.questions()).toBe(1);
    turn?.release();
    await rig.clock.advance(45_000);
    expect(rig.questions()).toBe(2);
  });

  it('takes the pause that the protocol wants now', async () => {
    let delayMs = 5_000;
    const rig = asked({ delayMs: () => delayMs });
    await rig.clock.advance(5_000);
    delayMs = 45_000;
    await rig.clock.advance(5_000);
    expect(rig.questions()).toBe(2);
    await rig.clock.advance(44_999);
    expect(rig.questions()).toBe(2);
  });

  it('need not be there: then nothing is planned', async () => {
    const rig = createLineRig();
    rig.line.start();
    await settle();
    expect(rig.line.state().state).toBe('IDLE');
    expect(rig.clock.pendingTimers()).toBe(0);
  });
});

describe('the set-up of a line', () => {
  it('waits for the turn of an exchange that lasts over the loss, then tells that it is held', async () => {
    const held: FakeConnection[] = [];
    const rig = createLineRig({ onHeld: async (made) => void held.push(made) });
    rig.line.start();
    await settle();
    const turn = rig.line.turns.takeIfFree();
    rig.last().drop('reset');
    await rig.clock.advance(500);
    expect([rig.line.current(), rig.line.ready()]).toEqual([rig.last(), undefined]);
    await rig.clock.advance(limits.maxHoldMs);
    expect(held).toEqual([rig.last()]);
    turn?.release();
    expect(rig.line.ready()).toBeUndefined();
  });

  it('is done when the exchange gives its turn back in time', async () => {
    const rig = createLineRig();
    rig.line.start();
    await settle();
    const turn = rig.line.turns.takeIfFree();
    rig.last().drop('reset');
    await rig.clock.advance(500);
    turn?.release();
    await settle();
    expect(rig.line.ready()).toBe(rig.last());
  });

  it('is left out for a connection that is lost meanwhile', async () => {
    const setUps: FakeConnection[] = [];
    const rig = createLineRig({ setUp: async (made) => void setUps.push(made) });
    const turn = rig.line.turns.takeIfFree();
    rig.line.start();
    await settle();
    const lost = rig.last();
    lost.drop('reset');
    turn?.release();
    await rig.clock.advance(500);
    expect(setUps).toEqual([rig.last()]);
    expect(setUps).not.toContain(lost);
  });
});

describe('the stop of a line', () => {
  async function started() {
    const rig = createLineRig();
    rig.line.start();
    await settle();
    return rig;
  }

  it('hears the question that runs to its end, then closes, and opens nothing any more', async () => {
    const rig = await started();
    const turn = rig.line.turns.takeIfFree();
    const stopping = rig.line.stop();
    await settle();
    expect(rig.last().isOpen()).toBe(true);
    expect(rig.line.current()).toBeUndefined();
    turn?.release();
    await stopping;
    expect(rig.last().closedFor).toBe('the till stops');
    expect(await rig.line.waitForLink(never, 5_000)).toBeUndefined();
    await rig.clock.advance(60_000);
    expect([rig.made.length, rig.clock.pendingTimers()]).toEqual([1, 0]);
  });

  it('does not wait for a question that has no end, nor for a payment', async () => {
    const rig = await started();
    rig.line.turns.takeIfFree();
    const stopping = rig.line.stop();
    await rig.clock.advance(limits.stopWaitMs);
    await stopping;
    expect(rig.last().isOpen()).toBe(false);

    const paying = await started();
    paying.line.turns.takeIfFree();
    paying.line.setBusy(true);
    await paying.line.stop();
    expect(paying.last().isOpen()).toBe(false);
  });

  it('closes a connection that opens only then, and ends every wait', async () => {
    const rig = createLineRig();
    rig.line.start();
    const waiting = rig.line.waitForLink(never, 60_000);
    await rig.line.stop();
    expect(await waiting).toBeUndefined();
    expect(rig.last().closedFor).toBe('the till stops');
    expect(rig.line.current()).toBeUndefined();
  });
});

describe('a line on demand', () => {
  const ordinary = 'the terminal closed the connection';
  const onDemand = { maxOpenMs: 5_000, isOrdinaryEnd: (_made: FakeConnection, reason: string) => reason === ordinary };

  async function rested(given: Parameters<typeof createLineRig>[0] = {}) {
    const rig = createLineRig({ onDemand, ...given });
    rig.line.start();
    await settle();
    rig.last().drop(ordinary);
    return rig;
  }

  it('rests after an ordinary end: it counts as idle, and nothing is opened', async () => {
    const rig = await rested();
    expect(rig.line.state()).toEqual({ state: 'IDLE', isConnected: true });
    expect([rig.line.current(), rig.line.ready()]).toEqual([undefined, undefined]);
    await rig.clock.advance(600_000);
    expect([rig.made.length, rig.clock.pendingTimers()]).toEqual([1, 0]);
    expect(rig.told).toEqual(['CONNECTING', 'CONNECTING', 'IDLE']);
  });

  it('is opened at once for an exchange, which need not wait for the set-up', async () => {
    const rig = await rested();
    const turn = rig.line.turns.takeIfFree();
    expect(await rig.line.openNow(never)).toBe(rig.last());
    expect(rig.made).toHaveLength(2);
    expect(rig.line.state().state).toBe('IDLE');
    // The terminal closes again before the till had the time to set it up: still no fault.
    rig.last().drop(ordinary);
    turn?.release();
    await rig.clock.advance(60_000);
    expect(rig.line.state()).toEqual({ state: 'IDLE', isConnected: true });
    expect(rig.made).toHaveLength(2);
  });

  it('that cannot be opened says so after one try, and is tried again after a pause', async () => {
    const rig = await rested();
    rig.refuse(REFUSED);
    expect(await rig.line.openNow(never)).toBeUndefined();
    expect(rig.line.state()).toEqual({ state: 'DISCONNECTED', isConnected: false, problem: REFUSED });
    rig.refuse(undefined);
    await rig.clock.advance(500);
    expect(rig.line.state()).toEqual({ state: 'IDLE', isConnected: true });
  });

  it('is opened for an exchange within the pause after a loss', async () => {
    const rig = createLineRig({ onDemand });
    rig.line.start();
    await settle();
    rig.last().drop('reset');
    expect(rig.line.state().state).toBe('DISCONNECTED');
    expect(await rig.line.openNow(never)).toBe(rig.last());
    expect(rig.made).toHaveLength(2);
  });

  it('does not rest before the terminal was ever set up', async () => {
    const rig = await rested({ setUp: async () => undefined });
    expect(rig.line.state().state).toBe('DISCONNECTED');
    await rig.clock.advance(500);
    expect(rig.made).toHaveLength(2);
  });

  it('is looked at when its keep-alive is due', async () => {
    const rig = await rested({ keepAlive: { delayMs: () => 45_000, ask: async () => undefined } });
    await rig.clock.advance(44_999);
    expect(rig.made).toHaveLength(1);
    rig.refuse(REFUSED);
    await rig.clock.advance(1);
    expect(rig.made).toHaveLength(2);
    expect(rig.line.state().state).toBe('DISCONNECTED');
  });

  it('rests no more when the till stops', async () => {
    const rig = await rested();
    await rig.line.stop();
    expect(rig.line.state()).toEqual({ state: 'DISCONNECTED', isConnected: false });
  });

  it('is the only one that opens for whoever asks', async () => {
    const rig = createLineRig();
    rig.line.start();
    await settle();
    rig.last().drop(ordinary);
    const line: AttachedLine<FakeConnection> = rig.line;
    expect([line.isOnDemand, await line.openNow(never)]).toEqual([false, undefined]);
    expect(rig.made).toHaveLength(1);
  });
});
