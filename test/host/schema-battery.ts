import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { HostStore } from '../../host/ports/host-store.ts';
import { openHostStore } from '../../host/storage/open-host-store.ts';
import { openShop, readPayment, sell, startMs } from './store-fixture.ts';
import { behind, type TestDatabase } from './test-databases.ts';

/** Processes that start at once on an empty database. */
const STARTERS = 5;

export function schemaBattery(database: TestDatabase): void {
  describe('the schema', () => {
    const opened: HostStore[] = [];
    const open = async (name: string): Promise<HostStore> => {
      const store = await openHostStore({ database: name, nowMs: startMs });
      opened.push(store);
      return store;
    };
    afterAll(async () => {
      for (const store of opened) await store.close();
    });

    it('is made once by several processes that start at once, and found by those that come later', async () => {
      const name = await database.create();
      const stores = await Promise.all(Array.from({ length: STARTERS }, () => open(name)));
      const [one, other] = stores;
      if (one === undefined || other === undefined) throw new Error('no store');
      const shop = await openShop(one);
      await sell(shop, 100);
      const later = await open(name);
      expect((await later.read.openTotals(shop)).funded.saleAmount).toBe(100);
      const steps = await behind(name, 'SELECT version FROM schema_steps ORDER BY version');
      expect(steps.map(({ version }) => Number(version))).toEqual(steps.map((_, index) => index + 1));
      expect(steps.length).toBeGreaterThan(0);
    });

    it('takes a schema that a newer program has added to', async () => {
      const name = await database.create();
      await open(name);
      await behind(name, `INSERT INTO schema_steps (version, made_at) VALUES (999, 0)`);
      expect(await (await open(name)).isReady()).toBe(true);
    });

    it('keeps entries append-only and closed totals frozen, whoever tries', async () => {
      const name = await database.create();
      const store = await open(name);
      const shop = await openShop(store);
      const sale = await sell(shop, 100);
      const judge = () => ({ status: 'PENDING', differences: [] }) as const;
      const close = {
        ...shop,
        settlementId: randomUUID(),
        businessDate: '2026-11-28',
        closedBy: 'TILL' as const,
        judge,
        atMs: startMs,
      };
      await store.transact((unit) => unit.closeBatch(close));
      for (const forbidden of [
        'UPDATE entries SET amount_minor = 1',
        'DELETE FROM entries',
        `UPDATE settlements SET totals = '{}'`,
        'UPDATE settlements SET closed_at = 1',
        'DELETE FROM settlements',
      ]) {
        await expect(behind(name, forbidden), forbidden).rejects.toThrow(/append-only|never changes/);
      }
      expect((await readPayment(shop, sale.payment.id)).payment.settlementId).toBe(close.settlementId);
    });

    it('refuses what must never be, even from a defect: more captured than authorized, more refunded than captured, half amounts', async () => {
      const name = await database.create();
      const shop = await openShop(await open(name));
      await sell(shop, 100);
      for (const forbidden of [
        'UPDATE payments SET captured_minor = 101',
        'UPDATE payments SET refunded_minor = 101',
        'UPDATE payments SET amount_minor = -1, base_minor = -1',
        'UPDATE payments SET tip_minor = 1',
        'UPDATE payments SET cashback_minor = 101',
        `UPDATE payments SET status = 'PAID'`,
        'UPDATE payments SET batch_number = 9007199254740993, refunded_minor = 9007199254740993',
      ]) {
        await expect(behind(name, forbidden), forbidden).rejects.toThrow(/check|CHECK/);
      }
    });

    it('goes on from trace number 999,999 to 1', async () => {
      const name = await database.create();
      const store = await open(name);
      const { merchantId } = await openShop(store);
      await behind(
        name,
        `INSERT INTO stan_counters (merchant_id, acquirer, terminal_id, next_stan) VALUES ('${merchantId}', 'A', 'T1', 999970)`,
      );
      const drawn: number[] = [];
      for (let index = 0; index < 60; index += 1) {
        drawn.push(await store.nextStan({ merchantId, acquirer: 'A', terminalId: 'T1' }));
      }
      expect(drawn[0]).toBe(999_970);
      expect(drawn[29]).toBe(999_999);
      expect(drawn[30]).toBe(1);
      expect(drawn.at(-1)).toBe(30);
    });
  });
}
