import type { TransactionRecord } from '../domain/transaction.ts';
import type { ActivityEntry, ActivityFilter, DuplicateSale, JournalReader, Page } from '../ports/journal.ts';
import { decodeCursor, instantText, pageOf, requirePageLimit } from './cursor.ts';
import type { ReadHandle, SqlValue } from './database.ts';
import { newestBody } from './journal-rows.store.ts';

/** Matches of a prefix up to which they are sorted; beyond, a walk by time finds a page of them sooner. */
const MAX_SORTED_MATCHES = 2_000;

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

interface Place {
  readonly first_seq: number;
  readonly created_at: string;
}

/** Reads of the console's lists: search, timeline and possible duplicates. */
export function createActivityReader(
  handle: ReadHandle,
): Pick<JournalReader, 'searchTransactions' | 'startedBy' | 'lastEventBefore' | 'duplicateSales'> {
  const firstActor = handle.read<{ actor: string }>(
    'SELECT actor FROM journal WHERE seq = (SELECT first_seq FROM transactions WHERE transaction_id = ?)',
  );
  return {
    searchTransactions: (filter) => searchTransactions(handle, filter),
    startedBy: (transactionId) => firstActor.get(transactionId)?.actor,
    lastEventBefore: (terminalId, beforeIso) => lastEventBefore(handle, terminalId, beforeIso),
    duplicateSales: (sinceIso, limit) => duplicateSales(handle, sinceIso, limit),
  };
}

function searchTransactions(handle: ReadHandle, filter: ActivityFilter): Page<ActivityEntry> {
  const limit = requirePageLimit(filter.limit);
  const common = commonConditions(filter);
  const places =
    filter.match === undefined
      ? placesWhere(handle, common, limit + 1)
      : newestOf(
          matchConditions(handle, filter.match).map((match) => placesWhere(handle, [match, ...common], limit + 1)),
          limit + 1,
        );
  const entry = handle.read<{ body: string; actor: string }>(
    `SELECT ${newestBody}, (SELECT actor FROM journal WHERE seq = first_seq) AS actor FROM transactions WHERE first_seq = ?`,
  );
  return pageOf(
    places,
    limit,
    (place) => [place.created_at, place.first_seq],
    (place) => {
      const row = entry.get(place.first_seq);
      if (row === undefined) throw new Error('a transaction that was just found is not there');
      return { record: JSON.parse(row.body) as TransactionRecord, startedBy: row.actor };
    },
  );
}

function commonConditions(filter: ActivityFilter): readonly Condition[] {
  const { states, type, from, to, cursor } = filter;
  return [
    ...(states === undefined ? [] : [{ sql: `state IN (${states.map(() => '?').join(', ')})`, values: states }]),
    ...(type === undefined ? [] : [{ sql: 'type = ?', values: [type] }]),
    ...(from === undefined ? [] : [{ sql: 'created_at >= ?', values: [instantText(from, 'from')] }]),
    ...(to === undefined ? [] : [{ sql: 'created_at < ?', values: [instantText(to, 'to')] }]),
    ...(cursor === undefined
      ? []
      : [{ sql: '(created_at, first_seq) < (?, ?)', values: decodeCursor(cursor, 'number') }]),
  ];
}

function placesWhere(handle: ReadHandle, conditions: readonly Condition[], limit: number): readonly Place[] {
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  return handle
    .read<Place>(
      `SELECT first_seq, created_at FROM transactions ${where} ORDER BY created_at DESC, first_seq DESC LIMIT ?`,
    )
    .all(...conditions.flatMap(({ values }) => values), limit);
}

/** Each of them is answered by an index of its own; joined by or, SQLite would walk the whole table. */
function matchConditions(handle: ReadHandle, match: NonNullable<ActivityFilter['match']>): readonly Condition[] {
  return [
    ...match.amounts.map(({ totalMinor, currency }) => ({
      sql: 'total_minor = ? AND currency = ?',
      values: [totalMinor, currency],
    })),
    ...(match.lastFour === undefined ? [] : [{ sql: 'last_four = ?', values: [match.lastFour] }]),
    prefixCondition(handle, 'reference_id', match.prefix),
    prefixCondition(handle, 'transaction_id', match.prefix),
  ];
}

