import { describe, expect, it } from 'vitest';
import { type Payment, PaymentStatus as PaymentStatusSchema } from '../../app/contract/host/payment.ts';
import {
  checkPaymentCapture,
  checkPaymentRefund,
  checkPaymentVoid,
  checkReversal,
  checkTipAdjust,
  refundableOfPaymentMinor,
} from '../../app/domain/host-ceilings.ts';
import { payment, paymentId } from './host-fixture.ts';

const statuses: readonly Payment['status'][] = JSON.parse(JSON.stringify(PaymentStatusSchema)).enum;
const refused = (code: string, field?: string) =>
  expect.objectContaining({ code, details: { transactionId: paymentId }, ...(field === undefined ? {} : { field }) });
const target = (changes: Partial<Payment> = {}, refundedMinor = 0, refundCount = refundedMinor > 0 ? 1 : 0) => ({
  payment: payment(changes),
  refundedMinor,
  refundCount,
});
const held: Partial<Payment> = {
  status: 'REQUIRES_CAPTURE',
  captureMethod: 'MANUAL',
  capturedAmountMinor: null,
  authExpiresAt: '2026-12-05T09:00:00Z',
};
const now = Date.parse('2026-11-28T10:00:00Z');
const refusalOf = (act: () => unknown) => {
  try {
    act();
    return 'ok';
  } catch (error) {
    return String(Object(error).code);
  }
};

describe('a refund', () => {
  it('gives back what was captured without cash-back, all refunds together', () => {
    for (const [refunded, amountMinor] of [
      [0, 1100],
      [0, 1],
      [600, 500],
      [1099, 1],
    ] as const) {
      expect(() => checkPaymentRefund(target({}, refunded), { amountMinor })).not.toThrow();
      expect(() => checkPaymentRefund(target({}, refunded), { amountMinor: 1100 - refunded + 1 })).toThrow(
        refused('REFUND_EXCEEDS_ORIGINAL', 'amountMinor'),
      );
    }
    expect(refundableOfPaymentMinor(target({}, 600))).toBe(500);
    expect(refundableOfPaymentMinor(target({}, 1101))).toBe(0);
  });

  it('of a partly captured hold gives back what was captured, not what was held', () => {
    const partly = target({ type: 'PRE_AUTH', capturedAmountMinor: 700, cashbackAmountMinor: 0 });
    expect(() => checkPaymentRefund(partly, { amountMinor: 700 })).not.toThrow();
    expect(() => checkPaymentRefund(partly, { amountMinor: 701 })).toThrow(refused('REFUND_EXCEEDS_ORIGINAL'));
  });

  it('names the field that its caller has', () => {
    expect(() => checkPaymentRefund(target(), { amountMinor: 9999, amountField: 'amount' })).toThrow(
      refused('REFUND_EXCEEDS_ORIGINAL', 'amount'),
    );
  });

  it('is of a captured payment only, for each status', () => {
    const byStatus = Object.fromEntries(
      statuses.map((status) => [status, refusalOf(() => checkPaymentRefund(target({ status }), { amountMinor: 1 }))]),
    );
    expect(byStatus).toEqual({
      ...Object.fromEntries(statuses.map((status) => [status, 'ILLEGAL_STATE'])),
      SUCCEEDED: 'ok',
      REVERSED: 'ALREADY_VOIDED',
    });
  });

  it('is refused for another currency, of a refund, and of a payment of another acquirer', () => {
    expect(() => checkPaymentRefund(target(), { amountMinor: 1, currencyCode: 'CHF' })).toThrow(
      refused('UNSUPPORTED_CURRENCY', 'currencyCode'),
    );
    expect(() => checkPaymentRefund(target({ type: 'REFUND' }), { amountMinor: 1 })).toThrow(
      refused('OPERATION_NOT_SUPPORTED'),
    );
    const external = target({ acceptanceChannel: 'EXTERNAL_RAIL' });
    expect(() => checkPaymentRefund(external, { amountMinor: 1 })).toThrow(refused('ILLEGAL_STATE'));
  });

  it('is exact where sums pass 2^31 and 2^53', () => {
    const large = target({ capturedAmountMinor: Number.MAX_SAFE_INTEGER, cashbackAmountMinor: 0 }, 2 ** 31);
    expect(() => checkPaymentRefund(large, { amountMinor: Number.MAX_SAFE_INTEGER - 2 ** 31 })).not.toThrow();
    expect(() => checkPaymentRefund(large, { amountMinor: Number.MAX_SAFE_INTEGER })).toThrow(
      expect.objectContaining({ code: 'AMOUNT_TOO_LARGE' }),
    );
  });
});

