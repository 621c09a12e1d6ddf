import { BridgeError } from '../contract/errors.ts';
import { requirePageLimit } from '../domain/page-limit.ts';
import { assertLegalMove, isCorrection, isLateDecline, standingOf } from '../domain/transaction.machine.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { Dependents, JournalReader, JournalUnit, Page, TransactionFilter } from '../ports/journal.ts';
import { decodeCursor, instantText, pageOf } from './cursor.ts';
import type { ReadHandle, SqlValue } from './database.ts';
import { isConstraint } from './failures.ts';
import { type JournalWriter, newestBody } from './journal-rows.store.ts';
import { transactionProjection } from './projections.ts';

interface Stored {
  body: string;
}

const openStates = `('INTENT', 'PROVISIONAL', 'PENDING_ONLINE')`;

type TransactionReader = Pick<
  JournalReader,
  | 'findTransaction'
  | 'listTransactions'
  | 'currentTransaction'
  | 'lastTransaction'
  | 'openTransactions'
  | 'dependentsOf'
  | 'sameReference'
  | 'openPreAuths'
  | 'uncapturedSales'
>;

/** Reads of the transactions. */
export function createTransactionReader(handle: ReadHandle): TransactionReader {
  const one = (sql: string, ...values: SqlValue[]) => {
    const row = handle.read<Stored>(sql).get(...values);
    return row === undefined ? undefined : recordOf(row);
  };
  const many = (sql: string, ...values: SqlValue[]) =>
    handle
      .read<Stored>(sql)
      .all(...values)
      .map(recordOf);

  return {
    findTransaction: (transactionId) =>
      one(`SELECT ${newestBody} FROM transactions WHERE transaction_id = ?`, transactionId),
    listTransactions: (filter) => listTransactions(handle, filter),
    currentTransaction: (terminalId) =>
      one(`SELECT ${newestBody} FROM transactions WHERE terminal_id = ? AND state IN ${openStates}`, terminalId),
    lastTransaction: (terminalId) =>
      one(`SELECT ${newestBody} FROM transactions WHERE terminal_id = ? ORDER BY first_seq DESC LIMIT 1`, terminalId),
    // Ordered as the index of open rows is: by the sequence, SQLite would walk the whole table.
    openTransactions: () =>
      many(`SELECT ${newestBody} FROM transactions WHERE state IN ${openStates} ORDER BY terminal_id`),
    dependentsOf: (transactionId) => dependentsOf(handle, transactionId),
    sameReference(clientId, terminalId, referenceId, sinceIso) {
      // By the sequence, not by the clock, which may have been set back (promise P14).
      const same = `FROM transactions WHERE reference_id = ? AND created_at >= ? AND client_id = ? AND terminal_id = ? AND type = 'SALE'`;
      const values = [referenceId, instantText(sinceIso, 'since'), clientId, terminalId];
      const newest = one(`SELECT ${newestBody} ${same} ORDER BY first_seq DESC LIMIT 1`, ...values);
      if (newest === undefined) return undefined;
      const unknown = one(
        `SELECT ${newestBody} ${same} AND state = 'ERROR' AND held = 1 ORDER BY first_seq DESC LIMIT 1`,
        ...values,
      );
      return unknown === undefined ? { newest } : { newest, unknown };
    },
    openPreAuths: (terminalId) =>
      many(
        `SELECT ${newestBody} FROM transactions AS hold
         WHERE terminal_id = ? AND type = 'PRE_AUTH' AND state = 'APPROVED' AND mode = 'ORCHESTRATED' AND ${holdIsOpen('hold')}
         ORDER BY first_seq`,
        terminalId,
      ),
    uncapturedSales: (terminalId) =>
      many(
        `SELECT ${newestBody} FROM transactions AS sale
         WHERE terminal_id = ? AND awaits_capture = 1 AND NOT ${isVoid('sale')} ORDER BY first_seq`,
        terminalId,
      ),
  };
}

/** Taken back as a whole. */
export function isVoid(sale: string): string {
  return `EXISTS (
    SELECT 1 FROM transactions AS voiding
    WHERE voiding.target_id = ${sale}.transaction_id AND voiding.type = 'VOID' AND voiding.state = 'APPROVED'
  )`;
}

/** Neither completed nor released: what `openPreAuths` lists and the totals count. */
export function holdIsOpen(hold: string): string {
  return `NOT EXISTS (
    SELECT 1 FROM transactions AS ending
    WHERE ending.target_id = ${hold}.transaction_id AND ending.type IN ('VOID', 'PRE_AUTH_COMPLETE') AND ending.state = 'APPROVED'
  )`;
}

function recordOf(row: Stored): TransactionRecord {
  return JSON.parse(row.body) as TransactionRecord;
}

