import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallContext } from '../../app/services/till.ts';
import { ask, bodyOf, call, createHarness, type Harness, saleOf, until } from '../support/engine-harness.ts';
import { settle } from '../support/manual-clock.ts';

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.stop());

const context: CallContext = { clientId: 'client-1', actor: 'a', requestId: 'q', route: 'r' };

async function heldSale(stage: 'CARD' | 'HOST' | 'ACKNOWLEDGED', more: Partial<CallContext> = {}) {
  harness.device.next({ hold: [stage] });
  const answer = call(harness.till, saleOf(), more);
  await until(() => harness.device.isHeld(stage));
  return { answer, transactionId: harness.till.currentTransaction(context).transactionId };
}

describe('an abort', () => {
  test('is only a request: it returns when the terminal has ended', async () => {
    const { answer, transactionId } = await heldSale('CARD');
    const aborted = await harness.till.abort(context, transactionId);
    expect(aborted).toMatchObject({
      transactionId,
      status: 'CANCELLED',
      cancelledReason: 'POS_REQUEST',
      outcome: { charged: 'NO' },
    });
    expect(bodyOf(await answer)).toEqual(aborted);
    expect(harness.names().slice(-2)).toEqual(['cancelled', 'result']);
  });

  test('while the card is being authorized is ABORT_TOO_LATE, and the sale runs on', async () => {
    const { answer, transactionId } = await heldSale('HOST');
    await expect(harness.till.abort(context, transactionId)).rejects.toMatchObject({ code: 'ABORT_TOO_LATE' });
    harness.device.release('HOST');
    expect(bodyOf(await answer).status).toBe('APPROVED');
    expect(harness.device.standing()).toEqual([1_000]);
  });

  test('that the approval overtakes says so; it is not taken for a cancellation', async () => {
    // The terminal takes the request, and the approval wins.
    harness.device.next({ hold: ['ACKNOWLEDGED'] });
    const answer = call(harness.till, saleOf());
    await until(() => harness.device.isHeld('ACKNOWLEDGED'));
    const { transactionId } = harness.till.currentTransaction(context);
    const abort = harness.till.abort(context, transactionId);
    const refusal = expect(abort).rejects.toMatchObject({
      code: 'ABORT_TOO_LATE',
      details: { outcome: { charged: 'YES' } },
    });
    await settle();
    harness.device.release('ACKNOWLEDGED');
    await refusal;
    expect(bodyOf(await answer).status).toBe('APPROVED');
  });

  test('while the terminal is being made ready keeps the command from leaving', async () => {
    harness.device.next({ hold: ['PREPARE'] });
    const answer = call(harness.till, saleOf());
    await until(() => harness.device.isHeld('PREPARE'));
    const other = call(harness.till, saleOf());
    const { details } = await other.catch((error) => error);
    const abort = harness.till.abort(context, details.transactionId);
    harness.device.release('PREPARE');
    expect((await abort).status).toBe('CANCELLED');
    expect(bodyOf(await answer).status).toBe('CANCELLED');
    expect(harness.device.commands).toEqual([]);
  });

  test('frees the terminal before anything else starts: the next amount is the new one', async () => {
    const { answer, transactionId } = await heldSale('CARD');
    const abort = harness.till.abort(context, transactionId);
    await abort;
    await answer;
    expect((await ask(harness.till, saleOf({ amount: 700 }))).status).toBe('APPROVED');
    expect(harness.device.standing()).toEqual([700]);
  });

  test('of what does not run is ILLEGAL_STATE, of what nobody knows NOT_FOUND', async () => {
    const { transactionId } = await ask(harness.till, saleOf());
    await expect(harness.till.abort(context, transactionId)).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    await expect(harness.till.abort(context, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the deadline of a call', () => {
  test('asks the terminal to stop early enough: the answer is its own end, TIMEOUT', async () => {
    const { answer } = await heldSale('CARD', { timeoutSeconds: 30 });
    await harness.clock.advance(30_000);
    expect(bodyOf(await answer)).toMatchObject({
      status: 'CANCELLED',
      cancelledReason: 'TIMEOUT',
      outcome: { charged: 'NO' },
    });
  });

  test('without a confirmed end is OUTCOME_UNKNOWN with a task, and the late approval becomes the truth', async () => {
    const { answer, transactionId } = await heldSale('HOST', { timeoutSeconds: 10, idempotencyKey: 'k' });
    await harness.clock.advance(10_000);
    const unknown = await answer;
    expect(bodyOf(unknown)).toMatchObject({ transactionId, status: 'ERROR', errorCode: 'OUTCOME_UNKNOWN' });
    expect(harness.till.recoveryTasks(context).data).toMatchObject([
      { state: 'ASKING', subject: { id: transactionId } },
    ]);
    // The terminal is not free: nothing else starts, nobody resolves what still runs.
    await expect(call(harness.till, saleOf({ amount: 5 }))).rejects.toMatchObject({
      code: 'TRANSACTION_IN_PROGRESS',
      details: { transactionId },
    });
    expect(() => harness.till.resolve(context, transactionId, { charged: false, evidence: 'x' })).toThrow();
    harness.device.release('HOST');
    await until(() => harness.names().includes('outcome_resolved'));
    expect(harness.till.transaction(context, transactionId)).toMatchObject({
      status: 'APPROVED',
      outcome: { charged: 'YES' },
    });
    expect(harness.till.recoveryTasks(context).data).toEqual([]);
    expect(bodyOf(await call(harness.till, saleOf(), { idempotencyKey: 'k' })).status).toBe('APPROVED');
    expect(harness.device.standing()).toEqual([1_000]);
  });

  test('is kept when the terminal never gets ready: 503, nothing sent', async () => {
    harness.device.next({ hold: ['PREPARE'] });
    const answer = call(harness.till, saleOf(), { timeoutSeconds: 10 });
    const refusal = expect(answer).rejects.toMatchObject({ code: 'TERMINAL_NOT_READY' });
    await until(() => harness.device.isHeld('PREPARE'));
    await harness.clock.advance(10_000);
    await refusal;
    harness.device.release('PREPARE');
    await settle();
    expect(harness.device.commands).toEqual([]);
    expect((await ask(harness.till, saleOf())).status).toBe('APPROVED');
  });

  test('of a card read ends it without a charge and without a task', async () => {
    harness.device.next({ hold: ['HOST'] });
    const answer = call(harness.till, { type: 'CARD_READ', amount: 0, currency: 'EUR' }, { timeoutSeconds: 10 });
    await until(() => harness.device.isHeld('HOST'));
    await harness.clock.advance(10_000);
    expect(bodyOf(await answer)).toMatchObject({
      status: 'ERROR',
      errorCode: 'TERMINAL_ERROR',
      outcome: { charged: 'NO' },
    });
    expect(harness.journal.openTasks()).toEqual([]);
    harness.device.release('HOST');
    await settle();
    expect((await ask(harness.till, saleOf())).status).toBe('APPROVED');
  });

  test('leaves a late provisional result unknown for whoever looks, until the terminal has completed', async () => {
    harness.device.next({ hold: ['HOST', 'ACKNOWLEDGED'] });
    const answer = call(harness.till, saleOf(), { timeoutSeconds: 10 });
    await until(() => harness.device.isHeld('HOST'));
    await harness.clock.advance(10_000);
    const { transactionId } = bodyOf(await answer);
    harness.device.release('HOST');
    await until(() => harness.device.isHeld('ACKNOWLEDGED'));
    const unknown = { status: 'ERROR', errorCode: 'OUTCOME_UNKNOWN', outcome: { charged: 'UNKNOWN' } };
    expect(harness.till.transaction(context, transactionId)).toMatchObject(unknown);
    harness.device.release('ACKNOWLEDGED');
    await until(() => harness.journal.findTransaction(transactionId)?.state === 'APPROVED');
  });

  test('passing twice while a provisional result comes late keeps the result on disk before it is acknowledged', async () => {
    const { answer, transactionId } = await heldSale('HOST', { timeoutSeconds: 10 });
    await harness.clock.advance(10_000);
    await answer;
    harness.device.next();
    harness.device.release('HOST');
    await until(() => harness.journal.findTransaction(transactionId)?.state === 'APPROVED');
    expect(harness.journal.findTransaction(transactionId)?.terminalReference).toEqual({ receipt: 1 });
  });
});

test('a late answer of sale 1 goes to sale 1; sale 2 is untouched', async () => {
  harness.device.next({ lose: 'COMPLETION' });
  harness.device.answer({ kind: 'ASK_AGAIN', reason: 'no line', evidence: [] });
  const first = call(harness.till, saleOf({ amount: 100 }));
  await harness.clock.advance(1_000);
  const one = bodyOf(await first);
  const two = await ask(harness.till, saleOf({ amount: 200 }));
  expect([one.amount, one.status, two.amount, two.status]).toEqual([100, 'APPROVED', 200, 'APPROVED']);
  expect(harness.device.standing()).toEqual([100, 200]);
});

test('10,000 double starts: one runs, the other is told which', async () => {
  // The second of each pair meets the lock before the first has touched the disk.
  const rounds = 10_000;
  harness.device.setConnected(false);
  for (let round = 0; round < rounds; round += 1) {
    const results = await Promise.allSettled([call(harness.till, saleOf()), call(harness.till, saleOf())]);
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'none')).sort();
    expect(codes).toEqual(['TERMINAL_UNREACHABLE', 'TRANSACTION_IN_PROGRESS']);
  }
  harness.device.setConnected(true);
  const results = await Promise.allSettled([call(harness.till, saleOf()), call(harness.till, saleOf())]);
  expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(harness.device.standing()).toEqual([1_000]);
});
