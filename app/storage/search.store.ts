import { requirePageLimit } from '../domain/page-limit.ts';
import type { TransactionRecord, TransactionState } from '../domain/transaction.ts';
import type { ActivityEntry, ActivityFilter, Page } from '../ports/journal.ts';
import { decodeCursor, instantText, pageOf } from './cursor.ts';
import type { ReadHandle, SqlValue } from './database.ts';
import { newestBody } from './journal-rows.store.ts';

/** Where one way of finding a beginning gives way to another; each way finds the same. */
export interface SearchLimits {
  /** References that begin alike, up to which they are sorted; the index of references holds all that this needs. */
  readonly sortedReferences: number;
  /** Ids that begin alike, up to which they are sorted; each must be looked up. Of more, a walk by time soon meets a page of them: ids are random. */
  readonly sortedIds: number;
  /** Rows, newest first, that are looked through for a reference before the index is asked where the newest stands. */
  readonly walkedRows: number;
}
const usualLimits: SearchLimits = { sortedReferences: 20_000, sortedIds: 5_000, walkedRows: 20_000 };

/** Written as in the partial indexes: SQLite takes one only when its condition stands in the query word for word. */
const isOpen = `state IN ('INTENT', 'PROVISIONAL', 'PENDING_ONLINE')`;
const isRefused = `state IN ('DECLINED', 'CANCELLED', 'ERROR')`;
const isBesidesSales = `type <> 'SALE'`;

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

interface Place {
  readonly first_seq: number;
  readonly created_at: string;
}

/** One question to one index. It is named, since SQLite keeps no figures about the tables and would guess. */
interface Question {
  readonly index: string;
  readonly conditions: readonly Condition[];
}

interface Search {
  readonly handle: ReadHandle;
  readonly limits: SearchLimits;
  /** Places that one question answers at most. */
  readonly limit: number;
}

type Match = NonNullable<ActivityFilter['match']>;

/** One page of a search, newest first. @throws BridgeError INVALID_REQUEST */
export function searchTransactions(
  handle: ReadHandle,
  filter: ActivityFilter,
  limits: SearchLimits = usualLimits,
): Page<ActivityEntry> {
  const limit = requirePageLimit(filter.limit);
  const found = placesOf({ handle, limits, limit: limit + 1 }, filter);
  const entry = handle.read<{ body: string; actor: string }>(
    `SELECT ${newestBody}, (SELECT actor FROM journal WHERE seq = first_seq) AS actor FROM transactions WHERE first_seq = ?`,
  );
  return pageOf(
    found,
    limit,
    (place) => [place.created_at, place.first_seq],
    (place) => {
      const row = entry.get(place.first_seq);
      if (row === undefined) throw new Error('a transaction that was just found is not there');
      return { record: JSON.parse(row.body) as TransactionRecord, startedBy: row.actor };
    },
  );
}

function placesOf(search: Search, filter: ActivityFilter): readonly Place[] {
  const { match } = filter;
  const common = [...standingConditions(filter), ...timeConditions(filter)];
  const few = fewOf(filter);
  if (few !== undefined) {
    const conditions = [...few.conditions, ...common, ...(match === undefined ? [] : [anyOf(match)])];
    return places(search, { index: few.index, conditions });
  }
  if (match === undefined) {
    const index = filter.startedBy === undefined ? 'transactions_by_time' : 'transactions_by_starter';
    return places(search, { index, conditions: common });
  }
  // Each is answered by an index of its own; joined by or, SQLite would walk the whole table.
  const found = [
    ...match.amounts.map((amount) =>
      places(search, { index: 'transactions_by_amount', conditions: [amountIs(amount), ...common] }),
    ),
    ...(match.lastFour === undefined
      ? []
      : [places(search, { index: 'transactions_by_card', conditions: [cardIs(match.lastFour), ...common] })]),
    referencesWith(search, match.prefix, common),
    ...(match.idPrefix === undefined ? [] : [idsWith(search, match.idPrefix, common)]),
  ];
  return newestOf(found, search.limit);
}

/** The index of few among many that the filter stays within; undefined when it may ask for most of the table. */
function fewOf({ states, type }: ActivityFilter): Question | undefined {
  const isWithin = (known: readonly TransactionState[]) => states?.every((state) => known.includes(state)) === true;
  const within = (index: string, sql: string): Question => ({ index, conditions: [{ sql, values: [] }] });
  if (isWithin(['INTENT', 'PROVISIONAL', 'PENDING_ONLINE'])) return within('transactions_one_open', isOpen);
  if (isWithin(['DECLINED', 'CANCELLED', 'ERROR'])) return within('transactions_refused', isRefused);
  if (type !== undefined && type !== 'SALE') return within('transactions_besides_sales', isBesidesSales);
  return undefined;
}

function standingConditions({ states, type, startedBy }: ActivityFilter): readonly Condition[] {
  return [
    ...(states === undefined ? [] : [{ sql: `state IN (${states.map(() => '?').join(', ')})`, values: states }]),
    ...(type === undefined ? [] : [{ sql: 'type = ?', values: [type] }]),
    ...(startedBy === undefined ? [] : [{ sql: 'started_by = ?', values: [startedBy] }]),
  ];
}

