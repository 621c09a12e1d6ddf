import type { DayCloseRecord, HostColumn } from '../domain/records.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { JournalUnit } from './journal.ts';

/** Our host as it is told of what a terminal's own acquirer did (decisions: EXTERNAL_RAIL). */
export interface HostBooks {
  /** Writes what the host is owed for an end, in the commit of that end; nothing for what is no payment of such a terminal. */
  noteEnd(unit: JournalUnit, record: TransactionRecord): void;
  /** Writes that the host is owed a close, in the commit of its settlement. @returns the host's column of it; undefined where none is owed */
  noteClose(unit: JournalUnit, close: DayCloseRecord): HostColumn | undefined;
  /** What was written is on disk and may leave. Never throws. */
  wake(terminalId: string): void;
  /** Lets what is owed of a terminal leave at once; resolves when all of it was tried, or one found no connection. Never rejects. */
  report(terminalId: string): Promise<void>;
}
