import { afterEach, describe, expect, it } from 'vitest';
import type { CompleteRequest } from '../../app/contract/transactions.ts';
import {
  AAC,
  AAC_AFTER_APPROVAL,
  dataOf,
  GO_ONLINE,
  reply,
  result,
  STARTED,
  TC,
  WORKING_60,
} from './support/frames.ts';
import { answer, approval, createRig, type Rig, type Running, settle } from './support/rig.ts';

let rig: Rig;
afterEach(async () => {
  await rig.terminal.stop();
  await rig.clock.advance(200_000);
  expect(rig.clock.pendingTimers()).toBe(0);
});

/** A seated card that waits for its issuer. */
async function waitingCard(): Promise<Running> {
  rig = createRig();
  await rig.ready();
  rig.reader.on('60 10', WORKING_60, STARTED);
  rig.reader.on('60 11', WORKING_60, GO_ONLINE);
  const running = await rig.begin();
  expect((await running.outcome).kind).toBe('PENDING_ONLINE');
  return running;
}

async function complete(running: Running, request: CompleteRequest, ...frames: readonly Uint8Array[]) {
  rig.reader.on('60 12', WORKING_60, ...frames);
  const outcome = await running.exchange.complete?.(request);
  await rig.clock.advance(1_000);
  return outcome;
}

function applied(): readonly string[] {
  return rig.reader.sent.filter((frame) => frame.slice(30, 35) === '60 12');
}

