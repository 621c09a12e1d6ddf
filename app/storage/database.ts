import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { makeDataFolder } from './data-folder.ts';
import { asJournalError, isFatal, journalUnavailable } from './failures.ts';

/** Values that a column takes. Numbers are integers: they are bound as 64-bit integers, never as floating point. */
export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

interface ReadStatement<Row> {
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): Row[];
  iterate(...values: readonly SqlValue[]): IterableIterator<Row>;
}

interface WriteStatement {
  /** Runs it and returns how many rows changed. */
  run(...values: readonly SqlValue[]): number;
}

/** What may read. `read` refuses a statement that would write. */
export interface ReadHandle {
  read<Row extends object>(sql: string): ReadStatement<Row>;
}

/** What may write as well: only the writing stores get it. */
export interface WriteHandle extends ReadHandle {
  write(sql: string): WriteStatement;
}

/** An open connection to the journal's database. */
export interface JournalDatabase extends WriteHandle {
  /** Runs `work` in BEGIN IMMEDIATE … COMMIT; what it throws rolls back. @throws BridgeError JOURNAL_UNAVAILABLE */
  transaction<T>(work: () => T): T;
  /** Moves the write-ahead log into the database and empties it. @returns false while another connection reads it */
  emptyLog(): boolean;
  /** Runs statements of the schema. */
  script(sql: string): void;
  close(): void;
}

/** Milliseconds that a write waits for another program (keys, verifier) to end its own. */
const BUSY_TIMEOUT_MS = 5_000;
/** Pages after which SQLite moves the write-ahead log into the database; 4 KiB each. */
const WAL_AUTOCHECKPOINT_PAGES = 1_000;
/** Prepared statements that are kept; lists are filtered in a bounded number of ways, and this bounds it for sure. */
const MAX_PREPARED_STATEMENTS = 256;
const SYNCHRONOUS_FULL = 2;

/**
 * Opens the database for writing, made with mode 0600 in a folder of mode 0700 where there is none.
 * @param onFatal is told of a failure after which the file must be read anew.
 * @throws BridgeError JOURNAL_UNAVAILABLE
 */
export function openDatabase(path: string, onFatal: (error: unknown) => void = () => {}): JournalDatabase {
  try {
    makeDataFolder(dirname(path));
    // SQLite gives its log and index files the mode of the database.
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw journalUnavailable(`${dirname(path)} cannot be written`, error);
  }
  try {
    const connection = new Database(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      setUp(connection);
    } catch (error) {
      connection.close();
      throw error;
    }
    return createHandle(connection, onFatal);
  } catch (error) {
    throw asJournalError(error);
  }
}

/** A connection that cannot write. */
export interface ReadingDatabase extends ReadHandle {
  /** Runs `work` on one state of the database, whatever a till commits meanwhile. */
  snapshot<T>(work: () => T): T;
  close(): void;
}

/** Opens the database for reading only; it must exist. @throws SqliteError, BridgeError */
export function openForReading(path: string): ReadingDatabase {
  const connection = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  const { read, close } = createHandle(connection, () => {});
  return {
    read,
    close,
    snapshot(work) {
      connection.exec('BEGIN');
      try {
        return work();
      } finally {
        endReading(connection);
      }
    },
  };
}

/** Nothing was written, so nothing is lost when a damaged file makes even the end of a read fail; closing ends it then. */
function endReading(connection: Database.Database): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // What was read stands.
  }
}

/** An empty database without a file, e.g. to see what a migration makes. */
export function openInMemory(): JournalDatabase {
  return createHandle(new Database(':memory:'), () => {});
}

/** Sets what durability rests on, and proves that it is set: SQLite falls back silently where it cannot follow (promise P3). */
function setUp(connection: Database.Database): void {
  requirePragma(connection, 'journal_mode', 'WAL', 'wal');
  // Set after the mode: better-sqlite3 is built with NORMAL as the default of a WAL database.
  requirePragma(connection, 'synchronous', 'FULL', SYNCHRONOUS_FULL);
  requirePragma(connection, 'foreign_keys', 'ON', 1);
  requirePragma(connection, 'wal_autocheckpoint', String(WAL_AUTOCHECKPOINT_PAGES), WAL_AUTOCHECKPOINT_PAGES);
  // What is replaced is overwritten, so that the file holds no second, unguarded copy of a row.
  requirePragma(connection, 'secure_delete', 'ON', 1);
  requirePragma(connection, 'trusted_schema', 'OFF', 0);
}

