import { describe, expect, it } from 'vitest';
import type { TransactionRequest } from '../../app/contract/transactions.ts';
import { netAmountOf } from '../../app/domain/totals.ts';
import type { Journal } from '../../app/ports/journal.ts';
import { createCrashPoints } from '../support/crash-points.ts';
import { ask, call, createHarness, type Harness, saleOf } from '../support/engine-harness.ts';
import { createManualClock, settle } from '../support/manual-clock.ts';
import { createMemoryDevice, type Script } from '../support/memory-terminal.ts';
import { type BooksSide, startBooksSide } from './support/own-acquirer-till.ts';
import { createRecordingHost, type RecordingHost } from './support/recording-host.ts';

/** One end that the host must be told of, by a till that dies at one point of it. */
interface Course {
  readonly name: string;
  readonly script?: Script;
  before(harness: Harness): Promise<TransactionRequest>;
}

const courses: readonly Course[] = [
  { name: 'a sale', before: async () => saleOf({ tipAmount: 100 }) },
  { name: 'a sale whose result is lost', script: { lose: 'COMPLETION' }, before: async () => saleOf() },
  {
    name: 'a decline',
    script: { outcome: { kind: 'DECLINED', card: { responseCode: '51' }, receipts: [] } },
    before: async () => saleOf(),
  },
  {
    name: 'a void',
    before: async ({ till }) => {
      const { transactionId } = await ask(till, saleOf());
      return { type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId: transactionId };
    },
  },
  {
    name: 'a refund',
    before: async ({ till }) => {
      const { transactionId } = await ask(till, saleOf());
      return { type: 'REFUND', amount: 600, currency: 'EUR', originalTransactionId: transactionId };
    },
  },
  {
    name: 'a completion',
    before: async ({ till }) => {
      const { transactionId } = await ask(till, saleOf({ type: 'PRE_AUTH' }));
      return { type: 'PRE_AUTH_COMPLETE', amount: 600, currency: 'EUR', originalTransactionId: transactionId };
    },
  },
];

/** What the journal says that the host should have: name and standing of each payment. */
function expectedOf({ journal }: Harness): Record<string, string> {
  const { rows } = journal.listTransactions({ limit: 100 });
  const voided = new Set(
    rows.filter(({ type, state }) => type === 'VOID' && state === 'APPROVED').map((row) => row.targetTransactionId),
  );
  return Object.fromEntries(
    rows.flatMap(({ transactionId, type, state }) => {
      if (type === 'VOID' || (type === 'PRE_AUTH' && state === 'APPROVED')) return [];
      if (state === 'DECLINED') return [[transactionId, 'DECLINED']];
      if (state !== 'APPROVED') return [];
      return [[transactionId, voided.has(transactionId) ? 'REVERSED' : 'SUCCEEDED']];
    }),
  );
}

const toldBy = (host: RecordingHost) =>
  Object.fromEntries([...host.payments].map(([name, { status }]) => [name, status]));

async function runUntilCrash(course: Course, crashAt: number) {
  const device = createMemoryDevice();
  const host = createRecordingHost();
  const clock = createManualClock();
  const sides: BooksSide[] = [];
  const makeHostBooks = (journal: Journal) => {
    const side = startBooksSide(journal, host.client, clock);
    sides.push(side);
    return side.books;
  };
  const harness = createHarness({ devices: [device], clock, makeHostBooks });
  const request = await course.before(harness);
  sides.at(-1)?.outbox.stop();
  const points = createCrashPoints(crashAt, () => {
    device.cut();
    sides.at(-1)?.outbox.stop();
  });
  const { wrapJournal, wrapTerminal, wrapClock } = points;
  harness.crashAndRestart({ wrapJournal, wrapTerminal, wrapClock, makeHostBooks });
  await harness.clock.advance(1_000);
  if (course.script !== undefined) device.next(course.script);
  call(harness.till, request, { idempotencyKey: 'order-1' }).catch(() => undefined);
  await settle();
  await harness.clock.advance(30_000);
  return { harness, host, points, makeHostBooks };
}

describe.each(courses)('a till that dies at any point of $name', (course) => {
  it('tells its host of it once, and of nothing else', async () => {
    let crashAt = 0;
    for (; crashAt < 200; crashAt += 1) {
      const { harness, host, points, makeHostBooks } = await runUntilCrash(course, crashAt);
      const where = `${course.name}, point ${crashAt}: ${points.passed.at(-1)}`;
      if (points.hasCrashed) {
        harness.crashAndRestart({ makeHostBooks });
        await harness.clock.advance(120_000);
      }
      expect(harness.journal.openTransactions(), where).toEqual([]);
      expect(toldBy(host), where).toEqual(expectedOf(harness));
      expect(harness.journal.openOutboxItems(), where).toEqual([]);
      const sums = [...host.payments.values()].reduce((sum, { status, type, amount }) => {
        if (status !== 'SUCCEEDED') return sum;
        return type === 'REFUND' ? sum - amount : sum + amount;
      }, 0);
      expect(sums, where).toBe(netAmountOf(harness.journal.totals('T1', 1, 'EUR')));
      await harness.stop();
      if (!points.hasCrashed) break;
    }
    expect(crashAt).toBeGreaterThan(8);
    expect(crashAt).toBeLessThan(200);
  });
});
