import Database from 'better-sqlite3';
import pg from 'pg';
import { BridgeError } from '../../app/contract/errors.ts';
import { StoreUnavailable } from '../ports/store-unavailable.ts';

/** Classes of SQLSTATE that say that the server is away, full or shutting down. */
const unavailableStates = /^(08|53|57P|58|XX00[12])/;
const serializationFailure = '40001';
const deadlockDetected = '40P01';
const lockNotAvailable = '55P03';

function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

function sqliteCodeOf(error: unknown): string | undefined {
  return error instanceof Database.SqliteError ? error.code : undefined;
}

/** A deadlock or a serialization failure: the same work may succeed when it is run again. */
export function isRepeatable(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === serializationFailure || state === deadlockDetected;
}

export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === lockNotAvailable;
}

export function isSqliteBusy(error: unknown): boolean {
  return sqliteCodeOf(error)?.startsWith('SQLITE_BUSY') === true;
}

/** What a caller sees of an error of the database: StoreUnavailable where the database is away, everything else unchanged. */
export function asStoreError(error: unknown, mayHaveCommitted: boolean): unknown {
  if (error instanceof BridgeError || error instanceof RangeError || error instanceof TypeError) return error;
  if (error instanceof Database.SqliteError) {
    const isOurs = /^SQLITE_(CONSTRAINT|ERROR$|MISUSE|MISMATCH|RANGE)/.test(error.code);
    return isOurs ? error : new StoreUnavailable(error.code, { cause: error, mayHaveCommitted });
  }
  if (error instanceof pg.DatabaseError) {
    const isAway = error.code === undefined || unavailableStates.test(error.code);
    return isAway ? new StoreUnavailable(error.code ?? 'no state', { cause: error, mayHaveCommitted }) : error;
  }
  // What is not said by the server is a failure of the way to it: refused, reset, timed out, ended.
  const reason = error instanceof Error ? error.message : 'an unknown failure';
  return new StoreUnavailable(reason, { cause: error, mayHaveCommitted });
}
