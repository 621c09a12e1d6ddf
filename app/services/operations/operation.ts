import type { TransactionRequest } from '../../contract/transactions.ts';
import type { PosAmounts } from '../../domain/money.ts';
import type { TransactionRecord } from '../../domain/transaction.ts';
import type { JournalReader } from '../../ports/journal.ts';

/** Who asks for what, where and when: what the checks of an operation look at. */
export interface PlanContext {
  readonly clientId: string;
  readonly terminalId: string;
  readonly mode: TransactionRecord['mode'];
  readonly nowMs: number;
}

/** What an operation is to do, after its checks: amounts, and what it acts on. */
export interface Plan {
  readonly amounts: PosAmounts;
  readonly target?: TransactionRecord;
  readonly possibleDuplicateOf?: string;
}

/**
 * Loads and checks one operation. Called twice: before the terminal is bothered, and again inside the commit of the intent, where nothing can
 * come between the check and the reservation. @throws BridgeError for a refusal
 */
export type PlanOperation = (reader: JournalReader, request: TransactionRequest, context: PlanContext) => Plan;
