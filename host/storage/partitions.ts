import { sql } from 'kysely';
import type { Db } from './db.ts';
import { isLockTimeout } from './failures.ts';
import { growingTables } from './schema.ts';

/** Months that are made ready ahead of the present one. */
const MONTHS_AHEAD = 3;
/** Milliseconds for which making a partition may wait for the table; it tries again with the next run. */
const LOCK_TIMEOUT_MS = 2_000;

interface Month {
  /** As in a partition's name: 2026_11. */
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The partition of a growing table in which a row of this instant lies, once it has been made. */
export function partitionAt(table: (typeof growingTables)[number], atMs: number): string {
  return `${table}_${new Date(atMs).toISOString().slice(0, 7).replace('-', '_')}`;
}

/** The months, in UTC, from that of an instant on. */
function monthsFrom(nowMs: number, count: number): readonly Month[] {
  const now = new Date(nowMs);
  return Array.from({ length: count }, (_, index) => {
    const fromMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index);
    const toMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index + 1);
    return { name: new Date(fromMs).toISOString().slice(0, 7).replace('-', '_'), fromMs, toMs };
  });
}

/**
 * Makes the partitions of this month and the next ones where they are missing; what has fallen into the default partition meanwhile is moved. Safe to
 * run by several processes at once. @returns the names of those that were made
 */
export async function makePartitions(db: Db, nowMs: number): Promise<readonly string[]> {
  const made: string[] = [];
  const existing = await partitionNames(db);
  for (const table of growingTables) {
    for (const month of monthsFrom(nowMs, MONTHS_AHEAD + 1)) {
      const partition = `${table}_${month.name}`;
      if (existing.has(partition)) continue;
      if (await makePartition(db, table, partition, month)) made.push(partition);
    }
  }
  return made;
}

async function partitionNames(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    SELECT child.relname AS name FROM pg_inherits
    JOIN pg_class child ON child.oid = inhrelid
    WHERE child.relnamespace = current_schema()::regnamespace`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/**
 * Made beside the table and attached: the table itself is never locked against reads and writes, only its default partition is.
 * @returns false when that was too busy, or another process was faster
 */
async function makePartition(db: Db, table: string, partition: string, { fromMs, toMs }: Month): Promise<boolean> {
  const statements = [
    `CREATE TABLE ${partition} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
    `LOCK TABLE ${table}_default IN ACCESS EXCLUSIVE MODE`,
    `SET LOCAL host.is_moving = 'on'`,
    `WITH moved AS (DELETE FROM ${table}_default WHERE created_at >= ${fromMs} AND created_at < ${toMs} RETURNING *) INSERT INTO ${partition} SELECT * FROM moved`,
    `ALTER TABLE ${table} ATTACH PARTITION ${partition} FOR VALUES FROM (${fromMs}) TO (${toMs})`,
  ];
  try {
    return await db.transaction().execute(async (unit) => {
      await sql.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`).execute(unit);
      await sql.raw(`LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE`).execute(unit);
      if ((await partitionNames(unit)).has(partition)) return false;
      for (const statement of statements) await sql.raw(statement).execute(unit);
      return true;
    });
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}