function requirePragma(connection: Database.Database, name: string, value: string, expected: string | number): void {
  connection.pragma(`${name} = ${value}`);
  const actual = connection.pragma(name, { simple: true });
  if (actual !== expected) throw journalUnavailable(`the database does not take ${name} = ${value}`);
}

function createHandle(connection: Database.Database, onFatal: (error: unknown) => void): JournalDatabase {
  const prepared = new Map<string, Database.Statement<unknown[]>>();

  /** Every call of SQLite passes here, so that no failure of the disk goes unseen. */
  function guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isFatal(error)) onFatal(error);
      throw asJournalError(error);
    }
  }

  function rollBack(): void {
    // A failing COMMIT may have ended the transaction already.
    if (!connection.inTransaction) return;
    try {
      connection.exec('ROLLBACK');
    } catch (error) {
      // The caller gets the first error; this one means that the connection is no longer to be trusted.
      onFatal(error);
    }
  }

  function prepare(sql: string): Database.Statement<unknown[]> {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    if (prepared.size >= MAX_PREPARED_STATEMENTS) prepared.clear();
    const statement = guarded(() => connection.prepare<unknown[]>(sql));
    if (statement.reader) statement.safeIntegers(true);
    prepared.set(sql, statement);
    return statement;
  }

  return {
    read<Row extends object>(sql: string): ReadStatement<Row> {
      const statement = () => {
        const found = prepare(sql);
        if (!found.readonly) throw new Error('a read handle was given a statement that writes');
        return found;
      };
      return {
        get: (...values) => guarded(() => toRow<Row>(statement().get(...values.map(bound)))),
        all: (...values) =>
          guarded(() =>
            statement()
              .all(...values.map(bound))
              .flatMap((row) => toRow<Row>(row) ?? []),
          ),
        *iterate(...values) {
          for (const found of statement().iterate(...values.map(bound))) {
            const row = toRow<Row>(found);
            if (row !== undefined) yield row;
          }
        },
      };
    },
    write: (sql) => ({ run: (...values) => guarded(() => prepare(sql).run(...values.map(bound)).changes) }),
    transaction<T>(work: () => T): T {
      guarded(() => connection.exec('BEGIN IMMEDIATE'));
      try {
        const result = work();
        guarded(() => connection.exec('COMMIT'));
        return result;
      } catch (error) {
        rollBack();
        throw error;
      }
    },
    emptyLog: () => {
      // Whoever reads is not waited for: the till would stand still meanwhile.
      guarded(() => connection.pragma('busy_timeout = 0'));
      try {
        const [done] = guarded(() => connection.pragma('wal_checkpoint(TRUNCATE)')) as readonly { busy: number }[];
        return done?.busy === 0;
      } finally {
        guarded(() => connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`));
      }
    },
    script: (sql) => {
      guarded(() => connection.exec(sql));
    },
    close: () => guarded(() => connection.close()),
  };
}

/** better-sqlite3 binds a number above 2^31 as floating point, which a STRICT integer column refuses from 2^51 on. */
function bound(value: SqlValue): string | bigint | null {
  return typeof value === 'number' ? BigInt(value) : value;
}

/** @throws RangeError for an integer that a number does not hold exactly: rather no answer than another amount. */
function toRow<Row extends object>(found: unknown): Row | undefined {
  if (typeof found !== 'object' || found === null) return undefined;
  const row: Record<string, unknown> = { ...found };
  for (const [column, value] of Object.entries(row)) {
    if (typeof value !== 'bigint') continue;
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new RangeError(`${column} holds an integer beyond 2^53 − 1`);
    row[column] = number;
  }
  return row as Row;
}
