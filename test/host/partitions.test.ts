import { expect, it } from 'vitest';
import { isoOf } from '../../app/domain/instant.ts';
import { openHostStore } from '../../host/storage/open-host-store.ts';
import { createPostgresDatabase } from '../support/postgres.ts';
import { intentOf, newPayment, openShop, readPayment, sell, startMs } from './store-fixture.ts';
import { behind } from './test-databases.ts';

const growing = ['acquirer_messages', 'entries', 'idempotency_answers', 'payments', 'session_events'];
const farMs = Date.parse('2027-08-15T12:00:00.000Z');

async function partitionsOf(database: string): Promise<readonly unknown[]> {
  const rows = await behind(
    database,
    `SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE relkind = 'r' ORDER BY relname`,
  );
  return rows.map(({ relname }) => relname);
}

it('makes this month and the next three ready for everything that grows', async () => {
  const database = await createPostgresDatabase();
  const store = await openHostStore({ database, nowMs: startMs });
  const months = ['2026_11', '2026_12', '2027_01', '2027_02', 'default'];
  expect(await partitionsOf(database)).toEqual(growing.flatMap((table) => months.map((month) => `${table}_${month}`)));
  const shop = await openShop(store);
  await sell(shop, 100);
  expect(await behind(database, 'SELECT payment_id FROM payments_2026_11')).toHaveLength(1);
  expect(await behind(database, 'SELECT payment_id FROM entries_2026_11')).toHaveLength(1);
  await store.close();
});

it('catches what no month is ready for, and moves it when its month is made, by two processes at once', async () => {
  const database = await createPostgresDatabase();
  const stores = await Promise.all([1, 2].map(() => openHostStore({ database, nowMs: startMs })));
  const [store] = stores;
  if (store === undefined) throw new Error('no store');
  const shop = await openShop(store);
  const far = await sell(shop, 100, { createdAt: isoOf(farMs) });
  expect(await behind(database, 'SELECT payment_id FROM payments_default')).toHaveLength(1);
  await Promise.all(stores.map((each) => each.maintain(farMs)));
  expect(await behind(database, 'SELECT payment_id FROM payments_default')).toHaveLength(0);
  expect(await behind(database, 'SELECT payment_id FROM payments_2027_08')).toHaveLength(1);
  expect(await readPayment(shop, far.payment.id)).toEqual(far);
  // The month guards its entries as the others do.
  await expect(behind(database, 'DELETE FROM entries')).rejects.toThrow(/append-only/);
  const next = newPayment(shop, { createdAt: isoOf(farMs) });
  expect(await store.beginAuthorization(intentOf(shop, next))).toEqual({ kind: 'INSERTED' });
  expect(await behind(database, 'SELECT payment_id FROM payments_2027_08')).toHaveLength(2);
  for (const each of stores) await each.close();
});

it('keeps a name taken over the end of a month', async () => {
  const database = await createPostgresDatabase();
  const store = await openHostStore({ database, nowMs: startMs });
  const shop = await openShop(store);
  const first = newPayment(shop, {}, { transactionId: 'name' });
  expect(await store.beginAuthorization(intentOf(shop, first, { key: 'K' }))).toEqual({ kind: 'INSERTED' });
  const nextMonth = { createdAt: isoOf(Date.parse('2026-12-01T00:00:00.000Z')) };
  const second = newPayment(shop, nextMonth, { transactionId: 'name' });
  expect(await store.beginAuthorization(intentOf(shop, second))).toMatchObject({ kind: 'NAME_TAKEN' });
  expect(await store.beginAuthorization(intentOf(shop, newPayment(shop, nextMonth), { key: 'K' }))).toMatchObject({
    kind: 'KEY_TAKEN',
  });
  await store.close();
});
