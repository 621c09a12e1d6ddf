import { BridgeError, type ErrorCode } from '../contract/errors.ts';
import type { Payment } from '../contract/host/payment.ts';
import { sumMinor } from './money.ts';
import { moneyStateOf } from './payment.machine.ts';
import { checkTip, type TipConfiguration } from './tip-source.ts';

/** What may still be done with a host payment, and up to which amount. Check and reservation are one transaction of the caller's. */

/** A stored payment with what already acts on it. */
export interface PaymentTarget {
  readonly payment: Payment;
  /** Sum of its refunds that are approved or of unknown outcome, minor units (decisions: Refund ceiling). */
  readonly refundedMinor: number;
  readonly refundCount: number;
}

function refuse(code: ErrorCode, message: string, payment: Payment, field?: string): never {
  throw new BridgeError(code, message, {
    ...(field === undefined ? {} : { field }),
    details: { transactionId: payment.id },
  });
}

function isSettled(payment: Payment): boolean {
  return payment.settlementId !== undefined && payment.settlementId !== null;
}

/** What was charged without cash-back: only that can be given back (decisions: Refund ceiling). */
function refundCeilingMinor(payment: Payment): number {
  return Math.max(0, (payment.capturedAmountMinor ?? 0) - (payment.cashbackAmountMinor ?? 0));
}

/** What refunds may still give back, minor units; never negative. */
export function refundableOfPaymentMinor({ payment, refundedMinor }: PaymentTarget): number {
  return Math.max(0, refundCeilingMinor(payment) - refundedMinor);
}

/**
 * Whether a refund is allowed: of a captured purchase or pre-authorization, all refunds together at most what was captured without cash-back
 * (decisions: Refund ceiling, Refund originals, EXTERNAL_RAIL).
 * @throws BridgeError OPERATION_NOT_SUPPORTED, ALREADY_VOIDED, ILLEGAL_STATE, UNSUPPORTED_CURRENCY, REFUND_EXCEEDS_ORIGINAL
 */
export function checkPaymentRefund(
  target: PaymentTarget,
  request: { readonly amountMinor: number; readonly currencyCode?: string; readonly amountField?: string },
): void {
  const { payment, refundedMinor } = target;
  requirePurchase(payment, 'refunded');
  requireOwnRail(payment, 'refund');
  if (payment.status === 'REVERSED') refuse('ALREADY_VOIDED', 'the payment was taken back as a whole', payment);
  if (payment.status !== 'SUCCEEDED') refuse('ILLEGAL_STATE', `no refund of this payment: ${whyOf(payment)}`, payment);
  if (request.currencyCode !== undefined && request.currencyCode !== payment.currencyCode) {
    refuse('UNSUPPORTED_CURRENCY', 'currencyCode must be that of the payment', payment, 'currencyCode');
  }
  if (sumMinor(refundedMinor, request.amountMinor) > refundCeilingMinor(payment)) {
    const left = refundableOfPaymentMinor(target);
    const field = request.amountField ?? 'amountMinor';
    refuse('REFUND_EXCEEDS_ORIGINAL', `at most ${left} minor units remain to be refunded`, payment, field);
  }
}

/**
 * Whether a void is allowed: of a held payment (the hold is released) or of a captured one whose batch is open (decisions: Void).
 * @returns minor units that are taken back: the captured ones, or the hold
 * @throws BridgeError OPERATION_NOT_SUPPORTED, ALREADY_VOIDED, ALREADY_SETTLED, HAS_REFUNDS, ILLEGAL_STATE
 */
export function checkPaymentVoid({ payment, refundCount }: PaymentTarget): number {
  requirePurchase(payment, 'voided');
  requireOwnRail(payment, 'void');
  if (payment.status === 'REVERSED') refuse('ALREADY_VOIDED', 'the payment was taken back before', payment);
  if (payment.status === 'REQUIRES_CAPTURE') return payment.amountMinor;
  if (payment.status !== 'SUCCEEDED') refuse('ILLEGAL_STATE', `no void of this payment: ${whyOf(payment)}`, payment);
  if (isSettled(payment)) refuse('ALREADY_SETTLED', 'the batch of the payment is closed; refund it instead', payment);
  if (refundCount > 0) refuse('HAS_REFUNDS', 'the payment has refunds; refund what remains instead', payment);
  return payment.capturedAmountMinor ?? 0;
}

/**
 * Whether a held payment can be captured, and with how much (decisions: Pre-auth completion; specification: authExpiresAt).
 * @param request.amountMinor minor units, tip included; the whole hold when left out
 * @returns minor units that are captured
 * @throws BridgeError ALREADY_COMPLETED, ALREADY_VOIDED, AUTH_EXPIRED, ILLEGAL_STATE, CAPTURE_EXCEEDS_AUTHORIZATION
 */
