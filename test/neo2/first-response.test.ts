// How soon a reader that does not take the command to read a card is noticed: by the first responses (63) that it was seen to send.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TerminalOutcome } from '../../app/ports/terminal.ts';
import { DECLINED_OFFLINE, firmware, WORKING_60 } from './support/frames.ts';
import { createRig, type Rig } from './support/rig.ts';

/** A command, its wait for 63, the cancellation and what may still come after it have room in it; a customer's time has not. */
const SOON_MS = 7_000;
const CARD_TIME_MS = 75_000;

let rig: Rig;
beforeEach(async () => {
  rig = createRig();
  await rig.ready();
});
afterEach(() => rig.terminal.stop());

async function reconnect(): Promise<void> {
  rig.reader.unplug();
  await rig.clock.advance(10_000);
  expect(rig.terminal.status().state).toBe('IDLE');
}

/** One payment whose 60-10 is answered so, or not at all. */
async function pay(...moves: readonly Uint8Array[]): Promise<void> {
  rig.reader.on('60 10', ...moves);
  expect(await (await rig.begin()).outcome).toMatchObject({ kind: 'DECLINED' });
}

/** How a payment ended that the reader does not take; undefined while it waits. */
async function endAfter(waitMs: number): Promise<TerminalOutcome | undefined> {
  rig.reader.on('60 10');
  const { outcome } = await rig.begin();
  let end: TerminalOutcome | undefined;
  void outcome.then((told) => {
    end = told;
  });
  await rig.clock.advance(waitMs);
  const early = end;
  await rig.clock.advance(CARD_TIME_MS);
  expect(end).toMatchObject({ kind: 'FAILED' });
  return early;
}

describe('A reader that does not take the command', () => {
  it('is noticed soon once it was seen to send 63 first', async () => {
    await pay(WORKING_60, DECLINED_OFFLINE);
    expect(await endAfter(SOON_MS)).toMatchObject({ kind: 'FAILED' });
  });

  it('is noticed soon by the first payment of a new connection, too, and of the one after that', async () => {
    await pay(WORKING_60, DECLINED_OFFLINE);
    await reconnect();
    await reconnect();
    expect(await endAfter(SOON_MS)).toMatchObject({ kind: 'FAILED' });
  });

  it('is given the time of a card while nothing is known of it', async () => {
    expect(await endAfter(SOON_MS)).toBeUndefined();
  });

  it('is given the time of a card when it has never sent 63', async () => {
    await pay(DECLINED_OFFLINE);
    await reconnect();
    expect(await endAfter(SOON_MS)).toBeUndefined();
    await pay(DECLINED_OFFLINE);
  });

  it('is given the time of a card when it is another reader on the same line', async () => {
    await pay(WORKING_60, DECLINED_OFFLINE);
    rig.reader.on('29 00', firmware('OTHER READER V2'));
    await reconnect();
    expect(await endAfter(SOON_MS)).toBeUndefined();
  });

  it('is believed to send 63 no longer once it was silent on the new connection', async () => {
    await pay(WORKING_60, DECLINED_OFFLINE);
    await reconnect();
    expect(await endAfter(SOON_MS)).toMatchObject({ kind: 'FAILED' });
    expect(await endAfter(SOON_MS)).toBeUndefined();
  });

  it('may answer without 63 on a new connection: the answer counts', async () => {
    await pay(WORKING_60, DECLINED_OFFLINE);
    await reconnect();
    await pay(DECLINED_OFFLINE);
  });
});
