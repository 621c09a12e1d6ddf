import { afterEach, describe, expect, it } from 'vitest';
import type { TracedMessage } from '../../app/ports/wire-traces.ts';
import { capabilities } from '../../drivers/neo2/operations.ts';
import { GO_ONLINE_WITH_PIN, PIN_ENTERED, PIN_TAKEN, reply, STARTED, TC, WORKING_60 } from './support/frames.ts';
import { approval, createRig, granular, never, type Rig, settle } from './support/rig.ts';

let rig: Rig;
afterEach(async () => {
  await rig.terminal.stop();
  await rig.clock.advance(200_000);
  expect(rig.clock.pendingTimers()).toBe(0);
});

const HOUR_MS = 3_600_000;

describe('A reader', () => {
  it('is pinged, told to stop, asked for its firmware and configured once per connection', async () => {
    rig = createRig();
    await rig.ready();
    expect(rig.reader.sent).toEqual([
      '56 69 56 4F 74 65 63 68 32 00 18 01 00 00 B3 CD',
      '56 69 56 4F 74 65 63 68 32 00 05 01 00 00 92 EF',
      '56 69 56 4F 74 65 63 68 32 00 29 00 00 00 DE A0',
      '56 69 56 4F 74 65 63 68 32 00 04 00 00 09 FF F7 01 00 DF ED 59 01 00 98 51',
    ]);
    expect(rig.terminal.status()).toMatchObject({
      connected: true,
      state: 'IDLE',
      firmwareVersion: 'TEST READER V1.00.000',
      serialNumber: '123T456789',
      connectivity: { method: 'USB' },
    });
  });

  it('works although it refuses its configuration', async () => {
    rig = createRig();
    rig.reader.on('04 00', reply('04', '05'));
    await rig.ready();
    expect(rig.terminal.status().state).toBe('IDLE');
    expect(rig.logged.join()).toContain('A parameter is wrong');
  });

  it('that is silent is not ready, and is tried again on a new connection', async () => {
    rig = createRig();
    for (let attempt = 0; attempt < 3; attempt++) {
      rig.reader.on('18 01', WORKING_60);
      rig.reader.on('05 01', WORKING_60);
    }
    await rig.ready();
    expect(rig.terminal.status()).toMatchObject({ connected: false, state: 'CONNECTING' });
    await rig.clock.advance(60_000);
    expect(rig.reader.connections).toBe(4);
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('is kept alive through a night, and is there in the morning', async () => {
    rig = createRig();
    await rig.ready();
    const before = rig.reader.sent.length;
    await rig.clock.advance(8 * HOUR_MS);
    const pings = rig.reader.sent.slice(before);
    expect(pings).toHaveLength((8 * HOUR_MS) / 45_000);
    expect(new Set(pings).size).toBe(1);
    expect(rig.reader.connections).toBe(1);
  });

  it('that dies in its sleep is noticed, and found again', async () => {
    rig = createRig();
    await rig.ready();
    rig.reader.on('18 01', WORKING_60);
    rig.reader.on('05 01', WORKING_60);
    await rig.clock.advance(60_000);
    expect(rig.reader.connections).toBe(2);
    expect(rig.terminal.status().state).toBe('IDLE');
    expect(rig.notices.map((notice) => notice.kind === 'STATUS' && notice.status.state)).toContain('DISCONNECTED');
  });

  it('that is unplugged refuses at once and is used again after it was plugged in', async () => {
    rig = createRig();
    await rig.ready();
    rig.reader.plug(false);
    await expect(rig.terminal.prepare(granular(), never)).rejects.toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
    await rig.clock.advance(120_000);
    expect(rig.terminal.status()).toMatchObject({ connected: false, state: 'DISCONNECTED' });
    rig.reader.plug(true);
    expect(await rig.terminal.probe(never, true)).toMatchObject({ connected: true, state: 'IDLE' });
  });

  it('is not pinged between the steps of a payment', async () => {
    rig = createRig();
    await rig.ready();
    rig.reader.on('60 10', WORKING_60, STARTED);
    rig.reader.on('60 11', WORKING_60, GO_ONLINE_WITH_PIN);
    rig.reader.on('62 01', PIN_TAKEN, PIN_ENTERED);
    rig.reader.on('60 12', WORKING_60, TC);
    const { exchange, outcome } = await rig.begin(granular({ amountMinor: 200 }));
    await outcome;
    const before = rig.reader.sent.length;
    await rig.clock.advance(100_000);
    expect(rig.reader.sent).toHaveLength(before);
    expect(await rig.terminal.probe(never)).toMatchObject({ state: 'BUSY' });
    expect(await exchange.complete?.(approval)).toMatchObject({ kind: 'APPROVED' });
  });

  it('serves one payment at a time', async () => {
    rig = createRig();
    await rig.ready();
    const first = await rig.terminal.prepare(granular(), never);
    const second = rig.terminal.prepare(granular(), never);
    second.catch(() => undefined);
    await rig.clock.advance(16_000);
    await expect(second).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    first.discard();
    (await rig.terminal.prepare(granular(), never)).discard();
  });
});

describe('Before a byte is sent', () => {
  it.each([
    [{ ...granular(), amountMinor: 1_000_000_000_000 }, 'AMOUNT_TOO_LARGE'],
    [{ ...granular(), amountMinor: 1.5 }, 'INVALID_REQUEST'],
    [{ ...granular(), amountMinor: -1 }, 'INVALID_REQUEST'],
    [{ ...granular(), currency: 'CHF' }, 'UNSUPPORTED_CURRENCY'],
    [{ ...granular(), cashbackAmountMinor: 2000 }, 'INVALID_REQUEST'],
    [{ ...granular(), operation: 'SALE' as const }, 'OPERATION_NOT_SUPPORTED'],
    [{ transactionId: 'T', operation: 'DAY_CLOSE' as const, currency: 'EUR' }, 'OPERATION_NOT_SUPPORTED'],
    [
      { transactionId: 'T', operation: 'BALANCE_INQUIRY' as const, currency: 'EUR', entryMode: 'AUTO' as const },
      'OPERATION_NOT_SUPPORTED',
    ],
  ])('%o is refused with %s', async (command, code) => {
    rig = createRig();
    await rig.ready();
    const before = rig.reader.sent.length;
    await expect(rig.terminal.prepare(command, never)).rejects.toMatchObject({ code });
    expect(rig.reader.sent).toHaveLength(before);
  });

  it('display and print are refused: the reader has neither', async () => {
    rig = createRig();
    await rig.ready();
    const before = rig.reader.sent.length;
    await expect(rig.terminal.display({ lines: ['x'] }, never)).rejects.toMatchObject({
      code: 'OPERATION_NOT_SUPPORTED',
    });
    await expect(rig.terminal.print(['x'], never)).rejects.toMatchObject({ code: 'OPERATION_NOT_SUPPORTED' });
    expect(rig.reader.sent).toHaveLength(before);
    for (const absent of ['DISPLAY', 'PRINT', 'SALE', 'VOID'] as const)
      expect(capabilities.operations.has(absent)).toBe(false);
  });
});

describe('After a lost answer', () => {
  it('nothing was charged before the card was done, and afterwards nobody can say', async () => {
    rig = createRig();
    const asked = { command: granular(), mark: {}, startedAt: '2026-11-28T10:00:00.000Z' };
    expect(await rig.terminal.recover({ ...asked, state: 'INTENT' }, never)).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' },
      evidence: [{ questionCode: 'OUTCOME', answerCode: 'NOT_DONE' }],
    });
    expect(await rig.terminal.recover({ ...asked, state: 'PROVISIONAL' }, never)).toMatchObject({ kind: 'UNDECIDED' });
  });
});

