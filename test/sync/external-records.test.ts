import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Journal } from '../../app/ports/journal.ts';
import { ask, createHarness, type Harness, saleOf } from '../support/engine-harness.ts';
import { createManualClock, type ManualClock, settle } from '../support/manual-clock.ts';
import { createMemoryDevice, type MemoryDevice } from '../support/memory-terminal.ts';
import { type BooksSide, startBooksSide } from './support/own-acquirer-till.ts';
import { createRecordingHost, type RecordingHost } from './support/recording-host.ts';

let host: RecordingHost;
let device: MemoryDevice;
let other: MemoryDevice;
let clock: ManualClock;
let side: BooksSide;
let harness: Harness;

const makeHostBooks = (journal: Journal) => {
  side = startBooksSide(journal, host.client, clock);
  return side.books;
};
const person = { clientId: 'client-1', actor: 'console:Anna', requestId: 'q', route: 'r' };
const sell = (amount = 1_000) => ask(harness.till, saleOf({ amount }), { terminalId: 'T1' });
const recordsOf = (name: string) => host.calls.filter((call) => call.startsWith(`record ${name}`));

beforeEach(() => {
  host = createRecordingHost();
  device = createMemoryDevice();
  other = createMemoryDevice({ terminalId: 'T2' });
  clock = createManualClock();
  harness = createHarness({ devices: [device, other], clock, makeHostBooks });
});
afterEach(async () => {
  side.outbox.stop();
  await harness.stop();
});

describe('a payment of the terminal’s own acquirer', () => {
  it('is told to the host once, under the key that it was written down with', async () => {
    const { transactionId } = await sell();
    expect(side.outbox.find(transactionId, 'EXTERNAL_RECORD')).toMatchObject({
      idempotencyKey: `external_record-${transactionId}`,
    });
    await clock.advance(1_000);
    expect(host.payments.get(transactionId)).toMatchObject({ status: 'SUCCEEDED', amount: 1_000, terminalId: 'HT1' });
    expect(side.outbox.find(transactionId, 'EXTERNAL_RECORD')).toMatchObject({ state: 'DONE' });
    await clock.advance(3_600_000);
    expect(recordsOf(transactionId)).toHaveLength(1);
  });

  it('is not told of a terminal that the host does not stand for', async () => {
    await ask(harness.till, saleOf(), { terminalId: 'T2' });
    await clock.advance(1_000);
    expect(harness.journal.openOutboxItems()).toEqual([]);
    expect(host.calls).toEqual([]);
  });

  it('is told again under its key when the answer was lost, and the host has it once', async () => {
    host.next('LOST');
    const { transactionId } = await sell();
    await clock.advance(10_000);
    expect(recordsOf(transactionId)).toHaveLength(2);
    expect([...host.payments.keys()]).toEqual([transactionId]);
  });

  it('waits while the host is down, through a restart, and leaves in the order of its payment', async () => {
    host.isDown = true;
    const first = await sell(1_000);
    await ask(
      harness.till,
      { type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId: first.transactionId },
      { terminalId: 'T1' },
    );
    const second = await sell(2_000);
    await clock.advance(3_600_000);
    expect(host.calls).toEqual([]);
    side.outbox.stop();
    harness.crashAndRestart({ makeHostBooks });
    host.isDown = false;
    await clock.advance(90_000);
    expect(recordsOf(first.transactionId).map((made) => made.split(' ')[2])).toEqual(['SUCCEEDED', 'REVERSED']);
    expect(recordsOf(second.transactionId)).toHaveLength(1);
    expect(harness.journal.openOutboxItems()).toEqual([]);
  });

  it('is tried for all of them by one while there is no connection', async () => {
    host.isDown = true;
    for (const amount of [100, 200, 300]) await sell(amount);
    await clock.advance(600_000);
    const attempts = harness.journal.openOutboxItems().map((item) => item.attempts);
    expect(attempts[0]).toBeGreaterThan(6);
    expect(attempts.slice(1).every((count) => count <= 1)).toBe(true);
  });

  it('is told once a person has said that it was charged, and not when nothing was', async () => {
    const unknown = async () => {
      const question = { kind: 'UNDECIDED', reason: 'no receipt', evidence: [] } as const;
      device.next({ lose: 'STATUS' });
      device.answer(question, question);
      const running = sell();
      await settle();
      await clock.advance(60_000);
      return (await running).transactionId;
    };
    const charged = await unknown();
    expect(side.outbox.find(charged, 'EXTERNAL_RECORD')).toBeUndefined();
    harness.till.resolve({ ...person, terminalId: 'T1' }, charged, { charged: true, evidence: 'The receipt says so.' });
    const notCharged = await unknown();
    harness.till.resolve({ ...person, terminalId: 'T1' }, notCharged, { charged: false, evidence: 'No receipt.' });
    await clock.advance(5_000);
    expect([...host.payments.keys()]).toEqual([charged]);
  });

  it('is shown to a person when the host refuses it for good, and holds up no other', async () => {
    host.next({ refused: 'ILLEGAL_STATE' });
    const refused = await sell(1_000);
    await clock.advance(2_000);
    const taken = await sell(2_000);
    await clock.advance(5_000);
    expect([...host.payments.keys()]).toEqual([taken.transactionId]);
    expect(harness.journal.openTasks()).toMatchObject([
      { subject: { id: refused.transactionId }, reasonCode: 'RECORD_REFUSED', state: 'NEEDS_PERSON' },
    ]);
    const answer = { charged: true, evidence: 'The terminal has it.' };
    harness.till.resolve({ ...person, terminalId: 'T1' }, refused.transactionId, answer);
    expect(harness.journal.openTasks()).toEqual([]);
    expect(side.outbox.find(refused.transactionId, 'EXTERNAL_RECORD')).toMatchObject({ state: 'SETTLED' });
  });

  it('is shown to a person, too, when the host refuses that it was taken back', async () => {
    const { transactionId } = await sell();
    await clock.advance(1_000);
    host.next({ refused: 'ILLEGAL_STATE' });
    await ask(
      harness.till,
      { type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId: transactionId },
      { terminalId: 'T1' },
    );
    await clock.advance(2_000);
    expect(harness.journal.openTasks()).toMatchObject([
      { subject: { id: transactionId }, reasonCode: 'RECORD_REFUSED' },
    ]);
  });

  it('waits out a credential that does not work', async () => {
    host.next({ refused: 'UNAUTHENTICATED' }, { refused: 'UNAUTHENTICATED' });
    const { transactionId } = await sell();
    await clock.advance(30_000);
    expect(side.outbox.find(transactionId, 'EXTERNAL_RECORD')).toMatchObject({ state: 'DONE', attempts: 3 });
  });
});
