import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reportOf } from '../../app/console/day-figures.ts';
import type { ReconciliationResponse } from '../../app/contract/settlements.ts';
import type { Journal } from '../../app/ports/journal.ts';
import { ask, createHarness, type Harness, saleOf } from '../support/engine-harness.ts';
import { createManualClock, type ManualClock, settle } from '../support/manual-clock.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';
import { type BooksSide, startBooksSide } from './support/own-acquirer-till.ts';
import { createRecordingHost, type RecordingHost } from './support/recording-host.ts';

let host: RecordingHost;
let clock: ManualClock;
let side: BooksSide;
let harness: Harness;

const makeHostBooks = (journal: Journal) => {
  side = startBooksSide(journal, host.client, clock);
  return side.books;
};
const context = (idempotencyKey: string) => ({
  ...{ clientId: 'client-1', actor: 'console:Anna', requestId: 'q', route: 'POST /v1/reconciliation', idempotencyKey },
});
const sell = async (amount = 1_000) => (await ask(harness.till, saleOf({ amount }))).transactionId;
async function closeDay(key: string): Promise<ReconciliationResponse> {
  const running = harness.till.reconcile(context(key), { closeDay: true });
  await settle();
  await clock.advance(11_000);
  return JSON.parse((await running).body);
}
const closeOf = (settlementId: string | undefined) => {
  const found = harness.journal.findSettlement(settlementId ?? '');
  return harness.journal.findDayCloseOfBatch('T1', found?.batchNumber ?? 0);
};

beforeEach(() => {
  host = createRecordingHost();
  clock = createManualClock();
  harness = createHarness({ devices: [createMemoryDevice()], clock, makeHostBooks });
});
afterEach(async () => {
  side.outbox.stop();
  await harness.stop();
});

describe('the day close of a terminal with an acquirer of its own', () => {
  it('answers with the totals of journal, terminal and host', async () => {
    await sell(1_000);
    const refunded = await sell(2_000);
    await ask(harness.till, { type: 'REFUND', amount: 300, currency: 'EUR', originalTransactionId: refunded });
    const answer = await closeDay('close-1');
    expect(answer).toMatchObject({
      status: 'SUCCESS',
      totals: { saleCount: 2, saleAmount: 3_000, refundCount: 1, refundAmount: 300 },
      columns: {
        terminal: { netAmount: 2_700, schemes: [] },
        host: { state: 'TOLD', settlementId: 'S1', totals: { saleCount: 2, saleAmount: 3_000, refundAmount: 300 } },
      },
    });
    expect(answer).not.toHaveProperty('namedDifferences');
    expect(host.calls.at(-1)).toMatch(/^close day_close-/);
    const again = await harness.till.reconcile(context('close-1'), { closeDay: true });
    expect(JSON.parse(again.body)).toEqual(answer);
  });

  it('does not count holds against the host, which knows of none', async () => {
    await ask(harness.till, saleOf({ type: 'PRE_AUTH', amount: 5_000 }));
    await sell(1_000);
    expect(await closeDay('close-1')).toMatchObject({
      ...{ status: 'SUCCESS', totals: { preAuthCount: 1, preAuthAmount: 5_000 }, openPreAuths: [{ amount: 5_000 }] },
      columns: { host: { state: 'TOLD', totals: { saleAmount: 1_000, preAuthCount: 0 } } },
    });
  });

  it('closes though the host is down, says so, and completes its column later; the next batch waits for it', async () => {
    host.isDown = true;
    await sell(1_000);
    const answer = await closeDay('close-1');
    expect(answer).toMatchObject({ status: 'SUCCESS', columns: { host: { state: 'NOT_YET' } } });
    expect(answer.columns?.host).not.toHaveProperty('totals');
    const later = await sell(700);
    side.outbox.stop();
    harness.crashAndRestart({ makeHostBooks });
    host.isDown = false;
    await clock.advance(120_000);
    expect(closeOf(answer.settlementId)?.host).toMatchObject({
      state: 'TOLD',
      totals: { saleCount: 1, saleAmount: 1_000 },
    });
    expect(host.calls.map((made) => made.split(' ')[0])).toEqual(['record', 'close', 'record']);
    expect(host.payments.get(later)).toMatchObject({ status: 'SUCCEEDED' });
    expect(reportOf(harness.journal, answer.settlementId ?? '').columns?.host).toMatchObject({ state: 'TOLD' });
    // What was answered once is answered again, as it was.
    const again = await harness.till.reconcile(context('close-1'), { closeDay: true });
    expect(JSON.parse(again.body)).toEqual(answer);
  });

  it('is told to the host once though the answer is lost', async () => {
    await sell(1_000);
    await clock.advance(1_000);
    host.next('LOST');
    await closeDay('close-1');
    await clock.advance(60_000);
    expect(host.closes).toHaveLength(1);
    expect(harness.journal.openOutboxItems()).toEqual([]);
  });

  it('names what the host lacks, and whose it is', async () => {
    await sell(1_000);
    await clock.advance(1_000);
    host.refuses = () => true;
    const refused = await sell(2_000);
    await clock.advance(2_000);
    harness.till.resolve(context('r'), refused, { charged: true, evidence: 'The terminal has it.' });
    const answer = await closeDay('close-1');
    expect(answer).toMatchObject({
      ...{ status: 'PARTIAL', message: 'The totals of the host differ from the journal.' },
      differences: ['saleCount: journal 2, host 1', 'saleAmount: journal 3000, host 1000'],
      namedDifferences: [
        {
          side: 'HOST',
          cause: 'NOT_FORWARDED',
          owner: 'HOST',
          operation: 'SALE',
          transactionId: refused,
          count: -1,
          amount: -2_000,
        },
      ],
    });
  });

  it('that the host refuses for good is closed all the same, and says so', async () => {
    await sell(1_000);
    await clock.advance(1_000);
    host.next({ refused: 'ILLEGAL_STATE' });
    const answer = await closeDay('close-1');
    expect(answer).toMatchObject({
      status: 'SUCCESS',
      columns: { host: { state: 'REFUSED', message: 'ILLEGAL_STATE: no' } },
    });
    expect(harness.journal.openTasks()).toEqual([]);
  });
});
