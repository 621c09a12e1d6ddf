import type { Journal } from '../../ports/journal.ts';
import type { SessionStore } from '../../ports/payment-sessions.ts';

/** The claimed sessions of one terminal in the till's journal: each change is on disk when it was saved. */
export function createSessionStore(journal: Journal, terminalId: string): SessionStore {
  return {
    save: (session) => journal.commit((unit) => unit.savePaymentSession(session)),
    open: () => journal.openPaymentSessions().filter(({ order }) => order.terminalId === terminalId),
  };
}
