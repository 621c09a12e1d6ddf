import { Buffer } from 'node:buffer';
import { assertSessionMove } from '../../app/domain/payment-session.machine.ts';
import type { DeviceCaller, DeviceCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { AtomicWork, IdempotencyGate } from './idempotency-gate.ts';
import { requireOwnDevice } from './own-device.ts';
import { lockTimely } from './session-time.ts';
import { sessionForDevice } from './session-view.ts';

/** Random bytes of a claim token: 256 bits, 43 characters. */
const CLAIM_TOKEN_BYTES = 32;

/** Takes back the key of a claim that found nothing: under it the same device may find something the next time. */
class NothingWaits extends Error {}

/**
 * POST /api/v1/terminal/payment-sessions/claim: takes the session that waits for the terminal, under a new token and a higher fence; a repeat under the
 * same key gives the same claim again, as it was then (decisions: Sessions, Device additions). An empty answer when none waits; no key is kept for it.
 */
export function createClaimSession(deps: HostDeps, gate: IdempotencyGate): Pick<DeviceCalls, 'claimSession'> {
  const { ids } = deps;

  async function claim(caller: DeviceCaller, { unit, atMs }: AtomicWork): Promise<object> {
    const { merchantId } = caller;
    const open = await unit.openSession(caller);
    const session = open === undefined ? undefined : await lockTimely(unit, { merchantId, sessionId: open.id }, atMs);
    if (session?.status !== 'CREATED') throw new NothingWaits();
    assertSessionMove(session.status, 'CLAIM', 'CLAIMED');
    const claimToken = Buffer.from(ids.randomBytes(CLAIM_TOKEN_BYTES)).toString('base64url');
    const set = { claimToken, claimedAtMs: atMs };
    const claimed = await unit.moveSession({ from: session, to: 'CLAIMED', atMs, set });
    if (claimed === undefined) throw new Error('a session that was locked has changed');
    return { session: sessionForDevice(claimed) };
  }

  return {
    async claimSession(caller, call, request) {
      requireOwnDevice(caller, request);
      try {
        return await gate.atomically({ caller, call, body: request }, (part) => claim(caller, part));
      } catch (error) {
        if (!(error instanceof NothingWaits)) throw error;
        return { statusCode: 200, body: '{}', replayed: false, subjectId: '' };
      }
    },
  };
}
