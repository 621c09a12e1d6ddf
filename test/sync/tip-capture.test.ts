import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import { saleOf } from '../support/engine-harness.ts';
import { expectBooksAgree } from './support/books.ts';
import { openSyncBench, type SyncBench } from './support/sync-bench.ts';

let bench: SyncBench;
const noTips = {
  presetBasisPoints: [],
  allowCustomAmount: true,
  fixedAmountMinor: null,
  fixedAmountThresholdMinor: null,
};
const caps = { maxAmountMinor: 500, maxBasisPoints: 10_000 };

beforeEach(async () => {
  bench = await openSyncBench();
  const config = { ...noTips, ...caps, enabled: true, postAuthAdjustEnabled: true };
  await bench.store.transact((unit) => unit.saveTipConfig(bench.demo.merchantId, config, Date.now()));
});
afterEach(() => bench.stop());

const contextOf = (id: string, idempotencyKey?: string) => ({
  ...{ clientId: 'client-1', actor: 'pos:till one', requestId: 'r', route: `POST /v1/transactions/${id}/capture` },
  ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
});

async function capture(id: string, tipAmount?: number, key?: string): Promise<TransactionResponse> {
  const request = tipAmount === undefined ? {} : { tipAmount };
  return JSON.parse((await bench.harness.till.capture(contextOf(id, key), id, request)).body);
}

async function heldSale(amount = 1000): Promise<string> {
  const answer = await bench.run(saleOf({ amount }));
  expect(answer).toMatchObject({ status: 'APPROVED', tipCapturePending: true });
  expect(await atHost(answer.transactionId)).toMatchObject({ status: 'REQUIRES_CAPTURE', captureMethod: 'MANUAL' });
  return answer.transactionId;
}

const atHost = async (paymentId: string) =>
  (await bench.store.read.findPayment({ merchantId: bench.demo.merchantId, paymentId }))?.payment;
const lookUp = (id: string) => bench.harness.till.transaction(contextOf(id), id);
const callsTo = (end: string) => bench.line.calls.filter((path) => path.endsWith(end)).length;

/** One capture with the right tip: at the till, at the host, and at the acquirer. */
async function expectCaptured(id: string, tip: number): Promise<void> {
  await bench.passUntil(() => lookUp(id).tipCapturePending === undefined);
  expect(lookUp(id)).toMatchObject({ status: 'APPROVED', amount: 1000, receiptData: { totalAmount: 1000 + tip } });
  expect(lookUp(id).tipAmount ?? 0).toBe(tip);
  expect(await atHost(id)).toMatchObject({ status: 'SUCCEEDED', tipAmountMinor: tip, capturedAmountMinor: 1000 + tip });
  await expectBooksAgree(bench);
}

const closeDay = async (idempotencyKey: string) => {
  const context = { ...contextOf('none', idempotencyKey), route: 'POST /v1/reconciliation' };
  return JSON.parse((await bench.harness.till.reconcile(context, { closeDay: true })).body);
};

