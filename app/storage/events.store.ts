import { MAX_EVENT_PAGE_ITEMS } from '../contract/limits.ts';
import type { TransactionEvent } from '../contract/session.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import { instantText } from './cursor.ts';
import type { ReadHandle, WriteHandle } from './database.ts';

/** Newest numbers of a terminal that are kept however old they are: a till that was shut for the season still replays its last days. */
const MIN_KEPT_EVENTS = 10_000;

/** Reads of the numbered events. */
export function createEventReader(handle: ReadHandle): Pick<JournalReader, 'eventsAfter'> {
  const after = handle.read<{ body: string }>(
    'SELECT body FROM events WHERE terminal_id = ? AND sequence > ? ORDER BY sequence LIMIT ?',
  );
  return {
    // One more than a page, so that a caller can see whether there is another.
    eventsAfter: (terminalId, sequence, limit) =>
      after
        .all(terminalId, sequence, Math.min(limit, MAX_EVENT_PAGE_ITEMS + 1))
        .map((row) => JSON.parse(row.body) as TransactionEvent),
  };
}

/** Writes of the events; used only inside a commit. An event's number is used once: a second one with it throws. */
export function createEventWriter(handle: WriteHandle): Pick<JournalUnit, 'appendEvents' | 'pruneEvents'> {
  const insert = handle.write('INSERT INTO events (terminal_id, sequence, at, body) VALUES (?, ?, ?, ?)');
  // Oldest first and only up to the first young one: a replay never meets a hole, and no index over the time is needed.
  const firstYoung = `SELECT sequence FROM events AS young WHERE young.terminal_id = ? AND young.at >= ? ORDER BY sequence LIMIT 1`;
  const prune = handle.write(
    `DELETE FROM events WHERE terminal_id = ? AND sequence <= ? AND sequence < coalesce((${firstYoung}), sequence + 1)`,
  );
  const newest = handle.read<{ newest: number | null }>(
    'SELECT max(sequence) AS newest FROM events WHERE terminal_id = ?',
  );
  return {
    appendEvents(events) {
      for (const event of events) {
        insert.run(event.terminalId, event.sequence, event.at, JSON.stringify(event, withoutChipData));
      }
    },
    pruneEvents(terminalId, beforeIso) {
      const last = (newest.get(terminalId)?.newest ?? 0) - MIN_KEPT_EVENTS;
      return last < 1 ? 0 : prune.run(terminalId, last, terminalId, instantText(beforeIso, 'before'));
    },
  };
}

/** Drops the old events of every terminal: at each opening, for a shop that closes no day. Used in a transaction. */
export function pruneAllEvents(handle: WriteHandle, beforeIso: string): void {
  const { pruneEvents } = createEventWriter(handle);
  const terminals = handle.read<{ id: string }>('SELECT terminal_id AS id FROM event_blocks').all();
  for (const { id } of terminals) pruneEvents(id, beforeIso);
}

/** chipData lives in memory until completion and is never stored (decisions: chipData). */
function withoutChipData(key: string, value: unknown): unknown {
  return key === 'chipData' ? undefined : value;
}

/**
 * Takes a block of `size` numbers for a terminal's events and returns its first. Numbers of an unfinished block are skipped after a restart, so
 * none is used twice (decisions: Events). Used in a transaction of its own.
 */
export function reserveEventBlock(handle: WriteHandle, terminalId: string, size: number): number {
  if (!Number.isSafeInteger(size) || size < 1) throw new RangeError('a block holds at least one number');
  handle
    .write(
      `INSERT INTO event_blocks (terminal_id, next_sequence) VALUES (?, 1 + ?)
       ON CONFLICT (terminal_id) DO UPDATE SET next_sequence = next_sequence + excluded.next_sequence - 1`,
    )
    .run(terminalId, size);
  const block = handle
    .read<{ next: number }>('SELECT next_sequence AS next FROM event_blocks WHERE terminal_id = ?')
    .get(terminalId);
  if (block === undefined) throw new Error('the block just reserved is not there');
  return block.next - size;
}
