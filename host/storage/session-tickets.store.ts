import { sql } from 'kysely';
import type { HostStore } from '../ports/host-store.ts';
import type { UnitDb } from './db.ts';
import { storeNow } from './store-time.ts';

type SessionTickets = Pick<HostStore, 'addSessionTicket' | 'takeSessionTicket'>;

interface Connections {
  transact<T>(work: (unit: UnitDb) => Promise<T>): Promise<T>;
}

/** One-time tickets, which any process may take: the row is deleted by whoever uses it, so that of two one has it. */
export function createSessionTickets({ transact }: Connections): SessionTickets {
  return {
    addSessionTicket: ({ ticketHash, merchantId, clientId, keyHash }, { lifeMs, maxWaiting }) =>
      transact(async ({ db, kind }) => {
        const now = storeNow(kind);
        await db.deleteFrom('session_tickets').where('until_at', '<=', now).execute();
        const { waiting } = await db
          .selectFrom('session_tickets')
          .select((eb) => eb.fn.countAll<number>().as('waiting'))
          .where('merchant_id', '=', merchantId)
          .where('client_id', '=', clientId)
          .executeTakeFirstOrThrow();
        if (waiting >= maxWaiting) return undefined;
        const row = await db
          .insertInto('session_tickets')
          .values({
            ...{ ticket_hash: ticketHash, merchant_id: merchantId, client_id: clientId, key_hash: keyHash },
            until_at: sql<number>`${now} + ${lifeMs}`,
          })
          .returning('until_at')
          .executeTakeFirstOrThrow();
        return row.until_at;
      }),
    takeSessionTicket: (ticketHash) =>
      transact(async ({ db, kind }) => {
        const taken = await db
          .deleteFrom('session_tickets')
          .where('ticket_hash', '=', ticketHash)
          .where('until_at', '>', storeNow(kind))
          .returning('key_hash')
          .executeTakeFirst();
        return taken?.key_hash;
      }),
  };
}
