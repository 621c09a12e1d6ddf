import type { TransactionRequest } from '../../contract/transactions.ts';
import { checkCompletion } from '../../domain/ceilings.ts';
import type { JournalReader } from '../../ports/journal.ts';
import { amountsOf } from './amounts.ts';
import type { Plan, PlanContext } from './operation.ts';
import { namedOriginal, requireTerminalReference, targetOf } from './originals.ts';

/** Charges amount + tip out of a hold, once (decisions: Pre-auth completion). */
export function planPreAuthComplete(reader: JournalReader, request: TransactionRequest, context: PlanContext): Plan {
  const target = targetOf(reader, namedOriginal(reader, request, context.terminalId));
  const amounts = amountsOf(request);
  checkCompletion(target, { ...amounts, currency: request.currency });
  requireTerminalReference(target.record);
  return { amounts, target: target.record };
}
