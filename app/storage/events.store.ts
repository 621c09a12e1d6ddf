import { MAX_EVENT_PAGE_ITEMS } from '../contract/limits.ts';
import type { TransactionEvent } from '../contract/session.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { ReadHandle, WriteHandle } from './database.ts';

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
export function createEventWriter(handle: WriteHandle): Pick<JournalUnit, 'appendEvents'> {
  const insert = handle.write('INSERT INTO events (terminal_id, sequence, body) VALUES (?, ?, ?)');
  return {
    appendEvents(events) {
      for (const event of events) insert.run(event.terminalId, event.sequence, JSON.stringify(event, withoutChipData));
    },
  };
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
