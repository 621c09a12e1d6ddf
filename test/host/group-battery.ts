import { describe, expect, it } from 'vitest';
import type { AuthorizationEnd, AuthorizationIntent } from '../../host/ports/host-store.ts';
import { withStores } from './store-battery.ts';
import {
  intentOf,
  moveOf,
  newPayment,
  newSession,
  openShop,
  readPayment,
  refundOf,
  type Shop,
  sell,
  startMs,
  tipChoices,
} from './store-fixture.ts';
import type { TestDatabase } from './test-databases.ts';

/** Pairs the terminal; its token's hash is the merchant's id. */
async function pair({ store, merchantId, terminalId }: Shop): Promise<void> {
  const code = { selector: merchantId, codeHash: 'code', merchantId, terminalId, expiresAtMs: startMs + 1 };
  await store.transact(async (unit) => {
    await unit.offerPairingCode(code, startMs);
    await unit.tryPairing({ selector: merchantId, codeHash: 'code', expected: {} }, merchantId, startMs);
  });
}

/** More than fit into one commit. */
const MANY = 150;

export function groupBattery(database: TestDatabase): void {
  describe('authorizations that share a commit', () => {
    const stores = withStores(database);

    async function endOf(shop: Shop, intent: AuthorizationIntent): Promise<AuthorizationEnd> {
      const from = await readPayment(shop, intent.payment.payment.id);
      const { amountMinor } = from.payment;
      const events = [{ kind: 'CAPTURED', heldMinor: 0, capturedMinor: amountMinor }] as const;
      return {
        move: moveOf(from, 'APPROVED', { status: 'SUCCEEDED', capturedAmountMinor: amountMinor }, events),
        message: { messageId: intent.message?.messageId ?? '', sentAtMs: startMs, answer: { responseCode: '00' } },
        answer: {
          ref: intent.idempotency,
          createdAtMs: startMs,
          answer: { statusCode: 200, body: `{"n":${amountMinor}}` },
        },
      };
    }

    it('each gets its own rows and its own result, and their sum is exact', async () => {
      const shop = await openShop(stores.one);
      const intents = Array.from({ length: MANY }, (_, index) =>
        intentOf(shop, newPayment(shop, { amountMinor: index + 1 })),
      );
      const begun = await Promise.all(intents.map((intent) => stores.one.beginAuthorization(intent)));
      expect(begun).toEqual(intents.map(() => ({ kind: 'INSERTED' })));
      const ends = await Promise.all(intents.map((intent) => endOf(shop, intent)));
      expect(await Promise.all(ends.map((end) => stores.one.endAuthorization(end)))).toEqual(ends.map(() => true));
      const { funded } = await stores.other.read.openTotals(shop);
      expect(funded).toMatchObject({ saleCount: MANY, saleAmount: (MANY * (MANY + 1)) / 2 });
      for (const intent of [intents[0], intents[77], intents[MANY - 1]]) {
        if (intent === undefined) throw new Error('no intent');
        const { id: paymentId, amountMinor } = intent.payment.payment;
        expect(await readPayment(shop, paymentId)).toMatchObject({ revision: 2, payment: { status: 'SUCCEEDED' } });
        expect((await stores.other.read.findIdempotency(intent.idempotency))?.answer?.body).toBe(
          `{"n":${amountMinor}}`,
        );
        expect(await stores.other.read.listMessages({ ...shop, paymentId })).toEqual([
          { ...intent.message, answeredAtMs: startMs + 1000, answer: { responseCode: '00' } },
        ]);
      }
    });

    it('the one that fails leaves the others alone: a taken key, a taken name, a move that is not in the table', async () => {
      const shop = await openShop(stores.one);
      await stores.one.beginAuthorization(
        intentOf(shop, newPayment(shop, {}, { transactionId: 'taken' }), { key: 'taken' }),
      );
      const good = Array.from({ length: 20 }, () => intentOf(shop, newPayment(shop)));
      const intents = [
        ...good.slice(0, 10),
        intentOf(shop, newPayment(shop), { key: 'taken' }),
        intentOf(shop, newPayment(shop, {}, { transactionId: 'taken' })),
        intentOf(shop, newPayment(shop, { status: 'SUCCEEDED' })),
        ...good.slice(10),
      ];
      const results = await Promise.allSettled(intents.map((intent) => stores.one.beginAuthorization(intent)));
      const kinds = results.map((result) => (result.status === 'fulfilled' ? result.value.kind : result.reason.code));
      expect(kinds).toEqual([
        ...Array.from({ length: 10 }, () => 'INSERTED'),
        ...['KEY_TAKEN', 'NAME_TAKEN', 'ILLEGAL_STATE'],
        ...Array.from({ length: 10 }, () => 'INSERTED'),
      ]);
      expect((await stores.one.read.listPayments({ merchantId: shop.merchantId, limit: 100 })).rows).toHaveLength(21);
    });

    it('ends each once, though the same end comes twice in one moment', async () => {
      const shop = await openShop(stores.one);
      const intents = Array.from({ length: 10 }, () => intentOf(shop, newPayment(shop, { amountMinor: 10 })));
      await Promise.all(intents.map((intent) => stores.one.beginAuthorization(intent)));
      const ends = await Promise.all(intents.map((intent) => endOf(shop, intent)));
      const results = await Promise.all([...ends, ...ends].map((end) => stores.one.endAuthorization(end)));
      expect(results.filter(Boolean)).toHaveLength(10);
      expect((await stores.one.read.openTotals(shop)).funded).toMatchObject({ saleCount: 10, saleAmount: 100 });
    });

    it('ends what lies in different months, or in a month that has no partition, in the same moment', async () => {
      const shop = await openShop(stores.one);
      const createdAts = ['2026-11-28T09:00:00.123Z', '2026-12-31T23:59:59.999Z', '2031-05-01T00:00:00.000Z'];
      const intents = [...createdAts, ...createdAts].map((createdAt) =>
        intentOf(shop, newPayment(shop, { amountMinor: 10, createdAt })),
      );
      for (const intent of intents) {
        expect(await stores.one.beginAuthorization(intent)).toEqual({ kind: 'INSERTED' });
      }
      const ends = await Promise.all(intents.map((intent) => endOf(shop, intent)));
      expect(await Promise.all(ends.map((end) => stores.one.endAuthorization(end)))).toEqual(ends.map(() => true));
      expect((await stores.other.read.openTotals(shop)).funded).toMatchObject({ saleCount: 6, saleAmount: 60 });
    });

    it('is told before it begins whether its key is taken, what tips its merchant takes, and whether reversals of its terminal wait', async () => {
      const [plain, busy] = [await openShop(stores.one), await openShop(stores.one)];
      const taken = intentOf(busy, newPayment(busy));
      await stores.one.beginAuthorization(taken);
      const paymentId = taken.payment.payment.id;
      const reversal = { ...busy, paymentId, reason: 'NO_ANSWER', nextAtMs: startMs, createdAtMs: startMs };
      const tips = await stores.one.transact(async (unit) => {
        await unit.addReversal(reversal);
        return await unit.saveTipConfig(busy.merchantId, tipChoices, startMs);
      });
      const groundOf = (shop: Shop, key: string, terminalId = shop.terminalId) =>
        stores.other.authorizationGround({ ...taken.idempotency, merchantId: shop.merchantId, terminalId, key });
      const { key } = taken.idempotency;
      const free = { isKeyTaken: false, hasOpenReversals: false };
      const expected = [
        [groundOf(busy, key), { isKeyTaken: true, hasOpenReversals: true, tips }],
        [groundOf(plain, key), free],
        [groundOf(busy, 'another', 'T2'), { ...free, tips }],
      ] as const;
      const others = Array.from({ length: MANY }, (_, index) => groundOf(plain, `other ${index}`));
      expect(await Promise.all(expected.map(([ground]) => ground))).toEqual(expected.map(([, told]) => told));
      expect(await Promise.all(others)).toEqual(others.map(() => free));
      await stores.one.transact((unit) => unit.confirmReversal({ merchantId: busy.merchantId, paymentId }, startMs));
      expect(await groundOf(busy, 'another')).toEqual({ ...free, tips });
    });

    it('finds the terminal of each token among many, and none for one that was forgotten', async () => {
      const shops = await Promise.all(Array.from({ length: 20 }, () => openShop(stores.one)));
      for (const shop of shops) await pair(shop);
      const found = await Promise.all(shops.map(({ merchantId }) => stores.other.read.findTerminalByToken(merchantId)));
      expect(found.map((terminal) => terminal?.merchantId)).toEqual(shops.map(({ merchantId }) => merchantId));
      const [gone, stays] = shops;
      if (gone === undefined || stays === undefined) throw new Error('no shops');
      await stores.one.transact((unit) => unit.setTerminalState(gone, 'REVOKED', startMs));
      const again = [gone, stays].map(({ merchantId }) => stores.other.read.findTerminalByToken(merchantId));
      expect((await Promise.all(again)).map((terminal) => terminal?.merchantId)).toEqual([undefined, stays.merchantId]);
    });

    it('goes with refunds and sessions in the same moment', async () => {
      const shop = await openShop(stores.one);
      const sale = await sell(shop, 1000);
      const session = newSession(shop);
      await stores.one.transact((unit) => unit.addSession(session));
      await stores.one.transact((unit) => unit.moveSession({ from: session, to: 'CLAIMED', atMs: startMs }));
      const results = await Promise.all(
        [
          newPayment(shop),
          refundOf(shop, sale, 600),
          refundOf(shop, sale, 600),
          newPayment(shop, {}, { paymentSessionId: session.id }),
          newPayment(shop, {}, { paymentSessionId: session.id }),
          newPayment(shop),
        ].map((added) => stores.one.beginAuthorization(intentOf(shop, added))),
      );
      expect(results.map(({ kind }) => kind).sort()).toEqual([
        'CEILING',
        ...Array.from({ length: 4 }, () => 'INSERTED'),
        'SESSION_TAKEN',
      ]);
    });
  });
}
