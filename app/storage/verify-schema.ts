import { openInMemory, type ReadHandle } from './database.ts';
import type { Report } from './finding.ts';
import { migrate, migrations, versionOf } from './migrate.ts';

interface SchemaObject {
  name: string;
  sql: string | null;
}

const selectSchema = `SELECT type || ' ' || name AS name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name`;

/**
 * Tables, indexes and triggers must be those that the migrations make: without its triggers the journal is not append-only.
 * @throws Error for a version that this program does not know.
 */
export function checkSchema(handle: ReadHandle, report: Report): void {
  const version = versionOf(handle);
  const known = migrations.filter((migration) => migration.version <= version);
  if (known.at(-1)?.version !== version) throw new Error(`version ${version} is not known to this program`);
  const reference = openInMemory();
  try {
    migrate(reference, known);
    const expected = schemaOf(reference);
    const found = schemaOf(handle);
    for (const name of new Set([...expected.keys(), ...found.keys()])) {
      if (!found.has(name)) report({ text: `the schema lacks ${name}` });
      else if (!expected.has(name)) report({ text: `the schema has ${name}, which no migration makes` });
      else if (expected.get(name) !== found.get(name)) report({ text: `${name} was changed in the schema` });
    }
  } finally {
    reference.close();
  }
}

function schemaOf(handle: ReadHandle): ReadonlyMap<string, string | null> {
  return new Map(
    handle
      .read<SchemaObject>(selectSchema)
      .all()
      .map(({ name, sql }) => [name, sql]),
  );
}

/** SQLite's own checks of pages, indexes, constraints and references. */
export function checkIntegrity(handle: ReadHandle, report: Report): void {
  for (const { integrity_check: text } of handle
    .read<{ integrity_check: string }>('PRAGMA integrity_check')
    .iterate()) {
    if (text !== 'ok') report({ text: `integrity check: ${text}` });
  }
  const broken = handle.read<{ table: string; rowid: number; parent: string }>('PRAGMA foreign_key_check');
  for (const { table, rowid, parent } of broken.iterate()) {
    report({ text: `row ${rowid} of ${table} names a row that ${parent} does not have` });
  }
}
