import { describe, expect, it } from 'vitest';
import {
  actedOn,
  checkCompletion,
  checkRefund,
  checkVoid,
  type DependentFacts,
  refundableMinor,
  requireOriginal,
  type Target,
} from '../../app/domain/ceilings.ts';
import type { TransactionRecord } from '../../app/domain/transaction.ts';
import { transaction, unknownOutcome } from '../storage/journal-fixture.ts';

const nothing: DependentFacts = { refundedMinor: 0, refundCount: 0 };

function target(
  record: Partial<TransactionRecord>,
  dependents: Partial<DependentFacts> = {},
  isSettled = false,
): Target {
  return { record: transaction(record), dependents: { ...nothing, ...dependents }, isSettled };
}

const refused = (code: string) => expect.objectContaining({ code });
const refundOf = (amountMinor: number) => ({ amountMinor, currency: 'EUR', mode: 'ORCHESTRATED' }) as const;
const voidOf = (amountMinor = 0) => ({ amountMinor, currency: 'EUR' });
const completionOf = (amountMinor: number, tipAmountMinor = 0) => ({ amountMinor, tipAmountMinor, currency: 'EUR' });

const sale = { amountMinor: 1000, tipAmountMinor: 100, cashbackAmountMinor: 500 };
const approvedVoid = transaction({ transactionId: 'v', type: 'VOID' });
const openVoid = transaction({ transactionId: 'v', type: 'VOID', state: 'INTENT' });
const completion = transaction({ transactionId: 'c', type: 'PRE_AUTH_COMPLETE', amountMinor: 800 });
const unknownCompletion = unknownOutcome({ transactionId: 'c', type: 'PRE_AUTH_COMPLETE' });

describe('the original', () => {
  it('must be known at this terminal', () => {
    expect(requireOriginal(transaction(), 'T1')).toEqual(transaction());
    expect(() => requireOriginal(undefined, 'T1')).toThrow(refused('ORIGINAL_NOT_FOUND'));
    expect(() => requireOriginal(transaction(), 'T2')).toThrow(refused('ORIGINAL_NOT_FOUND'));
  });

  it('of a completed pre-authorization is the completion, by either id', () => {
    const hold = transaction({ type: 'PRE_AUTH' });
    expect(actedOn(hold, { ...nothing, completedBy: completion })).toBe(completion);
    expect(actedOn(completion, nothing)).toBe(completion);
    expect(actedOn(hold, { ...nothing, completedBy: unknownCompletion })).toBe(hold);
    expect(actedOn(hold, nothing)).toBe(hold);
  });
});

describe('a refund', () => {
  it('reaches amount + tip, without the cash-back, and not one more', () => {
    expect(() => checkRefund(target(sale), refundOf(1100))).not.toThrow();
    expect(() => checkRefund(target(sale), refundOf(1101))).toThrow(refused('REFUND_EXCEEDS_ORIGINAL'));
  });

  it('is cumulative', () => {
    const refunded = target(sale, { refundedMinor: 600, refundCount: 2 });
    expect(refundableMinor(refunded)).toBe(500);
    expect(() => checkRefund(refunded, refundOf(500))).not.toThrow();
    expect(() => checkRefund(refunded, refundOf(501))).toThrow(
      expect.objectContaining({ code: 'REFUND_EXCEEDS_ORIGINAL', field: 'amount' }),
    );
  });

  it('takes a completion, and refuses a hold that is not completed', () => {
    expect(() => checkRefund(target({ type: 'PRE_AUTH_COMPLETE' }), refundOf(1000))).not.toThrow();
    expect(() => checkRefund(target({ type: 'PRE_AUTH' }), refundOf(1))).toThrow(refused('ILLEGAL_STATE'));
    expect(() => checkRefund(target({ type: 'PRE_AUTH' }, { completedBy: unknownCompletion }), refundOf(1))).toThrow(
      refused('ILLEGAL_STATE'),
    );
  });

  it.each(['REFUND', 'VOID', 'CARD_READ', 'BALANCE_INQUIRY'] as const)('of a %s is not supported', (type) => {
    expect(() => checkRefund(target({ type }), refundOf(1))).toThrow(refused('OPERATION_NOT_SUPPORTED'));
  });

  it.each(['INTENT', 'PROVISIONAL', 'PENDING_ONLINE', 'DECLINED', 'CANCELLED', 'ERROR'] as const)(
    'of what is %s is refused',
    (state) => {
      expect(() => checkRefund(target({ state }), refundOf(1))).toThrow(refused('ILLEGAL_STATE'));
    },
  );

  it('of a voided original is refused, and while a void is open', () => {
    expect(() => checkRefund(target({}, { voidedBy: approvedVoid }), refundOf(1))).toThrow(refused('ALREADY_VOIDED'));
    expect(() => checkRefund(target({}, { voidedBy: openVoid }), refundOf(1))).toThrow(refused('ILLEGAL_STATE'));
  });

  it('goes the way the original went: through the terminal, or authorized by the POS', () => {
    const granular = target({ mode: 'GRANULAR' });
    expect(() => checkRefund(granular, refundOf(1))).toThrow(refused('OPERATION_NOT_SUPPORTED'));
    expect(() => checkRefund(target({}), { ...refundOf(1), mode: 'GRANULAR' })).toThrow(
      refused('OPERATION_NOT_SUPPORTED'),
    );
    expect(() => checkRefund(granular, { ...refundOf(1000), mode: 'GRANULAR' })).not.toThrow();
    expect(() => checkRefund(granular, { ...refundOf(1001), mode: 'GRANULAR' })).toThrow(
      refused('REFUND_EXCEEDS_ORIGINAL'),
    );
  });

  it('is allowed after settlement, and only in the original’s currency', () => {
    expect(() => checkRefund(target({}, {}, true), refundOf(1000))).not.toThrow();
    expect(() => checkRefund(target({ currency: 'CHF' }), refundOf(1))).toThrow(refused('UNSUPPORTED_CURRENCY'));
  });
});

