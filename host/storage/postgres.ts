import {
  type Dialect,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import { safeInteger } from './safe-integer.ts';

/** Connections of one process, and how long anything waits for the server, in milliseconds. */
const MAX_CONNECTIONS = 16;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

const int8Oid = 20;

/** Statements that a connection keeps prepared: two for each month in which payments begin or end while it lives. */
const MAX_PREPARED = 64;
/** By the index of the whole key, row by row, planned once: whatever PostgreSQL believes of the size of a month that has just begun. */
const byIndex = [
  'plan_cache_mode=force_generic_plan',
  ...['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'material'].map((way) => `enable_${way}=off`),
];

/** A pool that outlives its server: a connection that breaks is thrown away, and the next call makes a new one. */
export function createPool(url: string, settings: readonly string[] = []): pg.Pool {
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
    ...(settings.length === 0 ? {} : { options: settings.map((setting) => `-c ${setting}`).join(' ') }),
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

/**
 * For statements that are always the same, and look up or change rows by their keys: each connection parses and plans them once. A table that has a shorter
 * index beside that key has no place here: the plan of a day on which it was empty would stay.
 */
export function preparedDialect(url: string): Dialect {
  return new PostgresDialect({ pool: preparing(createPool(url, byIndex)) });
}

function preparing(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < MAX_PREPARED) names.set(text, `host_${names.size}`);
    return names.get(text);
  };
  return {
    async connect() {
      const client = await pool.connect();
      function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
      function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
      function query(text: string | PostgresCursor<unknown>, values: readonly unknown[] = []): unknown {
        if (typeof text !== 'string') throw new TypeError('a cursor is never prepared');
        const name = nameOf(text);
        return client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) });
      }
      return { query, release: () => client.release() };
    },
    end: () => pool.end(),
  };
}
