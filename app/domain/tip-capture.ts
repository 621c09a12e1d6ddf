import { BridgeError, type ErrorCode } from '../contract/errors.ts';
import { totalMinor } from './money.ts';
import type { CaptureRefusal, TipCapture, TransactionRecord } from './transaction.ts';

/** Whether it is an approved sale that is not captured yet. */
export function awaitsCapture({ state, tipCapture }: TransactionRecord): boolean {
  return state === 'APPROVED' && tipCapture !== undefined && tipCapture.state !== 'CAPTURED';
}

/** Whether its capture may reach the host at any time, so that nothing else may act on it. */
export function isCaptureOwed(record: TransactionRecord): boolean {
  return awaitsCapture(record) && record.tipCapture?.state === 'OWED' && record.tipCapture.refusal === undefined;
}

/**
 * Whether a capture may begin with this tip, minor units. The same one that is under way already may be asked for again.
 * @param voidedBy the void that acts on it, approved or not resolved
 * @throws BridgeError ALREADY_COMPLETED, ALREADY_VOIDED, ILLEGAL_STATE; AMOUNT_TOO_LARGE
 */
export function checkTipCapture(
  record: TransactionRecord,
  voidedBy: TransactionRecord | undefined,
  tipAmountMinor: number,
): 'BEGIN' | 'JOIN' {
  const { tipCapture } = record;
  if (voidedBy?.state === 'APPROVED') throw refuse(record, 'ALREADY_VOIDED', 'the sale is void');
  if (tipCapture?.state === 'CAPTURED') throw refuse(record, 'ALREADY_COMPLETED', 'the sale was captured before');
  if (!awaitsCapture(record)) {
    throw refuse(record, 'ILLEGAL_STATE', 'this transaction does not wait for a tip capture');
  }
  if (voidedBy !== undefined) {
    throw refuse(record, 'ILLEGAL_STATE', 'the outcome of a void of the sale is not known yet');
  }
  totalMinor({ ...record, tipAmountMinor });
  if (tipCapture?.state !== 'OWED') return 'BEGIN';
  if (tipCapture.tipAmountMinor === tipAmountMinor) return 'JOIN';
  throw refuse(record, 'ILLEGAL_STATE', 'its capture with another tip is under way');
}

function refuse({ transactionId }: TransactionRecord, code: ErrorCode, message: string): BridgeError {
  return new BridgeError(code, message, { details: { transactionId } });
}

/** The intent: nothing of it has left. */
export function captureBegun(
  record: TransactionRecord,
  intent: { readonly captureId: string; readonly tipAmountMinor: number; readonly actor: string },
  nowIso: string,
): TransactionRecord {
  const { captureId, tipAmountMinor, actor } = intent;
  return { ...changed(record, { state: 'OWED', captureId, tipAmountMinor }, nowIso), actor };
}

/** The host holds the sale with its tip; the capture is still owed. */
export function tipTaken(record: TransactionRecord, nowIso: string): TransactionRecord {
  const { tipCapture = { state: 'OWED' } } = record;
  const tipAmountMinor = tipCapture.tipAmountMinor ?? record.tipAmountMinor;
  return { ...changed(record, tipCapture, nowIso), tipAmountMinor };
}

/** Nothing of the tip stands at the host, and the sale waits as it did. */
export function tipRefused(record: TransactionRecord, refusal: CaptureRefusal, nowIso: string): TransactionRecord {
  return changed(record, { ...record.tipCapture, state: 'WAITING', refusal }, nowIso);
}

/** The host refuses for good to capture: a person must find out what stands. */
export function captureRefused(record: TransactionRecord, refusal: CaptureRefusal, nowIso: string): TransactionRecord {
  return changed(record, { ...record.tipCapture, state: 'OWED', refusal }, nowIso);
}

export function captureDone(record: TransactionRecord, nowIso: string): TransactionRecord {
  const { refusal: _refusal, ...kept } = record.tipCapture ?? {};
  return changed(record, { ...kept, state: 'CAPTURED' }, nowIso);
}

function changed(record: TransactionRecord, tipCapture: TipCapture, nowIso: string): TransactionRecord {
  return { ...record, tipCapture, revision: record.revision + 1, updatedAt: nowIso };
}
