import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isoOf } from '../../app/domain/instant.ts';
import { accounts, balancesOf } from '../../app/domain/posting.ts';
import type { PaymentRecord } from '../../host/ports/host-records.ts';
import type { HostStore, SettlementFilter } from '../../host/ports/host-store.ts';
import { withStores } from './store-battery.ts';
import {
  hold,
  intentOf,
  moveOf,
  mustMove,
  newPayment,
  openShop,
  readPayment,
  refundOf,
  type Shop,
  sell,
  startMs,
} from './store-fixture.ts';
import type { TestDatabase } from './test-databases.ts';

/** Writers that race a close, and sales of each. */
const WRITERS = 8;
const SALES_OF_A_WRITER = 12;

function closeBatch(shop: Shop, atMs = startMs + 10_000, settlementId: string = randomUUID()) {
  const { merchantId, terminalId } = shop;
  return shop.store.transact((unit) =>
    unit.closeBatch({
      merchantId,
      terminalId,
      settlementId,
      businessDate: '2026-11-28',
      closedBy: 'TILL',
      judge: () => ({ status: 'PENDING', differences: [] }),
      atMs,
    }),
  );
}

async function mustClose(shop: Shop, atMs?: number) {
  const result = await closeBatch(shop, atMs);
  if (result.kind !== 'CLOSED') throw new Error(result.kind);
  return result.settlement;
}

/** Of a refund that has been begun. */
async function refund(shop: Shop, original: PaymentRecord, amountMinor: number): Promise<PaymentRecord> {
  const added = refundOf(shop, original, amountMinor);
  const result = await shop.store.beginAuthorization(intentOf(shop, added));
  if (result.kind !== 'INSERTED') throw new Error(result.kind);
  const from = await readPayment(shop, added.payment.id);
  const events = [{ kind: 'REFUNDED', refundedMinor: amountMinor }] as const;
  return await mustMove(
    shop,
    moveOf(from, 'APPROVED', { status: 'SUCCEEDED', capturedAmountMinor: amountMinor }, events),
  );
}

