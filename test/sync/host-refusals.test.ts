import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import { saleOf } from '../support/engine-harness.ts';
import { expectBooksAgree } from './support/books.ts';
import { openSyncBench, type SyncBench } from './support/sync-bench.ts';

let bench: SyncBench;
beforeEach(async () => {
  bench = await openSyncBench();
});
afterEach(() => bench.stop());

const refusal = {
  status: 409,
  body: JSON.stringify({ error: 'ALREADY_SETTLED', message: 'it is in a batch that is closed' }),
};
const context = { clientId: 'client-1', actor: 'pos:till one', requestId: 'r', route: 'POST /v1/reconciliation' };
const closeDay = async (idempotencyKey: string) =>
  JSON.parse((await bench.harness.till.reconcile({ ...context, idempotencyKey }, { closeDay: true })).body);
const tasks = () => bench.harness.till.recoveryTasks(context).data;
const recordOf = ({ transactionId }: TransactionResponse) => bench.harness.journal.findTransaction(transactionId);
const resolve = ({ transactionId }: TransactionResponse, charged: boolean) =>
  bench.harness.till.resolve(context, transactionId, { charged, evidence: 'the acquirer on the phone' });

/** A sale that the issuer approved and the card refused; the host refuses to take it back. */
async function refusedByCardAndHost(): Promise<TransactionResponse> {
  bench.reader.next({ complete: { kind: 'DECLINED', card: {}, receipts: [] } });
  bench.line.next('/reverse', refusal);
  const answer = await bench.run(saleOf({ amount: 1234 }));
  expect(answer.status).toBe('DECLINED');
  await bench.passUntil(() => tasks().length > 0);
  return answer;
}

const holdsForTips = async () => {
  const tips = {
    enabled: false,
    presetBasisPoints: [],
    allowCustomAmount: false,
    maxAmountMinor: 0,
    maxBasisPoints: 0,
  };
  const config = { ...tips, postAuthAdjustEnabled: true, fixedAmountMinor: null, fixedAmountThresholdMinor: null };
  await bench.store.transact((unit) => unit.saveTipConfig(bench.demo.merchantId, config, Date.now()));
};

describe('a reversal that the host refuses, of a payment told as declined', () => {
  it('is a task for a person, keeps the day open, and ends when he says that nothing stands', async () => {
    const answer = await refusedByCardAndHost();
    const [task] = tasks();
    expect(task).toMatchObject({ state: 'NEEDS_PERSON', reasonCode: 'REVERSAL_REFUSED', amount: 1234 });
    expect(task?.subject).toEqual({ kind: 'TRANSACTION', id: answer.transactionId });
    expect(task?.reason).toContain('ALREADY_SETTLED');
    await expect(closeDay('close-1')).rejects.toMatchObject({
      code: 'DAY_CLOSE_BLOCKED',
      details: { blockers: [{ transactionId: answer.transactionId, recoveryTaskId: task?.taskId }] },
    });
    resolve(answer, false);
    expect(tasks()).toEqual([]);
    expect(recordOf(answer)).toMatchObject({ state: 'DECLINED', outcome: { charged: 'NO' } });
    expect(bench.harness.journal.findOutboxItem(answer.transactionId, 'REVERSAL')?.state).toBe('SETTLED');
    await bench.crash();
    await bench.harness.clock.advance(5_000);
    expect(tasks()).toEqual([]);
  });

  it('becomes a payment when a person says that it was charged, and the POS is told', async () => {
    const answer = await refusedByCardAndHost();
    resolve(answer, true);
    expect(recordOf(answer)).toMatchObject({ state: 'APPROVED', outcome: { charged: 'YES' } });
    expect(recordOf(answer)?.correctedBy).toContain('pos:till one');
    expect(bench.harness.names()).toContain('outcome_resolved');
    expect(bench.harness.journal.totals('R1', 1, 'EUR')).toMatchObject({ saleCount: 1, saleAmount: 1234 });
    expect(tasks()).toEqual([]);
    expect(() => resolve(answer, false)).toThrow('nothing about it is open');
  });

  it('is told after a crash too, and does not keep the next sale from its turn', async () => {
    bench.reader.next({ complete: { kind: 'DECLINED', card: {}, receipts: [] } });
    bench.line.next('/reverse', 'LOSE_BEFORE');
    bench.line.next('/reverse', refusal);
    const answer = await bench.run(saleOf());
    await bench.crash();
    await bench.passUntil(() => tasks().length > 0);
    expect(tasks()[0]?.subject.id).toBe(answer.transactionId);
    expect((await bench.run(saleOf({ amount: 500 }))).status).toBe('APPROVED');
  });

  it('is told after six tries, and needs nobody any more once the host has taken it', async () => {
    bench.reader.next({ complete: { kind: 'DECLINED', card: {}, receipts: [] }, hold: 'COMPLETE' });
    const running = bench.run(saleOf());
    await bench.passUntil(bench.reader.isHeld);
    bench.setReachable(false);
    bench.reader.release();
    const answer = await running;
    const attempts = () => bench.harness.journal.findOutboxItem(answer.transactionId, 'REVERSAL')?.attempts ?? 0;
    while (attempts() < 5) await bench.outbox().attempt(answer.transactionId, 'REVERSAL');
    expect(tasks()).toEqual([]);
    await bench.outbox().attempt(answer.transactionId, 'REVERSAL');
    await bench.passUntil(() => tasks().length > 0);
    expect(tasks()[0]).toMatchObject({ reasonCode: 'REVERSAL_WAITS', state: 'NEEDS_PERSON' });
    bench.setReachable(true);
    await bench.outbox().attempt(answer.transactionId, 'REVERSAL');
    await bench.passUntil(() => tasks().length === 0);
    expect(bench.harness.journal.findTaskOf(answer.transactionId)?.resolution).toMatchObject({ charged: false });
    await expectBooksAgree(bench);
  });
});