/** SQLite bounds a walk by one upper end only: the nearer one is given. */
function timeConditions({ from, to, cursor }: ActivityFilter): readonly Condition[] {
  const end = to === undefined ? undefined : instantText(to, 'to');
  const position = cursor === undefined ? undefined : decodeCursor(cursor, 'number');
  const isCursorNearer = position !== undefined && (end === undefined || position[0] < end);
  return [
    ...(from === undefined ? [] : [{ sql: 'created_at >= ?', values: [instantText(from, 'from')] }]),
    ...(isCursorNearer ? [{ sql: '(created_at, first_seq) < (?, ?)', values: position }] : []),
    ...(end === undefined || isCursorNearer ? [] : [{ sql: 'created_at < ?', values: [end] }]),
  ];
}

function places({ handle, limit }: Search, { index, conditions }: Question): readonly Place[] {
  return handle
    .read<Place>(
      `SELECT first_seq, created_at FROM transactions INDEXED BY ${index} ${whereOf(conditions)}
       ORDER BY created_at DESC, first_seq DESC LIMIT ?`,
    )
    .all(...valuesOf(conditions), limit);
}

function whereOf(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
}

function valuesOf(conditions: readonly Condition[]): readonly SqlValue[] {
  return conditions.flatMap(({ values }) => values);
}

function amountIs({ totalMinor, currency }: Match['amounts'][number]): Condition {
  return { sql: 'total_minor = ? AND currency = ?', values: [totalMinor, currency] };
}

function cardIs(lastFour: string): Condition {
  return { sql: 'last_four = ?', values: [lastFour] };
}

function beginsWith(column: 'reference_id' | 'transaction_id', prefix: string): Condition {
  return { sql: `${column} >= ? AND ${column} < ?`, values: [prefix, `${prefix}\u{10FFFF}`] };
}

/** For a walk: the unary plus keeps SQLite from the column's index. */
function beginsWithUnsought(column: 'reference_id' | 'transaction_id', prefix: string): Condition {
  return { sql: `+${column} >= ? AND +${column} < ?`, values: beginsWith(column, prefix).values };
}

function anyOf({ amounts, lastFour, prefix, idPrefix }: Match): Condition {
  const parts = [
    ...amounts.map(amountIs),
    ...(lastFour === undefined ? [] : [cardIs(lastFour)]),
    beginsWith('reference_id', prefix),
    ...(idPrefix === undefined ? [] : [beginsWith('transaction_id', idPrefix)]),
  ];
  return { sql: `(${parts.map(({ sql }) => `(${sql})`).join(' OR ')})`, values: valuesOf(parts) };
}

/**
 * Not too many are sorted out of their index. Of more, a page most likely stands among the newest rows; references that count up stand together in
 * time, so that the walk else begins at their newest.
 */
function referencesWith(search: Search, prefix: string, common: readonly Condition[]): readonly Place[] {
  const { handle, limits, limit } = search;
  const begins = beginsWith('reference_id', prefix);
  const sought: Question = { index: 'transactions_by_reference', conditions: [begins, ...common] };
  if (!areMore(handle, { ...sought, conditions: [begins] }, limits.sortedReferences)) {
    return places(search, sought);
  }
  const walked = [beginsWithUnsought('reference_id', prefix), ...common];
  const walk = (bound: Condition) => places(search, { index: 'transactions_by_time', conditions: [...walked, bound] });
  const near = walk({ sql: 'created_at >= ?', values: [timeAfterRows(handle, common, limits.walkedRows)] });
  if (near.length === limit) return near;
  const newest = handle
    .read<{ at: string | null }>(
      `SELECT max(created_at) AS at FROM transactions INDEXED BY ${sought.index} ${whereOf(sought.conditions)}`,
    )
    .get(...valuesOf(sought.conditions))?.at;
  return newest == null ? [] : walk({ sql: 'created_at <= ?', values: [newest] });
}

function idsWith(search: Search, prefix: string, common: readonly Condition[]): readonly Place[] {
  const begins = beginsWith('transaction_id', prefix);
  // The index of the UNIQUE constraint of the column.
  const index = 'sqlite_autoindex_transactions_1';
  if (!areMore(search.handle, { index, conditions: [begins] }, search.limits.sortedIds)) {
    return places(search, { index, conditions: [begins, ...common] });
  }
  const conditions = [beginsWithUnsought('transaction_id', prefix), ...common];
  return places(search, { index: 'transactions_by_time', conditions });
}

/** Whether the index holds more than `most` such entries. */
function areMore(handle: ReadHandle, { index, conditions }: Question, most: number): boolean {
  const row = handle
    .read<{ found: number }>(
      `SELECT count(*) AS found FROM (SELECT 1 FROM transactions INDEXED BY ${index} ${whereOf(conditions)} LIMIT ?)`,
    )
    .get(...valuesOf(conditions), most + 1);
  return (row?.found ?? 0) > most;
}

/** The time of the row that stands `rows` rows below the newest; the beginning of time where there are fewer. */
function timeAfterRows(handle: ReadHandle, common: readonly Condition[], rows: number): string {
  const found = handle
    .read<{ created_at: string }>(
      `SELECT created_at FROM transactions INDEXED BY transactions_by_time ${whereOf(common)}
       ORDER BY created_at DESC, first_seq DESC LIMIT 1 OFFSET ?`,
    )
    .get(...valuesOf(common), rows);
  return found?.created_at ?? '';
}

function newestOf(found: readonly (readonly Place[])[], limit: number): readonly Place[] {
  const distinct = new Map(found.flat().map((place) => [place.first_seq, place]));
  return [...distinct.values()].sort(newestFirst).slice(0, limit);
}

function newestFirst(a: Place, b: Place): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return b.first_seq - a.first_seq;
}
