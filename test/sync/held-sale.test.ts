import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saleOf } from '../support/engine-harness.ts';
import { expectBooksAgree } from './support/books.ts';
import { openSyncBench, type SyncBench } from './support/sync-bench.ts';

let bench: SyncBench;
beforeEach(async () => {
  bench = await openSyncBench();
  const tips = {
    enabled: false,
    presetBasisPoints: [],
    allowCustomAmount: false,
    maxAmountMinor: 0,
    maxBasisPoints: 0,
  };
  const config = { ...tips, postAuthAdjustEnabled: true, fixedAmountMinor: null, fixedAmountThresholdMinor: null };
  await bench.store.transact((unit) => unit.saveTipConfig(bench.demo.merchantId, config, Date.now()));
});
afterEach(() => bench.stop());

const isCaptured = async (paymentId: string) =>
  (await bench.store.read.findPayment({ merchantId: bench.demo.merchantId, paymentId }))?.payment.status ===
  'SUCCEEDED';

describe('a sale that the host holds, whose tip was chosen before', () => {
  it('is captured at once as it was authorized, though the answer is lost', async () => {
    bench.line.next('/capture', 'LOSE_AFTER');
    const answer = await bench.run(saleOf({ amount: 1000, tipAmount: 100 }));
    expect(answer.status).toBe('APPROVED');
    await bench.passUntil(() => isCaptured(answer.transactionId));
    await bench.passUntil(
      () => bench.harness.journal.findOutboxItem(answer.transactionId, 'CAPTURE')?.state === 'DONE',
    );
    await expectBooksAgree(bench);
  });

  it('is captured after a crash between the approval and its end', async () => {
    bench.holdAt('AFTER_PROVISIONAL');
    bench.run(saleOf({ tipAmount: 100 })).catch(() => undefined);
    await bench.passUntil(bench.isHeld);
    const transactionId = bench.harness.journal.currentTransaction('R1')?.transactionId ?? '';
    await bench.crash();
    await bench.passUntil(() => bench.harness.journal.findTransaction(transactionId)?.state === 'APPROVED');
    await bench.passUntil(() => isCaptured(transactionId));
    await expectBooksAgree(bench);
  });
});
