import { SESSION_PROCESSING_TIMEOUT_MINUTES } from '../../app/contract/host/host-limits.ts';
import type { SessionDeviceEvent } from '../../app/contract/host/payment-session.ts';
import { type EventEffect, receiveEvent } from '../../app/domain/session-events.ts';
import type { SessionRecord } from '../ports/host-records.ts';
import type { HostUnit } from '../ports/host-store.ts';
import type { DeviceCaller, DeviceCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { notFound } from './not-found.ts';
import { lockTimely, moveIfOverdue } from './session-time.ts';
import { sessionForDevice, sessionPaymentOf } from './session-view.ts';

/** Milliseconds from the start of a session to its deadline. */
const PROCESSING_TIMEOUT_MS = SESSION_PROCESSING_TIMEOUT_MINUTES * 60_000;

/** POST /api/v1/terminal/payment-sessions/{id}/events (specification: events are contiguous and replay-safe; decisions: Session events). */
export function createSessionEvent(deps: HostDeps): Pick<DeviceCalls, 'sessionEvent'> {
  const { store, clock } = deps;
  return {
    async sessionEvent(caller, sessionId, event) {
      const ref = { merchantId: caller.merchantId, sessionId };
      await moveIfOverdue(deps, ref);
      const after = await store.transact(async (unit) => {
        const atMs = clock.nowMs();
        const session = await lockTimely(unit, ref, atMs);
        if (session === undefined || !isOwn(session, caller)) throw notFound('payment session');
        const effect = await effectOf(unit, session, event);
        return effect.kind === 'REPEATED' ? session : await accept(unit, session, event, effect, atMs);
      });
      return sessionForDevice(after);
    },
  };
}

function isOwn(session: SessionRecord, { terminalId, deviceId }: DeviceCaller): boolean {
  return session.terminalId === terminalId && session.deviceId === deviceId;
}

async function effectOf(unit: HostUnit, session: SessionRecord, event: SessionDeviceEvent): Promise<EventEffect> {
  const { merchantId, id: sessionId, paymentId } = session;
  const isOld = event.sequence <= session.lastEventSequence;
  const accepted = isOld ? (await unit.listSessionEvents({ merchantId, sessionId }))[event.sequence - 1] : undefined;
  const payment = paymentId === undefined ? undefined : await unit.findPayment({ merchantId, paymentId });
  const linked = payment === undefined ? undefined : sessionPaymentOf(payment);
  return receiveEvent(sessionForDevice(session), event, accepted?.event, linked);
}

/** Stores the event, and makes its moves in their order. */
async function accept(
  unit: HostUnit,
  session: SessionRecord,
  event: SessionDeviceEvent,
  effect: Extract<EventEffect, { readonly kind: 'ACCEPTED' }>,
  atMs: number,
): Promise<SessionRecord> {
  const { merchantId, id: sessionId } = session;
  if (!(await unit.appendSessionEvent({ merchantId, sessionId }, event, atMs))) throw changed();
  let now: SessionRecord = { ...session, lastEventSequence: event.sequence, updatedAtMs: atMs };
  for (const { trigger, to } of effect.moves) {
    const isStart = trigger === 'START';
    const { failureCode } = effect;
    // COMPLETED after the payment has ended the session is a repeat of the same outcome.
    if (now.status === to) continue;
    const set = isStart
      ? { processingExpiresAtMs: atMs + PROCESSING_TIMEOUT_MS }
      : { completedAtMs: atMs, ...(failureCode === undefined ? {} : { failureCode }) };
    const moved = await unit.moveSession({ from: now, to, atMs, set });
    if (moved === undefined) throw changed();
    now = moved;
  }
  return now;
}

function changed(): Error {
  return new Error('a session that was locked has changed');
}