/** Few matches are found by the column's index and sorted; of many, the newest stand near the end of the time's index. */
function prefixCondition(handle: ReadHandle, column: 'reference_id' | 'transaction_id', prefix: string): Condition {
  const range = `${column} >= ? AND ${column} < ?`;
  const values = [prefix, `${prefix}\u{10FFFF}`];
  const counted = handle
    .read<{ found: number }>(`SELECT count(*) AS found FROM (SELECT 1 FROM transactions WHERE ${range} LIMIT ?)`)
    .get(...values, MAX_SORTED_MATCHES);
  const isFew = (counted?.found ?? 0) < MAX_SORTED_MATCHES;
  // The unary plus keeps SQLite from the column's index.
  const sql = isFew
    ? `first_seq IN (SELECT first_seq FROM transactions WHERE ${range})`
    : `+${column} >= ? AND +${column} < ?`;
  return { sql, values };
}

function newestOf(found: readonly (readonly Place[])[], limit: number): readonly Place[] {
  const distinct = new Map(found.flat().map((place) => [place.first_seq, place]));
  return [...distinct.values()].sort(newestFirst).slice(0, limit);
}

function newestFirst(a: Place, b: Place): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return b.first_seq - a.first_seq;
}

/** Events have no index over their time, which would be written with each of them; their numbers rise with it, so halving finds the place. */
function lastEventBefore(handle: ReadHandle, terminalId: string, beforeIso: string): number {
  const before = instantText(beforeIso, 'before');
  const bounds = handle
    .read<{ low: number | null; high: number | null }>(
      'SELECT (SELECT min(sequence) FROM events WHERE terminal_id = ?) AS low, (SELECT max(sequence) FROM events WHERE terminal_id = ?) AS high',
    )
    .get(terminalId, terminalId);
  const atOrAfter = handle.read<{ sequence: number; at: string }>(
    'SELECT sequence, at FROM events WHERE terminal_id = ? AND sequence >= ? ORDER BY sequence LIMIT 1',
  );
  let low = (bounds?.low ?? 1) - 1;
  let high = (bounds?.high ?? 0) + 1;
  // Events up to `low` are before the time; from `high` on they are not.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const event = atOrAfter.get(terminalId, middle);
    if (event !== undefined && event.at < before) low = event.sequence;
    else high = middle;
  }
  return low;
}

/**
 * The index is named: by itself SQLite may walk every earlier transaction of the terminal for each sale of the day, which at a hundred thousand rows
 * holds the till up for minutes.
 */
function duplicateSales(handle: ReadHandle, sinceIso: string, limit: number): readonly DuplicateSale[] {
  const isCharged = (sale: string) => `${sale}.type = 'SALE' AND ${sale}.state = 'APPROVED'`;
  const isTakenBack = (sale: string) =>
    `EXISTS (SELECT 1 FROM transactions AS back WHERE back.target_id = ${sale}.transaction_id AND back.type IN ('VOID', 'REFUND') AND back.held = 1)`;
  const dayBefore = `strftime('%Y-%m-%dT%H:%M:%fZ', later.created_at, '-1 day')`;
  return handle
    .read<{ id: string; earlier_id: string }>(
      `SELECT id, earlier_id FROM (
         SELECT later.transaction_id AS id, later.created_at, later.first_seq, (
           SELECT earlier.transaction_id FROM transactions AS earlier INDEXED BY transactions_by_reference
           WHERE earlier.reference_id = later.reference_id AND earlier.created_at >= ${dayBefore}
             AND earlier.first_seq < later.first_seq AND ${isCharged('earlier')}
             AND earlier.client_id = later.client_id AND earlier.terminal_id = later.terminal_id AND NOT ${isTakenBack('earlier')}
           ORDER BY earlier.created_at DESC, earlier.first_seq DESC LIMIT 1
         ) AS earlier_id
         FROM transactions AS later
         WHERE later.created_at >= ? AND later.reference_id <> '' AND ${isCharged('later')}
           AND NOT ${isTakenBack('later')}
       ) WHERE earlier_id IS NOT NULL ORDER BY created_at DESC, first_seq DESC LIMIT ?`,
    )
    .all(instantText(sinceIso, 'since'), limit)
    .map((row) => ({ transactionId: row.id, earlierTransactionId: row.earlier_id }));
}
