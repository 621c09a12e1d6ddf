import { BridgeError, type ErrorCode } from '../contract/errors.ts';
import type { AuthorizeRequest, HostTransactionType } from '../contract/host/authorize.ts';
import type { Payment } from '../contract/host/payment.ts';
import type {
  CreatePaymentSessionRequest,
  SessionOperation,
  TerminalPaymentSession,
} from '../contract/host/payment-session.ts';

/** A payment session and the payment that it asked for: what an authorization must echo, and what a final event is held against. */

const transactionTypes: Readonly<Record<SessionOperation, HostTransactionType>> = {
  PURCHASE: 'purchase',
  REFUND: 'refund',
};
const paymentTypes: Readonly<Record<SessionOperation, Payment['type']>> = { PURCHASE: 'SALE', REFUND: 'REFUND' };

/** What a call of a device must echo of its session. */
export type SessionEcho = Pick<
  AuthorizeRequest,
  | 'amount'
  | 'baseAmountMinor'
  | 'tipAmountMinor'
  | 'currencyCode'
  | 'transactionType'
  | 'originalTransactionId'
  | 'claimToken'
>;

/** Who calls, by the device token, and under which Idempotency-Key. */
export interface SessionCaller {
  readonly merchantId: string;
  readonly terminalId: string;
  readonly deviceId: string;
  readonly idempotencyKey: string;
}

function refuse(code: ErrorCode, message: string, field?: string): never {
  throw new BridgeError(code, message, field === undefined ? {} : { field });
}

/** @throws BridgeError INVALID_REQUEST naming originalTransactionId, which a refund needs and a purchase does not take */
export function checkNewSession(request: CreatePaymentSessionRequest): void {
  const hasOriginal = request.originalTransactionId !== undefined;
  if (request.operation === 'REFUND' && !hasOriginal) {
    refuse('INVALID_REQUEST', 'originalTransactionId is required for a REFUND', 'originalTransactionId');
  }
  if (request.operation === 'PURCHASE' && hasOriginal) {
    refuse('INVALID_REQUEST', 'originalTransactionId is taken for a REFUND only', 'originalTransactionId');
  }
}

/**
 * Whether a session lets this authorization begin: ownership, claim, state and exact echo (specification: paymentSessionId; decisions: authorize
 * additions). That it begins once is the unique index of the store.
 * @throws BridgeError NOT_FOUND (another's session), STALE_CLAIM_TOKEN, ILLEGAL_STATE, INVALID_REQUEST naming the field that differs
 */
export function assertSessionAuthorizes(
  session: TerminalPaymentSession,
  request: SessionEcho,
  caller: SessionCaller,
): void {
  const isOwn =
    session.merchantId === caller.merchantId &&
    session.terminalId === caller.terminalId &&
    session.deviceId === caller.deviceId;
  if (!isOwn) refuse('NOT_FOUND', 'paymentSessionId names no payment session of this terminal', 'paymentSessionId');
  assertClaim(session, request.claimToken);
  if (session.status !== 'CLAIMED' && session.status !== 'IN_PROGRESS') {
    refuse('ILLEGAL_STATE', `the payment session is ${session.status}: nothing may be authorized for it`);
  }
  const base = request.baseAmountMinor ?? request.amount - (request.tipAmountMinor ?? 0);
  const mustMatch: readonly (readonly [field: string, sent: unknown, ofSession: unknown])[] = [
    ['Idempotency-Key', caller.idempotencyKey, session.idempotencyKey],
    ['baseAmountMinor', base, session.amountMinor],
    ['currencyCode', request.currencyCode, session.currencyCode],
    ['transactionType', request.transactionType ?? 'purchase', transactionTypes[session.operation]],
    ['originalTransactionId', request.originalTransactionId, session.originalTransactionId],
  ];
  const different = mustMatch.find(([, sent, ofSession]) => sent !== ofSession);
  if (different !== undefined) {
    refuse('INVALID_REQUEST', `${different[0]} must be that of the payment session`, different[0]);
  }
}

/** @throws BridgeError STALE_CLAIM_TOKEN when `claimToken` is not that of the claim that holds; an unclaimed session has none. */
export function assertClaim(session: Pick<TerminalPaymentSession, 'claimToken'>, claimToken: string | undefined): void {
  if (session.claimToken !== '' && claimToken === session.claimToken) return;
  refuse('STALE_CLAIM_TOKEN', 'claimToken is not that of the claim that holds the payment session', 'claimToken');
}

/** A payment as far as a session is verified by it, with the terminal that took it: one that is only recorded tells it nowhere else. */
export interface SessionPayment
  extends Pick<Payment, 'id' | 'merchantId' | 'status' | 'type' | 'amountMinor' | 'baseAmountMinor' | 'currencyCode'> {
  readonly terminalId: string;
}

export type SessionOutcome = 'SUCCEEDED' | 'DECLINED';

/**
 * Every way in which a payment is not the one that a session asked for; none is a verification (specification: verified final event; decisions:
 * Sessions). A purchase that waits for its capture has been approved and counts as succeeded; what was taken back before the terminal had finished
 * counts as declined, but a session that has succeeded is not changed by a later void (ADR 28).
 */
export function finalMismatches(
  session: TerminalPaymentSession,
  payment: SessionPayment,
  outcome: SessionOutcome,
): readonly string[] {
  const unpaid = session.status === 'SUCCEEDED' ? ['DECLINED'] : ['DECLINED', 'REVERSED'];
  const outcomes = { SUCCEEDED: ['SUCCEEDED', 'REQUIRES_CAPTURE'], DECLINED: unpaid }[outcome];
  const checks: readonly (readonly [name: string, holds: boolean])[] = [
    ['paymentId', session.paymentId === undefined || session.paymentId === payment.id],
    ['merchantId', payment.merchantId === session.merchantId],
    ['terminalId', payment.terminalId === session.terminalId],
    ['operation', payment.type === paymentTypes[session.operation]],
    ['currencyCode', payment.currencyCode === session.currencyCode],
    ['baseAmountMinor', payment.baseAmountMinor === session.amountMinor],
    ['finalAmountMinor', payment.amountMinor === session.finalAmountMinor],
    ['outcome', outcomes.includes(payment.status)],
  ];
  return checks.filter(([, holds]) => !holds).map(([name]) => name);
}

/** @throws BridgeError ILLEGAL_STATE naming what differs: SUCCEEDED and DECLINED are accepted only after the verification. */
export function verifyFinal(session: TerminalPaymentSession, payment: SessionPayment, outcome: SessionOutcome): void {
  const differing = finalMismatches(session, payment, outcome);
  if (differing.length === 0) return;
  refuse('ILLEGAL_STATE', `the payment is not the one of the payment session: ${differing.join(', ')} differs`);
}
