import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TransactionRequest } from '../../app/contract/transactions.ts';
import { saleOf } from '../support/engine-harness.ts';
import { expectBooksAgree } from './support/books.ts';
import { chipCard, chipDataOf } from './support/scripted-reader.ts';
import { openSyncBench, type SyncBench } from './support/sync-bench.ts';

let bench: SyncBench;
beforeAll(async () => {
  bench = await openSyncBench();
});
afterAll(() => bench.stop());
// Whatever the till has said, the journal, the host's entries and the acquirer's book say the same.
afterEach(() => expectBooksAgree(bench));

/** Runs a payment while the engine's clock passes, so that recovery questions are put. */
async function runWhileTimePasses(request: TransactionRequest) {
  let isOver = false;
  const answer = bench.run(request).finally(() => {
    isOver = true;
  });
  await bench.passUntil(() => isOver);
  return await answer;
}

const lastCompletion = () => bench.reader.completions.at(-1);
const statusAtHost = async (paymentId: string) =>
  (await bench.store.read.findPayment({ merchantId: bench.demo.merchantId, paymentId }))?.payment.status;

describe('a sale that our host authorizes', () => {
  it('is approved by issuer and card, with the amounts of one conversion', async () => {
    const answer = await bench.run(
      saleOf({ amount: 1000, tipAmount: 100, cashbackAmount: 500, referenceId: 'order-1', metadata: { table: '7' } }),
    );
    expect(answer).toMatchObject({
      status: 'APPROVED',
      responseCode: '00',
      cardScheme: 'VISA',
      maskedPan: '476173******0010',
      cryptogramType: 'TC',
      outcome: { charged: 'YES' },
    });
    expect(answer.authorizationCode).toMatch(/^[0-9A-Z]{6}$/);
    const found = await bench.store.read.findPayment({
      merchantId: bench.demo.merchantId,
      paymentId: answer.transactionId,
    });
    expect(found?.payment).toMatchObject({
      status: 'SUCCEEDED',
      amountMinor: 1600,
      baseAmountMinor: 1500,
      tipAmountMinor: 100,
      cashbackAmountMinor: 500,
      referenceId: 'order-1',
      metadata: { table: '7' },
    });
    const message = (await bench.acquirerBook()).transactions.find(({ capturedMinor }) => capturedMinor === 1600);
    expect(message).toMatchObject({ stands: true });
    expect(lastCompletion()).toMatchObject({ responseCode: '00', authorizationCode: answer.authorizationCode });
    expect(bench.reader.commands.at(-1)).toMatchObject({ operation: 'GRANULAR', type: 'SALE', amountMinor: 1600 });
  });

  it('is declined with the issuer’s code, which the card is told', async () => {
    const answer = await bench.run(saleOf({ amount: 1051 }));
    expect(answer).toMatchObject({ status: 'DECLINED', responseCode: '51', outcome: { charged: 'NO' } });
    expect(lastCompletion()).toMatchObject({ responseCode: '51' });
  });

  it('is declined and taken back when the card refuses after the issuer has approved', async () => {
    bench.reader.next({ complete: { kind: 'DECLINED', card: { cryptogramType: 'AAC' }, receipts: [] } });
    const answer = await bench.run(saleOf());
    expect(answer).toMatchObject({ status: 'DECLINED', outcome: { charged: 'NO' } });
    expect(answer.responseCode).toBeUndefined();
    const item = bench.harness.journal.findOutboxItem(answer.transactionId, 'REVERSAL');
    expect(item).toBeDefined();
    await bench.passUntil(async () => (await statusAtHost(answer.transactionId)) === 'REVERSED');
  });

  it('is not charged, and never declined, when the reader is unplugged after the approval', async () => {
    bench.reader.next({ complete: 'LOST' });
    const answer = await runWhileTimePasses(saleOf());
    expect(answer).toMatchObject({ status: 'ERROR', errorCode: 'TERMINAL_ERROR', outcome: { charged: 'NO' } });
    expect(await statusAtHost(answer.transactionId)).toBe('REVERSED');
  });

  it('is of unknown outcome while its reversal cannot leave, and resolved once it has', async () => {
    bench.reader.next({ complete: 'LOST', hold: 'COMPLETE' });
    let isOver = false;
    const running = bench.run(saleOf()).finally(() => {
      isOver = true;
    });
    await bench.passUntil(bench.reader.isHeld);
    bench.setReachable(false);
    bench.reader.release();
    await bench.passUntil(() => isOver);
    const answer = await running;
    expect(answer).toMatchObject({ errorCode: 'OUTCOME_UNKNOWN', outcome: { charged: 'UNKNOWN' } });
    expect(bench.harness.journal.openTasks()).toHaveLength(1);
    // Another sale does not overtake it.
    await expect(bench.run(saleOf())).rejects.toMatchObject({ code: 'TRANSACTION_IN_PROGRESS' });
    bench.setReachable(true);
    await bench.passUntil(() => bench.harness.journal.openTasks().length === 0);
    expect(bench.harness.journal.findTransaction(answer.transactionId)).toMatchObject({
      state: 'ERROR',
      outcome: { charged: 'NO' },
    });
    expect(await statusAtHost(answer.transactionId)).toBe('REVERSED');
  });

  it('is approved when the first answer of the host is lost: the call is repeated under its key, the card is asked once', async () => {
    const cards = bench.reader.commands.length;
    bench.line.next('/authorize', 'LOSE_AFTER');
    const answer = await bench.run(saleOf());
    expect(answer.status).toBe('APPROVED');
    expect(bench.reader.commands).toHaveLength(cards + 1);
    expect((await bench.acquirerBook()).messages.AUTHORIZE).toBeGreaterThan(0);
  });

  it('is approved when the first call never arrived', async () => {
    bench.line.next('/authorize', 'LOSE_BEFORE');
    expect((await bench.run(saleOf())).status).toBe('APPROVED');
  });

  it('is approved when an answer cannot be read', async () => {
    bench.line.next('/authorize', { status: 200, body: '{"approved":true}' });
    expect((await bench.run(saleOf())).status).toBe('APPROVED');
    bench.line.next('/authorize', { status: 502, body: '<html>bad gateway</html>' });
    expect((await bench.run(saleOf())).status).toBe('APPROVED');
    bench.line.next('/authorize', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' });
    expect((await bench.run(saleOf())).status).toBe('APPROVED');
  });

  it('ends without a charge, and without a reversal, when certainly nothing was sent', async () => {
    bench.reader.next({ hold: 'CARD' });
    const running = bench.run(saleOf());
    await bench.passUntil(bench.reader.isHeld);
    bench.setReachable(false);
    bench.reader.release();
    const answer = await running;
    bench.setReachable(true);
    expect(answer).toMatchObject({ status: 'ERROR', errorCode: 'TERMINAL_ERROR', outcome: { charged: 'NO' } });
    expect(answer.message).toContain('HOST_UNREACHABLE');
    expect(lastCompletion()).toMatchObject({ responseCode: 'Z3' });
    expect(bench.harness.journal.findOutboxItem(answer.transactionId, 'REVERSAL')).toBeUndefined();
  });

  it('is refused without a charge where the host refuses', async () => {
    bench.line.next('/authorize', {
      status: 400,
      body: JSON.stringify({ error: 'INVALID_REQUEST', message: 'amount is wrong', field: 'amount' }),
    });
    const answer = await bench.run(saleOf());
    expect(answer).toMatchObject({ status: 'ERROR', outcome: { charged: 'NO' } });
    expect(answer.message).toContain('INVALID_REQUEST');
    expect(lastCompletion()).toMatchObject({ responseCode: 'Z3' });
  });

  it('is taken back when the host answers about another amount', async () => {
    const first = await bench.run(saleOf());
    expect(first.status).toBe('APPROVED');
    const told = JSON.parse(bench.line.answers.findLast((body) => body.includes('"approved"')) ?? '{}');
    bench.line.next('/authorize', { status: 200, body: JSON.stringify(told) });
    const answer = await runWhileTimePasses(saleOf({ amount: 1100 }));
    expect(answer).toMatchObject({ status: 'ERROR', outcome: { charged: 'NO' } });
    expect(lastCompletion()).toMatchObject({ responseCode: 'Z3' });
  });

  it('is taken back when the acquirer approves only a part', async () => {
    const answer = await runWhileTimePasses(saleOf({ metadata: { simulate: 'decline-10' } }));
    expect(answer).toMatchObject({ outcome: { charged: 'NO' } });
    expect(answer.status).not.toBe('APPROVED');
  });

  it('ends without the host where the card step ends without its issuer', async () => {
    const calls = bench.line.calls.length;
    bench.reader.next({ run: { kind: 'UNKNOWN', message: 'The reader is gone.', evidence: [] } });
    expect(await bench.run(saleOf())).toMatchObject({ status: 'ERROR', outcome: { charged: 'NO' } });
    bench.reader.next({ run: { kind: 'CANCELLED', reason: 'CARDHOLDER', receipts: [] } });
    expect(await bench.run(saleOf())).toMatchObject({ status: 'CANCELLED' });
    bench.reader.next({ run: { kind: 'DECLINED', card: chipCard, reason: 'The chip refused.', receipts: [] } });
    expect(await bench.run(saleOf())).toMatchObject({ status: 'DECLINED' });
    expect(bench.line.calls.length).toBe(calls);
  });

  it('can be aborted while the card is read, and not once the issuer is asked', async () => {
    bench.reader.next({ hold: 'CARD' });
    const first = bench.run(saleOf());
    await bench.passUntil(bench.reader.isHeld);
    const context = { clientId: 'client-1', actor: 'pos:till one', requestId: 'r', route: 'POST abort' };
    const running = bench.harness.journal.currentTransaction('R1')?.transactionId ?? '';
    expect(await bench.harness.till.abort(context, running)).toMatchObject({ status: 'CANCELLED' });
    expect(await first).toMatchObject({ status: 'CANCELLED' });

    bench.line.next('/authorize', 'HOLD_BEFORE');
    const second = bench.run(saleOf());
    await bench.passUntil(bench.line.isHolding);
    const authorizing = bench.harness.journal.currentTransaction('R1')?.transactionId ?? '';
    await expect(bench.harness.till.abort(context, authorizing)).rejects.toMatchObject({ code: 'ABORT_TOO_LATE' });
    bench.line.release();
    expect((await second).status).toBe('APPROVED');
  });
});

describe('what follows a sale', () => {
  it('is a void at the host, repeated under its key when its answer is lost', async () => {
    const sale = await bench.run(saleOf());
    bench.line.next('/void', 'LOSE_AFTER');
    const voided = await bench.run({
      type: 'VOID',
      amount: 0,
      currency: 'EUR',
      originalTransactionId: sale.transactionId,
    });
    expect(voided.status).toBe('APPROVED');
    expect(await statusAtHost(sale.transactionId)).toBe('REVERSED');
  });

  it('is a refund of a part, with the card', async () => {
    const sale = await bench.run(saleOf());
    const refund = await bench.run({
      type: 'REFUND',
      amount: 400,
      currency: 'EUR',
      originalTransactionId: sale.transactionId,
    });
    expect(refund).toMatchObject({ status: 'APPROVED', outcome: { charged: 'YES' } });
    expect(bench.reader.commands.at(-1)).toMatchObject({ operation: 'GRANULAR', type: 'REFUND', amountMinor: 400 });
  });

  it('is a capture of a part of a hold, and its refund', async () => {
    const held = await bench.run({ type: 'PRE_AUTH', amount: 5000, currency: 'EUR' });
    expect(held.status).toBe('APPROVED');
    expect(await statusAtHost(held.transactionId)).toBe('REQUIRES_CAPTURE');
    bench.line.next('/capture', 'LOSE_AFTER');
    const captured = await bench.run({
      type: 'PRE_AUTH_COMPLETE',
      amount: 3000,
      currency: 'EUR',
      originalTransactionId: held.transactionId,
    });
    expect(captured).toMatchObject({ status: 'APPROVED' });
    const refund = await bench.run({
      type: 'REFUND',
      amount: 3000,
      currency: 'EUR',
      originalTransactionId: captured.transactionId,
    });
    expect(refund.status).toBe('APPROVED');
  });

  it('is the release of a hold', async () => {
    const held = await bench.run({ type: 'PRE_AUTH', amount: 2500, currency: 'EUR' });
    const released = await bench.run({
      type: 'VOID',
      amount: 0,
      currency: 'EUR',
      originalTransactionId: held.transactionId,
    });
    expect(released.status).toBe('APPROVED');
  });

  it('keeps granular mode for a POS with an acquirer of its own', async () => {
    const calls = bench.line.calls.length;
    const context = { clientId: 'client-1', actor: 'pos:till one', requestId: 'r', route: 'POST initiate' };
    const answer = await bench.harness.till.initiate(context, saleOf());
    const pending = JSON.parse(answer.body);
    expect(pending).toMatchObject({ status: 'PENDING_ONLINE' });
    const command = bench.reader.commands.at(-1);
    expect(pending.chipData).toEqual(command === undefined ? undefined : chipDataOf(command));
    const done = await bench.harness.till.complete(context, {
      transactionId: pending.transactionId,
      responseCode: '00',
      authorizationCode: 'A1',
    });
    expect(JSON.parse(done.body)).toMatchObject({ status: 'APPROVED' });
    expect(bench.line.calls.length).toBe(calls);
  });
});