describe('a sale that waits for its tip', () => {
  it('is captured with the tip that is given, which the answer and the receipt show', async () => {
    const id = await heldSale();
    expect(await capture(id, 200, 'tip-1')).toMatchObject({
      ...{ transactionId: id, status: 'APPROVED', amount: 1000, tipAmount: 200 },
      receiptData: { tipAmount: 200, totalAmount: 1200 },
    });
    await expectCaptured(id, 200);
    expect([callsTo('/tip-adjust'), callsTo('/capture')]).toEqual([1, 1]);
  });

  it('is captured as it is without a tip', async () => {
    const id = await heldSale();
    const answer = await capture(id);
    expect(answer.status).toBe('APPROVED');
    expect(answer.tipAmount).toBeUndefined();
    await expectCaptured(id, 0);
    expect(callsTo('/tip-adjust')).toBe(0);
  });

  it('gives the same answer under the same key, and refuses any other capture', async () => {
    const id = await heldSale();
    const first = await bench.harness.till.capture(contextOf(id, 'tip-1'), id, { tipAmount: 200 });
    const again = await bench.harness.till.capture(contextOf(id, 'tip-1'), id, { tipAmount: 200 });
    expect(again).toEqual({ ...first, replayed: true });
    await expect(capture(id, 200)).rejects.toMatchObject({ code: 'ALREADY_COMPLETED' });
    await expect(capture(id, 300, 'tip-1')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await expectCaptured(id, 200);
  });

  it('keeps the sale’s own answer under the sale’s key', async () => {
    const context = { ...contextOf('none', 'sale-1'), route: 'POST /v1/transaction/sale' };
    const sold = await bench.harness.till.run(context, saleOf({ amount: 1000 }));
    await capture(sold.transactionId, 200, 'tip-1');
    expect(await bench.harness.till.run(context, saleOf({ amount: 1000 }))).toEqual({ ...sold, replayed: true });
  });

  it('waits again when the host refuses its tip, and takes another one', async () => {
    const id = await heldSale();
    await expect(capture(id, 501, 'tip-1')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(lookUp(id)).toMatchObject({ status: 'APPROVED', tipCapturePending: true });
    expect(bench.harness.journal.openTasks()).toEqual([]);
    expect(await capture(id, 500, 'tip-1').catch((error) => error.code)).toMatchObject({ tipAmount: 500 });
    await expectCaptured(id, 500);
  });

  it('is refused above the cap that the till knows, before anything is on disk or sent', async () => {
    const id = await heldSale();
    const config = await bench.client().config({ timeoutMs: 10_000, signal: new AbortController().signal });
    if (config.kind !== 'ANSWERED') throw new Error('no configuration');
    bench.believe(config.body);
    const from = bench.line.calls.length;
    await expect(capture(id, 501)).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'tipAmount' });
    bench.believe({ ...config.body, acquirer: { ...config.body.acquirer, tipAdjust: false } });
    await expect(capture(id, 200)).rejects.toMatchObject({ code: 'TIP_ADJUST_NOT_SUPPORTED' });
    expect(bench.line.calls.length).toBe(from);
    expect(bench.harness.journal.findTransaction(id)?.tipCapture).toEqual({ state: 'WAITING' });
    await capture(id);
    await expectCaptured(id, 0);
  });

  it.each(['/tip-adjust', '/capture'].flatMap((end) => [[end, 'LOSE_BEFORE'] as const, [end, 'LOSE_AFTER'] as const]))(
    'is captured once with its tip though a call to %s is lost (%s)',
    async (end, fault) => {
      const id = await heldSale();
      bench.line.next(end, fault);
      expect(await capture(id, 200, 'tip-1')).toMatchObject({ status: 'APPROVED', tipAmount: 200 });
      await expectCaptured(id, 200);
    },
  );

  it('is told as unknown while the host cannot be reached, and captured by itself afterwards', async () => {
    const id = await heldSale();
    bench.setReachable(false);
    expect(await capture(id, 200, 'tip-1')).toMatchObject({
      ...{ transactionId: id, status: 'ERROR', errorCode: 'OUTCOME_UNKNOWN', outcome: { charged: 'UNKNOWN' } },
    });
    await expect(capture(id, 300)).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    expect(lookUp(id)).toMatchObject({ status: 'APPROVED', tipCapturePending: true });
    bench.setReachable(true);
    await expectCaptured(id, 200);
    expect(await capture(id, 200, 'tip-1')).toMatchObject({ status: 'APPROVED', tipAmount: 200 });
    expect(bench.harness.events.filter(({ event }) => event === 'outcome_resolved')).toHaveLength(1);
  });

  it.each(['/tip-adjust', '/capture'].flatMap((end) => [[end, 'HOLD_BEFORE'] as const, [end, 'HOLD_AFTER'] as const]))(
    'is captured once with its tip though the till dies at %s (%s)',
    async (end, fault) => {
      const id = await heldSale();
      bench.line.next(end, fault);
      capture(id, 200, 'tip-1').catch(() => undefined);
      await bench.passUntil(bench.line.isHolding);
      await bench.crash();
      bench.line.release();
      await expectCaptured(id, 200);
      expect(await capture(id, 200, 'tip-1')).toMatchObject({ status: 'APPROVED', tipAmount: 200 });
    },
  );

  it('waits after a crash between the approval and its end', async () => {
    bench.holdAt('AFTER_PROVISIONAL');
    bench.run(saleOf({ amount: 1000 })).catch(() => undefined);
    await bench.passUntil(bench.isHeld);
    const id = bench.harness.journal.currentTransaction('R1')?.transactionId ?? '';
    await bench.crash();
    await bench.passUntil(() => bench.harness.journal.findTransaction(id)?.state === 'APPROVED');
    expect(lookUp(id)).toMatchObject({ tipCapturePending: true });
    await capture(id, 150);
    await expectCaptured(id, 150);
  });

  it('keeps the day open by name until it is captured', async () => {
    const id = await heldSale();
    await expect(closeDay('close-1')).rejects.toMatchObject({
      code: 'DAY_CLOSE_BLOCKED',
      details: { blockers: [{ transactionId: id, reason: 'TIP_CAPTURE_PENDING' }] },
    });
    await capture(id, 200);
    expect(await closeDay('close-2')).toMatchObject({ status: 'SUCCESS', totals: { saleCount: 1, saleAmount: 1200 } });
  });

  it('is released by a void, and is in no total then', async () => {
    const id = await heldSale();
    await bench.run(saleOf({ amount: 300, tipAmount: 30 }));
    const request = { type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId: id } as const;
    expect((await bench.run(request)).status).toBe('APPROVED');
    expect(await atHost(id)).toMatchObject({ status: 'REVERSED' });
    await expect(capture(id, 200)).rejects.toMatchObject({ code: 'ALREADY_VOIDED' });
    const totals = { saleCount: 1, saleAmount: 330, voidCount: 0, voidAmount: 0 };
    expect(await closeDay('close-1')).toMatchObject({ status: 'SUCCESS', totals });
  });

  it('is not refunded, and not voided while its capture is under way', async () => {
    const id = await heldSale();
    const refund = { type: 'REFUND', amount: 100, currency: 'EUR', originalTransactionId: id } as const;
    await expect(bench.run(refund)).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    bench.line.next('/tip-adjust', 'HOLD_BEFORE');
    const running = capture(id, 200);
    await bench.passUntil(bench.line.isHolding);
    const request = { type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId: id } as const;
    await expect(bench.run(request)).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    bench.line.release();
    await running;
    await expectCaptured(id, 200);
    expect((await bench.run(request)).status).toBe('APPROVED');
    await expectBooksAgree(bench);
  });

  it('is shown to a person when the host refuses to capture it, and ends as that person says', async () => {
    const id = await heldSale();
    const lapsed = { status: 409, body: JSON.stringify({ error: 'AUTH_EXPIRED', message: 'the hold has lapsed' }) };
    bench.line.next('/capture', lapsed);
    await expect(capture(id, undefined, 'tip-1')).rejects.toMatchObject({ code: 'AUTH_EXPIRED' });
    await bench.passUntil(() => bench.harness.journal.openTasks().length === 1);
    expect(bench.harness.journal.openTasks()[0]).toMatchObject({ reasonCode: 'CAPTURE_REFUSED', subject: { id } });
    await expect(closeDay('close-1')).rejects.toMatchObject({
      details: { blockers: [{ transactionId: id, reason: 'OUTCOME_UNKNOWN' }] },
    });
    bench.harness.till.resolve(contextOf(id), id, { charged: true, evidence: 'the acquirer has it' });
    expect(lookUp(id).tipCapturePending).toBeUndefined();
    expect(bench.harness.till.totals(contextOf(id)).blockers).toBeUndefined();
  });

  it('is no success when the host has captured another amount', async () => {
    const id = await heldSale();
    const other = { ...(await atHost(id)), status: 'SUCCEEDED', capturedAmountMinor: 900 };
    bench.line.next('/capture', { status: 200, body: JSON.stringify(other) });
    await expect(capture(id)).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    await bench.passUntil(() => bench.harness.journal.openTasks().length === 1);
    expect(lookUp(id)).toMatchObject({ tipCapturePending: true });
  });

  it('has nothing to wait for when its tip was chosen before', async () => {
    const answer = await bench.run(saleOf({ amount: 1000, tipAmount: 100 }));
    expect(answer.tipCapturePending).toBeUndefined();
    await bench.passUntil(async () => (await atHost(answer.transactionId))?.status === 'SUCCEEDED');
    await expectCaptured(answer.transactionId, 100);
  });
});
