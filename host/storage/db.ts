import type { Kysely } from 'kysely';
import type { DatabaseKind } from './migration.ts';
import type { HostTables } from './schema.ts';

/** A connection, a pool or a transaction. */
export type Db = Kysely<HostTables>;

/** What a writing store needs: the transaction, and which database it is where row locks differ. */
export interface UnitDb {
  readonly db: Db;
  readonly kind: DatabaseKind;
}

/** Whether a statement has changed a row. */
export function hasChanged(result: {
  readonly numUpdatedRows?: bigint;
  readonly numInsertedOrUpdatedRows?: bigint | undefined;
}): boolean {
  return (result.numUpdatedRows ?? result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The fields of an object that have a value: what is absent in a record is null in a row. */
export function present<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept: { [K in keyof T]?: NonNullable<T[K]> } = {};
  for (const name of Object.keys(fields) as (keyof T)[]) {
    const value = fields[name];
    if (value !== null && value !== undefined) kept[name] = value;
  }
  return kept;
}
