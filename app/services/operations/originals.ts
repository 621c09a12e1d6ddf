import { BridgeError } from '../../contract/errors.ts';
import type { TransactionRequest } from '../../contract/transactions.ts';
import { requireOriginal, type Target } from '../../domain/ceilings.ts';
import type { TransactionRecord } from '../../domain/transaction.ts';
import type { JournalReader } from '../../ports/journal.ts';

/** The transaction that the request names. @throws BridgeError ORIGINAL_NOT_FOUND, INVALID_REQUEST when none is named */
export function namedOriginal(
  reader: JournalReader,
  request: TransactionRequest,
  terminalId: string,
): TransactionRecord {
  if (request.originalTransactionId === undefined) {
    throw new BridgeError('INVALID_REQUEST', `originalTransactionId is required for ${request.type}`, {
      field: 'originalTransactionId',
    });
  }
  return requireOriginal(reader.findTransaction(request.originalTransactionId), terminalId);
}

/** A record with everything that decides what may be done to it. */
export function targetOf(reader: JournalReader, record: TransactionRecord): Target {
  return {
    record,
    dependents: reader.dependentsOf(record.transactionId),
    isSettled: record.batchNumber < reader.openBatchNumber(record.terminalId),
  };
}

/** A follow-up that the terminal does by its own reference needs one. @throws BridgeError OPERATION_NOT_SUPPORTED */
export function requireTerminalReference(record: TransactionRecord): void {
  if (record.terminalReference !== undefined) return;
  throw new BridgeError(
    'OPERATION_NOT_SUPPORTED',
    "the terminal's reference of the original is not known (its outcome was resolved by a person); refund it or act at the terminal",
    { field: 'originalTransactionId' },
  );
}
