import { type RawBuilder, sql } from 'kysely';
import type { DatabaseKind } from './migration.ts';

/** Milliseconds since the epoch by the database's clock: those of two nodes may differ. */
export function storeNow(kind: DatabaseKind): RawBuilder<number> {
  if (kind === 'postgres') return sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
  return sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
}