describe('a void', () => {
  it('takes back the captured amount, or releases the hold', () => {
    expect(checkPaymentVoid(target({ type: 'PRE_AUTH', capturedAmountMinor: 700 }))).toBe(700);
    expect(checkPaymentVoid(target(held))).toBe(1600);
  });

  it('is refused when settled, refunded or done before, in this order of the decisions', () => {
    expect(() => checkPaymentVoid(target({ settlementId: 'S1' }))).toThrow(refused('ALREADY_SETTLED'));
    expect(() => checkPaymentVoid(target({}, 100))).toThrow(refused('HAS_REFUNDS'));
    expect(() => checkPaymentVoid(target({ type: 'REFUND' }))).toThrow(refused('OPERATION_NOT_SUPPORTED'));
    expect(() => checkPaymentVoid(target({ acceptanceChannel: 'EXTERNAL_RAIL' }))).toThrow(refused('ILLEGAL_STATE'));
    expect(() => checkPaymentVoid(target({ settlementId: null }))).not.toThrow();
  });

  it('is of what is held or captured, for each status', () => {
    const byStatus = Object.fromEntries(
      statuses.map((status) => [status, refusalOf(() => checkPaymentVoid(target({ status })))]),
    );
    expect(byStatus).toEqual({
      ...Object.fromEntries(statuses.map((status) => [status, 'ILLEGAL_STATE'])),
      SUCCEEDED: 'ok',
      REQUIRES_CAPTURE: 'ok',
      REVERSED: 'ALREADY_VOIDED',
    });
  });
});

describe('a capture', () => {
  it('takes from the cash-back up to the hold, and the whole of it by default', () => {
    expect(checkPaymentCapture(payment(held), {}, now)).toBe(1600);
    expect(checkPaymentCapture(payment(held), { amountMinor: 1600 }, now)).toBe(1600);
    expect(checkPaymentCapture(payment(held), { amountMinor: 500 }, now)).toBe(500);
    expect(() => checkPaymentCapture(payment(held), { amountMinor: 1601 }, now)).toThrow(
      refused('CAPTURE_EXCEEDS_AUTHORIZATION', 'amountMinor'),
    );
    expect(() => checkPaymentCapture(payment(held), { amountMinor: 499 }, now)).toThrow(
      refused('INVALID_REQUEST', 'amountMinor'),
    );
  });

  it('is too late from the instant at which the hold lapses', () => {
    const lapses = Date.parse('2026-12-05T09:00:00Z');
    expect(checkPaymentCapture(payment(held), {}, lapses - 1)).toBe(1600);
    expect(() => checkPaymentCapture(payment(held), {}, lapses)).toThrow(refused('AUTH_EXPIRED'));
    const { authExpiresAt: _, ...without } = held;
    expect(checkPaymentCapture(payment(without), {}, lapses)).toBe(1600);
    expect(checkPaymentCapture(payment({ ...held, authExpiresAt: null }), {}, lapses)).toBe(1600);
  });

  it('happens once, for each status', () => {
    const byStatus = Object.fromEntries(
      statuses.map((status) => [status, refusalOf(() => checkPaymentCapture(payment({ status }), {}, now))]),
    );
    expect(byStatus).toEqual({
      ...Object.fromEntries(statuses.map((status) => [status, 'ILLEGAL_STATE'])),
      REQUIRES_CAPTURE: 'ok',
      SUCCEEDED: 'ALREADY_COMPLETED',
      REVERSED: 'ALREADY_VOIDED',
    });
    const external = payment({ ...held, acceptanceChannel: 'EXTERNAL_RAIL' });
    expect(() => checkPaymentCapture(external, {}, now)).toThrow(refused('ILLEGAL_STATE'));
  });
});

