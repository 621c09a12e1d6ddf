import type { TransactionRequest } from '../../contract/transactions.ts';
import { actedOn, checkVoid } from '../../domain/ceilings.ts';
import type { JournalReader } from '../../ports/journal.ts';
import type { Plan, PlanContext } from './operation.ts';
import { namedOriginal, requireTerminalReference, targetOf } from './originals.ts';

/** Takes back an unsettled transaction as a whole; carries the amounts of what it reverses (decisions: Void). */
export function planVoid(reader: JournalReader, request: TransactionRequest, context: PlanContext): Plan {
  const named = namedOriginal(reader, request, context.terminalId);
  const target = targetOf(reader, actedOn(named, reader.dependentsOf(named.transactionId)));
  const amounts = checkVoid(target, { amountMinor: request.amount, currency: request.currency });
  requireTerminalReference(target.record);
  return { amounts, target: target.record };
}
