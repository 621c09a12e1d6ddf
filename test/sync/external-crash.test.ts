import { describe, expect, it } from 'vitest';
import type { TransactionRequest } from '../../app/contract/transactions.ts';
import { netAmountOf } from '../../app/domain/totals.ts';
import type { Journal } from '../../app/ports/journal.ts';
import { verifyJournal } from '../../app/storage/verify-journal.ts';
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

const closeContext = {
  ...{ clientId: 'client-1', actor: 'console:Anna', requestId: 'q', route: 'POST /v1/reconciliation' },
  idempotencyKey: 'close-1',
};

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

/** What the till is asked to do, and dies in. */
interface Doing {
  readonly script?: Script | undefined;
  prepare(harness: Harness): Promise<(harness: Harness) => Promise<unknown>>;
}

async function runUntilCrash({ script, prepare }: Doing, crashAt: number) {
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
  const act = await prepare(harness);
  sides.at(-1)?.outbox.stop();
  const points = createCrashPoints(crashAt, () => {
    device.cut();
    sides.at(-1)?.outbox.stop();
  });
  const { wrapJournal, wrapTerminal, wrapClock } = points;
  harness.crashAndRestart({ wrapJournal, wrapTerminal, wrapClock, makeHostBooks });
  await harness.clock.advance(1_000);
  if (script !== undefined) device.next(script);
  act(harness).catch(() => undefined);
  await settle();
  await harness.clock.advance(30_000);
  return { harness, host, points, makeHostBooks };
}

describe.each(courses)('a till that dies at any point of $name', (course) => {
  it('tells its host of it once, and of nothing else', async () => {
    let crashAt = 0;
    for (; crashAt < 200; crashAt += 1) {
      const doing: Doing = {
        script: course.script,
        async prepare(before) {
          const request = await course.before(before);
          return ({ till }) => call(till, request, { idempotencyKey: 'order-1' });
        },
      };
      const { harness, host, points, makeHostBooks } = await runUntilCrash(doing, crashAt);
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

describe('a till that dies at any point of its day close', () => {
  it('closes once at its host, with every payment of the day, and has its column in the end', async () => {
    const closing: Doing = {
      async prepare({ till }) {
        await ask(till, saleOf({ amount: 1_000 }));
        await ask(till, saleOf({ amount: 500 }));
        return (after) => after.till.reconcile(closeContext, { closeDay: true });
      },
    };
    let crashAt = 0;
    for (; crashAt < 200; crashAt += 1) {
      const { harness, host, points, makeHostBooks } = await runUntilCrash(closing, crashAt);
      const where = `point ${crashAt}: ${points.passed.at(-1)}`;
      if (points.hasCrashed) {
        harness.crashAndRestart({ makeHostBooks });
        await harness.clock.advance(120_000);
      }
      const close = async (idempotencyKey: string) => {
        const running = harness.till.reconcile({ ...closeContext, idempotencyKey }, { closeDay: true });
        await settle();
        await harness.clock.advance(12_000);
        return JSON.parse((await running).body);
      };
      const again = await close('close-1');
      // Before the terminal was told, nothing was closed anywhere: the day is open, and can be closed.
      if (again.status === 'FAILED') expect(host.closes, where).toEqual([]);
      const answer = again.status === 'FAILED' ? await close('close-2') : again;
      await harness.clock.advance(60_000);
      expect(answer, where).toMatchObject({ status: 'SUCCESS', totals: { saleCount: 2, saleAmount: 1_500 } });
      expect(host.closes, where).toMatchObject([{ saleCount: 2, saleAmount: 1_500 }]);
      expect(harness.journal.findDayCloseOfBatch('T1', 1)?.host, where).toMatchObject({
        state: 'TOLD',
        totals: { saleAmount: 1_500 },
      });
      expect(harness.journal.openOutboxItems(), where).toEqual([]);
      expect(verifyJournal(harness.dataDir).findings, where).toEqual([]);
      await harness.stop();
      if (!points.hasCrashed) break;
    }
    expect(crashAt).toBeGreaterThan(8);
    expect(crashAt).toBeLessThan(200);
  });
});
