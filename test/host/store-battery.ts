import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isoOf } from '../../app/domain/instant.ts';
import type { HostStore } from '../../host/ports/host-store.ts';
import { openHostStore } from '../../host/storage/open-host-store.ts';
import {
  hold,
  intentOf,
  moveOf,
  mustMove,
  newPayment,
  openShop,
  readPayment,
  refundOf,
  sell,
  startMs,
} from './store-fixture.ts';
import type { TestDatabase } from './test-databases.ts';

/** Two stores on one database: what two processes are to each other. */
export interface StorePair {
  readonly one: HostStore;
  readonly other: HostStore;
}

/** Opens a pair before the tests of a group, and closes it after them. */
export function withStores(database: TestDatabase): StorePair {
  const stores: HostStore[] = [];
  beforeAll(async () => {
    const name = await database.create();
    for (let index = 0; index < 2; index += 1) stores.push(await openHostStore({ database: name, nowMs: startMs }));
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
  });
  const at = (index: number): HostStore => {
    const store = stores[index];
    if (store === undefined) throw new Error('the store is not open');
    return store;
  };
  return {
    get one() {
      return at(0);
    },
    get other() {
      return at(1);
    },
  };
}

export function paymentBattery(database: TestDatabase): void {
  describe('payments', () => {
    const stores = withStores(database);

    it('gives a payment back as it was stored, by its id and by the name that the till gave it', async () => {
      const shop = await openShop(stores.one);
      const added = newPayment(
        shop,
        {
          amountMinor: 1600,
          tipAmountMinor: 100,
          cashbackAmountMinor: 500,
          referenceId: '🧾'.repeat(64),
          metadata: { order: 'Ä"\\u0000', n: '1' },
          tipSource: 'custom',
          cardPresent: { terminalId: 'T1', entryMode: 'CONTACT', aid: 'A0000000031010' },
        },
        { transactionId: 'till-name-1' },
      );
      expect(await stores.one.beginAuthorization(intentOf(shop, added))).toEqual({ kind: 'INSERTED' });
      const found = await stores.other.read.findPayment({ merchantId: shop.merchantId, paymentId: added.payment.id });
      expect(found).toEqual({ ...added, refundedMinor: 0, refundCount: 0, revision: 1 });
      expect(await stores.other.read.findPaymentByName(shop, 'till-name-1')).toEqual(found);
      expect(await stores.other.read.findPaymentByName(shop, added.payment.id)).toEqual(found);
      expect(await stores.other.read.findPaymentByName({ ...shop, terminalId: 'T2' }, 'till-name-1')).toBeUndefined();
      expect(await stores.one.read.findPayment({ merchantId: 'M-other', paymentId: added.payment.id })).toBeUndefined();
    });

    it('takes a key once, and gives the second caller what the first has stored', async () => {
      const shop = await openShop(stores.one);
      const first = newPayment(shop);
      const key = { key: 'K1' };
      await stores.one.beginAuthorization(intentOf(shop, first, key));
      const second = newPayment(shop);
      const result = await stores.other.beginAuthorization(intentOf(shop, second, key));
      expect(result).toMatchObject({ kind: 'KEY_TAKEN', found: { subjectId: first.payment.id, requestHash: 'hash' } });
      expect(await stores.one.read.findPayment({ ...shop, paymentId: second.payment.id })).toBeUndefined();
    });

    it('takes a name once, and leaves no key behind for the payment that came second', async () => {
      const shop = await openShop(stores.one);
      const first = newPayment(shop, {}, { transactionId: 'same-name' });
      await stores.one.beginAuthorization(intentOf(shop, first));
      const intent = intentOf(shop, newPayment(shop, {}, { transactionId: 'same-name' }));
      expect(await stores.one.beginAuthorization(intent)).toEqual({ kind: 'NAME_TAKEN', paymentId: first.payment.id });
      expect(await stores.one.read.findIdempotency(intent.idempotency)).toBeUndefined();
      const ofOtherTerminal = newPayment({ ...shop, terminalId: 'T9' }, {}, { transactionId: 'same-name' });
      expect(await stores.one.beginAuthorization(intentOf(shop, ofOtherTerminal))).toEqual({ kind: 'INSERTED' });
    });

    it('gives parallel calls under one key one effect', async () => {
      const shop = await openShop(stores.one);
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          const store = index % 2 === 0 ? stores.one : stores.other;
          return store.beginAuthorization(intentOf(shop, newPayment(shop), { key: 'one-key' }));
        }),
      );
      expect(results.filter(({ kind }) => kind === 'INSERTED')).toHaveLength(1);
      expect(results.filter(({ kind }) => kind === 'KEY_TAKEN')).toHaveLength(39);
      expect((await stores.one.read.listPayments({ merchantId: shop.merchantId, limit: 100 })).rows).toHaveLength(1);
    });

    it('stores move, entries, the message’s answer and the first answer in one commit, once', async () => {
      const shop = await openShop(stores.one);
      const added = newPayment(shop, { amountMinor: 700 });
      const intent = intentOf(shop, added);
      await stores.one.beginAuthorization(intent);
      const from = await readPayment(shop, added.payment.id);
      const events = [{ kind: 'CAPTURED', heldMinor: 0, capturedMinor: 700 }] as const;
      const changes = { status: 'SUCCEEDED', capturedAmountMinor: 700, authorizationCode: 'A1' } as const;
      const end = {
        move: moveOf(from, 'APPROVED', changes, events),
        message: {
          messageId: intent.message?.messageId ?? '',
          sentAtMs: startMs,
          answer: { responseCode: '00', authorizationCode: 'A1' },
        },
        answer: { ref: intent.idempotency, createdAtMs: startMs, answer: { statusCode: 200, body: '{"a":"\\u0000"}' } },
      };
      const ends = await Promise.all([stores.one.endAuthorization(end), stores.other.endAuthorization(end)]);
      expect(ends.filter(Boolean)).toHaveLength(1);
      const record = await readPayment(shop, added.payment.id);
      expect(record).toMatchObject({ revision: 2, batchNumber: 1, payment: { ...changes, settlementId: null } });
      expect(await stores.one.read.listMessages({ ...shop, paymentId: added.payment.id })).toEqual([
        { ...intent.message, answeredAtMs: startMs + 1000, answer: { responseCode: '00', authorizationCode: 'A1' } },
      ]);
      expect((await stores.one.read.findIdempotency(intent.idempotency))?.answer).toEqual(end.answer.answer);
      expect((await stores.one.read.openTotals(shop)).funded).toMatchObject({ saleCount: 1, saleAmount: 700 });
    });

    it('refuses a move that the machine does not have, and changes nothing', async () => {
      const shop = await openShop(stores.one);
      const sale = await sell(shop, 500);
      const back = moveOf(sale, 'DECLINED', { status: 'DECLINED' }, []);
      await expect(stores.one.transact((unit) => unit.movePayment(back))).rejects.toMatchObject({
        code: 'ILLEGAL_STATE',
      });
      expect(await readPayment(shop, sale.payment.id)).toEqual(sale);
    });

    it('rolls back all of a unit that throws', async () => {
      const shop = await openShop(stores.one);
      const added = newPayment(shop);
      const failing = stores.one.transact(async (unit) => {
        await unit.insertPayment(added, 'AUTHORIZATION_BEGUN', [], startMs);
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      expect(await stores.one.read.findPayment({ ...shop, paymentId: added.payment.id })).toBeUndefined();
    });

    it('stores 2^31 and 2^53 − 1 exactly, and refuses a sum beyond', async () => {
      const shop = await openShop(stores.one);
      for (let index = 0; index < 3; index += 1) await sell(shop, 2 ** 31);
      expect((await stores.one.read.openTotals(shop)).funded.saleAmount).toBe(3 * 2 ** 31);
      const rich = await openShop(stores.one);
      const sale = await sell(rich, Number.MAX_SAFE_INTEGER);
      expect(sale.payment.amountMinor).toBe(9_007_199_254_740_991);
      expect((await stores.one.read.openTotals(rich)).funded.saleAmount).toBe(9_007_199_254_740_991);
      await sell(rich, 1);
      await expect(stores.one.read.openTotals(rich)).rejects.toMatchObject({ code: 'AMOUNT_TOO_LARGE' });
    });

    it('marks a payment for one operation at a time', async () => {
      const shop = await openShop(stores.one);
      const held = await hold(shop, 900, { type: 'SALE' });
      const marks = await Promise.all(
        [stores.one, stores.other, stores.one].map((store) =>
          store.transact((unit) => unit.beginOperation(held, 'CAPTURE', startMs)),
        ),
      );
      const marked = marks.filter((mark) => mark !== undefined);
      expect(marked).toHaveLength(1);
      expect(marked[0]).toMatchObject({ operation: 'CAPTURE', revision: held.revision + 1 });
      expect(
        await stores.one.transact((unit) => unit.movePayment(moveOf(held, 'VOIDED', { status: 'REVERSED' }, []))),
      ).toBe(false);
      const ref = { ...shop, paymentId: held.payment.id };
      expect(await stores.one.transact((unit) => unit.endOperation(ref, 'CAPTURE', startMs))).toBe(true);
      expect((await readPayment(shop, held.payment.id)).operation).toBeUndefined();
    });

    it('lists each payment once by pages of any size, while others with the same time are added', async () => {
      const shop = await openShop(stores.one);
      const before = new Set<string>();
      for (let index = 0; index < 30; index += 1) {
        const added = newPayment(shop);
        before.add(added.payment.id);
        await stores.one.beginAuthorization(intentOf(shop, added));
      }
      for (const limit of [1, 7, 100]) {
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page: Awaited<ReturnType<HostStore['read']['listPayments']>> = await stores.one.read.listPayments({
            merchantId: shop.merchantId,
            limit,
            ...(cursor === null ? {} : { cursor }),
          });
          seen.push(...page.rows.map(({ payment }) => payment.id));
          cursor = page.nextCursor;
          await stores.other.beginAuthorization(intentOf(shop, newPayment(shop)));
        } while (cursor !== null);
        expect(new Set(seen).size).toBe(seen.length);
        expect([...before].filter((id) => !seen.includes(id))).toEqual([]);
      }
    });

    it('filters the list', async () => {
      const shop = await openShop(stores.one);
      const sale = await sell(shop, 100, { referenceId: 'R1' });
      const preAuth = await hold(shop, 200, { createdAt: isoOf(startMs + 5000) });
      const ids = async (filter: object) => {
        const page = await stores.one.read.listPayments({ merchantId: shop.merchantId, limit: 10, ...filter });
        return page.rows.map(({ payment }) => payment.id);
      };
      expect(await ids({})).toEqual([preAuth.payment.id, sale.payment.id]);
      expect(await ids({ referenceId: 'R1' })).toEqual([sale.payment.id]);
      expect(await ids({ type: 'PRE_AUTH' })).toEqual([preAuth.payment.id]);
      expect(await ids({ status: 'SUCCEEDED' })).toEqual([sale.payment.id]);
      expect(await ids({ acceptanceChannel: 'EXTERNAL_RAIL' })).toEqual([]);
      expect(await ids({ terminalId: 'T2' })).toEqual([]);
      expect(await ids({ fromMs: startMs + 5000 })).toEqual([preAuth.payment.id]);
      expect(await ids({ toMs: startMs + 5000 })).toEqual([sale.payment.id]);
      const list = { merchantId: shop.merchantId, limit: 10 };
      for (const wrong of [{ limit: 0 }, { limit: 101 }, { cursor: 'x' }, { cursor: 'WzEsMl0' }]) {
        await expect(stores.one.read.listPayments({ ...list, ...wrong })).rejects.toMatchObject({
          code: 'INVALID_REQUEST',
        });
      }
    });

    it('finds holds that have lapsed and payments that nobody ends', async () => {
      const shop = await openShop(stores.one);
      const held = await hold(shop, 200);
      const open = newPayment(shop);
      await stores.one.beginAuthorization(intentOf(shop, open));
      const ofShop = (records: readonly { payment: { merchantId: string; id: string } }[]) =>
        records.filter(({ payment }) => payment.merchantId === shop.merchantId).map(({ payment }) => payment.id);
      const lapsesAtMs = startMs + 7 * 24 * 3_600_000;
      expect(ofShop(await stores.one.read.lapsedHolds(lapsesAtMs - 1, 1000))).toEqual([]);
      expect(ofShop(await stores.one.read.lapsedHolds(lapsesAtMs, 1000))).toEqual([held.payment.id]);
      expect(ofShop(await stores.one.read.stalePayments(startMs, 1000))).toEqual([]);
      expect(ofShop(await stores.one.read.stalePayments(startMs + 1, 1000))).toEqual([open.payment.id]);
      await stores.one.transact((unit) => unit.beginOperation(held, 'CAPTURE', startMs + 2));
      expect(ofShop(await stores.one.read.stalePayments(startMs + 3, 1000))).toEqual([
        open.payment.id,
        held.payment.id,
      ]);
    });
  });

  describe('refunds', () => {
    const stores = withStores(database);

    it('lets of 16 racing refunds as many through as fit, in 100 rounds', async () => {
      const shop = await openShop(stores.one);
      for (let round = 0; round < 100; round += 1) {
        const sale = await sell(shop, 1000, { cashbackAmountMinor: 100 });
        const results = await Promise.all(
          Array.from({ length: 16 }, (_, index) => {
            const store = index % 2 === 0 ? stores.one : stores.other;
            return store.beginAuthorization(intentOf(shop, refundOf(shop, sale, 300)));
          }),
        );
        expect(results.filter(({ kind }) => kind === 'INSERTED')).toHaveLength(3);
        expect(results.filter(({ kind }) => kind === 'CEILING')).toHaveLength(13);
        expect(await readPayment(shop, sale.payment.id)).toMatchObject({ refundedMinor: 900, refundCount: 3 });
      }
    });

    it('gives the reservation of a declined refund back, and keeps that of an unknown one', async () => {
      const shop = await openShop(stores.one);
      const sale = await sell(shop, 1000);
      const begin = async (amountMinor: number) => {
        const added = refundOf(shop, sale, amountMinor);
        const result = await stores.one.beginAuthorization(intentOf(shop, added));
        return { result, id: added.payment.id };
      };
      const declined = await begin(600);
      await mustMove(shop, moveOf(await readPayment(shop, declined.id), 'DECLINED', { status: 'DECLINED' }, []));
      const unknown = await begin(1000);
      expect(unknown.result.kind).toBe('INSERTED');
      await mustMove(shop, moveOf(await readPayment(shop, unknown.id), 'OUTCOME_LOST', { status: 'FAILED' }, []));
      expect((await begin(1)).result.kind).toBe('CEILING');
      await mustMove(
        shop,
        moveOf(await readPayment(shop, unknown.id), 'REVERSAL_CONFIRMED', { status: 'REVERSED' }, []),
      );
      expect(await readPayment(shop, sale.payment.id)).toMatchObject({ refundedMinor: 0, refundCount: 0 });
      expect((await begin(1000)).result.kind).toBe('INSERTED');
    });

    it('refuses a refund of what is not captured, is taken back, is being taken back, or is not there', async () => {
      const shop = await openShop(stores.one);
      const held = await hold(shop, 500);
      const sale = await sell(shop, 500);
      const marked = await sell(shop, 500);
      await stores.one.transact((unit) => unit.beginOperation(marked, 'VOID', startMs));
      await mustMove(shop, moveOf(sale, 'VOIDED', { status: 'REVERSED' }, [{ kind: 'VOIDED', capturedMinor: 500 }]));
      const none = { ...held, payment: { ...held.payment, id: randomUUID() } };
      for (const original of [held, sale, marked, none]) {
        const intent = intentOf(shop, refundOf(shop, original, 1));
        expect(await stores.one.beginAuthorization(intent)).toEqual({ kind: 'CEILING' });
        expect(await stores.one.read.findIdempotency(intent.idempotency)).toBeUndefined();
      }
    });

    it('tells a repeat of the refund that took the rest that it is one', async () => {
      const shop = await openShop(stores.one);
      const sale = await sell(shop, 1000);
      const first = intentOf(shop, { ...refundOf(shop, sale, 1000), transactionId: 'back' }, { key: 'K1' });
      const sameKey = intentOf(shop, refundOf(shop, sale, 1000), { key: 'K1' });
      const sameName = intentOf(shop, { ...refundOf(shop, sale, 1000), transactionId: 'back' });
      const results = await Promise.all(
        [first, sameKey].map((intent) => stores.one.beginAuthorization(intent).then(({ kind }) => kind)),
      );
      expect(results.sort()).toEqual(['INSERTED', 'KEY_TAKEN']);
      expect(await stores.one.beginAuthorization(sameKey)).toMatchObject({ kind: 'KEY_TAKEN' });
      const taken = await stores.one.read.findIdempotency(first.idempotency);
      if (taken?.subjectId !== first.payment.payment.id) return;
      expect(await stores.one.beginAuthorization(sameName)).toEqual({ kind: 'NAME_TAKEN', paymentId: taken.subjectId });
    });

    it('lets a void or a refund win, never both', async () => {
      const shop = await openShop(stores.one);
      for (let round = 0; round < 30; round += 1) {
        const sale = await sell(shop, 100);
        const voided = moveOf(sale, 'VOIDED', { status: 'REVERSED' }, [{ kind: 'VOIDED', capturedMinor: 100 }]);
        const [hasVoided, refund] = await Promise.all([
          stores.one.transact((unit) => unit.movePayment(voided)),
          stores.other.beginAuthorization(intentOf(shop, refundOf(shop, sale, 100))),
        ]);
        expect([hasVoided, refund.kind === 'INSERTED'].filter(Boolean)).toHaveLength(1);
      }
    });
  });
}
