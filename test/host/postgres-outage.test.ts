import { expect, it } from 'vitest';
import { StoreUnavailable } from '../../host/ports/store-unavailable.ts';
import { openHostStore } from '../../host/storage/open-host-store.ts';
import { createPostgresServer } from '../support/postgres-server.ts';
import { intentOf, newPayment, openShop, readPayment, sell, startMs } from './store-fixture.ts';

it('answers 503 while PostgreSQL is away, and goes on when it is back, without being opened again', async () => {
  const server = await createPostgresServer();
  try {
    const store = await openHostStore({ database: `${server.url}postgres`, nowMs: startMs });
    const shop = await openShop(store);
    const sale = await sell(shop, 100);
    // A transaction is under way while the server goes.
    let hasBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      hasBegun = resolve;
    });
    let goOn = () => {};
    const gone = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const cut = store.transact(async (unit) => {
      await unit.insertPayment(newPayment(shop), 'AUTHORIZATION_BEGUN', [], startMs);
      hasBegun();
      await gone;
      await unit.findMerchant(shop.merchantId);
    });
    await begun;
    await server.stop();
    goOn();
    await expect(cut).rejects.toBeInstanceOf(StoreUnavailable);

    expect(await store.isReady()).toBe(false);
    await expect(store.read.findMerchant(shop.merchantId)).rejects.toMatchObject({ httpStatus: 503 });
    const intent = intentOf(shop, newPayment(shop));
    await expect(store.beginAuthorization(intent)).rejects.toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      mayHaveCommitted: false,
    });
    await expect(store.transact(async () => {})).rejects.toBeInstanceOf(StoreUnavailable);

    await server.start();
    expect(await store.isReady()).toBe(true);
    expect(await readPayment(shop, sale.payment.id)).toEqual(sale);
    expect(await store.beginAuthorization(intent)).toEqual({ kind: 'INSERTED' });
    expect((await store.read.listPayments({ merchantId: shop.merchantId, limit: 10 })).rows).toHaveLength(2);
    await store.close();
  } finally {
    await server.remove();
  }
});
