import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reportOf } from '../../app/console/day-figures.ts';
import { saleOf } from '../support/engine-harness.ts';
import { openSyncBench, type SyncBench } from './support/sync-bench.ts';

let bench: SyncBench;
beforeEach(async () => {
  bench = await openSyncBench();
});
afterEach(() => bench.stop());

const closeDay = async (idempotencyKey: string) => {
  const route = 'POST /v1/reconciliation';
  const context = { clientId: 'client-1', actor: 'pos:till one', requestId: 'r', route, idempotencyKey };
  return JSON.parse((await bench.harness.till.reconcile(context, { closeDay: true })).body);
};

describe('the day close of a terminal that our host authorizes', () => {
  it('closes the host’s batch with the journal’s figures, once, though its answer is lost', async () => {
    await bench.run(saleOf({ amount: 1234 }));
    bench.line.next('/reconciliation', 'LOSE_AFTER');
    const answer = await closeDay('close-1');
    expect(answer).toMatchObject({ status: 'SUCCESS', totals: { saleAmount: 1234 } });
    const settled = bench.harness.journal.findSettlement(answer.settlementId)?.settlement;
    const atHost = await bench.store.read.findSettlement(bench.demo.merchantId, settled?.acquirerBatchRef ?? '');
    expect(atHost?.totals.funded).toMatchObject({ saleCount: 1, saleAmount: 1234 });
    expect(bench.line.calls.filter((path) => path.endsWith('/reconciliation'))).toHaveLength(2);
  });

  it('names every figure in which the host counts otherwise, though the net sum is the same', async () => {
    await bench.run(saleOf({ amount: 1000 }));
    const totals = {
      ...{ saleCount: 2, saleAmount: 1300, refundCount: 1, refundAmount: 300, voidCount: 0, voidAmount: 0 },
      ...{ preAuthCount: 1, preAuthAmount: 500, currency: 'EUR' },
    };
    const counted = { status: 'PARTIAL', totals, timestamp: '2026-11-28T20:00:00.000Z', settlementId: 'S-1' };
    bench.line.next('/reconciliation', { status: 200, body: JSON.stringify(counted) });
    const answer = await closeDay('close-6');
    expect(answer).toMatchObject({
      status: 'PARTIAL',
      differences: [
        'saleCount: journal 1, host 2',
        'saleAmount: journal 1000, host 1300',
        'refundCount: journal 0, host 1',
        'refundAmount: journal 0, host 300',
        'preAuthCount: journal 0, host 1',
        'preAuthAmount: journal 0, host 500',
      ],
      message: 'The totals of the host differ from the journal.',
    });
    const report = reportOf(bench.harness.journal, answer.settlementId);
    expect(report.isComparedByKind).toBe(true);
    expect(report.differences.map(({ operation, journal, terminal }) => [operation, journal, terminal])).toEqual([
      ['SALE', { count: 1, amount: 1000 }, { count: 2, amount: 1300 }],
      ['REFUND', { count: 0, amount: 0 }, { count: 1, amount: 300 }],
      ['PRE_AUTH', { count: 0, amount: 0 }, { count: 1, amount: 500 }],
    ]);
  });

  it('says on which business date the host closes, where that is another one', async () => {
    // The till's clock stands days behind the host's, which is the machine's.
    const answer = await closeDay('close-7');
    expect(answer).toMatchObject({ status: 'SUCCESS', businessDate: '2026-11-27' });
    const { settlement } = bench.harness.journal.findSettlement(answer.settlementId) ?? {};
    expect(settlement?.businessDate).toBe('2026-11-27');
    const atHost = await bench.store.read.findSettlement(bench.demo.merchantId, settlement?.acquirerBatchRef ?? '');
    expect(atHost?.terminalBusinessDate).toBe('2026-11-27');
    expect(answer.columns.host.businessDate).toBe(atHost?.businessDate);
    expect(reportOf(bench.harness.journal, answer.settlementId).namedDifferences).toMatchObject([
      { side: 'HOST', cause: 'BUSINESS_DATE', amount: 0 },
    ]);
  });

  it('is found closed after a crash in the middle of it', async () => {
    await bench.run(saleOf({ amount: 1234 }));
    bench.line.next('/reconciliation', 'HOLD_AFTER');
    const lost = closeDay('close-2');
    lost.catch(() => undefined);
    await bench.passUntil(bench.line.isHolding);
    await bench.crash();
    bench.line.release();
    await bench.passUntil(() => bench.harness.journal.openDayCloses().length === 0);
    const again = await closeDay('close-2');
    expect(again).toMatchObject({ status: 'SUCCESS', totals: { saleAmount: 1234 } });
  });

  it('waits for what the host has not taken', async () => {
    bench.reader.next({ complete: { kind: 'DECLINED', card: {}, receipts: [] }, hold: 'COMPLETE' });
    const running = bench.run(saleOf());
    await bench.passUntil(bench.reader.isHeld);
    bench.line.next('/reverse', 'LOSE_BEFORE');
    bench.line.next('/reverse', 'LOSE_BEFORE');
    bench.reader.release();
    const declined = await running;
    expect(declined.status).toBe('DECLINED');
    await bench.passUntil(() => bench.line.calls.some((path) => path.endsWith('/reverse')));
    await expect(closeDay('close-3')).rejects.toMatchObject({
      code: 'DAY_CLOSE_BLOCKED',
      details: { blockers: [{ transactionId: declined.transactionId }] },
    });
    expect(await closeDay('close-4')).toMatchObject({ status: 'SUCCESS', totals: { saleCount: 0 } });
  });

  it('is refused while the host cannot be reached, and moves nothing', async () => {
    await bench.run(saleOf());
    bench.setReachable(false);
    const answer = await closeDay('close-5');
    expect(answer).toMatchObject({ status: 'FAILED' });
    expect(answer.message).toContain('HOST_UNREACHABLE');
    expect(bench.harness.journal.openBatchNumber('R1')).toBe(1);
  });
});
