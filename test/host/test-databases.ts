import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createPostgresDatabase } from '../support/postgres.ts';
import type { TestDatabase } from './store-battery.ts';

/** SQLite files in a folder that goes with the test file. Called outside of tests. */
export function sqliteDatabases(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'till-bridge-host-'));
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
