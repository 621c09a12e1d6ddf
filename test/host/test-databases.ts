import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { afterAll } from 'vitest';
import { createPostgresDatabase } from '../support/postgres.ts';

/** Makes empty databases, each with a name as openHostStore takes it. */
export interface TestDatabase {
  create(): Promise<string>;
}

/** A disk in memory where there is one: what these tests prove does not hang on how long a disk takes. */
const room = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** SQLite files in a folder that goes with the test file. Called outside of tests. */
export function sqliteDatabases(): TestDatabase {
  const folder = mkdtempSync(join(room, 'till-bridge-host-'));
  let count = 0;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    create: async () => {
      count += 1;
      return `sqlite:${join(folder, `host-${count}.db`)}`;
    },
  };
}

export const postgresDatabases: TestDatabase = { create: createPostgresDatabase };

/** Runs one statement behind the store's back. Integers of a result are numbers. */
export async function behind(database: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  return database.startsWith('sqlite:') ? behindSqlite(database, statement) : await behindPostgres(database, statement);
}

function behindSqlite(database: string, statement: string): readonly Record<string, unknown>[] {
  const connection = new Database(database.slice('sqlite:'.length));
  try {
    const prepared = connection.prepare<unknown[], Record<string, unknown>>(statement);
    if (prepared.reader) return prepared.all();
    prepared.run();
    return [];
  } finally {
    connection.close();
  }
}

async function behindPostgres(database: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  } finally {
    await client.end();
  }
}
