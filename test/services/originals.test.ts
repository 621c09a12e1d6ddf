import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TransactionRequest, TransactionResponse } from '../../app/contract/transactions.ts';
import { ask, call, createHarness, type Harness, saleOf } from '../support/engine-harness.ts';

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.stop());

const follow = (
  type: TransactionRequest['type'],
  original: TransactionResponse,
  amount: number,
  more: Partial<TransactionRequest> = {},
): TransactionRequest => ({ type, amount, currency: 'EUR', originalTransactionId: original.transactionId, ...more });

async function refused(request: TransactionRequest, code: string): Promise<void> {
  const before = harness.journal.head();
  await expect(call(harness.till, request)).rejects.toMatchObject({ code });
  expect(harness.journal.head()).toEqual(before);
}

describe('a refund', () => {
  test('may be partial, and never passes what was charged without cash-back', async () => {
    const sale = await ask(harness.till, saleOf({ amount: 1_000, tipAmount: 100, cashbackAmount: 500 }));
    expect((await ask(harness.till, follow('REFUND', sale, 600))).status).toBe('APPROVED');
    await refused(follow('REFUND', sale, 501), 'REFUND_EXCEEDS_ORIGINAL');
    const second = await ask(harness.till, follow('REFUND', sale, 500));
    expect(second).toMatchObject({ status: 'APPROVED', amount: 500, originalTransactionId: sale.transactionId });
    await refused(follow('REFUND', sale, 1), 'REFUND_EXCEEDS_ORIGINAL');
  });

  test('that the issuer declines frees the ceiling again', async () => {
    const sale = await ask(harness.till, saleOf());
    harness.device.next({ outcome: { kind: 'DECLINED', card: { responseCode: '05' }, receipts: [] } });
    expect((await ask(harness.till, follow('REFUND', sale, 1_000))).status).toBe('DECLINED');
    expect((await ask(harness.till, follow('REFUND', sale, 1_000))).status).toBe('APPROVED');
  });

  test('of unknown outcome counts against the ceiling', async () => {
    const sale = await ask(harness.till, saleOf());
    harness.device.next({ lose: 'COMPLETION' });
    harness.device.answer({ kind: 'UNDECIDED', reason: 'unclear', evidence: [] });
    expect((await ask(harness.till, follow('REFUND', sale, 600))).errorCode).toBe('OUTCOME_UNKNOWN');
    await refused(follow('REFUND', sale, 600), 'REFUND_EXCEEDS_ORIGINAL');
    expect((await ask(harness.till, follow('REFUND', sale, 400))).status).toBe('APPROVED');
  });

  // decisions: Refund ceiling. Each round is six commits to a disk that others may use: the bound is for a slow one.
  test('two of 60.00 of a sale of 100.00 at the same moment: one succeeds, in 1,000 rounds', {
    timeout: 240_000,
  }, async () => {
    for (let round = 0; round < 1_000; round += 1) {
      const sale = await ask(harness.till, saleOf({ amount: 10_000 }));
      const refund = follow('REFUND', sale, 6_000);
      const both = await Promise.allSettled([call(harness.till, refund), call(harness.till, refund)]);
      expect(both.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      await refused(refund, 'REFUND_EXCEEDS_ORIGINAL');
    }
  });

  test.each([
    ['an unknown original', 'ORIGINAL_NOT_FOUND'],
    ['a declined sale', 'ILLEGAL_STATE'],
    ['a refund', 'OPERATION_NOT_SUPPORTED'],
    ['an open pre-authorization', 'ILLEGAL_STATE'],
    ['a void sale', 'ALREADY_VOIDED'],
  ])('of %s is %s', async (what, code) => {
    await refused(follow('REFUND', await originalOf(what), 100), code);
  });

  test('without its original is refused naming the field', async () => {
    await expect(call(harness.till, { type: 'REFUND', amount: 1, currency: 'EUR' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'originalTransactionId',
    });
  });
});

async function originalOf(what: string): Promise<TransactionResponse> {
  const sale = () => ask(harness.till, saleOf());
  switch (what) {
    case 'a declined sale':
      harness.device.next({ outcome: { kind: 'DECLINED', card: { responseCode: '05' }, receipts: [] } });
      return sale();
    case 'a refund':
      return ask(harness.till, follow('REFUND', await sale(), 100));
    case 'an open pre-authorization':
      return ask(harness.till, saleOf({ type: 'PRE_AUTH' }));
    case 'a void sale': {
      const original = await sale();
      await ask(harness.till, follow('VOID', original, 0));
      return original;
    }
    default:
      return { ...(await sale()), transactionId: 'nobody' };
  }
}

describe('a terminal that takes back its last payment only', () => {
  test('refuses the void of an earlier one before a byte is sent, and does that of the last', async () => {
    await harness.stop();
    let last: string | undefined;
    harness = createHarness({
      wrapTerminal: (terminal) => ({ ...terminal, canVoid: ({ transactionId }) => transactionId === last }),
    });
    const first = await ask(harness.till, saleOf());
    const second = await ask(harness.till, saleOf({ amount: 500 }));
    last = second.transactionId;
    await refused(follow('VOID', first, 0), 'OPERATION_NOT_SUPPORTED');
    expect((await ask(harness.till, follow('VOID', second, 0))).status).toBe('APPROVED');
  });
});

describe('a void', () => {
  test('takes back the whole, tip and cash-back included, once', async () => {
    const sale = await ask(harness.till, saleOf({ tipAmount: 100, cashbackAmount: 500 }));
    const voided = await ask(harness.till, follow('VOID', sale, 0));
    expect(voided).toMatchObject({ status: 'APPROVED', amount: 1_000, tipAmount: 100, cashbackAmount: 500 });
    expect(harness.device.standing()).toEqual([]);
    await refused(follow('VOID', sale, 0), 'ALREADY_VOIDED');
    expect(harness.till.totals({ clientId: 'c', actor: 'a', requestId: 'q', route: 'r' }).totals).toMatchObject({
      saleCount: 1,
      saleAmount: 1_600,
      voidCount: 1,
      voidAmount: 1_600,
    });
  });

  test('of another amount than the original is refused', async () => {
    const sale = await ask(harness.till, saleOf());
    await refused(follow('VOID', sale, 999), 'INVALID_REQUEST');
    expect((await ask(harness.till, follow('VOID', sale, 1_000))).status).toBe('APPROVED');
  });

  test('of a sale with refunds is HAS_REFUNDS', async () => {
    const sale = await ask(harness.till, saleOf());
    await ask(harness.till, follow('REFUND', sale, 1));
    await refused(follow('VOID', sale, 0), 'HAS_REFUNDS');
  });

  test('of a refund is not supported', async () => {
    const refund = await ask(harness.till, follow('REFUND', await ask(harness.till, saleOf()), 1_000));
    await refused(follow('VOID', refund, 0), 'OPERATION_NOT_SUPPORTED');
  });

  test('of a settled sale is ALREADY_SETTLED, and a refund still works', async () => {
    const sale = await ask(harness.till, saleOf());
    const context = {
      clientId: 'c',
      actor: 'a',
      requestId: 'q',
      route: 'POST /v1/reconciliation',
      idempotencyKey: 'z1',
    };
    await harness.till.reconcile(context, { closeDay: true });
    await refused(follow('VOID', sale, 0), 'ALREADY_SETTLED');
    expect((await ask(harness.till, follow('REFUND', sale, 1_000))).status).toBe('APPROVED');
  });

  test('of a sale that a person resolved needs the terminal reference that nobody has', async () => {
    harness.device.next({ lose: 'COMMAND_ACCEPTED' });
    harness.device.answer({ kind: 'UNDECIDED', reason: 'unclear', evidence: [] });
    const sale = await ask(harness.till, saleOf());
    const context = { clientId: 'c', actor: 'a', requestId: 'q', route: 'r' };
    harness.till.resolve(context, sale.transactionId, { charged: true, evidence: 'bank says so' });
    await refused(follow('VOID', sale, 0), 'OPERATION_NOT_SUPPORTED');
  });
});

describe('a pre-authorization', () => {
  test('is completed once, for at most the hold, and then refunded or voided by either id', async () => {
    const hold = await ask(harness.till, saleOf({ type: 'PRE_AUTH', amount: 5_000, tipAmount: 500 }));
    await refused(follow('PRE_AUTH_COMPLETE', hold, 5_000, { tipAmount: 501 }), 'CAPTURE_EXCEEDS_AUTHORIZATION');
    const completion = await ask(harness.till, follow('PRE_AUTH_COMPLETE', hold, 4_000, { tipAmount: 200 }));
    expect(completion).toMatchObject({ status: 'APPROVED', amount: 4_000, tipAmount: 200 });
    expect(completion.transactionId).not.toBe(hold.transactionId);
    await refused(follow('PRE_AUTH_COMPLETE', hold, 1), 'ALREADY_COMPLETED');
    expect((await ask(harness.till, follow('REFUND', hold, 200))).status).toBe('APPROVED');
    expect((await ask(harness.till, follow('REFUND', completion, 4_000))).status).toBe('APPROVED');
    await refused(follow('REFUND', hold, 1), 'REFUND_EXCEEDS_ORIGINAL');
  });

  test('that is void is in no totals, and cannot be completed', async () => {
    const hold = await ask(harness.till, saleOf({ type: 'PRE_AUTH' }));
    expect((await ask(harness.till, follow('VOID', hold, 0))).status).toBe('APPROVED');
    await refused(follow('PRE_AUTH_COMPLETE', hold, 1), 'ALREADY_VOIDED');
    const { totals } = harness.till.totals({ clientId: 'c', actor: 'a', requestId: 'q', route: 'r' });
    expect(totals).toMatchObject({ saleCount: 0, voidCount: 0, preAuthCount: 0 });
  });

  test('whose completion was lost is completed at most once', async () => {
    const hold = await ask(harness.till, saleOf({ type: 'PRE_AUTH' }));
    harness.device.next({ lose: 'COMPLETION' });
    const completion = await ask(harness.till, follow('PRE_AUTH_COMPLETE', hold, 1_000));
    expect(completion.status).toBe('APPROVED');
    await refused(follow('PRE_AUTH_COMPLETE', hold, 1), 'ALREADY_COMPLETED');
    expect(harness.device.standing()).toEqual([1_000]);
  });
});

describe('other operations', () => {
  test('a card read moves no money and may give a token', async () => {
    harness.device.next({ card: { maskedPan: '411111******1111', cardToken: 'tok-9' } });
    const response = await ask(harness.till, { type: 'CARD_READ', amount: 0, currency: 'EUR' });
    expect(response).toMatchObject({ status: 'APPROVED', amount: 0, cardToken: 'tok-9', outcome: { charged: 'NO' } });
    expect(harness.device.standing()).toEqual([]);
  });

  test('a balance inquiry carries the balance in amount', async () => {
    const response = await ask(harness.till, { type: 'BALANCE_INQUIRY', amount: 0, currency: 'EUR' });
    expect(response).toMatchObject({ status: 'APPROVED', amount: 4_200 });
  });

  test('a lost card read ends ERROR, not charged, without a task', async () => {
    harness.device.next({ lose: 'STATUS' });
    const response = await ask(harness.till, { type: 'CARD_READ', amount: 0, currency: 'EUR' });
    expect(response).toMatchObject({ status: 'ERROR', errorCode: 'TERMINAL_ERROR', outcome: { charged: 'NO' } });
    expect(harness.journal.openTasks()).toEqual([]);
    expect(harness.device.questions).toEqual([]);
  });
});

describe('a referenceId', () => {
  test('used again within 24 hours is allowed and flagged, later not', async () => {
    const first = await ask(harness.till, saleOf({ referenceId: 'order-1' }));
    expect(first.possibleDuplicate).toBeUndefined();
    expect((await ask(harness.till, saleOf({ referenceId: 'order-1' }))).possibleDuplicate).toBe(true);
    await harness.clock.advance(25 * 3_600_000);
    expect((await ask(harness.till, saleOf({ referenceId: 'order-1' }))).possibleDuplicate).toBeUndefined();
  });

  test('of a sale of unknown outcome is refused unless a second charge is meant', async () => {
    harness.device.next({ lose: 'COMPLETION' });
    harness.device.answer({ kind: 'UNDECIDED', reason: 'unclear', evidence: [] });
    const unknown = await ask(harness.till, saleOf({ referenceId: 'order-1' }));
    await expect(call(harness.till, saleOf({ referenceId: 'order-1' }))).rejects.toMatchObject({
      code: 'POSSIBLE_DUPLICATE',
      details: { transactionId: unknown.transactionId },
    });
    const meant = await ask(harness.till, saleOf({ referenceId: 'order-1', allowDuplicate: true }));
    expect(meant).toMatchObject({ status: 'APPROVED', possibleDuplicate: true });
    const context = { clientId: 'client-1', actor: 'a', requestId: 'q', route: 'r' };
    expect(harness.till.transactions(context, { referenceId: 'order-1', limit: 25 }).data).toHaveLength(2);
    harness.till.resolve(context, unknown.transactionId, { charged: false, evidence: 'bank' });
    expect((await ask(harness.till, saleOf({ referenceId: 'order-1' }))).status).toBe('APPROVED');
  });

  test('of 64 emoji is echoed exactly; NFC and NFD differ', async () => {
    const emoji = '🍕'.repeat(64);
    expect((await ask(harness.till, saleOf({ referenceId: emoji }))).referenceId).toBe(emoji);
    await ask(harness.till, saleOf({ referenceId: 'caf\u00e9' }));
    expect((await ask(harness.till, saleOf({ referenceId: 'cafe\u0301' }))).possibleDuplicate).toBeUndefined();
  });

  test('that is empty names no order: it flags and blocks nothing, and is echoed', async () => {
    harness.device.next({ lose: 'COMPLETION' });
    harness.device.answer({ kind: 'UNDECIDED', reason: 'no memory of it', evidence: [] });
    expect((await ask(harness.till, saleOf({ referenceId: '' }))).errorCode).toBe('OUTCOME_UNKNOWN');
    const second = await ask(harness.till, saleOf({ referenceId: '' }));
    expect(second).toMatchObject({ status: 'APPROVED', referenceId: '' });
    expect(second.possibleDuplicate).toBeUndefined();
  });
});

test('three amounts of 2147483648 in one batch are exact', async () => {
  for (let count = 0; count < 3; count += 1) await ask(harness.till, saleOf({ amount: 2_147_483_648 }));
  const { totals } = harness.till.totals({ clientId: 'c', actor: 'a', requestId: 'q', route: 'r' });
  expect(totals).toMatchObject({ saleCount: 3, saleAmount: 6_442_450_944 });
});
