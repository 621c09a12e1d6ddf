import type { TransactionRequest, TransactionResponse } from '../contract/transactions.ts';
import { scopeText } from '../domain/idempotency.ts';
import type { JournalReader } from '../ports/journal.ts';
import type { SessionOrder, SessionTill } from '../ports/payment-sessions.ts';
import type { CallContext, Till } from './till.ts';

const clientId = 'host';
const route = 'SESSION payment';

/** The engine for the payment sessions of our host: each is one transaction, by its own idempotency. */
export function createSessionTill(till: Till, journal: Pick<JournalReader, 'findIdempotency'>): SessionTill {
  return {
    isFree(terminalId) {
      const { state, connected, currentTransactionId } = till.knownHealth(contextOf(terminalId));
      return connected && state === 'IDLE' && currentTransactionId === undefined;
    },
    isBegun: ({ terminalId, sessionId }) =>
      journal.findIdempotency(scopeText({ clientId, terminalId, route }), sessionId) !== undefined,
    async run(order) {
      const { body } = await till.run(contextOfSession(order), requestOf(order));
      return JSON.parse(body) as TransactionResponse;
    },
    find: (terminalId, transactionId) => till.transaction(contextOf(terminalId), transactionId),
    subscribe: till.subscribe,
  };
}

function contextOf(terminalId: string): CallContext {
  return { clientId, actor: 'host:session', terminalId, requestId: 'session', route };
}

function contextOfSession({ terminalId, sessionId, claimToken, authorizationKey }: SessionOrder): CallContext {
  return {
    ...contextOf(terminalId),
    requestId: sessionId,
    eventRequestId: sessionId,
    idempotencyKey: sessionId,
    paymentSession: { sessionId, claimToken, authorizationKey },
  };
}

function requestOf({
  operation,
  amountMinor: amount,
  currency,
  originalTransactionId,
}: SessionOrder): TransactionRequest {
  if (operation === 'PURCHASE') return { type: 'SALE', amount, currency };
  return {
    type: 'REFUND',
    amount,
    currency,
    ...(originalTransactionId === undefined ? {} : { originalTransactionId }),
  };
}
