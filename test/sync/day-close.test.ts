import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
