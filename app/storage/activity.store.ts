import type { DuplicateSale, JournalReader } from '../ports/journal.ts';
import { instantText } from './cursor.ts';
import type { ReadHandle } from './database.ts';
import { searchTransactions } from './search.store.ts';

/** Reads of the console's lists: search, timeline and possible duplicates. */
export function createActivityReader(
  handle: ReadHandle,
): Pick<JournalReader, 'searchTransactions' | 'startedBy' | 'starters' | 'lastEventBefore' | 'duplicateSales'> {
  const firstActor = handle.read<{ actor: string }>(
    'SELECT actor FROM journal WHERE seq = (SELECT first_seq FROM transactions WHERE transaction_id = ?)',
  );
  return {
    searchTransactions: (filter) => searchTransactions(handle, filter),
    startedBy: (transactionId) => firstActor.get(transactionId)?.actor,
    starters: (limit) => starters(handle, limit),
    lastEventBefore: (terminalId, beforeIso) => lastEventBefore(handle, terminalId, beforeIso),
    duplicateSales: (sinceIso, limit) => duplicateSales(handle, sinceIso, limit),
  };
}

/** From one name in the index to the next: a step for each, however many payments stand under it. */
function starters(handle: ReadHandle, limit: number): readonly string[] {
  return handle
    .read<{ name: string }>(
      `WITH RECURSIVE known (name) AS (
         SELECT min(started_by) FROM transactions
         UNION ALL
         SELECT (SELECT min(started_by) FROM transactions WHERE started_by > known.name) FROM known WHERE known.name IS NOT NULL
       ) SELECT name FROM known WHERE name IS NOT NULL LIMIT ?`,
    )
    .all(limit)
    .map(({ name }) => name);
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
