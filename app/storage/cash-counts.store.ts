import type { CashCount, CountedPieces } from '../domain/cash-count.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { ReadHandle, WriteHandle } from './database.ts';

interface Stored {
  terminal_id: string;
  batch_number: number;
  currency: string;
  counted_at: string;
  counted_by: string;
  opening_float_minor: number;
  pieces: string;
  other_minor: number;
}

const columns = 'terminal_id, batch_number, currency, counted_at, counted_by, opening_float_minor, pieces, other_minor';

/** Reads of what was counted in the drawer. */
export function createCashCountReader(handle: ReadHandle): Pick<JournalReader, 'cashCounts'> {
  const ofBatch = handle.read<Stored>(
    `SELECT ${columns} FROM cash_counts WHERE terminal_id = ? AND batch_number = ? ORDER BY seq`,
  );
  return { cashCounts: (terminalId, batchNumber) => ofBatch.all(terminalId, batchNumber).map(countOf) };
}

function countOf(row: Stored): CashCount {
  return {
    terminalId: row.terminal_id,
    batchNumber: row.batch_number,
    currency: row.currency,
    countedAt: row.counted_at,
    countedBy: row.counted_by,
    openingFloatMinor: row.opening_float_minor,
    pieces: JSON.parse(row.pieces) as readonly CountedPieces[],
    otherMinor: row.other_minor,
  };
}

/** Writes of what was counted; used only inside a commit. A second count stands beside the first one. */
export function createCashCountWriter(handle: WriteHandle): Pick<JournalUnit, 'appendCashCount'> {
  const append = handle.write(`INSERT INTO cash_counts (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  return {
    appendCashCount(count) {
      append.run(
        ...([count.terminalId, count.batchNumber, count.currency, count.countedAt, count.countedBy] as const),
        ...([count.openingFloatMinor, JSON.stringify(count.pieces), count.otherMinor] as const),
      );
    },
  };
}
