import { endsPolling, overdueMove } from '../../app/domain/payment-session.machine.ts';
import type { SessionRecord } from '../ports/host-records.ts';
import type { HostUnit } from '../ports/host-store.ts';
import type { HostDeps } from './host-deps.ts';

/** Sessions that are looked at in one round of the scheduler. */
const MAX_OVERDUE_SESSIONS = 200;

interface SessionRef {
  readonly merchantId: string;
  readonly sessionId: string;
}

/**
 * Time wins first: a session past its deadline is moved before anything else judges it (decisions: Sessions). In a commit of its own, since what comes
 * after may be refused.
 */
export async function moveIfOverdue({ store, clock }: Pick<HostDeps, 'store' | 'clock'>, ref: SessionRef) {
  const found = await store.read.findSession(ref);
  if (found === undefined || overdueMove(found, clock.nowMs()) === undefined) return;
  await store.transact((unit) => lockTimely(unit, ref, clock.nowMs()));
}

/** Locks a session as time has left it. */
export async function lockTimely(unit: HostUnit, ref: SessionRef, nowMs: number): Promise<SessionRecord | undefined> {
  const session = await unit.lockSession(ref);
  if (session === undefined) return undefined;
  const overdue = overdueMove(session, nowMs);
  if (overdue === undefined) return session;
  // What waits for recovery has not ended: only its caller stops polling.
  const isOver = endsPolling(overdue.to) && overdue.to !== 'RECOVERY_REQUIRED';
  return await unit.moveSession({
    from: session,
    to: overdue.to,
    atMs: nowMs,
    set: {
      ...(isOver ? { completedAtMs: nowMs } : {}),
      ...(overdue.trigger === 'EXPIRE' ? {} : { failureCode: overdue.trigger }),
    },
  });
}

/** For the scheduler: moves what time has overtaken, a bounded number per call. @returns how many were moved. @throws StoreUnavailable */
export async function moveOverdueSessions({ store }: Pick<HostDeps, 'store'>, nowMs: number): Promise<number> {
  const found = await store.read.overdueSessions(nowMs, MAX_OVERDUE_SESSIONS);
  let moved = 0;
  for (const before of found) {
    if (overdueMove(before, nowMs) === undefined) continue;
    const { merchantId, id: sessionId } = before;
    const after = await store.transact((unit) => lockTimely(unit, { merchantId, sessionId }, nowMs));
    if (after?.status !== before.status) moved += 1;
  }
  return moved;
}
