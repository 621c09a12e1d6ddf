import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoreUnavailable } from '../../host/ports/store-unavailable.ts';
import { guardedDialect } from '../../host/storage/guarded-dialect.ts';
import { openHostStore } from '../../host/storage/open-host-store.ts';
import type { HostTables } from '../../host/storage/schema.ts';
import { sqliteReader, sqliteWriter } from '../../host/storage/sqlite.ts';
import { startMs } from './store-fixture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'till-bridge-host-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function pragma(db: Kysely<HostTables>, name: string): Promise<unknown> {
  const { rows } = await sql.raw<Record<string, unknown>>(`PRAGMA ${name}`).execute(db);
  return Object.values(rows[0] ?? {})[0];
}

it('commits with FULL, in a file of the user alone, also when the file is there already', async () => {
  const path = join(folder, 'data', 'host.db');
  for (let open = 0; open < 2; open += 1) {
    const db = new Kysely<HostTables>({ dialect: sqliteWriter(path) });
    expect(await pragma(db, 'synchronous')).toBe(2);
    expect(await pragma(db, 'journal_mode')).toBe('wal');
    expect(await pragma(db, 'foreign_keys')).toBe(1);
    await sql`CREATE TABLE IF NOT EXISTS written (x INTEGER) STRICT`.execute(db);
    await db.destroy();
  }
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
});

it('reads an integer exactly or not at all', async () => {
  const db = new Kysely<HostTables>({ dialect: sqliteWriter(join(folder, 'host.db')) });
  const { rows } = await sql<{ x: number }>`SELECT ${Number.MAX_SAFE_INTEGER} AS x`.execute(db);
  expect(rows).toEqual([{ x: Number.MAX_SAFE_INTEGER }]);
  await expect(sql`SELECT 9007199254740992 AS x`.execute(db)).rejects.toBeInstanceOf(RangeError);
  await expect(sql`SELECT ${1.5} AS x`.execute(db)).rejects.toBeInstanceOf(RangeError);
  await db.destroy();
});

it('cannot write by what only reads', async () => {
  const path = join(folder, 'host.db');
  await (await openHostStore({ database: `sqlite:${path}`, nowMs: startMs })).close();
  const db = new Kysely<HostTables>({ dialect: guardedDialect(sqliteReader(path)) });
  await expect(db.deleteFrom('merchants').execute()).rejects.toBeInstanceOf(StoreUnavailable);
  await db.destroy();
});

it('says that a file cannot be opened', async () => {
  const opened = openHostStore({ database: `sqlite:${folder}`, nowMs: startMs });
  await expect(opened).rejects.toBeInstanceOf(StoreUnavailable);
  await expect(openHostStore({ database: 'mysql://x', nowMs: startMs })).rejects.toBeInstanceOf(TypeError);
});
