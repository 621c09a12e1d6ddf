import { BridgeError, type ErrorCode } from '../contract/errors.ts';
import { sumMinor, withoutCashbackMinor } from './money.ts';
import { awaitsCapture, isCaptureOwed } from './tip-capture.ts';
import { standingOf } from './transaction.machine.ts';
import type { TransactionRecord } from './transaction.ts';

/** What acts on a transaction: approved, or still possible (open or of unknown outcome). The journal's `dependentsOf` gives it. */
export interface DependentFacts {
  readonly refundedMinor: number;
  readonly refundCount: number;
  readonly voidedBy?: TransactionRecord;
  readonly completedBy?: TransactionRecord;
}

/** A journaled transaction that an operation is to act on, with what already acts on it. */
export interface Target {
  readonly record: TransactionRecord;
  readonly dependents: DependentFacts;
  /** Whether the batch of `record` is closed. */
  readonly isSettled: boolean;
}

/** Three amounts that a void carries: those of what it reverses. */
export interface VoidAmounts {
  readonly amountMinor: number;
  readonly tipAmountMinor: number;
  readonly cashbackAmountMinor: number;
}

type FollowUp = 'refund' | 'void' | 'completion';

function refuse(code: ErrorCode, message: string, field?: string): never {
  throw new BridgeError(code, message, field === undefined ? {} : { field });
}

/**
 * The original that a POS names, at the terminal that made it.
 * @throws BridgeError ORIGINAL_NOT_FOUND when this till does not know it, or another terminal made it.
 */
export function requireOriginal(record: TransactionRecord | undefined, terminalId: string): TransactionRecord {
  if (record === undefined || record.terminalId !== terminalId) {
    return refuse(
      'ORIGINAL_NOT_FOUND',
      'originalTransactionId names no transaction of this terminal',
      'originalTransactionId',
    );
  }
  return record;
}

/**
 * The transaction that a refund or void acts on: the completion, when the POS names a pre-authorization that was completed; else the named one
 * (decisions: Pre-auth completion, "refund and void accept either id").
 */
export function actedOn(named: TransactionRecord, dependentsOfNamed: DependentFacts): TransactionRecord {
  const completion = dependentsOfNamed.completedBy;
  return named.type === 'PRE_AUTH' && completion?.state === 'APPROVED' ? completion : named;
}

/** What a refund of it may still give back, minor units; never negative (decisions: Refund ceiling). */
export function refundableMinor(target: Target): number {
  return Math.max(0, withoutCashbackMinor(target.record) - target.dependents.refundedMinor);
}

/**
 * Whether a refund is allowed (decisions: Refund ceiling, Refund originals, Granular payments).
 * @throws BridgeError OPERATION_NOT_SUPPORTED, ILLEGAL_STATE, ALREADY_VOIDED, UNSUPPORTED_CURRENCY, REFUND_EXCEEDS_ORIGINAL
 */
export function checkRefund(
  target: Target,
  request: { readonly amountMinor: number; readonly currency: string; readonly mode: TransactionRecord['mode'] },
): void {
  const { record, dependents } = target;
  if (record.type !== 'SALE' && record.type !== 'PRE_AUTH' && record.type !== 'PRE_AUTH_COMPLETE') {
    refuse('OPERATION_NOT_SUPPORTED', `a ${record.type} cannot be refunded`, 'originalTransactionId');
  }
  if (record.mode !== request.mode) {
    const advice = record.mode === 'GRANULAR' ? 'through /v1/transaction/initiate' : 'through /v1/transaction/refund';
    refuse('OPERATION_NOT_SUPPORTED', `this payment is refunded ${advice}`, 'originalTransactionId');
  }
  requireApproved(record, 'refund');
  requireNoVoid(dependents, 'refund');
  if (record.type === 'PRE_AUTH') {
    refuse('ILLEGAL_STATE', 'a pre-authorization can be refunded once it is completed; void it to release the hold');
  }
  if (awaitsCapture(record)) {
    refuse('ILLEGAL_STATE', 'the sale waits for its tip capture; void it, or capture it first');
  }
  requireSameCurrency(record, request.currency);
  if (sumMinor(dependents.refundedMinor, request.amountMinor) > withoutCashbackMinor(record)) {
    refuse('REFUND_EXCEEDS_ORIGINAL', `at most ${refundableMinor(target)} minor units remain to be refunded`, 'amount');
  }
}

/**
 * Whether a void is allowed, and the amounts that it reverses (decisions: Void).
 * @param request.amountMinor 0, or the amount of the original (the captured one of a completed pre-authorization).
 * @throws BridgeError OPERATION_NOT_SUPPORTED, ILLEGAL_STATE, ALREADY_VOIDED, ALREADY_SETTLED, HAS_REFUNDS, UNSUPPORTED_CURRENCY, INVALID_REQUEST
 */
