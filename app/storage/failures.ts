import Database from 'better-sqlite3';
import { BridgeError } from '../contract/errors.ts';

/** SQLite's word for a failure, e.g. SQLITE_FULL; undefined when the error is not SQLite's. */
export function sqliteCodeOf(error: unknown): string | undefined {
  return error instanceof Database.SqliteError ? error.code : undefined;
}

/** A rule of the schema refused a row: a defect of the caller, or a check that a race has made too late. Never a fault of the disk. */
export function isConstraint(error: unknown): boolean {
  return sqliteCodeOf(error)?.startsWith('SQLITE_CONSTRAINT') === true;
}

/**
 * After these the file and what this process knows of it may differ (a failed fsync may or may not have written): nothing more is committed until
 * the till is started again and has read the file anew (promise P13).
 */
export function isFatal(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code !== undefined && /^SQLITE_(IOERR|CORRUPT|NOTADB|PROTOCOL)/.test(code);
}

/** What a caller sees of an error of the database: JOURNAL_UNAVAILABLE for the disk's failures, everything else unchanged. */
export function asJournalError(error: unknown): unknown {
  const code = sqliteCodeOf(error);
  if (code === undefined || isConstraint(error) || code === 'SQLITE_ERROR' || code === 'SQLITE_MISUSE') return error;
  return journalUnavailable(reasonOf(code), error);
}

/** @param reason why, for a person who looks after the till. */
export function journalUnavailable(reason: string, cause?: unknown): BridgeError {
  return new BridgeError('JOURNAL_UNAVAILABLE', `the journal cannot be written: ${reason}`, { cause });
}

function reasonOf(code: string): string {
  if (code.startsWith('SQLITE_FULL')) return 'the disk is full';
  if (code.startsWith('SQLITE_READONLY')) return 'the data folder is read-only';
  if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_PERM')) return 'the data folder cannot be opened';
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'another program holds it';
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB'))
    return 'the file is damaged; run verify-journal';
  return `the disk fails (${code})`;
}