describe("The issuer's answer at the chip", () => {
  it('is an approval only when issuer and card approve', async () => {
    expect(await complete(await waitingCard(), approval, TC)).toMatchObject({ kind: 'APPROVED' });
  });

  it('is declined when the card refuses after an approval', async () => {
    const outcome = await complete(await waitingCard(), approval, AAC_AFTER_APPROVAL);
    expect(outcome).toMatchObject({ kind: 'DECLINED', reason: expect.stringContaining('issuer had approved') });
    expect(outcome).not.toMatchObject({ card: { responseCode: '00' } });
  });

  it('is declined after a decline, whatever the card says', async () => {
    expect(await complete(await waitingCard(), answer('51'), AAC)).toMatchObject({
      kind: 'DECLINED',
      card: { responseCode: '51', cryptogramType: 'AAC' },
    });
    await rig.terminal.stop();
    expect(await complete(await waitingCard(), answer('51'), TC)).toMatchObject({ kind: 'DECLINED' });
  });

  it('declines for less than was asked, and tells nothing of an issuer who does not know', async () => {
    expect(await complete(await waitingCard(), answer('10', { authorizationCode: 'A' }), TC)).toMatchObject({
      kind: 'DECLINED',
    });
    await rig.terminal.stop();
    expect(await complete(await waitingCard(), answer('68'), AAC)).toMatchObject({
      kind: 'UNKNOWN',
      reasonCode: 'ISSUER_UNSURE',
    });
  });

  it('tells the card 02 when its issuer was not reached, and then a TC is an approval of the chip alone', async () => {
    const outcome = await complete(await waitingCard(), answer('Z3'), TC);
    expect(outcome).toMatchObject({ kind: 'CHIP_APPROVED', card: { cryptogramType: 'TC' } });
    expect(applied()).toEqual(['56 69 56 4F 74 65 63 68 32 00 60 12 00 01 02 42 37']);
    await rig.terminal.stop();
    expect(await complete(await waitingCard(), answer('Z3'), AAC)).toMatchObject({ kind: 'DECLINED' });
  });

  it('carries scripts, with or without their tag', async () => {
    const script = '9F18040000000186098424';
    await complete(
      await waitingCard(),
      { ...approval, issuerScripts71: script, issuerScripts72: [`720B${script}`, script] },
      TC,
    );
    const inner = '9F 18 04 00 00 00 01 86 09 84 24';
    expect(dataOf(applied()[0] ?? '')).toBe(
      `01 8A 02 30 30 91 0A 11 22 33 44 55 66 77 88 30 30 71 0B ${inner} 72 0B ${inner} 72 0B ${inner}`,
    );
  });

  it.each([
    ['no card', result('30 05')],
    ['a time-out', result('00 08')],
    ['a cancellation', result('00 12')],
    ['no result', reply('60', '00', 'C0 9F 27 01 40')],
    ['a refusal', reply('60', '0C')],
    ['a parameter refused', reply('60', '05')],
    ['card data in the clear', reply('60', '00', 'C0 DF EE 25 02 00 02 5A 08 41 11 11 11 11 11 11 11')],
  ])('is unknown, never declined, after an approval that the card answers with %s', async (_name, frame) => {
    const outcome = await complete(await waitingCard(), approval, frame);
    expect(outcome).toMatchObject({ kind: 'UNKNOWN', message: expect.stringContaining('card step was lost') });
    expect(applied()).toHaveLength(1);
  });

  it('is unknown when the link goes before or while it is given, and nothing is sent again', async () => {
    const before = await waitingCard();
    rig.reader.unplug();
    expect(await before.exchange.complete?.(approval)).toMatchObject({ kind: 'UNKNOWN' });
    expect(applied()).toHaveLength(0);
    await rig.clock.advance(5_000);
    expect(rig.terminal.status().state).toBe('IDLE');
    await rig.terminal.stop();

    const during = await waitingCard();
    rig.reader.on('60 12', WORKING_60, () => rig.reader.unplug());
    expect(await during.exchange.complete?.(approval)).toMatchObject({ kind: 'UNKNOWN' });
    await rig.clock.advance(5_000);
    expect(applied()).toHaveLength(1);
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('is asked for, not sent again, when it did not come', async () => {
    const { exchange } = await waitingCardWithCounter();
    rig.reader.on('60 12', WORKING_60);
    rig.reader.on('60 13', WORKING_60, reply('60', '00', 'C0 DF EE 25 02 00 02 9F 27 01 40 9F 36 02 00 1C'));
    const outcome = exchange.complete?.(approval);
    await rig.clock.advance(60_000);
    expect(await outcome).toMatchObject({ kind: 'APPROVED' });
    expect(rig.reader.commands().slice(-3)).toEqual(['60 12', '05 01', '60 13']);
  });

  it.each([
    ['the step before', 'C0 DF EE 25 02 00 04 9F 27 01 80 9F 36 02 00 1C'],
    ['another card', 'C0 DF EE 25 02 00 02 9F 27 01 40 9F 36 02 00 1D'],
    ['no counter', 'C0 DF EE 25 02 00 02 9F 27 01 40'],
  ])('stays unknown when what the reader kept is of %s', async (_name, data) => {
    const { exchange } = await waitingCardWithCounter();
    rig.reader.on('60 12', WORKING_60);
    rig.reader.on('60 13', WORKING_60, reply('60', '00', data));
    const outcome = exchange.complete?.(approval);
    await rig.clock.advance(60_000);
    expect(await outcome).toMatchObject({ kind: 'UNKNOWN' });
    expect(applied()).toHaveLength(1);
  });

  it('refuses a tag 91 of a wrong length before a byte is sent, and takes a right one after it', async () => {
    const running = await waitingCard();
    const before = rig.reader.sent.length;
    for (const issuerAuthData of ['11223344556677', `${'11'.repeat(17)}`]) {
      await expect(running.exchange.complete?.({ ...approval, issuerAuthData })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        field: 'issuerAuthData',
      });
    }
    await expect(
      running.exchange.complete?.({ ...approval, issuerScripts71: Array.from({ length: 16 }, () => '00'.repeat(255)) }),
    ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await settle();
    expect(rig.reader.sent).toHaveLength(before);
    expect(await complete(running, approval, TC)).toMatchObject({ kind: 'APPROVED' });
  });

  it('gives a second answer the outcome of the first', async () => {
    const running = await waitingCard();
    rig.reader.on('60 12', WORKING_60, TC);
    const [first, second] = [running.exchange.complete?.(approval), running.exchange.complete?.(answer('51'))];
    expect(await first).toMatchObject({ kind: 'APPROVED' });
    expect(await second).toMatchObject({ kind: 'APPROVED' });
    expect(await running.exchange.complete?.(approval)).toMatchObject({ kind: 'APPROVED' });
    expect(applied()).toHaveLength(1);
  });

  it('is not taken for given by a doubled answer to the step before', async () => {
    const running = await waitingCard();
    rig.reader.on('60 12', GO_ONLINE, STARTED, WORKING_60, GO_ONLINE, TC);
    expect(await running.exchange.complete?.(approval)).toMatchObject({ kind: 'APPROVED' });
  });

  it('cannot be aborted any more; given up, the card is told to stop', async () => {
    const running = await waitingCard();
    expect(await running.exchange.requestAbort()).toBe('TOO_LATE');
    expect(rig.terminal.status().state).toBe('BUSY');
    running.exchange.discard();
    await rig.clock.advance(1_000);
    expect(rig.reader.commands().at(-1)).toBe('05 01');
    expect(rig.terminal.status().state).toBe('IDLE');
    await expect(running.exchange.complete?.(approval)).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    expect(applied()).toHaveLength(0);
  });
});

/** As waitingCard, of a card that told its counter: 001C. */
async function waitingCardWithCounter(): Promise<Running> {
  rig = createRig({ currency: 'EUR' });
  await rig.ready();
  rig.reader.on('60 10', WORKING_60, STARTED);
  rig.reader.on(
    '60 11',
    WORKING_60,
    reply('60', '00', 'C0 DF EE 25 02 00 04 9F 27 01 80 9F 34 03 1F 03 02 9F 36 02 00 1C'),
  );
  const running = await rig.begin();
  await running.outcome;
  return running;
}
