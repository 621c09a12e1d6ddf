import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PairingExpectation } from '../../app/contract/host/pairing.ts';
import type { ApiKeyRecord } from '../../host/ports/host-records.ts';
import { openHostStore } from '../../host/storage/open-host-store.ts';
import { withStores } from './store-battery.ts';
import { openShop, startMs, tipChoices } from './store-fixture.ts';
import type { TestDatabase } from './test-databases.ts';

export function provisioningBattery(database: TestDatabase): void {
  describe('merchants, terminals and keys', () => {
    const stores = withStores(database);

    it('lists merchants and their terminals, each to its own', async () => {
      const shop = await openShop(stores.one);
      const other = await openShop(stores.one);
      expect(await stores.other.read.findMerchant(shop.merchantId)).toEqual({
        merchantId: shop.merchantId,
        name: 'Shop',
        createdAtMs: startMs,
      });
      const ids = (await stores.other.read.listMerchants()).map(({ merchantId }) => merchantId);
      expect(ids).toEqual(expect.arrayContaining([shop.merchantId, other.merchantId]));
      expect(await stores.other.read.listTerminals(shop.merchantId)).toEqual([
        {
          merchantId: shop.merchantId,
          terminalId: 'T1',
          deviceId: 'D1',
          name: 'Lane',
          currency: 'EUR',
          state: 'UNPAIRED',
          batchNumber: 1,
          createdAtMs: startMs,
          businessDay: { timeZone: 'UTC', cutOff: '00:00' },
        },
      ]);
      expect(await stores.other.read.findTerminal({ merchantId: shop.merchantId, terminalId: 'T2' })).toBeUndefined();
    });

    const codeOf = (merchantId: string) => ({
      merchantId,
      terminalId: 'T1',
      selector: randomUUID(),
      codeHash: 'right',
      expiresAtMs: startMs + 600_000,
    });

    it('pairs a terminal by its code once, of several that use it at the same time', async () => {
      const shop = await openShop(stores.one);
      const code = codeOf(shop.merchantId);
      await stores.one.transact((unit) => unit.offerPairingCode(code, startMs));
      expect((await stores.one.read.findTerminal(shop))?.state).toBe('PAIRING');
      const tokens = Array.from({ length: 6 }, () => randomUUID());
      const results = await Promise.all(
        tokens.map((token, index) =>
          (index % 2 === 0 ? stores.one : stores.other).transact((unit) =>
            unit.tryPairing({ selector: code.selector, codeHash: 'right', expected: {} }, token, startMs + 1),
          ),
        ),
      );
      const winners = tokens.filter((_, index) => results[index]?.kind === 'PAIRED');
      expect(winners).toHaveLength(1);
      expect(results.filter(({ kind }) => kind === 'INVALID')).toHaveLength(5);
      for (const token of tokens) {
        const found = await stores.one.read.findTerminalByToken(token);
        expect(found?.state).toBe(winners.includes(token) ? 'PAIRED' : undefined);
      }
      expect(await stores.one.transact((unit) => unit.setTerminalState(shop, 'REVOKED', startMs))).toBe(true);
      expect(await stores.one.read.findTerminalByToken(winners[0] ?? '')).toBeUndefined();
    });

    it('takes neither a code that is late, nor one that was guessed wrong five times', async () => {
      const shop = await openShop(stores.one);
      const late = codeOf(shop.merchantId);
      await stores.one.transact((unit) => unit.offerPairingCode(late, startMs));
      const tryWith = (selector: string, hash: string, atMs = startMs) =>
        stores.one.transact((unit) => unit.tryPairing({ selector, codeHash: hash, expected: {} }, randomUUID(), atMs));
      expect(await tryWith(late.selector, 'right', late.expiresAtMs)).toEqual({ kind: 'INVALID' });
      const code = codeOf(shop.merchantId);
      await stores.one.transact((unit) => unit.offerPairingCode(code, startMs));
      expect(await tryWith(late.selector, 'right')).toEqual({ kind: 'INVALID' });
      for (let wrong = 1; wrong < 5; wrong += 1)
        expect(await tryWith(code.selector, 'wrong')).toEqual({ kind: 'INVALID' });
      expect(await tryWith(code.selector, 'wrong')).toEqual({ kind: 'LOCKED' });
      expect(await tryWith(code.selector, 'right')).toEqual({ kind: 'LOCKED' });
    });

    it('keeps a code that is of another terminal than is expected, and says which field tells', async () => {
      const shop = await openShop(stores.one);
      const { merchantId } = shop;
      const code = codeOf(merchantId);
      await stores.one.transact((unit) => unit.offerPairingCode(code, startMs));
      const tryFor = (expected: PairingExpectation) =>
        stores.one.transact((unit) =>
          unit.tryPairing({ selector: code.selector, codeHash: 'right', expected }, 'token', startMs),
        );
      for (const expected of [{ merchantId: 'M-other' }, { terminalId: 'T2' }, { currencyCode: 'JPY' }]) {
        const [field] = Object.keys(expected);
        expect(await tryFor(expected)).toEqual({ kind: 'UNEXPECTED', field });
      }
      const own = { merchantId, terminalId: 'T1', currencyCode: 'EUR' };
      expect(await tryFor(own)).toMatchObject({ kind: 'PAIRED', merchantName: 'Shop' });
    });

    it('numbers each change of the POS clients of a merchant', async () => {
      const { merchantId } = await openShop(stores.one);
      const client = {
        ...{ merchantId, clientId: randomUUID(), name: 'Front', keyHash: randomUUID(), createdAtMs: startMs },
      };
      expect(await stores.one.read.posClientsVersion(merchantId)).toBe(0);
      await stores.one.transact((unit) => unit.savePosClient(client));
      const rotated = {
        ...client,
        keyHash: randomUUID(),
        earlierKey: { keyHash: client.keyHash, untilMs: startMs + 1 },
      };
      await stores.other.transact((unit) => unit.savePosClient(rotated));
      expect(await stores.one.read.listPosClients(merchantId)).toEqual([rotated]);
      const revoked = { ...client, revokedAtMs: startMs + 2 };
      await stores.one.transact((unit) => unit.savePosClient(revoked));
      expect(await stores.other.read.listPosClients(merchantId)).toEqual([revoked]);
      expect(await stores.other.read.posClientsVersion(merchantId)).toBe(3);
      const other = await openShop(stores.one);
      expect(await stores.one.read.listPosClients(other.merchantId)).toEqual([]);
    });

    const keyOf = (merchantId: string): ApiKeyRecord => ({
      merchantId,
      keyId: randomUUID(),
      kind: 'SECRET',
      name: 'server',
      keyHash: randomUUID(),
      createdAtMs: startMs,
    });

    it('finds a key until it is revoked', async () => {
      const { merchantId } = await openShop(stores.one);
      const key = keyOf(merchantId);
      await stores.one.transact((unit) => unit.addKey(key));
      expect(await stores.other.read.findKey(key.keyHash, startMs)).toEqual(key);
      expect(await stores.one.transact((unit) => unit.revokeKey('M-other', key.keyId, startMs))).toBe(false);
      expect(await stores.one.transact((unit) => unit.revokeKey(merchantId, key.keyId, startMs))).toBe(true);
      expect(await stores.one.transact((unit) => unit.revokeKey(merchantId, key.keyId, startMs))).toBe(false);
      expect(await stores.other.read.findKey(key.keyHash, startMs)).toBeUndefined();
      expect(await stores.one.read.listKeys(merchantId)).toEqual([{ ...key, revokedAtMs: startMs }]);
    });

    it('lets both keys work for a while when one is rotated, once', async () => {
      const { merchantId } = await openShop(stores.one);
      const old = keyOf(merchantId);
      await stores.one.transact((unit) => unit.addKey(old));
      const rotations = await Promise.all(
        [stores.one, stores.other].map((store) =>
          store.transact((unit) => unit.rotateKey(old.keyId, keyOf(merchantId), startMs + 1000)),
        ),
      );
      expect(rotations.filter(Boolean)).toHaveLength(1);
      expect(await stores.one.read.listKeys(merchantId)).toHaveLength(2);
      expect(await stores.one.read.findKey(old.keyHash, startMs + 999)).toBeDefined();
      expect(await stores.one.read.findKey(old.keyHash, startMs + 1000)).toBeUndefined();
    });

    it('raises the version of the tip configuration by one per change, and by none for the same again', async () => {
      const { merchantId } = await openShop(stores.one);
      const config = tipChoices;
      expect(await stores.one.read.findTipConfig(merchantId)).toBeUndefined();
      const saved = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? stores.one : stores.other).transact((unit) =>
            unit.saveTipConfig(merchantId, { ...config, maxAmountMinor: index }, startMs),
          ),
        ),
      );
      expect(saved.map(({ configVersion }) => configVersion).sort()).toEqual([1, 2, 3, 4, 5, 6]);
      const last = saved.find(({ configVersion }) => configVersion === 6);
      if (last === undefined) throw new Error('no sixth version');
      const again = await Promise.all(
        [stores.one, stores.other].map((store) =>
          store.transact((unit) => unit.saveTipConfig(merchantId, last.config, startMs + 1)),
        ),
      );
      expect(again).toEqual([last, last]);
      expect(await stores.one.read.findTipConfig(merchantId)).toEqual(last);
    });
  });

  describe('jobs', () => {
    const stores = withStores(database);

    it('gives a lease to one holder at a time, with a fence that rises with the holder', async () => {
      const name = randomUUID();
      const tries = await Promise.all([
        stores.one.acquireLease(name, 'A', startMs, startMs + 1000),
        stores.other.acquireLease(name, 'B', startMs, startMs + 1000),
      ]);
      const [lease] = tries.filter((one) => one !== undefined);
      if (lease === undefined) throw new Error('nobody holds it');
      expect(tries.filter((one) => one !== undefined)).toHaveLength(1);
      expect(lease.fence).toBe(1);
      const again = await stores.one.acquireLease(name, lease.owner, startMs + 500, startMs + 2000);
      expect(again).toMatchObject({ fence: 1, untilMs: startMs + 2000 });
      expect(await stores.one.acquireLease(name, 'C', startMs + 1999, startMs + 9000)).toBeUndefined();
      const next = await stores.one.acquireLease(name, 'C', startMs + 2000, startMs + 9000);
      expect(next?.fence).toBe(2);
      // One that was too slow gives nothing back that is not its own.
      await stores.one.releaseLease(lease);
      expect(await stores.one.acquireLease(name, 'D', startMs + 3000, startMs + 9000)).toBeUndefined();
      if (next !== undefined) await stores.one.releaseLease(next);
      expect((await stores.one.acquireLease(name, 'D', startMs + 3000, startMs + 9000))?.fence).toBe(3);
    });

    it('keeps the fingerprint of the secret that comes first, of several at the same time', async () => {
      const store = await openHostStore({ database: await database.create(), nowMs: startMs });
      try {
        const kept = await Promise.all(['one', 'two', 'three'].map((text) => store.claimSecret(text, startMs)));
        expect(new Set(kept).size).toBe(1);
        expect(await store.claimSecret('four', startMs + 1)).toBe(kept[0]);
      } finally {
        await store.close();
      }
    });

    it('gives no trace number twice to two processes, and goes on from 999,999 to 1', async () => {
      const { merchantId, terminalId } = await openShop(stores.one);
      const ref = { merchantId, terminalId, acquirer: 'A' };
      const drawn = await Promise.all(
        Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? stores.one : stores.other).nextStan(ref)),
      );
      expect(new Set(drawn).size).toBe(300);
      expect(Math.min(...drawn)).toBe(1);
      expect(await stores.one.nextStan({ ...ref, acquirer: 'B' })).toBe(1);
    });
  });
}
