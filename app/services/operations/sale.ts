import { BridgeError } from '../../contract/errors.ts';
import { POSSIBLE_DUPLICATE_WINDOW_HOURS } from '../../contract/limits.ts';
import type { TransactionRequest } from '../../contract/transactions.ts';
import type { JournalReader } from '../../ports/journal.ts';
import { amountsOf } from './amounts.ts';
import type { Plan, PlanContext } from './operation.ts';

const hourMs = 3_600_000;

/** Charges amount + tip + cash-back. @throws BridgeError POSSIBLE_DUPLICATE */
export function planSale(reader: JournalReader, request: TransactionRequest, context: PlanContext): Plan {
  const amounts = amountsOf(request);
  const earlier = earlierSale(reader, request, context);
  return earlier === undefined ? { amounts } : { amounts, possibleDuplicateOf: earlier };
}

/** The sale of the last 24 hours that carries the same reference (decisions: referenceId). */
function earlierSale(reader: JournalReader, request: TransactionRequest, context: PlanContext): string | undefined {
  // An empty reference names no order: two of them are not the same one.
  if (request.referenceId === undefined || request.referenceId === '') return undefined;
  const since = new Date(context.nowMs - POSSIBLE_DUPLICATE_WINDOW_HOURS * hourMs).toISOString();
  const earlier = reader.sameReference(context.clientId, context.terminalId, request.referenceId, since);
  if (earlier?.unknown !== undefined && request.allowDuplicate !== true) {
    throw new BridgeError(
      'POSSIBLE_DUPLICATE',
      'an earlier sale with this referenceId is of unknown outcome; resolve it first, or send allowDuplicate true if a second charge is meant',
      {
        field: 'referenceId',
        details: { transactionId: earlier.unknown.transactionId, outcome: earlier.unknown.outcome },
      },
    );
  }
  return earlier?.newest.transactionId;
}
