import type { TransactionRequest } from '../../contract/transactions.ts';
import type { JournalReader } from '../../ports/journal.ts';
import { amountsOf } from './amounts.ts';
import type { Plan } from './operation.ts';

/** Reads a card; no money is moved. */
export function planCardRead(_reader: JournalReader, request: TransactionRequest): Plan {
  return { amounts: amountsOf(request) };
}
