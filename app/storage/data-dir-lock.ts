import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeDataFolder } from './data-folder.ts';
import { asJournalError, journalUnavailable, sqliteCodeOf } from './failures.ts';

const fileName = 'till.lock';
/** Milliseconds for which a till waits for the lock: as long as a verifier may hold it to see whether a till runs. */
const LOCK_TIMEOUT_MS = 500;

export interface DataDirLock {
  release(): void;
}

/**
 * Takes the data folder for one till. The lock is the operating system's: it ends with the process, however that ends. It lives in a file of its
 * own, so that other programs (keys, verifier) may use the database meanwhile.
 * @throws BridgeError JOURNAL_UNAVAILABLE naming the folder, and the process that holds it where that is known.
 */
export function lockDataDir(dataDir: string, pid: number): DataDirLock {
  let connection: Database.Database;
  try {
    makeDataFolder(dataDir);
    closeSync(openSync(join(dataDir, fileName), 'a', 0o600));
    connection = open(dataDir);
  } catch (error) {
    throw journalUnavailable(`${dataDir} cannot be written`, error);
  }
  try {
    // Two steps: the number of the holder is committed, for others to read, and then the write lock is taken for good. A second till that slips in
    // between wins, and this one finds the lock taken.
    connection.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${Math.trunc(pid)}; COMMIT; BEGIN IMMEDIATE`);
  } catch (error) {
    const holder = sqliteCodeOf(error)?.startsWith('SQLITE_BUSY') ? holderOf(connection) : undefined;
    connection.close();
    if (holder === undefined) throw asJournalError(error);
    throw journalUnavailable(
      `another till uses the data folder ${dataDir}${holder === 0 ? '' : ` (process ${holder})`}`,
      error,
    );
  }
  return { release: () => connection.close() };
}

/** Whether a till uses the folder now. Changes nothing in it. */
export function isTillRunning(dataDir: string): boolean {
  let connection: Database.Database | undefined;
  try {
    connection = new Database(join(dataDir, fileName), { fileMustExist: true, timeout: 0 });
    connection.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    // No lock file, or a folder that nobody can write: no till.
    return sqliteCodeOf(error)?.startsWith('SQLITE_BUSY') === true;
  } finally {
    connection?.close();
  }
}

function open(dataDir: string): Database.Database {
  const connection = new Database(join(dataDir, fileName), { timeout: LOCK_TIMEOUT_MS });
  // The file's content is a hint for people; only its lock counts, so nothing of it need be durable or rolled back.
  connection.pragma('journal_mode = MEMORY');
  connection.pragma('synchronous = OFF');
  return connection;
}

function holderOf(connection: Database.Database): number {
  const pid: unknown = connection.pragma('user_version', { simple: true });
  return typeof pid === 'number' ? pid : 0;
}
