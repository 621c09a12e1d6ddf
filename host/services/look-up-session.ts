import type { MerchantCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { notFound } from './not-found.ts';
import { moveIfOverdue } from './session-time.ts';
import { eventForMerchant, sessionForMerchant } from './session-view.ts';

/** GET /v1/terminal/payment-sessions/{id} (specification: Remote terminal payment sessions). */
export function createLookUpSession(deps: HostDeps): Pick<MerchantCalls, 'session'> {
  const { read } = deps.store;
  return {
    async session({ merchantId }, sessionId) {
      const ref = { merchantId, sessionId };
      await moveIfOverdue(deps, ref);
      const session = await read.findSession(ref);
      if (session === undefined) throw notFound('payment session');
      const events = await read.listSessionEvents(ref);
      return {
        session: sessionForMerchant(session),
        // Those that came after the session was read belong to a later answer.
        events: events.slice(0, session.lastEventSequence).map(({ event }) => eventForMerchant(event)),
      };
    },
  };
}
