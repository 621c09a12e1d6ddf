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
  REVERSED: 'DECLINED',
};

/**
 * Ends the session of a payment that its terminal has finished, in the commit of that end: a record and an offline completion end it by the same
 * verification as COMPLETED of the device, which is a repeat of the same outcome then (specification: verified final event; decisions: Sessions).
 * Nothing moves while the outcome is unknown, or when the payment is not the one that the session asked for.
 * @param record the payment as it is after its move
 */
export async function endSessionOf(unit: HostUnit, record: PaymentRecord, atMs: number): Promise<void> {
  const { paymentSessionId: sessionId } = record;
  if (sessionId === undefined) return;
  const session = await unit.lockSession({ merchantId: record.payment.merchantId, sessionId });
  if (session !== undefined) await endLockedSession(unit, session, record, atMs);
}

/**
 * What an acquirer's answer ends by itself: a refusal, or a reversal that it confirms. An approval is not the end, since the card may refuse it and the
 * till may die before it hears of it, and both take the money back: its session waits for COMPLETED (ADR 28).
 */
export async function endUnpaidSession(unit: HostUnit, record: PaymentRecord, atMs: number): Promise<void> {
  if (outcomes[record.payment.status] === 'DECLINED') await endSessionOf(unit, record, atMs);
}

async function endLockedSession(
  unit: HostUnit,
  session: SessionRecord,
  record: PaymentRecord,
  atMs: number,
): Promise<void> {
  const outcome = outcomes[record.payment.status];
  if (outcome === undefined || session.status === outcome) return;
  if (finalMismatches(sessionForDevice(session), sessionPaymentOf(record), outcome).length > 0) return;
  assertSessionMove(session.status, 'VERIFIED_FINAL', outcome);
  await unit.moveSession({ from: session, to: outcome, atMs, set: { completedAtMs: atMs } });
}
