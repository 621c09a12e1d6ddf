import { describe, expect, it } from 'vitest';
import type { TerminalNotice } from '../../app/ports/terminal.ts';
import type { LineDeps } from '../../drivers/session/attached-line.ts';
import { createTerminalFrame, type TerminalFrame } from '../../drivers/session/terminal-frame.ts';
import { settle } from '../support/zvt-clock.ts';
import { silentLog } from '../support/zvt-terminal.ts';
import { createLineRig, type FakeConnection } from './line-rig.ts';

const never = new AbortController().signal;
const ordinary = 'the terminal closed the connection';

function createFrameRig(given: Partial<LineDeps<FakeConnection>> & { readonly answers?: () => Promise<void> } = {}) {
  const asked: FakeConnection[] = [];
  const notices: TerminalNotice[] = [];
  const { answers, ...line } = given;
  const rig = createLineRig({ ...line, onChange: () => frame.tellStatus() });
  const frame: TerminalFrame<FakeConnection> = createTerminalFrame({
    log: silentLog,
    terminalId: 'T1',
    noun: 'terminal',
    line: rig.line,
    method: 'ETHERNET',
    maxTurnWaitMs: 15_000,
    async ask(connection) {
      asked.push(connection);
      await answers?.();
    },
  });
  frame.common.subscribe((notice) => notices.push(notice));
  return { ...rig, frame, asked, notices };
}

async function started(given: Parameters<typeof createFrameRig>[0] = {}) {
  const rig = createFrameRig(given);
  rig.frame.common.start();
  await settle();
  return rig;
}

describe('the status of a terminal', () => {
  it('is what its line knows, and connected only when it is set up', async () => {
    const rig = createFrameRig({
      serialNumber: '7T1',
      setUp: async (made) => {
        made.receive();
        rig.line.learn(made, { isReady: true, firmwareVersion: '1.2' });
      },
    });
    rig.frame.common.start();
    await settle();
    const idle = {
      connected: true,
      state: 'IDLE',
      firmwareVersion: '1.2',
      serialNumber: '7T1',
      lastSeenAt: '2026-11-27T12:00:00.000Z',
      connectivity: { method: 'ETHERNET' },
    };
    expect(rig.frame.common.status()).toEqual(idle);
    expect(rig.notices.at(-1)).toEqual({ kind: 'STATUS', status: idle });
    expect(rig.notices.map((notice) => notice.kind === 'STATUS' && notice.status.connected)).toEqual([
      false,
      false,
      true,
    ]);
    await rig.frame.common.stop();
    expect(rig.frame.common.status()).toMatchObject({ connected: false, state: 'DISCONNECTED' });
  });

  it('reaches nobody who left, and a listener that fails disturbs nobody but him who tells a fact', async () => {
    const rig = createFrameRig();
    let heard = 0;
    const leave = rig.frame.common.subscribe(() => {
      heard++;
      throw new Error('disk full');
    });
    rig.frame.common.start();
    await settle();
    expect([rig.line.state().state, heard]).toEqual(['IDLE', 3]);
    const batch = { kind: 'BATCH_CLOSED_BY_TERMINAL', batch: { schemes: [] } } as const;
    expect(() => rig.frame.tell(batch)).toThrow('disk full');
    leave();
    rig.frame.tell(batch);
    expect(heard).toBe(4);
  });
});

describe('the turn at a terminal', () => {
  it('comes with the open connection', async () => {
    const rig = await started();
    const { turn, connection } = await rig.frame.takeTurn(never);
    expect([connection, rig.line.turns.isTaken()]).toEqual([rig.last(), true]);
    turn.release();
  });

  it('is refused at once without a link, with the reason that is known', async () => {
    const rig = createFrameRig();
    await expect(rig.frame.takeTurn(never)).rejects.toMatchObject({
      code: 'TERMINAL_UNREACHABLE',
      message: 'The terminal is not connected.',
    });
    rig.refuse('10.0.0.5:20007 refused the connection.');
    rig.frame.common.start();
    await settle();
    await expect(rig.frame.takeTurn(never)).rejects.toMatchObject({
      code: 'TERMINAL_UNREACHABLE',
      message: '10.0.0.5:20007 refused the connection.',
    });
    expect(rig.made).toHaveLength(1);
  });

  it('is refused when it does not come, or its link is lost until it comes', async () => {
    const rig = await started();
    const held = rig.line.turns.takeIfFree();
    const busy = expect(rig.frame.takeTurn(never)).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    await rig.clock.advance(15_000);
    await busy;
    const lost = expect(rig.frame.takeTurn(never)).rejects.toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
    rig.last().drop('reset');
    held?.release();
    await lost;
    expect(rig.line.turns.isTaken()).toBe(false);
  });

  it('opens a line on demand by one try', async () => {
    const rig = await started({
      onDemand: { maxOpenMs: 5_000, isOrdinaryEnd: (_made, reason) => reason === ordinary },
    });
    rig.last().drop(ordinary);
    const { turn, connection } = await rig.frame.takeTurn(never);
    expect([connection, rig.made.length]).toEqual([rig.last(), 2]);
    rig.last().drop('reset');
    turn.release();
    rig.refuse('10.0.0.5:8888 refused the connection.');
    await expect(rig.frame.takeTurn(never)).rejects.toMatchObject({
      code: 'TERMINAL_UNREACHABLE',
      message: '10.0.0.5:8888 refused the connection.',
    });
    expect([rig.made.length, rig.line.turns.isTaken()]).toEqual([3, false]);
  });
});

describe('a look at a terminal', () => {
  it('asks it, under the turn', async () => {
    const turns: boolean[] = [];
    const rig = await started({ answers: async () => void turns.push(rig.line.turns.isTaken()) });
    expect(await rig.frame.common.probe(never)).toMatchObject({ state: 'IDLE' });
    expect([rig.asked, turns, rig.line.turns.isTaken()]).toEqual([[rig.last()], [true], false]);
  });

  it('is not held up by a terminal that is silent, whose turn stays taken until it is heard to the end', async () => {
    let answer = (): void => undefined;
    const rig = await started({
      answers: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const caller = new AbortController();
    const looking = rig.frame.common.probe(caller.signal);
    await settle();
    caller.abort();
    expect(await looking).toMatchObject({ state: 'IDLE' });
    expect(rig.line.turns.isTaken()).toBe(true);
    answer();
    await settle();
    expect(rig.line.turns.isTaken()).toBe(false);
  });

  it('does not disturb a running exchange', async () => {
    const rig = await started();
    rig.line.setBusy(true);
    expect(await rig.frame.common.probe(never)).toMatchObject({ state: 'BUSY' });
    expect(rig.asked).toEqual([]);
  });

  it('tries a line that is down at once for a person, and for nobody else', async () => {
    const rig = await started();
    rig.last().drop('reset');
    expect(await rig.frame.common.probe(never)).toMatchObject({ connected: false });
    expect(rig.made).toHaveLength(1);
    expect(await rig.frame.common.probe(never, true)).toMatchObject({ connected: true });
    expect(rig.made).toHaveLength(2);
  });
});
