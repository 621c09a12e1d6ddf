import type { HostSession } from '../contract/console/host.ts';
import type { ClaimedSession } from '../ports/payment-sessions.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { labelOf } from './terminal-labels.ts';

/** Sessions that are shown: a look at what has just come, and no archive; the payments are in the journal. */
const shownSessions = 20;

/** What the merchant's server has asked for, the latest first. @throws BridgeError JOURNAL_UNAVAILABLE */
export function latestSessionsOf({ journal, settingsStore }: ConsoleDeps): HostSession[] {
  return journal.latestPaymentSessions(shownSessions).map((session) => {
    const { name } = labelOf(settingsStore.current(), session.order.terminalId);
    return { ...sessionOf(session), ...(name === undefined ? {} : { name }) };
  });
}

function sessionOf(session: ClaimedSession): HostSession {
  const { order, transactionId, events, delivered, updatedAt } = session;
  const { sessionId, terminalId, operation, amountMinor, currency } = order;
  const failureCode = events.at(-1)?.failureCode;
  return {
    ...{ sessionId, terminalId, operation, amountMinor, currency, updatedAt },
    state: stateOf(session),
    ...(failureCode === undefined ? {} : { failureCode }),
    ...(transactionId === undefined ? {} : { transactionId }),
    isTold: delivered >= events.length,
  };
}

function stateOf({ state, events }: ClaimedSession): HostSession['state'] {
  if (state === 'CLAIMED' || state === 'STARTED') return state;
  const last = events.at(-1);
  switch (last?.eventType) {
    case 'COMPLETED':
      return last.status === 'DECLINED' ? 'DECLINED' : 'SUCCEEDED';
    case 'CANCELLED':
      return 'CANCELLED';
    case 'FAILED':
      return 'FAILED';
    default:
      return 'GIVEN_UP';
  }
}