describe('a capture that the host refuses, of a sale told as approved', () => {
  async function refusedCapture(): Promise<TransactionResponse> {
    await holdsForTips();
    bench.line.next('/capture', refusal);
    const answer = await bench.run(saleOf({ amount: 1000, tipAmount: 100 }));
    expect(answer.status).toBe('APPROVED');
    await bench.passUntil(() => tasks().length > 0);
    expect(tasks()[0]).toMatchObject({ reasonCode: 'CAPTURE_REFUSED', state: 'NEEDS_PERSON' });
    return answer;
  }

  it('keeps the day open, and counts as no sale when a person says that the money does not come', async () => {
    const answer = await refusedCapture();
    await expect(closeDay('close-1')).rejects.toMatchObject({ code: 'DAY_CLOSE_BLOCKED' });
    resolve(answer, false);
    expect(recordOf(answer)).toMatchObject({ state: 'ERROR', outcome: { charged: 'NO' } });
    expect(bench.harness.journal.totals('R1', 1, 'EUR')).toMatchObject({ saleCount: 0 });
  });

  it('needs nobody any more once the sale was voided', async () => {
    const answer = await refusedCapture();
    const voided = await bench.run({
      ...saleOf({ amount: 1000 }),
      type: 'VOID',
      originalTransactionId: answer.transactionId,
    });
    expect(voided.status).toBe('APPROVED');
    await bench.outbox().flush('R1');
    await bench.crash();
    await bench.passUntil(() => tasks().length === 0);
    expect(bench.harness.journal.findOutboxItem(answer.transactionId, 'CAPTURE')?.state).toBe('SETTLED');
    const { standing } = await bench.acquirerBook();
    expect(standing.map(({ netMinor, authorized }) => netMinor + authorized.sumMinor)).toEqual([0]);
  });
});

describe('an offline approval that the host refuses', () => {
  it('is a task for a person', async () => {
    const chipData = { emvTags: { '9F27': '40' }, encryptedPinBlock: null, pinKsn: null, pinBlockFormat: null };
    bench.reader.next({ run: { kind: 'CHIP_APPROVED', chipData, card: { maskedPan: '476173******0010' } } });
    bench.line.next('/offline-complete', refusal);
    const answer = await bench.run(saleOf());
    expect(answer.status).toBe('APPROVED');
    await bench.passUntil(() => tasks().length > 0);
    expect(tasks()[0]).toMatchObject({ reasonCode: 'CAPTURE_REFUSED' });
    expect(tasks()[0]?.reason).toContain('offline');
  });
});
