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
} from './store-fixture.ts';
import type { TestDatabase } from './test-databases.ts';

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