describe('a tip adjustment', () => {
  const configuration = {
    enabled: true,
    presetBasisPoints: [1000],
    allowCustomAmount: true,
    maxAmountMinor: 300,
    maxBasisPoints: 5000,
    fixedAmountMinor: null,
  };
  const means = { isSupported: true, configuration, nowMs: now };

  it('replaces the tip; the total becomes base + tip', () => {
    expect(checkTipAdjust(payment(held), { tipAmountMinor: 300 }, means)).toEqual({
      amountMinor: 1800,
      tipAmountMinor: 300,
    });
    expect(checkTipAdjust(payment(held), { tipAmountMinor: 0 }, means).amountMinor).toBe(1500);
    const preset = { tipAmountMinor: 100, tipSource: 'preset:1000' };
    expect(checkTipAdjust(payment(held), preset, means).amountMinor).toBe(1600);
  });

  it('is 422 where the acquirer cannot, 400 above the cap, 409 where nothing is held', () => {
    const request = { tipAmountMinor: 100 };
    expect(() => checkTipAdjust(payment(held), request, { ...means, isSupported: false })).toThrow(
      expect.objectContaining({ code: 'TIP_ADJUST_NOT_SUPPORTED', httpStatus: 422 }),
    );
    expect(() => checkTipAdjust(payment(held), { tipAmountMinor: 301 }, means)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', httpStatus: 400, field: 'tipAmountMinor' }),
    );
    const conflicts: readonly (readonly [Partial<Payment>, string])[] = [
      [{ status: 'SUCCEEDED' }, 'ALREADY_COMPLETED'],
      [{ status: 'SUCCEEDED', settlementId: 'S1' }, 'ALREADY_SETTLED'],
      [{ status: 'REVERSED' }, 'ALREADY_VOIDED'],
      [{ status: 'FAILED' }, 'ILLEGAL_STATE'],
      [{ ...held, authExpiresAt: '2026-11-28T09:59:59Z' }, 'AUTH_EXPIRED'],
      [{ ...held, acceptanceChannel: 'EXTERNAL_RAIL' }, 'ILLEGAL_STATE'],
    ];
    for (const [changes, code] of conflicts) {
      expect(() => checkTipAdjust(payment(changes), request, means)).toThrow(
        expect.objectContaining({ code, httpStatus: 409 }),
      );
    }
  });
});

describe('a reversal by recovery', () => {
  it('begins while money is out or may be, and has nothing to do otherwise', () => {
    const byStatus = Object.fromEntries(statuses.map((status) => [status, checkReversal(target({ status }))]));
    expect(byStatus).toEqual({
      ...Object.fromEntries(statuses.map((status) => [status, 'NOTHING'])),
      PROCESSING: 'BEGIN',
      REQUIRES_CAPTURE: 'BEGIN',
      SUCCEEDED: 'BEGIN',
      FAILED: 'BEGIN',
    });
  });

  it('is refused when settled or refunded, and of a payment of another acquirer', () => {
    expect(() => checkReversal(target({ settlementId: 'S1' }))).toThrow(refused('ALREADY_SETTLED'));
    expect(() => checkReversal(target({}, 100))).toThrow(refused('HAS_REFUNDS'));
    expect(() => checkReversal(target({ acceptanceChannel: 'EXTERNAL_RAIL' }))).toThrow(refused('ILLEGAL_STATE'));
  });
});
