import { constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journalFileName } from './create-journal.ts';
import { isTillRunning } from './data-dir-lock.ts';
import { openForReading, type ReadHandle } from './database.ts';

/**
 * Runs `work` on one state of a data folder's journal, beside a running till or without one. The folder is not changed: a till that runs has its
 * write-ahead log set up for readers; where none runs, opening the log would write to the folder, so a copy is read instead.
 * @throws Error when there is no journal in the folder, or a newer program wrote it
 */
export function readBeside<T>(dataDir: string, work: (handle: ReadHandle) => T): T {
  if (!existsSync(join(dataDir, journalFileName))) throw new Error(`${dataDir} has no ${journalFileName}`);
  if (isTillRunning(dataDir)) return readFrom(join(dataDir, journalFileName), work);
  const copy = mkdtempSync(join(tmpdir(), 'verify-journal-'));
  try {
    for (const name of [journalFileName, `${journalFileName}-wal`]) {
      if (existsSync(join(dataDir, name)))
        copyFileSync(join(dataDir, name), join(copy, name), constants.COPYFILE_FICLONE);
    }
    // A till that was started while the files were copied may have changed one of them after the other.
    if (isTillRunning(dataDir)) return readFrom(join(dataDir, journalFileName), work);
    return readFrom(join(copy, journalFileName), work);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function readFrom<T>(path: string, work: (handle: ReadHandle) => T): T {
  const database = openForReading(path);
  try {
    return database.snapshot(() => work(database));
  } finally {
    database.close();
  }
}
