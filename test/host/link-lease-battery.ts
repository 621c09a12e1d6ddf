import { describe, expect, it } from 'vitest';
import { withStores } from './store-battery.ts';
import { openShop } from './store-fixture.ts';
import type { TestDatabase } from './test-databases.ts';

/** Milliseconds that no test lasts. */
const lifeMs = 3_600_000;

/** Which nodes are heard by others. */
export function hostNodeBattery(database: TestDatabase): void {
  describe('nodes of the host', () => {
    const stores = withStores(database);

    it('are heard for as long as they say, by the store’s clock, and no longer than they are', async () => {
      const { one, other } = stores;
      expect(await one.isAnotherNodeHeard('a')).toBe(false);
      await one.noteNode('a', lifeMs);
      expect([await other.isAnotherNodeHeard('b'), await one.isAnotherNodeHeard('a')]).toEqual([true, false]);
      await other.noteNode('b', 0);
      expect(await one.isAnotherNodeHeard('a')).toBe(false);
      await other.noteNode('b', lifeMs);
      expect(await one.isAnotherNodeHeard('a')).toBe(true);
      await other.noteNode('b', 0);
      expect(await one.isAnotherNodeHeard('a')).toBe(false);
      // What has lapsed long ago is forgotten, and not what is heard.
      await one.noteNode('c', -2 * lifeMs);
      await other.noteNode('b', 0);
      expect([await one.isAnotherNodeHeard('b'), await one.isAnotherNodeHeard('a')]).toEqual([true, false]);
    });
  });
}

export function linkLeaseBattery(database: TestDatabase): void {
  describe('leases of terminals’ links', () => {
    const stores = withStores(database);

    it('belong to the node that has linked last, under a fence of its own', async () => {
      const shop = await openShop(stores.one);
      expect(await stores.one.findLink(shop)).toBeUndefined();
      expect(await stores.one.takeLink(shop, 'a', lifeMs)).toBe(1);
      expect(await stores.other.takeLink(shop, 'b', lifeMs)).toBe(2);
      expect(await stores.other.takeLink(shop, 'b', lifeMs)).toBe(3);
      const { merchantId, terminalId } = shop;
      expect(await stores.one.findLink(shop)).toMatchObject({ merchantId, terminalId, node: 'b', fence: 3 });
    });

    it('give each of many that link at the same time another fence', async () => {
      const shop = await openShop(stores.one);
      const takes = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? stores.one : stores.other).takeLink(shop, `n${index}`, lifeMs),
      );
      const fences = await Promise.all(takes);
      expect([...fences].sort((one, other) => one - other)).toEqual(takes.map((_, index) => index + 1));
      const winner = fences.indexOf(20);
      expect(await stores.one.findLink(shop)).toMatchObject({ node: `n${winner}`, fence: 20 });
    });

    it('are over when their time is, by the store’s clock, and are prolonged by their node only', async () => {
      const shop = await openShop(stores.one);
      const node = `node-${shop.merchantId}`;
      const fence = await stores.one.takeLink(shop, node, 0);
      expect(await stores.one.findLink(shop)).toBeUndefined();
      expect(await stores.other.renewLinks(`other-${node}`, lifeMs)).toEqual([]);
      expect(await stores.one.findLink(shop)).toBeUndefined();
      const { merchantId, terminalId } = shop;
      expect(await stores.one.renewLinks(node, lifeMs)).toEqual([{ merchantId, terminalId, node, fence }]);
      expect(await stores.other.findLink(shop)).toMatchObject({ node, fence });
    });

    it('are prolonged for as many terminals as the node holds, without those that another has taken', async () => {
      const lanes = await Promise.all([openShop(stores.one), openShop(stores.one), openShop(stores.one)]);
      const node = `node-${lanes[0].merchantId}`;
      for (const lane of lanes) await stores.one.takeLink(lane, node, lifeMs);
      await stores.other.takeLink(lanes[1], 'another', lifeMs);
      const renewed = await stores.one.renewLinks(node, lifeMs);
      expect(new Set(renewed.map(({ merchantId }) => merchantId))).toEqual(
        new Set([lanes[0].merchantId, lanes[2].merchantId]),
      );
    });

    it('end when they are released, under their own fence only, and are not prolonged then', async () => {
      const shop = await openShop(stores.one);
      const node = `node-${shop.merchantId}`;
      const earlier = await stores.one.takeLink(shop, node, lifeMs);
      const fence = await stores.one.takeLink(shop, node, lifeMs);
      await stores.one.releaseLink({ ...shop, node, fence: earlier });
      expect(await stores.one.findLink(shop)).toMatchObject({ fence });
      await stores.one.releaseLink({ ...shop, node, fence });
      expect(await stores.one.findLink(shop)).toBeUndefined();
      expect(await stores.one.renewLinks(node, lifeMs)).toEqual([]);
      expect(await stores.one.takeLink(shop, node, lifeMs)).toBe(fence + 1);
    });

    it('tell the store’s time with what they find', async () => {
      const shop = await openShop(stores.one);
      await stores.one.takeLink(shop, 'a', lifeMs);
      const first = (await stores.one.findLink(shop))?.readAtMs ?? Number.NaN;
      const second = (await stores.other.findLink(shop))?.readAtMs ?? Number.NaN;
      expect(first).toBeGreaterThan(Date.parse('2020-01-01T00:00:00Z'));
      expect(second).toBeGreaterThanOrEqual(first);
    });
  });
}
