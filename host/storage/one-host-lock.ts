import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { BridgeError } from '../../app/contract/errors.ts';
import { isSqliteBusy } from './failures.ts';

/** Milliseconds for which a host waits for one that is ending. */
const LOCK_TIMEOUT_MS = 500;

export interface OneHostLock {
  release(): void;
}

/**
 * Takes a SQLite database for one host; several share PostgreSQL. The lock is the operating system's, so it ends with the process, however that
 * ends; it lies in a file of its own, so that admin commands work meanwhile.
 * @throws BridgeError JOURNAL_UNAVAILABLE naming the process that has it
 */
export function lockForOneHost(database: string, pid: number): OneHostLock {
  const path = `${database.slice('sqlite:'.length)}.lock`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  const connection = new Database(path, { timeout: LOCK_TIMEOUT_MS });
  try {
    // Its content is a hint for people; only the lock counts, so nothing of it need be durable.
    connection.pragma('journal_mode = MEMORY');
    connection.pragma('synchronous = OFF');
    connection.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${Math.trunc(pid)}; COMMIT; BEGIN IMMEDIATE`);
    return { release: () => connection.close() };
  } catch (error) {
    const holder: unknown = isSqliteBusy(error) ? connection.pragma('user_version', { simple: true }) : undefined;
    connection.close();
    if (holder === undefined) throw error;
    throw new BridgeError(
      'JOURNAL_UNAVAILABLE',
      `another host (process ${String(holder)}) uses ${database}; several hosts on one database need PostgreSQL`,
      { cause: error },
    );
  }
}
