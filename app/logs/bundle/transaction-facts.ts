import type { TransactionRecord } from '../../domain/transaction.ts';

/**
 * What the bundle tells of a transaction: the fields on this list, and nothing that a POS or a cardholder wrote. No card number in whatever form, no
 * reference, metadata, receipt or name; of these only whether they are there.
 */
export function transactionFacts(record: TransactionRecord) {
  const { transactionId, terminalId, type, mode, state, revision, amountMinor, tipAmountMinor, cashbackAmountMinor } =
    record;
  const { currency, businessDate, batchNumber, createdAt, updatedAt, outcome, errorCode, cancelReason, card } = record;
  return {
    ...{ transactionId, terminalId, type, mode, state, revision },
    ...{ amountMinor, tipAmountMinor, cashbackAmountMinor, currency },
    ...{ businessDate, batchNumber, createdAt, updatedAt },
    charged: outcome.charged,
    startedBy: /^(?:pos|console)(?=:)/.exec(record.actor)?.[0] ?? 'system',
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(cancelReason === undefined ? {} : { cancelReason }),
    ...(card.responseCode === undefined ? {} : { responseCode: card.responseCode }),
    ...(card.cardScheme === undefined ? {} : { cardScheme: card.cardScheme }),
    ...(card.entryMode === undefined ? {} : { entryMode: card.entryMode }),
    hasReference: record.referenceId !== undefined,
    metadataFields: Object.keys(record.metadata ?? {}).length,
    receipts: record.receipts.length,
    questionsAsked: record.evidence.length,
    isPossibleDuplicate: record.possibleDuplicateOf !== undefined,
    ...(record.targetTransactionId === undefined ? {} : { actsOn: record.targetTransactionId }),
    simulated: record.simulated,
  };
}
