import { sql } from 'kysely';
import type { HostStore } from '../ports/host-store.ts';
import type { Db, UnitDb } from './db.ts';
import type { DatabaseKind } from './migration.ts';
import { storeNow } from './store-time.ts';

type LinkLeases = Pick<HostStore, 'takeLink' | 'renewLinks' | 'releaseLink' | 'findLink'>;

interface Connections {
  readonly kind: DatabaseKind;
  readonly reader: Db;
  transact<T>(work: (unit: UnitDb) => Promise<T>): Promise<T>;
}

/** Leases of terminals' links. Time is the database's: the clocks of two nodes may differ by more than a lease lasts. */
export function createLinkLeases({ kind, reader, transact }: Connections): LinkLeases {
  const now = storeNow(kind);
  return {
    takeLink: ({ merchantId, terminalId }, node, lifeMs) =>
      transact(async ({ db }) => {
        const until = sql<number>`${now} + ${lifeMs}`;
        const row = await db
          .insertInto('link_leases')
          .values({ merchant_id: merchantId, terminal_id: terminalId, node, fence: 1, until_at: until })
          .onConflict((conflict) =>
            conflict
              .columns(['merchant_id', 'terminal_id'])
              .doUpdateSet((eb) => ({ node, fence: eb('link_leases.fence', '+', 1), until_at: until })),
          )
          .returning('fence')
          .executeTakeFirstOrThrow();
        return row.fence;
      }),
    renewLinks: (node, lifeMs) =>
      transact(async ({ db }) => {
        const rows = await db
          .updateTable('link_leases')
          .set({ until_at: sql<number>`${now} + ${lifeMs}` })
          .where('node', '=', node)
          .where('until_at', '>', 0)
          .returning(['merchant_id', 'terminal_id', 'fence'])
          .execute();
        return rows.map((row) => ({
          merchantId: row.merchant_id,
          terminalId: row.terminal_id,
          node,
          fence: row.fence,
        }));
      }),
    async releaseLink({ merchantId, terminalId, node, fence }) {
      await transact(({ db }) =>
        db
          .updateTable('link_leases')
          .set({ until_at: 0 })
          .where('merchant_id', '=', merchantId)
          .where('terminal_id', '=', terminalId)
          .where('node', '=', node)
          .where('fence', '=', fence)
          .execute(),
      );
    },
    async findLink({ merchantId, terminalId }) {
      const row = await reader
        .selectFrom('link_leases')
        .select(['node', 'fence', now.as('read_at')])
        .where('merchant_id', '=', merchantId)
        .where('terminal_id', '=', terminalId)
        .where('until_at', '>', now)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return { merchantId, terminalId, node: row.node, fence: row.fence, readAtMs: row.read_at };
    },
  };
}
