import type { TransactionRequest } from '../../contract/transactions.ts';
import type { JournalReader } from '../../ports/journal.ts';
import { amountsOf } from './amounts.ts';
import type { Plan } from './operation.ts';

/** Holds amount + tip until it is completed or voided. */
export function planPreAuth(_reader: JournalReader, request: TransactionRequest): Plan {
  return { amounts: amountsOf(request) };
}
