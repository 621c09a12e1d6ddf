import { assertSessionAuthorizes, type SessionEcho } from '../../app/domain/session-payment.ts';
import type { HostUnit } from '../ports/host-store.ts';
import type { DeviceCaller } from './host.ts';
import { notFound } from './not-found.ts';
import { sessionForDevice } from './session-view.ts';

/**
 * Whether a payment that has been made without an authorization of ours is the one that its session asked for: the echo of authorize, but for what
 * only holds for what is still to be done. It comes under a key of its own, and a session whose time has run out meanwhile is no reason to forget
 * money that has moved (decisions: EXTERNAL_RAIL, Sessions). That there is one of it is the unique index of the store.
 * @throws BridgeError NOT_FOUND, STALE_CLAIM_TOKEN, INVALID_REQUEST naming what differs
 */
export async function requireToldSession(
  unit: HostUnit,
  caller: DeviceCaller,
  sessionId: string | undefined,
  echo: SessionEcho,
): Promise<void> {
  if (sessionId === undefined) return;
  const session = await unit.lockSession({ merchantId: caller.merchantId, sessionId });
  if (session === undefined) throw notFound('payment session');
  const told = { ...sessionForDevice(session), status: 'IN_PROGRESS' } as const;
  assertSessionAuthorizes(told, echo, { ...caller, idempotencyKey: session.idempotencyKey });
}