export function checkVoid(
  target: Target,
  request: { readonly amountMinor: number; readonly currency: string },
): VoidAmounts {
  const { record, dependents, isSettled } = target;
  if (record.type !== 'SALE' && record.type !== 'PRE_AUTH' && record.type !== 'PRE_AUTH_COMPLETE') {
    refuse('OPERATION_NOT_SUPPORTED', `a ${record.type} cannot be voided`, 'originalTransactionId');
  }
  requireOrchestrated(record, 'void');
  requireApproved(record, 'void');
  requireNoVoid(dependents, 'void');
  requireNoOpenCompletion(dependents, 'void');
  if (isCaptureOwed(record)) refuse('ILLEGAL_STATE', 'the capture of the sale is under way; void it afterwards');
  // An open pre-authorization is in no batch's totals: its hold carries over closes until it is completed or released.
  if (isSettled && record.type !== 'PRE_AUTH')
    refuse('ALREADY_SETTLED', 'the batch of the original is closed; refund it instead');
  if (dependents.refundCount > 0) refuse('HAS_REFUNDS', 'the original has refunds; refund what remains instead');
  requireSameCurrency(record, request.currency);
  if (request.amountMinor !== 0 && request.amountMinor !== record.amountMinor) {
    refuse('INVALID_REQUEST', 'amount must be 0 or the amount of the original: a void takes back the whole', 'amount');
  }
  return {
    amountMinor: record.amountMinor,
    tipAmountMinor: record.tipAmountMinor,
    cashbackAmountMinor: record.cashbackAmountMinor,
  };
}

/**
 * Whether a pre-authorization can be completed with amount + tip (decisions: Pre-auth completion).
 * @throws BridgeError OPERATION_NOT_SUPPORTED, ILLEGAL_STATE, ALREADY_VOIDED, ALREADY_COMPLETED, UNSUPPORTED_CURRENCY, CAPTURE_EXCEEDS_AUTHORIZATION
 */
export function checkCompletion(
  target: Target,
  request: { readonly amountMinor: number; readonly tipAmountMinor: number; readonly currency: string },
): void {
  const { record, dependents } = target;
  if (record.type !== 'PRE_AUTH') {
    refuse('OPERATION_NOT_SUPPORTED', 'only a pre-authorization can be completed', 'originalTransactionId');
  }
  requireOrchestrated(record, 'completion');
  requireApproved(record, 'completion');
  requireNoVoid(dependents, 'completion');
  if (dependents.completedBy?.state === 'APPROVED')
    refuse('ALREADY_COMPLETED', 'the pre-authorization was completed before');
  requireNoOpenCompletion(dependents, 'completion');
  requireSameCurrency(record, request.currency);
  const held = withoutCashbackMinor(record);
  if (sumMinor(request.amountMinor, request.tipAmountMinor) > held) {
    refuse(
      'CAPTURE_EXCEEDS_AUTHORIZATION',
      `amount + tipAmount must not be larger than the ${held} minor units held`,
      'amount',
    );
  }
}

function requireOrchestrated(record: TransactionRecord, followUp: FollowUp): void {
  if (record.mode !== 'GRANULAR') return;
  refuse(
    'OPERATION_NOT_SUPPORTED',
    `the POS authorized this payment itself: no ${followUp} through the terminal`,
    'originalTransactionId',
  );
}

function requireApproved(record: TransactionRecord, followUp: FollowUp): void {
  const { state, charged } = standingOf(record);
  if (state === 'APPROVED') return;
  const unresolved = state !== 'DECLINED' && state !== 'CANCELLED' && charged !== 'NO';
  const why = unresolved ? 'its outcome is not known yet' : `it ended ${state}`;
  refuse('ILLEGAL_STATE', `no ${followUp} of this transaction: ${why}`, 'originalTransactionId');
}

function requireNoVoid(dependents: DependentFacts, followUp: FollowUp): void {
  if (dependents.voidedBy === undefined) return;
  if (dependents.voidedBy.state === 'APPROVED') refuse('ALREADY_VOIDED', 'the original is void');
  refuse('ILLEGAL_STATE', `no ${followUp}: the outcome of a void of the original is not known yet`);
}

function requireNoOpenCompletion(dependents: DependentFacts, followUp: FollowUp): void {
  if (dependents.completedBy === undefined) return;
  const why =
    dependents.completedBy.state === 'APPROVED'
      ? 'it acts on the completion'
      : 'the outcome of its completion is not known yet';
  refuse('ILLEGAL_STATE', `no ${followUp} of this pre-authorization: ${why}`);
}

function requireSameCurrency(record: TransactionRecord, currency: string): void {
  if (record.currency !== currency) refuse('UNSUPPORTED_CURRENCY', 'currency must be that of the original', 'currency');
}