export function checkPaymentCapture(
  payment: Payment,
  request: { readonly amountMinor?: number },
  nowMs: number,
): number {
  requireOwnRail(payment, 'capture');
  requireHold(payment, 'capture', nowMs);
  const amountMinor = request.amountMinor ?? payment.amountMinor;
  if (amountMinor > payment.amountMinor) {
    const rule = `amountMinor must not be larger than the ${payment.amountMinor} minor units held`;
    refuse('CAPTURE_EXCEEDS_AUTHORIZATION', rule, payment, 'amountMinor');
  }
  // What was handed out in cash cannot be left uncaptured.
  if (amountMinor < (payment.cashbackAmountMinor ?? 0)) {
    refuse('INVALID_REQUEST', 'amountMinor must not be smaller than the cash-back', payment, 'amountMinor');
  }
  return amountMinor;
}

/**
 * Whether a tip can be adjusted, and the amounts that are held then (specification: tip-adjust; decisions: tip-adjust).
 * @param means.isSupported whether the acquirer can adjust tips
 * @throws BridgeError TIP_ADJUST_NOT_SUPPORTED (422), ALREADY_SETTLED, ALREADY_COMPLETED, ALREADY_VOIDED, AUTH_EXPIRED, ILLEGAL_STATE (409), INVALID_REQUEST (above the cap)
 */
export function checkTipAdjust(
  payment: Payment,
  request: { readonly tipAmountMinor: number; readonly tipSource?: string },
  means: {
    readonly isSupported: boolean;
    readonly configuration: TipConfiguration | undefined;
    readonly nowMs: number;
  },
): { readonly amountMinor: number; readonly tipAmountMinor: number } {
  requireOwnRail(payment, 'tip adjustment');
  if (!means.isSupported) refuse('TIP_ADJUST_NOT_SUPPORTED', 'the acquirer cannot adjust tips', payment);
  if (isSettled(payment)) refuse('ALREADY_SETTLED', 'the batch of the payment is closed', payment);
  requireHold(payment, 'tip adjustment', means.nowMs);
  const goodsMinor = payment.baseAmountMinor - (payment.cashbackAmountMinor ?? 0);
  checkTip({ ...request, goodsMinor }, means.configuration);
  const { tipAmountMinor } = request;
  return { amountMinor: sumMinor(payment.baseAmountMinor, tipAmountMinor), tipAmountMinor };
}

/**
 * Whether recovery may reverse a payment: one that is held, captured and unsettled, or of unknown outcome. One that was reversed before, or moved
 * nothing, needs nothing (decisions: recovery/reverse is idempotent).
 * @returns BEGIN: store and send a reversal. NOTHING: no money is out.
 * @throws BridgeError ALREADY_SETTLED, HAS_REFUNDS, ILLEGAL_STATE
 */
export function checkReversal({ payment, refundCount }: PaymentTarget): 'BEGIN' | 'NOTHING' {
  requireOwnRail(payment, 'reversal');
  const money = moneyStateOf(payment.status);
  if (money === 'TAKEN_BACK' || money === 'NONE') return 'NOTHING';
  if (isSettled(payment)) refuse('ALREADY_SETTLED', 'the batch of the payment is closed; refund it instead', payment);
  if (refundCount > 0) refuse('HAS_REFUNDS', 'the payment has refunds; refund what remains instead', payment);
  return 'BEGIN';
}

function requirePurchase(payment: Payment, participle: 'refunded' | 'voided'): void {
  if (payment.type === 'SALE' || payment.type === 'PRE_AUTH') return;
  refuse('OPERATION_NOT_SUPPORTED', `a ${payment.type} cannot be ${participle}`, payment);
}

function requireOwnRail(payment: Payment, act: string): void {
  if (payment.acceptanceChannel !== 'EXTERNAL_RAIL') return;
  refuse('ILLEGAL_STATE', `no ${act} here: the payment belongs to the terminal's own acquirer`, payment);
}

function requireHold(payment: Payment, act: 'capture' | 'tip adjustment', nowMs: number): void {
  if (payment.status === 'SUCCEEDED') refuse('ALREADY_COMPLETED', 'the payment was captured before', payment);
  if (payment.status === 'REVERSED') refuse('ALREADY_VOIDED', 'the payment was taken back', payment);
  if (payment.status !== 'REQUIRES_CAPTURE') {
    refuse('ILLEGAL_STATE', `no ${act} of this payment: ${whyOf(payment)}`, payment);
  }
  const { authExpiresAt } = payment;
  if (authExpiresAt !== undefined && authExpiresAt !== null && Date.parse(authExpiresAt) <= nowMs) {
    refuse('AUTH_EXPIRED', 'the hold has lapsed', payment);
  }
}

function whyOf(payment: Payment): string {
  return payment.status === 'FAILED' || payment.status === 'PROCESSING'
    ? 'its outcome is not known yet'
    : `it is ${payment.status}`;
}