describe('What is kept of the line', () => {
  it('names every message and shows neither card data nor keys', async () => {
    const traced: TracedMessage[] = [];
    rig = createRig({}, { record: (_terminalId, message) => void traced.push(message) });
    await rig.ready();
    rig.reader.on('60 10', WORKING_60, STARTED);
    rig.reader.on('60 11', WORKING_60, GO_ONLINE_WITH_PIN);
    rig.reader.on('62 01', PIN_TAKEN, PIN_ENTERED);
    rig.reader.on('60 12', WORKING_60, TC);
    const { exchange, outcome } = await rig.begin(granular({ amountMinor: 200 }));
    await outcome;
    await exchange.complete?.(approval);
    await settle();
    const names = traced.map(({ name }) => name);
    for (const name of [
      '18 01 ping',
      '60 63 reply: working',
      '60 10 start contact',
      '60 12 apply response',
      '62 01 get encrypted pin',
    ])
      expect(names).toContain(name);
    const reading = traced.find(({ fields }) => fields.some(({ tag }) => tag === '5A'));
    expect(reading?.fields).toContainEqual({ tag: 'DFEE25', shown: '0004' });
    expect(reading?.fields).toContainEqual({ tag: '5A', hiddenBytes: 16 });
    const text = JSON.stringify([traced, rig.logged]);
    for (const secret of [
      '41 11',
      '4111',
      'FFFF9876543210E00001',
      '1B9C1845EB993A7A',
      'D8016F4F',
      '0102030405060708',
      '1122334455667788',
    ])
      expect(text).not.toContain(secret);
  });
});
