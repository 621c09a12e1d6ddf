import type { DaySuspect, UntoldPayment } from '../domain/day-suspects.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { JournalReader } from '../ports/journal.ts';
import type { ReadHandle } from './database.ts';
import { inBatch } from './totals.store.ts';
import { holdIsOpen } from './transactions.store.ts';

/** Payments that are looked at to name the differences of one close. */
const MAX_SUSPECTS = 500;

const bodyOf = (seq: string) => `(SELECT body FROM journal WHERE seq = ${seq}.last_seq)`;

interface Found {
  body: string;
  target: string | null;
}

/** Payments that often explain why another side counts a batch otherwise, and those that the host was not told of. */
export function createDaySuspectReader(handle: ReadHandle): Pick<JournalReader, 'daySuspects' | 'untoldPayments'> {
  const suspects = handle.read<Found>(
    `SELECT ${bodyOf('found')} AS body, ${bodyOf('original')} AS target
     FROM transactions AS found LEFT JOIN transactions AS original ON original.transaction_id = found.target_id
     WHERE found.terminal_id = ? AND found.currency = ? AND found.mode = 'ORCHESTRATED' AND (
       (found.batch_number = ? AND found.type IN ('SALE', 'PRE_AUTH_COMPLETE', 'REFUND')
         AND (found.tip_minor > 0 OR json_array_length(${bodyOf('found')}, '$.evidence') > 0))
       OR (found.type = 'VOID' AND found.state = 'APPROVED' AND original.type <> 'PRE_AUTH'
         AND ? IN (found.batch_number, original.batch_number))
       OR (found.type = 'PRE_AUTH' AND found.state = 'APPROVED' AND ${holdIsOpen('found')}))
     ORDER BY found.first_seq DESC LIMIT ?`,
  );
  const untold = handle.read<
    Found & { record_state: string | null; void_state: string | null; target_state: string | null }
  >(
    `SELECT ${bodyOf('found')} AS body, ${bodyOf('original')} AS target, own.state AS record_state,
       undone.state AS void_state, origin.state AS target_state
     FROM (SELECT * FROM transactions WHERE ${inBatch} AND type IN ('SALE', 'PRE_AUTH_COMPLETE', 'REFUND', 'VOID')) AS found
     LEFT JOIN transactions AS original ON original.transaction_id = found.target_id
     LEFT JOIN outbox AS own ON own.transaction_id = found.transaction_id AND own.kind = 'EXTERNAL_RECORD'
     LEFT JOIN outbox AS undone ON undone.kind = 'EXTERNAL_VOID'
       AND undone.transaction_id = CASE found.type WHEN 'VOID' THEN found.target_id ELSE found.transaction_id END
     LEFT JOIN outbox AS origin ON origin.transaction_id = found.target_id AND origin.kind = 'EXTERNAL_RECORD'
     WHERE CASE found.type
       WHEN 'VOID' THEN original.type <> 'PRE_AUTH' AND (undone.state IS NOT 'DONE' OR origin.state IS NOT 'DONE')
       ELSE own.state IS NOT 'DONE' END
     ORDER BY found.first_seq LIMIT ?`,
  );
  return {
    daySuspects: (terminalId, batchNumber, currency) =>
      suspects.all(terminalId, currency, batchNumber, batchNumber, MAX_SUSPECTS).map(suspectOf),
    untoldPayments: (terminalId, batchNumber, currency) =>
      untold.all(terminalId, batchNumber, currency, MAX_SUSPECTS).map((row): UntoldPayment => {
        const suspect = suspectOf(row);
        const isVoid = suspect.record.type === 'VOID';
        return {
          ...suspect,
          isRecordTold: (isVoid ? row.target_state : row.record_state) === 'DONE',
          isVoidTold: row.void_state === 'DONE',
          isOwed: (isVoid ? row.void_state : row.record_state) !== null,
        };
      }),
  };
}

function suspectOf({ body, target }: Found): DaySuspect {
  return {
    record: JSON.parse(body) as TransactionRecord,
    ...(target === null ? {} : { target: JSON.parse(target) as TransactionRecord }),
  };
}
