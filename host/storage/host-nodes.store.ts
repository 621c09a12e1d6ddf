import { sql } from 'kysely';
import type { HostStore } from '../ports/host-store.ts';
import type { Db, UnitDb } from './db.ts';
import type { DatabaseKind } from './migration.ts';
import { storeNow } from './store-time.ts';

type HostNodes = Pick<HostStore, 'noteNode' | 'isAnotherNodeHeard'>;

interface Connections {
  readonly kind: DatabaseKind;
  readonly reader: Db;
  transact<T>(work: (unit: UnitDb) => Promise<T>): Promise<T>;
}

/** Milliseconds for which a node that has ended is remembered: each start has a name of its own. */
const FORGET_AFTER_MS = 3_600_000;

/** Which nodes are heard by others, by the database's clock. */
export function createHostNodes({ kind, reader, transact }: Connections): HostNodes {
  const now = storeNow(kind);
  return {
    async noteNode(node, lifeMs) {
      const until = sql<number>`${now} + ${lifeMs}`;
      await transact(async ({ db }) => {
        await db.deleteFrom('host_nodes').where('heard_until', '<', sql<number>`${now} - ${FORGET_AFTER_MS}`).execute();
        await db
          .insertInto('host_nodes')
          .values({ node, heard_until: until })
          .onConflict((conflict) => conflict.column('node').doUpdateSet({ heard_until: until }))
          .execute();
      });
    },
    async isAnotherNodeHeard(node) {
      const other = await reader
        .selectFrom('host_nodes')
        .select('node')
        .where('node', '!=', node)
        .where('heard_until', '>', now)
        .executeTakeFirst();
      return other !== undefined;
    },
  };
}
