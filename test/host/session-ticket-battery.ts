import { describe, expect, it } from 'vitest';
import { nodeClock, nodeIds } from '../../app/programs/node-ports.ts';
import { addPosClient, revokePosClient } from '../../host/admin/pos-clients.ts';
import type { HostStore } from '../../host/ports/host-store.ts';
import { createAdmission } from '../../host/services/admission.ts';
import { credentialHash } from '../../host/services/credentials.ts';
import { createPosTickets } from '../../host/services/pos-tickets.ts';
import { withStores } from './store-battery.ts';
import { openShop } from './store-fixture.ts';
import type { TestDatabase } from './test-databases.ts';

/** Milliseconds that no test lasts. */
const lifeMs = 3_600_000;

const ticketsOf = (store: HostStore) =>
  createPosTickets({ store, ids: nodeIds }, createAdmission({ store, clock: nodeClock }));

/** A client of a new merchant, as it has shown its key. */
async function openClient(store: HostStore) {
  const { merchantId } = await openShop(store);
  const admin = { store, clock: nodeClock, ids: nodeIds };
  const { client, key } = await addPosClient(admin, { merchantId, name: 'Web shop' });
  const { clientId, name } = client;
  const caller = { kind: 'POS', merchantId, clientId, name } as const;
  return {
    holder: { caller, keyHash: credentialHash(key) },
    revoke: () => revokePosClient(admin, { merchantId, name }),
  };
}

export function sessionTicketBattery(database: TestDatabase): void {
  describe('tickets of WebSocket sessions', () => {
    const stores = withStores(database);

    it('are drawn at one process and used at another, once', async () => {
      const { holder } = await openClient(stores.one);
      const { ticket, expiresAt } = await ticketsOf(stores.one).issueTicket(holder);
      expect(Date.parse(expiresAt)).toBeGreaterThan(Date.parse('2020-01-01T00:00:00Z'));
      expect(await ticketsOf(stores.other).redeemTicket(ticket)).toEqual(holder);
      for (const store of [stores.one, stores.other])
        expect(await ticketsOf(store).redeemTicket(ticket)).toBeUndefined();
    });

    it('are given to one of two processes at which they are used at the same moment', async () => {
      const { holder } = await openClient(stores.one);
      for (let round = 0; round < 20; round += 1) {
        const { ticket } = await ticketsOf(stores.one).issueTicket(holder);
        const uses = [stores.one, stores.other, stores.one, stores.other].map((at) =>
          ticketsOf(at).redeemTicket(ticket),
        );
        expect((await Promise.all(uses)).filter((found) => found !== undefined)).toEqual([holder]);
      }
    });

    it('lapse by the store’s clock, and make room then', async () => {
      const { holder } = await openClient(stores.one);
      const { merchantId, clientId } = holder.caller;
      const draw = (ticketHash: string, lifeMs: number) =>
        stores.one.addSessionTicket(
          { ticketHash: `${merchantId} ${ticketHash}`, merchantId, clientId, keyHash: holder.keyHash },
          { lifeMs, maxWaiting: 2 },
        );
      const take = (ticketHash: string) => stores.other.takeSessionTicket(`${merchantId} ${ticketHash}`);
      await draw('old', 0);
      expect(await take('old')).toBeUndefined();
      expect(await draw('a', lifeMs)).toBeGreaterThan(0);
      expect(await draw('b', lifeMs)).toBeGreaterThan(0);
      expect(await draw('c', lifeMs)).toBeUndefined();
      expect(await take('c')).toBeUndefined();
      expect(await take('a')).toBe(holder.keyHash);
      expect(await draw('c', lifeMs)).toBeGreaterThan(0);
    });

    it('open nothing once the key that drew them was revoked', async () => {
      const { holder, revoke } = await openClient(stores.one);
      const { ticket } = await ticketsOf(stores.one).issueTicket(holder);
      await revoke();
      expect(await ticketsOf(stores.other).redeemTicket(ticket)).toBeUndefined();
    });

    it('are refused, and not kept, while too many of the client wait; other clients have theirs', async () => {
      const [{ holder }, other] = [await openClient(stores.one), await openClient(stores.one)];
      const full = createPosTickets(
        {
          ids: nodeIds,
          store: { addSessionTicket: async () => undefined, takeSessionTicket: stores.one.takeSessionTicket },
        },
        createAdmission({ store: stores.one, clock: nodeClock }),
      );
      await expect(full.issueTicket(holder)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
      expect(await ticketsOf(stores.one).issueTicket(other.holder)).toHaveProperty('ticket');
    });
  });
}
