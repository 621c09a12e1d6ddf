import type { AcquirerAnswerRecord, NewIdempotency, PaymentRecord, StoredAnswer } from '../ports/host-records.ts';
import type { HostStore, HostUnit } from '../ports/host-store.ts';
import type { Change } from './outcomes.ts';
import { afterMove } from './stored-answers.ts';

/** Moves the session of a payment when the payment verifies it; does nothing otherwise. */
export type EndSession = (unit: HostUnit, record: PaymentRecord, atMs: number) => Promise<void>;

/** What became of a message: everything that one commit must hold. */
export interface OutcomeWrite {
  readonly from: PaymentRecord;
  readonly change: Change;
  /** The message that was answered, and what is kept of the answer. */
  readonly message?: { readonly messageId: string; readonly sentAtMs: number; readonly answer: AcquirerAnswerRecord };
  /** The first answer under the key of the call. */
  readonly kept?: { readonly reservation: NewIdempotency; readonly answer: StoredAnswer };
  /** What else belongs to the commit, e.g. a recovery task. */
  readonly also?: (unit: HostUnit, after: PaymentRecord) => Promise<void>;
}

/**
 * Commits an outcome. A plain one shares its commit with others (ADR 15).
 * @returns false, with nothing written, when the payment is not as it was read
 * @throws StoreUnavailable
 */
export async function writeOutcome(
  { store, endSession }: { readonly store: HostStore; readonly endSession: EndSession },
  write: OutcomeWrite,
): Promise<boolean> {
  const { from, change, message, kept, also } = write;
  const { atMs } = change;
  const move = { from, ...change };
  if (also === undefined && from.paymentSessionId === undefined) {
    return await store.endAuthorization({
      move,
      ...(message === undefined ? {} : { message }),
      ...(kept === undefined
        ? {}
        : { answer: { ref: kept.reservation, createdAtMs: kept.reservation.createdAtMs, answer: kept.answer } }),
    });
  }
  const { merchantId, id: paymentId } = from.payment;
  return await store.transact(async (unit) => {
    if (!(await unit.movePayment(move))) return false;
    const after = afterMove(from, change.payment);
    if (message !== undefined) {
      await unit.answerMessage({ merchantId, paymentId, ...message }, message.answer, atMs);
    }
    if (kept !== undefined) await unit.saveAnswer(kept.reservation, kept.answer);
    await also?.(unit, after);
    await endSession(unit, after, atMs);
    return true;
  });
}
