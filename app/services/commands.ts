import { totalMinor } from '../domain/money.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { JournalReader } from '../ports/journal.ts';
import type { TerminalCommand, TerminalOperation, TerminalOriginal } from '../ports/terminal.ts';

/** What the terminal must be able to do for this transaction. */
export function operationOf(record: Pick<TransactionRecord, 'type' | 'mode'>): TerminalOperation {
  return record.mode === 'GRANULAR' ? 'GRANULAR' : record.type;
}

/** The command of a transaction, for the terminal and, after something was lost, for the question about it: both are made here. */
export function commandOf(record: TransactionRecord, reader: JournalReader): TerminalCommand {
  const { transactionId, currency, referenceId, metadata, paymentSession, tipChoice } = record;
  const entryMode = record.requestedEntryMode ?? 'AUTO';
  const common = {
    transactionId,
    ...(referenceId === undefined ? {} : { referenceId }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(paymentSession === undefined ? {} : { paymentSession }),
  };
  const amounts = {
    amountMinor: totalMinor(record),
    tipAmountMinor: record.tipAmountMinor,
    cashbackAmountMinor: record.cashbackAmountMinor,
  };
  if (record.mode === 'GRANULAR') {
    return { ...common, operation: 'GRANULAR', type: granularTypeOf(record), ...amounts, currency, entryMode };
  }
  switch (record.type) {
    case 'SALE':
    case 'PRE_AUTH':
      return {
        ...common,
        operation: record.type,
        ...amounts,
        ...(tipChoice === undefined ? {} : { tipSource: tipChoice.source }),
        currency,
        entryMode,
      };
    case 'PRE_AUTH_COMPLETE':
    case 'REFUND':
    case 'VOID':
      return {
        ...common,
        operation: record.type,
        amountMinor: amounts.amountMinor,
        currency,
        original: originalOf(record, reader),
      };
    case 'CARD_READ':
      return { ...common, operation: 'CARD_READ', entryMode };
    case 'BALANCE_INQUIRY':
      return { ...common, operation: 'BALANCE_INQUIRY', currency, entryMode };
  }
}

function granularTypeOf(record: TransactionRecord): 'SALE' | 'PRE_AUTH' | 'REFUND' {
  if (record.type === 'SALE' || record.type === 'PRE_AUTH' || record.type === 'REFUND') return record.type;
  throw new Error(`${record.type} has no granular form`);
}

function originalOf(record: TransactionRecord, reader: JournalReader): TerminalOriginal {
  const target =
    record.targetTransactionId === undefined ? undefined : reader.findTransaction(record.targetTransactionId);
  if (target === undefined) throw new Error(`the original of ${record.transactionId} is not in the journal`);
  if (target.type !== 'SALE' && target.type !== 'PRE_AUTH' && target.type !== 'PRE_AUTH_COMPLETE') {
    throw new Error(`a ${target.type} is no original`);
  }
  return terminalOriginalOf(target, target.type);
}

/** A payment in the words of the driver that made it. */
export function terminalOriginalOf(target: TransactionRecord, kind: TerminalOriginal['kind']): TerminalOriginal {
  return {
    transactionId: target.transactionId,
    kind,
    amountMinor: totalMinor(target),
    reference: target.terminalReference ?? {},
  };
}
