import type { PaymentStatus } from '../../app/contract/host/payment.ts';
import { assertSessionMove } from '../../app/domain/payment-session.machine.ts';
import { finalMismatches, type SessionOutcome } from '../../app/domain/session-payment.ts';
import type { PaymentRecord, SessionRecord } from '../ports/host-records.ts';
import type { HostUnit } from '../ports/host-store.ts';
import { sessionForDevice, sessionPaymentOf } from './session-view.ts';

const outcomes: Partial<Readonly<Record<PaymentStatus, SessionOutcome>>> = {
  SUCCEEDED: 'SUCCEEDED',
  REQUIRES_CAPTURE: 'SUCCEEDED',
  DECLINED: 'DECLINED',
};

/**
 * Ends the session of a payment whose outcome is known, in the commit of that outcome: an authorization, a record and a recovery end it by the same
 * verification as COMPLETED of the device, which is a repeat of the same outcome then (specification: verified final event; decisions: Sessions).
 * Nothing moves while the outcome is unknown, when no money stands, or when the payment is not the one that the session asked for.
 * @param record the payment as it is after its move. @returns the session as it is afterwards; undefined when nothing has ended it
 */
export async function endSessionOf(
  unit: HostUnit,
  record: PaymentRecord,
  atMs: number,
): Promise<SessionRecord | undefined> {
  const { paymentSessionId: sessionId } = record;
  if (sessionId === undefined) return undefined;
  const session = await unit.lockSession({ merchantId: record.payment.merchantId, sessionId });
  return session === undefined ? undefined : await endLockedSession(unit, session, record, atMs);
}

/** The same of a session that the unit holds. */
export async function endLockedSession(
  unit: HostUnit,
  session: SessionRecord,
  record: PaymentRecord,
  atMs: number,
): Promise<SessionRecord | undefined> {
  const outcome = outcomes[record.payment.status];
  if (outcome === undefined) return undefined;
  const differing = finalMismatches(sessionForDevice(session), sessionPaymentOf(record), outcome);
  if (differing.length > 0) return undefined;
  if (session.status === outcome) return session;
  assertSessionMove(session.status, 'VERIFIED_FINAL', outcome);
  return await unit.moveSession({ from: session, to: outcome, atMs, set: { completedAtMs: atMs } });
}
