import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import { isSqliteBusy } from './failures.ts';
import { safeInteger } from './safe-integer.ts';

/** Milliseconds for which a transaction waits for another process to end its own, and between two looks. */
const MAX_BUSY_WAIT_MS = 10_000;
const BUSY_LOOK_MS = 2;
/** Milliseconds for which opening waits for another process to open the file, or to put its log in order. */
const OPEN_TIMEOUT_MS = 5_000;
/** Prepared statements that are kept by one connection. */
const MAX_PREPARED_STATEMENTS = 512;
const SYNCHRONOUS_FULL = 2;

/** One connection that writes, in transactions only; they take turns. @throws StoreUnavailable where the file cannot give what durability needs */
export function sqliteWriter(path: string): Dialect {
  return dialectOf(() => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // SQLite gives its log and index files the mode of the database.
    closeSync(openSync(path, 'a', 0o600));
    const connection = new Database(path, { timeout: OPEN_TIMEOUT_MS });
    // Set after the mode: better-sqlite3 is built with NORMAL as the default of a WAL database, silently.
    requirePragma(connection, 'journal_mode', 'WAL', 'wal');
    requirePragma(connection, 'synchronous', 'FULL', SYNCHRONOUS_FULL);
    requirePragma(connection, 'foreign_keys', 'ON', 1);
    requirePragma(connection, 'trusted_schema', 'OFF', 0);
    // SQLite's own wait would hold up this process, and with it whoever in it holds the lock: beginTransaction waits instead.
    requirePragma(connection, 'busy_timeout', '0', 0);
    return connection;
  });
}

/** One connection that cannot write and waits for nobody. The database must exist. */
export function sqliteReader(path: string): Dialect {
  return dialectOf(() => new Database(path, { readonly: true, fileMustExist: true, timeout: OPEN_TIMEOUT_MS }));
}

function requirePragma(connection: Database.Database, name: string, value: string, expected: string | number): void {
  connection.pragma(`${name} = ${value}`);
  if (connection.pragma(name, { simple: true }) === expected) return;
  connection.close();
  throw new StoreUnavailable(`SQLite does not take ${name} = ${value}`);
}

function dialectOf(open: () => Database.Database): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ImmediateDriver({ database: async () => exactIntegers(open()) }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Takes the write lock at the beginning: what is read in a transaction is still so when it commits. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const begin = CompiledQuery.raw('begin immediate');
    const endsAt = performance.now() + MAX_BUSY_WAIT_MS;
    for (;;) {
      try {
        await connection.executeQuery(begin);
        return;
      } catch (error) {
        if (!isSqliteBusy(error) || performance.now() > endsAt) throw error;
        await wait(BUSY_LOOK_MS);
      }
    }
  }
}

/** better-sqlite3 as Kysely wants it, with every integer bound and read exactly. */
function exactIntegers(connection: Database.Database): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => {
      connection.close();
    },
    prepare(sql) {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      if (prepared.size >= MAX_PREPARED_STATEMENTS) prepared.clear();
      const statement = exactStatement(connection.prepare<unknown[]>(sql));
      prepared.set(sql, statement);
      return statement;
    },
  };
}

function exactStatement(statement: Database.Statement<unknown[]>): SqliteStatement {
  if (statement.reader) statement.safeIntegers(true);
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(...parameters.map(bound)).map(exactRow),
    run: (parameters) => statement.run(...parameters.map(bound)),
    *iterate(parameters) {
      for (const row of statement.iterate(...parameters.map(bound))) yield exactRow(row);
    },
  };
}

/** better-sqlite3 binds a number above 2^31 as floating point, which a STRICT integer column refuses from 2^51 on. */
function bound(value: unknown): unknown {
  return typeof value === 'number' ? BigInt(value) : value;
}

function exactRow(found: unknown): unknown {
  const row: Record<string, unknown> = { ...(found as object) };
  for (const [column, value] of Object.entries(row)) {
    if (typeof value === 'bigint') row[column] = safeInteger(value, column);
  }
  return row;
}