describe('a void', () => {
  it('takes back the three amounts as a whole', () => {
    expect(checkVoid(target(sale), voidOf(0))).toEqual(sale);
    expect(checkVoid(target(sale), voidOf(1000))).toEqual(sale);
    expect(() => checkVoid(target(sale), voidOf(999))).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', field: 'amount' }),
    );
  });

  it('takes the captured amount of a completed pre-authorization', () => {
    expect(checkVoid({ record: completion, dependents: nothing, isSettled: false }, voidOf(800)).amountMinor).toBe(800);
    expect(() => checkVoid({ record: completion, dependents: nothing, isSettled: false }, voidOf(1000))).toThrow(
      refused('INVALID_REQUEST'),
    );
  });

  it('is refused when the batch is closed, but an open hold is released in any batch', () => {
    expect(() => checkVoid(target({}, {}, true), voidOf())).toThrow(
      expect.objectContaining({ code: 'ALREADY_SETTLED', message: expect.stringContaining('refund') }),
    );
    expect(() => checkVoid(target({ type: 'PRE_AUTH_COMPLETE' }, {}, true), voidOf())).toThrow(
      refused('ALREADY_SETTLED'),
    );
    expect(() => checkVoid(target({ type: 'PRE_AUTH' }, {}, true), voidOf())).not.toThrow();
  });

  it('is refused the second time, also after a close, and while the first is open', () => {
    expect(() => checkVoid(target({}, { voidedBy: approvedVoid }), voidOf())).toThrow(refused('ALREADY_VOIDED'));
    expect(() => checkVoid(target({}, { voidedBy: approvedVoid }, true), voidOf())).toThrow(refused('ALREADY_VOIDED'));
    expect(() => checkVoid(target({}, { voidedBy: openVoid }), voidOf())).toThrow(refused('ILLEGAL_STATE'));
  });

  it('is refused for a sale with refunds, unresolved ones included', () => {
    expect(() => checkVoid(target({}, { refundedMinor: 1, refundCount: 1 }), voidOf())).toThrow(refused('HAS_REFUNDS'));
  });

  it('waits for a completion whose outcome is not known', () => {
    expect(() => checkVoid(target({ type: 'PRE_AUTH' }, { completedBy: unknownCompletion }), voidOf())).toThrow(
      refused('ILLEGAL_STATE'),
    );
  });

  it.each(['REFUND', 'VOID', 'CARD_READ', 'BALANCE_INQUIRY'] as const)('of a %s is not supported', (type) => {
    expect(() => checkVoid(target({ type }), voidOf())).toThrow(refused('OPERATION_NOT_SUPPORTED'));
  });

  it('of a payment that the POS authorized is not supported', () => {
    expect(() => checkVoid(target({ mode: 'GRANULAR' }), voidOf())).toThrow(refused('OPERATION_NOT_SUPPORTED'));
  });

  it('of what was not approved is refused', () => {
    expect(() => checkVoid(target({ state: 'DECLINED' }), voidOf())).toThrow(refused('ILLEGAL_STATE'));
    expect(() => checkVoid(target({ currency: 'CHF' }), voidOf())).toThrow(refused('UNSUPPORTED_CURRENCY'));
  });
});

describe('a completion', () => {
  const hold = { type: 'PRE_AUTH', amountMinor: 1000, tipAmountMinor: 50 } as const;

  it('takes up to the hold, tip included', () => {
    expect(() => checkCompletion(target(hold), completionOf(1))).not.toThrow();
    expect(() => checkCompletion(target(hold), completionOf(1000, 50))).not.toThrow();
    expect(() => checkCompletion(target(hold), completionOf(1000, 51))).toThrow(
      refused('CAPTURE_EXCEEDS_AUTHORIZATION'),
    );
    expect(() => checkCompletion(target(hold), completionOf(1051))).toThrow(refused('CAPTURE_EXCEEDS_AUTHORIZATION'));
  });

  it('happens once', () => {
    expect(() => checkCompletion(target(hold, { completedBy: completion }), completionOf(1))).toThrow(
      refused('ALREADY_COMPLETED'),
    );
    expect(() => checkCompletion(target(hold, { completedBy: unknownCompletion }), completionOf(1))).toThrow(
      refused('ILLEGAL_STATE'),
    );
  });

  it('is refused for a released hold, an unapproved one, and one that the POS authorized', () => {
    expect(() => checkCompletion(target(hold, { voidedBy: approvedVoid }), completionOf(1))).toThrow(
      refused('ALREADY_VOIDED'),
    );
    expect(() => checkCompletion(target({ ...hold, state: 'DECLINED' }), completionOf(1))).toThrow(
      refused('ILLEGAL_STATE'),
    );
    expect(() => checkCompletion(target({ ...hold, mode: 'GRANULAR' }), completionOf(1))).toThrow(
      refused('OPERATION_NOT_SUPPORTED'),
    );
    expect(() => checkCompletion(target({ ...hold, currency: 'CHF' }), completionOf(1))).toThrow(
      refused('UNSUPPORTED_CURRENCY'),
    );
  });

  it.each(['SALE', 'REFUND', 'VOID', 'PRE_AUTH_COMPLETE'] as const)('of a %s is not supported', (type) => {
    expect(() => checkCompletion(target({ type }), completionOf(1))).toThrow(refused('OPERATION_NOT_SUPPORTED'));
  });
});
