import type { Journal } from '../../ports/journal.ts';
import type { SessionStore } from '../../ports/payment-sessions.ts';

/** Claimed sessions in the till's journal: each change is on disk when it was saved. */
export function createSessionStore(journal: Journal): SessionStore {
  return {
    save: (session) => journal.commit((unit) => unit.savePaymentSession(session)),
    open: () => journal.openPaymentSessions(),
  };
}
