import { assertSessionMove } from '../../app/domain/payment-session.machine.ts';
import type { MerchantCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { notFound } from './not-found.ts';
import { lockTimely, moveIfOverdue } from './session-time.ts';
import { sessionForMerchant } from './session-view.ts';

/** POST /v1/terminal/payment-sessions/{id}/cancel: works until the terminal has claimed the session (specification; decisions: Sessions). */
export function createCancelSession(deps: HostDeps): Pick<MerchantCalls, 'cancelSession'> {
  const { store, clock, links } = deps;
  return {
    async cancelSession({ merchantId }, sessionId, request) {
      if (request.merchantId !== undefined && request.merchantId !== merchantId) throw notFound('payment session');
      const ref = { merchantId, sessionId };
      await moveIfOverdue(deps, ref);
      const canceled = await store.transact(async (unit) => {
        const atMs = clock.nowMs();
        const session = await lockTimely(unit, ref, atMs);
        if (session === undefined) throw notFound('payment session');
        assertSessionMove(session.status, 'CANCEL', 'CANCELED');
        return await unit.moveSession({ from: session, to: 'CANCELED', atMs, set: { completedAtMs: atMs } });
      });
      if (canceled === undefined) throw new Error('a session that was locked has changed');
      links.wake(canceled, 'PAYMENT_SESSION');
      return sessionForMerchant(canceled);
    },
  };
}