export function settlementBattery(database: TestDatabase): void {
  describe('batches and settlements', () => {
    const stores = withStores(database);

    it('freezes the totals of a batch, and gives its payments their settlement and their share of its net amount', async () => {
      const shop = await openShop(stores.one);
      const sale = await sell(shop, 1000, { metadata: { order: '1' }, referenceId: 'R1' });
      const voided = await sell(shop, 300);
      await mustMove(shop, moveOf(voided, 'VOIDED', { status: 'REVERSED' }, [{ kind: 'VOIDED', capturedMinor: 300 }]));
      const back = await refund(shop, sale, 250);
      const held = await hold(shop, 5000);
      const external = newPayment(shop, {
        acceptanceChannel: 'EXTERNAL_RAIL',
        status: 'SUCCEEDED',
        amountMinor: 70,
        capturedAmountMinor: 70,
        createdAt: isoOf(startMs + 9000),
      });
      const recorded = [{ kind: 'CAPTURED', heldMinor: 0, capturedMinor: 70 }] as const;
      await stores.one.transact((unit) => unit.insertPayment(external, 'RECORDED', recorded, startMs));
      const open = await stores.other.read.openTotals(shop);
      expect(open.funded).toEqual({
        saleCount: 2,
        saleAmount: 1300,
        refundCount: 1,
        refundAmount: 250,
        voidCount: 1,
        voidAmount: 300,
        preAuthCount: 1,
        preAuthAmount: 5000,
        currency: 'EUR',
      });
      expect(open.external).toMatchObject({ saleCount: 1, saleAmount: 70, preAuthCount: 0 });
      const settlement = await mustClose(shop);
      expect(settlement).toMatchObject({ batchNumber: 1, status: 'PENDING', totals: open });
      expect(await stores.other.read.findSettlement(shop.merchantId, settlement.id)).toEqual(settlement);
      const rows = await stores.other.read.settlementRows(settlement);
      const nets = Object.fromEntries(rows.map(({ paymentId, netAmountMinor }) => [paymentId, netAmountMinor]));
      expect(nets).toEqual({
        [sale.payment.id]: 1000,
        [voided.payment.id]: 0,
        [back.payment.id]: -250,
        [external.payment.id]: 0,
      });
      expect(rows.at(-1)?.paymentId).toBe(external.payment.id);
      expect(rows.find(({ paymentId }) => paymentId === sale.payment.id)).toMatchObject({
        metadata: { order: '1' },
        referenceId: 'R1',
      });
      expect((await readPayment(shop, sale.payment.id)).payment.settlementId).toBe(settlement.id);
      expect((await readPayment(shop, held.payment.id)).payment.settlementId).toBeNull();
      const page = await stores.one.read.listPayments({
        merchantId: shop.merchantId,
        settlementId: settlement.id,
        limit: 10,
      });
      expect(page.rows).toHaveLength(4);
      expect((await stores.one.read.openTotals(shop)).funded).toMatchObject({ saleCount: 0, preAuthAmount: 5000 });
    });

    it('funds a hold in the batch in which it is captured', async () => {
      const shop = await openShop(stores.one);
      const held = await hold(shop, 1000);
      expect(await stores.one.read.openPreAuths(shop)).toMatchObject([{ payment: { id: held.payment.id } }]);
      const first = await mustClose(shop);
      expect(first.totals.funded).toMatchObject({ saleCount: 0, preAuthCount: 1, preAuthAmount: 1000 });
      const captured = { status: 'SUCCEEDED', capturedAmountMinor: 800 } as const;
      await mustMove(
        shop,
        moveOf(held, 'CAPTURED', captured, [{ kind: 'CAPTURED', heldMinor: 1000, capturedMinor: 800 }]),
      );
      const second = await mustClose(shop);
      expect(second.totals.funded).toMatchObject({ saleCount: 1, saleAmount: 800, preAuthCount: 0, preAuthAmount: 0 });
      expect((await readPayment(shop, held.payment.id)).payment.settlementId).toBe(second.id);
    });

    it('lists the entries of a batch as they were written, and sums them to nothing', async () => {
      const shop = await openShop(stores.one);
      const sale = await sell(shop, 1000);
      const back = await refund(shop, sale, 250);
      await mustClose(shop);
      await sell(shop, 5);
      const entries = await stores.other.read.listEntries({ ...shop, batchNumber: 1 });
      const { merchantId, terminalId } = shop;
      const place = { merchantId, terminalId, batchNumber: 1, currency: 'EUR', revision: 2, atMs: startMs + 1000 };
      const captured = { kind: 'CAPTURE', debit: accounts.acquirer, credit: accounts.sales, amountMinor: 1000 };
      const given = { kind: 'REFUND', debit: accounts.refunds, credit: accounts.acquirer, amountMinor: 250 };
      expect(entries).toHaveLength(2);
      expect(entries).toContainEqual({ ...place, paymentId: sale.payment.id, ...captured });
      expect(entries).toContainEqual({ ...place, paymentId: back.payment.id, ...given });
      expect([...balancesOf(entries).values()].reduce((sum, balance) => sum + balance, 0n)).toBe(0n);
    });

    it('makes a zero settlement of an empty batch', async () => {
      const shop = await openShop(stores.one);
      const settlement = await mustClose(shop);
      expect(settlement.totals.funded).toMatchObject({ saleCount: 0, saleAmount: 0 });
      expect(await stores.one.read.settlementRows(settlement)).toEqual([]);
    });

    it('does not close over what is unknown, in progress, or waits for its tip', async () => {
      const shop = await openShop(stores.one);
      const processing = newPayment(shop);
      await stores.one.beginAuthorization(intentOf(shop, processing));
      const waiting = await hold(shop, 100, { type: 'SALE', createdAt: isoOf(startMs + 1) });
      const marked = await sell(shop, 100, { createdAt: isoOf(startMs + 2) });
      await stores.one.transact((unit) => unit.beginOperation(marked, 'VOID', startMs));
      const result = await closeBatch(shop);
      if (result.kind !== 'BLOCKED') throw new Error(result.kind);
      expect(result.blockers.map(({ payment }) => payment.id)).toEqual([
        processing.payment.id,
        waiting.payment.id,
        marked.payment.id,
      ]);
      expect((await stores.one.read.findTerminal(shop))?.batchNumber).toBe(1);
    });

    it('puts each payment in exactly one settlement while 8 writers race 6 closes', async () => {
      const shop = await openShop(stores.one);
      const sold: PaymentRecord[] = [];
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        const own = { ...shop, store: writer % 2 === 0 ? stores.one : stores.other };
        for (let index = 0; index < SALES_OF_A_WRITER; index += 1) sold.push(await sell(own, 100 + writer));
      });
      const settlements: Awaited<ReturnType<typeof mustClose>>[] = [];
      const closer = async () => {
        while (settlements.length < 6) {
          const result = await closeBatch({ ...shop, store: stores.other });
          if (result.kind === 'CLOSED') settlements.push(result.settlement);
        }
      };
      await Promise.all([...writers, closer()]);
      settlements.push(await mustClose(shop));
      const placed = (await Promise.all(settlements.map((one) => stores.one.read.settlementRows(one)))).flat();
      expect(placed.map(({ paymentId }) => paymentId).sort()).toEqual(sold.map(({ payment }) => payment.id).sort());
      for (const settlement of settlements) {
        const rows = await stores.one.read.settlementRows(settlement);
        const net = rows.reduce((sum, { netAmountMinor }) => sum + netAmountMinor, 0);
        expect(settlement.totals.funded).toMatchObject({ saleCount: rows.length, saleAmount: net });
      }
      expect(settlements.map(({ batchNumber }) => batchNumber)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    });

    it('never changes what is settled: neither a later refund nor a late sale moves a closed batch', async () => {
      const shop = await openShop(stores.one);
      const sale = await sell(shop, 1000);
      const first = await mustClose(shop);
      const rowsBefore = await stores.one.read.settlementRows(first);
      await refund(shop, sale, 400);
      await sell(shop, 5);
      const second = await mustClose(shop);
      expect(await stores.one.read.settlementRows(first)).toEqual(rowsBefore);
      expect(await stores.one.read.findSettlement(shop.merchantId, first.id)).toEqual(first);
      expect(second.totals.funded).toMatchObject({ saleAmount: 5, refundAmount: 400 });
    });

    it('moves a settlement by its table, once', async () => {
      const shop = await openShop(stores.one);
      const settlement = await mustClose(shop);
      const told = { acquirerBatchRef: 'B-7', fundingDateMs: startMs + 86_400_000 };
      const moves = await Promise.all(
        [stores.one, stores.other].map((store) =>
          store.transact((unit) => unit.moveSettlement(settlement, 'SETTLED', told)),
        ),
      );
      expect(moves.filter(Boolean)).toHaveLength(1);
      const settled = await stores.one.read.findSettlement(shop.merchantId, settlement.id);
      expect(settled).toEqual({ ...settlement, status: 'SETTLED', ...told });
      if (settled === undefined) throw new Error('no settlement');
      await expect(stores.one.transact((unit) => unit.moveSettlement(settled, 'FAILED', {}))).rejects.toMatchObject({
        code: 'ILLEGAL_STATE',
      });
    });

    it('judges the totals of a batch once nothing more can come into it, and keeps what the acquirer says beside that', async () => {
      const shop = await openShop(stores.one);
      await sell(shop, 700);
      const { merchantId, terminalId } = shop;
      const result = await stores.one.transact((unit) =>
        unit.closeBatch({
          merchantId,
          terminalId,
          settlementId: randomUUID(),
          businessDate: '2026-11-28',
          closedBy: 'TILL',
          judge: ({ funded }) => ({ status: 'PARTIAL', differences: [`sales ${funded.saleAmount}`] }),
          atMs: startMs,
        }),
      );
      if (result.kind !== 'CLOSED') throw new Error(result.kind);
      const { settlement } = result;
      expect(settlement).toMatchObject({ status: 'PARTIAL', differences: ['sales 700'] });
      const word = { acquirerBatchRef: 'B-1', differences: ['acquirer counts 2'] };
      expect(await stores.other.transact((unit) => unit.noteSettlement(settlement, word))).toBe(true);
      expect(await stores.one.read.findSettlement(merchantId, settlement.id)).toEqual({
        ...settlement,
        acquirerBatchRef: 'B-1',
        differences: ['sales 700', 'acquirer counts 2'],
      });
    });

    it('keeps the message of a close until it is answered, and counts each try once', async () => {
      const shop = await openShop(stores.one);
      const settlement = await mustClose(shop);
      const { merchantId, terminalId } = shop;
      const ref = { merchantId, settlementId: settlement.id };
      const trace = { reference: randomUUID(), stan: 999_999, rrn: '633211999999', sentAtMs: startMs };
      const close = { ...ref, terminalId, acquirer: 'simulator', ...trace, attempts: 1, nextAtMs: startMs + 100 };
      await stores.one.transact((unit) => unit.addBatchClose(close));
      const due = async (atMs: number) =>
        (await stores.other.read.dueBatchCloses(atMs, 1000)).filter((one) => one.merchantId === merchantId);
      expect(await due(startMs + 99)).toEqual([]);
      expect(await due(startMs + 100)).toEqual([close]);
      const claims = await Promise.all(
        [stores.one, stores.other].map((store) =>
          store.transact((unit) => unit.claimBatchCloseAttempt(close, startMs + 300)),
        ),
      );
      expect(claims.filter((one) => one !== undefined)).toEqual([{ ...close, attempts: 2, nextAtMs: startMs + 300 }]);
      const answer = () => stores.one.transact((unit) => unit.answerBatchClose(ref, startMs + 301));
      expect([await answer(), await answer()]).toEqual([true, false]);
      expect(await due(startMs + 1000)).toEqual([]);
      expect(await stores.one.read.findBatchClose(ref)).toMatchObject({ attempts: 2, answeredAtMs: startMs + 301 });
    });

    it('lists settlements of one instant once each, by pages of one, and filters them', async () => {
      const shop = await openShop(stores.one);
      for (let index = 0; index < 3; index += 1) await mustClose(shop, startMs);
      const later = await mustClose(shop, startMs + 1);
      const pagesOf = async (filter: Partial<SettlementFilter>) => {
        const ids: string[] = [];
        const cursors: (string | null)[] = [];
        let cursor: string | null = null;
        do {
          const page: Awaited<ReturnType<HostStore['read']['listSettlements']>> = await stores.one.read.listSettlements(
            {
              merchantId: shop.merchantId,
              limit: 1,
              ...filter,
              ...(cursor === null ? {} : { cursor }),
            },
          );
          ids.push(...page.rows.map(({ id }) => id));
          cursor = page.nextCursor;
          cursors.push(cursor);
        } while (cursor !== null);
        return { ids, pages: cursors.length };
      };
      const ofInstant = await pagesOf({ toMs: startMs + 1 });
      expect(new Set(ofInstant.ids).size).toBe(3);
      expect(ofInstant.pages).toBe(3);
      expect((await pagesOf({})).ids[0]).toBe(later.id);
      expect((await pagesOf({ fromMs: startMs + 1 })).ids).toEqual([later.id]);
      expect((await pagesOf({ currency: 'JPY' })).ids).toEqual([]);
      expect((await pagesOf({ terminalId: 'T2' })).ids).toEqual([]);
    });
  });
}
