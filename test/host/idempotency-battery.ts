import { describe, expect, it } from 'vitest';
import type { HostStore } from '../../host/ports/host-store.ts';
import { withStores } from './store-battery.ts';
import { intentOf, newKey, newPayment, openShop, sell, startMs } from './store-fixture.ts';
import type { TestDatabase } from './test-databases.ts';

export function idempotencyBattery(database: TestDatabase): void {
  describe('idempotency', () => {
    const stores = withStores(database);

    it('keeps the first answer, and lets only the truth replace it', async () => {
      const shop = await openShop(stores.one);
      const key = newKey(shop, 'subject-1');
      expect(await stores.one.transact((unit) => unit.reserveIdempotency(key))).toBeUndefined();
      const unknown = { statusCode: 200, body: '{"status":"FAILED"}' };
      const truth = { statusCode: 200, body: '{"status":"SUCCEEDED"}' };
      expect(await stores.one.transact((unit) => unit.saveAnswer(key, unknown))).toEqual(unknown);
      expect(await stores.other.transact((unit) => unit.saveAnswer(key, truth))).toEqual(unknown);
      expect(await stores.other.transact((unit) => unit.replaceAnswer(key, unknown, truth))).toBe(true);
      expect(await stores.other.transact((unit) => unit.replaceAnswer(key, unknown, truth))).toBe(false);
      expect(
        (await stores.one.read.listIdempotencyOf(shop.merchantId, 'subject-1')).map(({ answer }) => answer),
      ).toEqual([truth]);
    });

    it('lets one take over when the lease of a dead caller has ended', async () => {
      const shop = await openShop(stores.one);
      const key = newKey(shop, 'subject-2');
      await stores.one.transact((unit) => unit.reserveIdempotency(key));
      const found = await stores.one.read.findIdempotency(key);
      if (found === undefined) throw new Error('no key');
      const takeOver = (store: HostStore, nowMs: number) =>
        store.transact((unit) => unit.takeOverIdempotency(found, nowMs + 1000, nowMs));
      expect(await takeOver(stores.one, found.leaseUntilMs - 1)).toBeUndefined();
      const results = await Promise.all(
        [stores.one, stores.other, stores.one, stores.other].map((store) => takeOver(store, found.leaseUntilMs)),
      );
      expect(results.filter((fence) => fence === 2)).toHaveLength(1);
      await stores.one.transact((unit) => unit.saveAnswer(key, { statusCode: 200, body: '{}' }));
      const again = await stores.one.read.findIdempotency(key);
      if (again === undefined) throw new Error('no key');
      expect(
        await stores.one.transact((unit) =>
          unit.takeOverIdempotency(again, again.leaseUntilMs + 9, again.leaseUntilMs),
        ),
      ).toBeUndefined();
    });

    it('forgets a key that was refused before anything was sent', async () => {
      const shop = await openShop(stores.one);
      const key = newKey(shop, 'subject-3');
      await stores.one.transact((unit) => unit.reserveIdempotency(key));
      await stores.one.transact((unit) => unit.releaseIdempotency(key));
      expect(await stores.one.transact((unit) => unit.reserveIdempotency(key))).toBeUndefined();
    });

    it('forgets keys after 30 days, but for those of payments that are open or not settled', async () => {
      const shop = await openShop(stores.one);
      const open = intentOf(shop, newPayment(shop));
      await stores.one.beginAuthorization(open);
      const sale = await sell(shop, 100);
      const done = newKey(shop, 'no-payment');
      await stores.one.transact((unit) => unit.reserveIdempotency(done));
      const day = 24 * 3_600_000;
      await stores.one.maintain(startMs + 30 * day);
      expect(await stores.one.read.findIdempotency(done)).toBeDefined();
      await stores.one.maintain(startMs + 31 * day);
      expect(await stores.one.read.findIdempotency(done)).toBeUndefined();
      expect(await stores.one.read.findIdempotency(open.idempotency)).toBeDefined();
      expect(await stores.one.read.listIdempotencyOf(shop.merchantId, sale.payment.id)).toHaveLength(1);
    });
  });
}
