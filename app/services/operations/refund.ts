import type { TransactionRequest } from '../../contract/transactions.ts';
import { actedOn, checkRefund } from '../../domain/ceilings.ts';
import type { JournalReader } from '../../ports/journal.ts';
import { amountsOf } from './amounts.ts';
import type { Plan, PlanContext } from './operation.ts';
import { namedOriginal, targetOf } from './originals.ts';

/** Gives back all or part of an approved sale or completed pre-authorization (decisions: Refund ceiling, Refund originals). */
export function planRefund(reader: JournalReader, request: TransactionRequest, context: PlanContext): Plan {
  const named = namedOriginal(reader, request, context.terminalId);
  const target = targetOf(reader, actedOn(named, reader.dependentsOf(named.transactionId)));
  const amounts = amountsOf(request);
  checkRefund(target, { amountMinor: amounts.amountMinor, currency: request.currency, mode: context.mode });
  return { amounts, target: target.record };
}
