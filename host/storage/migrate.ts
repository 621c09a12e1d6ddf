import { type Kysely, sql } from 'kysely';
import type { DatabaseKind, Migration } from './migration.ts';
import { host001 } from './migrations/001-host.ts';
import { host002 } from './migrations/002-secret.ts';
import { host003 } from './migrations/003-pos-clients.ts';
import { host004 } from './migrations/004-cloud-calls.ts';
import { host005 } from './migrations/005-link-leases.ts';
import { host006 } from './migrations/006-days-and-sessions.ts';
import { host007 } from './migrations/007-several-nodes.ts';
import type { HostTables } from './schema.ts';

/** Every step, oldest first, without a gap. */
const migrations: readonly Migration[] = [host001, host002, host003, host004, host005, host006, host007];

/** Name of the lock under which one process at a time changes the schema of a PostgreSQL database. */
const SCHEMA_LOCK = 7_351_001;

/**
 * Brings the schema to the newest version that this program knows, each step in one transaction. Several processes may start at once. A schema that
 * is newer is taken as it is: steps add first and take away a release later, so that programs of both versions run side by side.
 */
export async function migrate(
  db: Kysely<HostTables>,
  kind: DatabaseKind,
  nowMs: number,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  for (const step of steps) {
    await db.transaction().execute(async (unit) => {
      // SQLite's transactions take turns anyway.
      if (kind === 'postgres') await sql`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK}::bigint)`.execute(unit);
      if ((await versionOf(unit, kind)) >= step.version) return;
      for (const statement of step.statements(kind)) await sql.raw(statement).execute(unit);
      await unit.insertInto('schema_steps').values({ version: step.version, made_at: nowMs }).execute();
    });
  }
}

async function versionOf(db: Kysely<HostTables>, kind: DatabaseKind): Promise<number> {
  const int = kind === 'postgres' ? 'bigint' : 'INTEGER';
  await sql
    .raw(`CREATE TABLE IF NOT EXISTS schema_steps (version ${int} NOT NULL PRIMARY KEY, made_at ${int} NOT NULL)`)
    .execute(db);
  const { newest } = await db
    .selectFrom('schema_steps')
    .select((eb) => eb.fn.coalesce(eb.fn.max('version'), sql<number>`0`).as('newest'))
    .executeTakeFirstOrThrow();
  return newest;
}