function listTransactions(handle: ReadHandle, filter: TransactionFilter): Page<TransactionRecord> {
  const limit = requirePageLimit(filter.limit);
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const where = (condition: string, ...bound: SqlValue[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (filter.terminalId !== undefined) where('terminal_id = ?', filter.terminalId);
  if (filter.referenceId !== undefined) where('reference_id = ?', filter.referenceId);
  if (filter.type !== undefined) where('type = ?', filter.type);
  if (filter.states !== undefined) where(`state IN (${filter.states.map(() => '?').join(', ')})`, ...filter.states);
  if (filter.from !== undefined) where('created_at >= ?', instantText(filter.from, 'from'));
  if (filter.to !== undefined) where('created_at < ?', instantText(filter.to, 'to'));
  if (filter.cursor !== undefined) where('(created_at, first_seq) < (?, ?)', ...decodeCursor(filter.cursor, 'number'));
  const found = handle
    .read<Stored & { created_at: string; first_seq: number }>(
      `SELECT ${newestBody}, created_at, first_seq FROM transactions ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
       ORDER BY created_at DESC, first_seq DESC LIMIT ?`,
    )
    .all(...values, limit + 1);
  return pageOf(found, limit, (row) => [row.created_at, row.first_seq], recordOf);
}

function dependentsOf(handle: ReadHandle, transactionId: string): Dependents {
  const acting = handle
    .read<Stored & { type: string; total_minor: number }>(
      `SELECT ${newestBody}, type, total_minor FROM transactions WHERE target_id = ? AND held = 1 ORDER BY first_seq`,
    )
    .all(transactionId);
  const refunds = acting.filter((row) => row.type === 'REFUND');
  const voiding = acting.find((row) => row.type === 'VOID');
  const completing = acting.find((row) => row.type === 'PRE_AUTH_COMPLETE');
  return {
    refundedMinor: refunds.reduce((sum, row) => sum + row.total_minor, 0),
    refundCount: refunds.length,
    ...(voiding === undefined ? {} : { voidedBy: recordOf(voiding) }),
    ...(completing === undefined ? {} : { completedBy: recordOf(completing) }),
  };
}

/** Facts that no later revision may change: everything else of a transaction rests on them. */
const fixedFacts = [
  'terminalId',
  'clientId',
  'type',
  'mode',
  'currency',
  'createdAt',
  'referenceId',
  'batchNumber',
  'targetTransactionId',
] as const;

type TransactionWriter = Pick<JournalUnit, 'saveTransaction'>;

/** Writes of the transactions; used only inside a commit. */
export function createTransactionWriter(reader: TransactionReader, journal: JournalWriter): TransactionWriter {
  return {
    saveTransaction(record) {
      const { transactionId, terminalId, actor, revision } = record;
      if (revision > 1) requireSuccessor(reader.findTransaction(transactionId), record);
      try {
        journal.append(transactionProjection, record, { subjectId: transactionId, terminalId, actor, revision });
      } catch (error) {
        throw isConstraint(error) ? refusalOf(error, record, reader) : error;
      }
    },
  };
}

function requireSuccessor(stored: TransactionRecord | undefined, next: TransactionRecord): void {
  if (stored === undefined) return; // the revision check of the append reports it
  for (const fact of fixedFacts) {
    if (stored[fact] !== next[fact]) throw new Error(`transaction ${next.transactionId}: ${fact} cannot change`);
  }
  const from = standingOf(stored);
  const to = standingOf(next);
  const moves = from.state !== to.state || (to.state === 'ERROR' && from.charged !== to.charged);
  if (next.correctedBy !== undefined && stored.correctedBy === undefined && isCorrection(from, to)) return;
  if (moves && !isLateDecline(stored, next)) assertLegalMove(from, to, next.transactionId);
}

/** The schema is the last to see two that race; what it refuses has the code of the rule that it keeps. */
function refusalOf(error: unknown, record: TransactionRecord, reader: TransactionReader): unknown {
  const rule = error instanceof Error ? error.message : '';
  if (rule.endsWith('transactions.terminal_id')) {
    const running = reader.currentTransaction(record.terminalId);
    return new BridgeError('TRANSACTION_IN_PROGRESS', 'another transaction is in progress at this terminal', {
      ...(running === undefined ? {} : { details: { transactionId: running.transactionId } }),
      cause: error,
    });
  }
  const options = { field: 'originalTransactionId', cause: error };
  if (rule === 'refund ceiling')
    return new BridgeError('REFUND_EXCEEDS_ORIGINAL', 'less remains to be refunded', { ...options, field: 'amount' });
  if (rule.includes('transactions.target_id')) {
    return record.type === 'VOID'
      ? new BridgeError('ALREADY_VOIDED', 'the original has a void', options)
      : new BridgeError('ALREADY_COMPLETED', 'the pre-authorization has a completion', options);
  }
  return error;
}
