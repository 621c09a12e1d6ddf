import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import { safeInteger } from './safe-integer.ts';

/** Connections of one process, and how long anything waits for the server, in milliseconds. */
const MAX_CONNECTIONS = 16;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

const int8Oid = 20;

/** A pool that outlives its server: a connection that breaks is thrown away, and the next call makes a new one. */
export function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    // The pool must not keep a process alive that has nothing else to do.
    allowExitOnIdle: true,
    types: { getTypeParser },
  });
  // Without listeners the end of an idle or a working connection would end the process. Whoever uses it gets the error.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** 64-bit integers become numbers, or an error: never another amount. */
const getTypeParser: typeof pg.types.getTypeParser = (oid, format) => {
  if (oid === int8Oid && format !== 'binary') return (text: string) => safeInteger(BigInt(text), 'a column');
  return pg.types.getTypeParser(oid, format);
};

export function postgresDialect(pool: pg.Pool): Dialect {
  return new PostgresDialect({ pool });
}
