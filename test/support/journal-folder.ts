import { createJournal } from '../../app/storage/create-journal.ts';
import { quietLog } from './engine-harness.ts';
import { createManualClock } from './server-clock.ts';

/** A data folder with an empty journal, as a till leaves it. */
export function openJournalFolder(dataDir: string): void {
  createJournal({ dataDir, clock: createManualClock(Date.now()), log: quietLog, pid: process.pid }).close();
}
