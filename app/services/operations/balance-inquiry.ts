import type { TransactionRequest } from '../../contract/transactions.ts';
import type { JournalReader } from '../../ports/journal.ts';
import { amountsOf } from './amounts.ts';
import type { Plan } from './operation.ts';

/** Asks for the balance of the card that is presented; no money is moved. */
export function planBalanceInquiry(_reader: JournalReader, request: TransactionRequest): Plan {
  return { amounts: amountsOf(request) };
}
