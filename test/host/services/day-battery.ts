import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DeviceReconciliationRequest } from '../../../app/contract/host/device-reconciliation.ts';
import type { Payment } from '../../../app/contract/host/payment.ts';
import { SettlementExport } from '../../../app/contract/host/settlement-export.ts';
import {
  ReconciliationResponse,
  Settlement,
  SettlementList,
  TotalsResponse,
  type TransactionTotals,
} from '../../../app/contract/settlements.ts';
import { validate } from '../../../app/contract/validate.ts';
import { isoOf } from '../../../app/domain/instant.ts';
import type { HostStore } from '../../../host/ports/host-store.ts';
import { settlePending } from '../../../host/services/tell-acquirer.ts';
import { withStores } from '../store-battery.ts';
import { hold, intentOf, moveOf, mustMove, newPayment, openShop, type Shop, sell, startMs } from '../store-fixture.ts';
import type { TestDatabase } from '../test-databases.ts';
import { addTerminal, type Bench, callOf, deviceOf, openBench, read, secretOf } from './services-fixture.ts';

/** Writers that race closes, and sales of each. */
const WRITERS = 8;
const SALES_OF_A_WRITER = 12;
const DAY_MS = 24 * 3_600_000;

const dayRoute = 'POST /v1/reconciliation';
const ownRoute = 'POST /api/v1/terminal/reconciliation';

/** A payment of the terminal's own acquirer. */
async function external(shop: Shop, amountMinor: number): Promise<void> {
  const changes = {
    acceptanceChannel: 'EXTERNAL_RAIL',
    status: 'SUCCEEDED',
    capturedAmountMinor: amountMinor,
  } as const;
  const added = newPayment(shop, { ...changes, amountMinor });
  const events = [{ kind: 'CAPTURED', heldMinor: 0, capturedMinor: amountMinor }] as const;
  await shop.store.transact((unit) => unit.insertPayment(added, 'RECORDED', events, startMs));
}

async function closeDay(bench: Bench, shop: Shop, terminalId: string | undefined = shop.terminalId, key?: string) {
  const answer = await bench.closeDay(secretOf(shop), callOf(dayRoute, key), terminalId, { closeDay: true });
  return validate(ReconciliationResponse, read(answer));
}

async function closeOwn(bench: Bench, shop: Shop, counted: Partial<DeviceReconciliationRequest> = {}) {
  const request = { deviceId: 'D1', terminalId: shop.terminalId, closeDay: true, ...counted };
  return validate(ReconciliationResponse, read(await bench.closeOwnDay(deviceOf(shop), callOf(ownRoute), request)));
}

async function settlementOf(bench: Bench, shop: Shop, { settlementId = '' }: ReconciliationResponse) {
  return validate(Settlement, await bench.settlement(secretOf(shop), settlementId));
}

function totals(changes: Partial<TransactionTotals> = {}): TransactionTotals {
  const nothing = { saleCount: 0, saleAmount: 0, refundCount: 0, refundAmount: 0, voidCount: 0, voidAmount: 0 };
  return { ...nothing, preAuthCount: 0, preAuthAmount: 0, currency: 'EUR', ...changes };
}

export function dayServicesBattery(database: TestDatabase): void {
  const stores = withStores(database);
  const open = async () => {
    const shop = await openShop(stores.one);
    return { shop, bench: openBench(stores.one) };
  };
  const batchOf = async (store: HostStore, shop: Shop) => (await store.read.findTerminal(shop))?.batchNumber;

  describe('the day close', () => {
    it('changes nothing in a dry run, and says what the terminal counts otherwise', async () => {
      const { shop, bench } = await open();
      await sell(shop, 1000);
      const held = await hold(shop, 5000);
      const dry = { closeDay: false, journalTotals: totals({ saleCount: 1, saleAmount: 999 }) };
      const answer = await closeOwn(bench, shop, dry);
      expect(answer).toMatchObject({
        status: 'PARTIAL',
        totals: { saleCount: 1, saleAmount: 1000, preAuthCount: 1 },
        differences: [
          'journalTotals.saleAmount: host 1000, terminal 999',
          'journalTotals.preAuthCount: host 1, terminal 0',
          'journalTotals.preAuthAmount: host 5000, terminal 0',
        ],
        openPreAuths: [{ transactionId: held.payment.id, amount: 5000, currency: 'EUR' }],
      });
      expect(answer.settlementId).toBeUndefined();
      expect(await batchOf(stores.one, shop)).toBe(1);
      expect(bench.acquirer.closes).toEqual([]);
      const now = validate(TotalsResponse, await bench.totals(secretOf(shop), undefined));
      expect(now).toMatchObject({ totals: answer.totals, openPreAuths: answer.openPreAuths });
    });

    it('closes a batch in one commit, tells the acquirer the same totals, and is settled when it agrees', async () => {
      const { shop, bench } = await open();
      const sale = await sell(shop, 1000, { referenceId: 'R1', metadata: { table: '7' } });
      await external(shop, 70);
      bench.acquirer.answer({ kind: 'CLOSED', isAgreed: true, batchReference: 'B-1', fundingDate: '2026-11-30' });
      const answer = await closeDay(bench, shop, undefined);
      expect(answer).toMatchObject({
        status: 'SUCCESS',
        totals: { saleAmount: 1000 },
        externalTotals: { saleAmount: 70 },
      });
      const [close] = bench.acquirer.closes;
      expect(close?.message).toMatchObject({ currencyCode: 'EUR', totals: { saleCount: 1, saleAmountMinor: 1000 } });
      expect(close?.message.trace.rrn).toMatch(/^633209\d{6}$/);
      const settlement = await settlementOf(bench, shop, answer);
      expect(settlement).toMatchObject({
        status: 'SETTLED',
        acquirerBatchRef: 'B-1',
        fundingDate: '2026-11-30T00:00:00.000Z',
        netAmount: 1000,
        externalTotals: { saleAmount: 70 },
      });
      const list = validate(SettlementList, await bench.settlements(secretOf(shop), { limit: 25 }));
      const { acquirerBatchRef: _ref, fundingDate: _date, ...item } = settlement;
      expect(list).toEqual({ data: [item], hasMore: false, nextCursor: null });
      const exported = validate(SettlementExport, await bench.settlementExport(secretOf(shop), settlement.id));
      expect(exported.payments).toHaveLength(2);
      expect(exported.payments.find(({ paymentId }) => paymentId === sale.payment.id)).toMatchObject({
        referenceId: 'R1',
        metadata: { table: '7' },
        netAmountMinor: 1000,
      });
      expect((await bench.payment(secretOf(shop), sale.payment.id)).settlementId).toBe(settlement.id);
    });

    it('is of the terminal’s own business date, as its payments are; a till that tells another one is on record', async () => {
      const { shop, bench } = await open();
      const business = { timeZone: 'Asia/Tokyo', cutOff: '20:00' };
      expect(await stores.one.transact((unit) => unit.setBusinessDay(shop, business, startMs))).toBe(true);
      const caller = { ...deviceOf(shop), businessDay: business };
      expect(await bench.deviceConfig(caller)).toMatchObject({ businessDay: business });
      const sale = {
        ...{ deviceId: 'D1', terminalId: shop.terminalId, transactionId: randomUUID(), type: 'SALE' as const },
        ...{ status: 'SUCCEEDED' as const, amount: 70, currencyCode: 'EUR', occurredAt: isoOf(startMs) },
      };
      // 18:00 in Tokyo: the day of the 28th begins in two hours.
      const recorded = read<Payment>(await bench.record(caller, callOf('record'), sale));
      expect(recorded).toMatchObject({ createdAt: isoOf(startMs), businessDate: '2026-11-27' });
      expect(await bench.payment(secretOf(shop), recorded.id)).toMatchObject({ businessDate: '2026-11-27' });
      await bench.clock.advance(2 * 3_600_000);
      const told = { businessDate: '2026-11-27', externalTotals: totals({ saleCount: 1, saleAmount: 70 }) };
      expect(await closeOwn(bench, shop, { ...told, closeDay: false })).toMatchObject({ businessDate: '2026-11-28' });
      const answer = await closeOwn(bench, shop, told);
      expect(answer).toMatchObject({ status: 'SUCCESS', businessDate: '2026-11-28' });
      expect(await settlementOf(bench, shop, answer)).toMatchObject({
        ...{ status: 'SETTLED', businessDate: '2026-11-28', terminalBusinessDate: '2026-11-27' },
      });
      const [listed] = (await bench.settlements(secretOf(shop), { limit: 25 })).data;
      expect(listed).toMatchObject({ businessDate: '2026-11-28', terminalBusinessDate: '2026-11-27' });
      const { payments } = await bench.settlementExport(secretOf(shop), answer.settlementId ?? '');
      expect(payments).toMatchObject([{ paymentId: recorded.id, businessDate: '2026-11-27' }]);
      expect(await stores.one.transact((unit) => unit.setBusinessDay({ ...shop, terminalId: 'T9' }, business, 0))).toBe(
        false,
      );
    });

    it('makes one settlement and one message per key, and none of a refused close', async () => {
      const { shop, bench } = await open();
      const key = randomUUID();
      const first = await closeDay(bench, shop, undefined, key);
      const again = await closeDay(bench, shop, undefined, key);
      expect(again).toEqual(first);
      expect(bench.acquirer.closes).toHaveLength(1);
      const call = callOf(dayRoute, key);
      const other = bench.closeDay(secretOf(shop), call, undefined, { closeDay: false });
      await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
      const racing = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          closeDay(index % 2 === 0 ? bench : openBench(stores.other), shop, undefined, `${key}-race`),
        ),
      );
      expect(new Set(racing.map(({ settlementId }) => settlementId)).size).toBe(1);
      expect(await batchOf(stores.one, shop)).toBe(3);
    });

    it('is blocked by what is in progress, unknown, or waits for its tip, with the list', async () => {
      const { shop, bench } = await open();
      const processing = newPayment(shop);
      await stores.one.beginAuthorization(intentOf(shop, processing));
      const waiting = await hold(shop, 100, { type: 'SALE', createdAt: isoOf(startMs + 1) });
      const lost = newPayment(shop, { createdAt: isoOf(startMs + 2) });
      await stores.one.beginAuthorization(intentOf(shop, lost));
      const { merchantId, terminalId } = shop;
      const begun = await stores.one.read.findPayment({ merchantId, paymentId: lost.payment.id });
      if (begun === undefined) throw new Error('not begun');
      await mustMove(shop, moveOf(begun, 'OUTCOME_LOST', { status: 'FAILED' }, []));
      const task = { merchantId, taskId: randomUUID(), paymentId: lost.payment.id, terminalId, reason: 'NO_ANSWER' };
      await stores.one.transact((unit) => unit.openTask({ ...task, nextAtMs: startMs, createdAtMs: startMs }));
      const blockers = [
        { transactionId: processing.payment.id, reason: 'IN_PROGRESS' },
        { transactionId: waiting.payment.id, reason: 'TIP_CAPTURE_PENDING' },
        { transactionId: lost.payment.id, reason: 'OUTCOME_UNKNOWN', recoveryTaskId: task.taskId },
      ];
      for (const close of [() => closeDay(bench, shop), () => closeOwn(bench, shop)]) {
        await expect(close()).rejects.toMatchObject({
          code: 'DAY_CLOSE_BLOCKED',
          httpStatus: 409,
          details: { blockers },
        });
      }
      expect(await bench.totals(secretOf(shop), terminalId)).toMatchObject({ blockers });
      expect(await batchOf(stores.one, shop)).toBe(1);
      expect(bench.acquirer.closes).toEqual([]);
    });

    it('needs X-Terminal-Id where there are several terminals, and closes that one only', async () => {
      const { shop, bench } = await open();
      const lane = await addTerminal(shop, 'T2');
      await sell(shop, 1000);
      await sell(lane, 200);
      for (const call of [
        () => bench.closeDay(secretOf(shop), callOf(dayRoute), undefined, { closeDay: true }),
        () => bench.totals(secretOf(shop), undefined),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'X-Terminal-Id' });
      }
      await expect(closeDay(bench, shop, 'T9')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await closeDay(bench, shop, 'T2')).toMatchObject({ totals: { saleAmount: 200 } });
      expect((await bench.totals(secretOf(shop), 'T1')).totals.saleAmount).toBe(1000);
    });

    it('is the same by the merchant’s server as by the till, and the till finds nothing new afterwards', async () => {
      const { shop, bench } = await open();
      const lane = await addTerminal(shop, 'T2');
      for (const each of [shop, lane]) {
        await sell(each, 1000);
        await external(each, 70);
      }
      // The acquirer counts otherwise, of both.
      const counted = { saleCount: 2, saleAmountMinor: 1100, refundCount: 0, refundAmountMinor: 0 };
      const reply = {
        kind: 'CLOSED',
        isAgreed: false,
        totals: { ...counted, voidCount: 0, voidAmountMinor: 0 },
      } as const;
      bench.acquirer.answer(reply, reply);
      const journalTotals = totals({ saleCount: 1, saleAmount: 1000 });
      const externalTotals = totals({ saleCount: 1, saleAmount: 70 });
      const byTill = await closeOwn(bench, shop, { journalTotals, externalTotals });
      const byServer = await closeDay(bench, lane);
      expect({ ...byServer, settlementId: 0 }).toEqual({ ...byTill, settlementId: 0 });
      const found = async (each: Shop, { settlementId = '' }: ReconciliationResponse) => {
        const {
          id: _id,
          terminalId: _terminal,
          ...rest
        } = (await stores.one.read.findSettlement(each.merchantId, settlementId)) ?? {};
        return rest;
      };
      expect(await found(lane, byServer)).toEqual(await found(shop, byTill));
      expect(await found(lane, byServer)).toMatchObject({ status: 'PARTIAL', differences: { length: 2 } });

      const again = await closeDay(bench, lane);
      expect(again).toMatchObject({ status: 'SUCCESS', totals: totals() });
      expect(again).not.toHaveProperty('externalTotals');
      // What its day has had since, the till sees with the rest, and its settlement alone.
      await sell(lane, 5);
      const whole = totals({ saleCount: 2, saleAmount: 1005 });
      const dry = await closeOwn(bench, lane, { closeDay: false, journalTotals: whole, externalTotals });
      expect(dry).toMatchObject({ status: 'SUCCESS', totals: whole, externalTotals });
      const own = await closeOwn(bench, lane, { journalTotals: whole, externalTotals });
      expect(own).toMatchObject({ status: 'SUCCESS', totals: whole, externalTotals });
      expect(await settlementOf(bench, lane, own)).toMatchObject({ saleCount: 1, saleAmount: 5, status: 'SETTLED' });
      // Its next day begins with nothing.
      expect(await closeOwn(bench, lane, { journalTotals: totals() })).toMatchObject({
        status: 'SUCCESS',
        totals: totals(),
      });
    });

    it('stays PARTIAL where the terminal’s journal counts otherwise, though the acquirer agrees', async () => {
      const { shop, bench } = await open();
      await sell(shop, 1000);
      bench.acquirer.answer({ kind: 'CLOSED', isAgreed: true, batchReference: 'B-2' });
      const answer = await closeOwn(bench, shop, {
        journalTotals: totals({ saleCount: 2, saleAmount: 1000 }),
        externalTotals: totals({ voidCount: 1, voidAmount: 5 }),
      });
      expect(answer).toMatchObject({
        status: 'PARTIAL',
        differences: [
          'journalTotals.saleCount: host 1, terminal 2',
          'externalTotals.voidCount: host 0, terminal 1',
          'externalTotals.voidAmount: host 0, terminal 5',
        ],
      });
      expect(await settlementOf(bench, shop, answer)).toMatchObject({ status: 'PARTIAL', acquirerBatchRef: 'B-2' });
      expect(await batchOf(stores.one, shop)).toBe(2);
    });

    it('becomes PARTIAL with each difference where the acquirer counts otherwise, and FAILED where it refuses', async () => {
      const { shop, bench } = await open();
      await sell(shop, 1000);
      const nothing = { refundCount: 0, refundAmountMinor: 0, voidCount: 0, voidAmountMinor: 0 };
      const counted = { saleCount: 2, saleAmountMinor: 1100, ...nothing };
      bench.acquirer.answer({ kind: 'CLOSED', isAgreed: false, totals: counted });
      const first = await closeDay(bench, shop);
      expect(first.status).toBe('SUCCESS');
      const found = await stores.one.read.findSettlement(shop.merchantId, first.settlementId ?? '');
      expect(found).toMatchObject({
        status: 'PARTIAL',
        differences: ['saleCount: host 1, acquirer 2', 'saleAmountMinor: host 1000, acquirer 1100'],
      });
      bench.acquirer.answer({ kind: 'REFUSED', responseCode: '96' });
      const second = await closeDay(bench, shop);
      expect(await settlementOf(bench, shop, second)).toMatchObject({ status: 'FAILED' });
      expect(bench.logged.filter(({ level }) => level === 'error')).toHaveLength(2);
    });

    it('tells the acquirer nothing of a terminal with payments of its own acquirer only', async () => {
      const { shop, bench } = await open();
      await external(shop, 70);
      const answer = await closeOwn(bench, shop, { externalTotals: totals({ saleCount: 1, saleAmount: 70 }) });
      expect(answer).toMatchObject({ status: 'SUCCESS', totals: { saleCount: 0 }, externalTotals: { saleAmount: 70 } });
      expect(await settlementOf(bench, shop, answer)).toMatchObject({ status: 'SETTLED', netAmount: 0 });
      expect(bench.acquirer.closes).toEqual([]);
    });

    it('repeats a close without an answer under its own trace, ever more rarely, from one process at a time', async () => {
      const { shop, bench } = await open();
      await sell(shop, 1000);
      const lost = { kind: 'LOST', reason: 'TIMEOUT' } as const;
      bench.acquirer.answer({ kind: 'NOT_SENT', reason: 'LINE_DOWN' }, lost, lost);
      const answer = await closeDay(bench, shop);
      expect(answer.status).toBe('SUCCESS');
      const statusNow = async () => (await settlementOf(bench, shop, answer)).status;
      expect(await statusNow()).toBe('PENDING');
      const { clock, acquirer } = bench;
      const others = openBench(stores.other, { clock, acquirer });
      const ours = () => acquirer.closes.filter(({ message }) => message.merchantId === shop.merchantId);
      const due = async () => {
        const ref = { merchantId: shop.merchantId, settlementId: answer.settlementId ?? '' };
        return (await stores.one.read.findBatchClose(ref))?.nextAtMs ?? 0;
      };
      const gaps: number[] = [];
      for (let attempt = 2; attempt <= 4; attempt += 1) {
        const nextAtMs = await due();
        gaps.push(nextAtMs - clock.nowMs());
        await settlePending(bench.deps, nextAtMs - 1);
        expect(ours()).toHaveLength(attempt - 1);
        await clock.advance(nextAtMs - clock.nowMs());
        await Promise.all([settlePending(bench.deps, nextAtMs), settlePending(others.deps, nextAtMs)]);
        expect(ours()).toHaveLength(attempt);
      }
      expect(gaps).toEqual([90_000, 180_000, 360_000]);
      expect(await statusNow()).toBe('SETTLED');
      const [first, ...repeats] = ours();
      expect(first?.isRepeat).toBe(false);
      expect(repeats.every(({ message, isRepeat }) => isRepeat && message !== first?.message)).toBe(true);
      for (const { message } of repeats) expect(message).toEqual(first?.message);
      await settlePending(bench.deps, clock.nowMs() + DAY_MS);
      expect(ours()).toHaveLength(4);
    });

    it('calls it an error when the acquirer has not answered for a day', async () => {
      const { shop, bench } = await open();
      bench.acquirer.answer({ kind: 'LOST', reason: 'LINE_LOST' }, { kind: 'LOST', reason: 'TIMEOUT' });
      const answer = await closeDay(bench, shop);
      expect(bench.logged.some(({ level }) => level === 'error')).toBe(false);
      await bench.clock.advance(DAY_MS);
      await settlePending(bench.deps, bench.clock.nowMs());
      expect(bench.logged.filter(({ level }) => level === 'error')).toMatchObject([
        { message: 'A settlement has waited for its acquirer for more than a day.', fields: { terminalId: 'T1' } },
      ]);
      expect((await settlementOf(bench, shop, answer)).status).toBe('PENDING');
    });

    it.each([
      ['JPY', 500],
      ['KWD', 92_000],
    ])('settles %s in its own minor units', async (currency, amountMinor) => {
      const { shop, bench } = await open();
      const lane = await addTerminal(shop, 'T2', currency);
      await sell(lane, amountMinor, { currencyCode: currency });
      const answer = await closeDay(bench, shop, 'T2');
      expect(answer.totals).toMatchObject({ currency, saleAmount: amountMinor });
      expect(bench.acquirer.closes.at(-1)?.message).toMatchObject({
        currencyCode: currency,
        totals: { saleAmountMinor: amountMinor },
      });
      const list = await bench.settlements(secretOf(shop), { limit: 25, currency });
      expect(list.data).toMatchObject([{ currency, saleAmount: amountMinor, netAmount: amountMinor }]);
    });

    it('sums three of 2^31 exactly', async () => {
      const { shop, bench } = await open();
      for (let index = 0; index < 3; index += 1) await sell(shop, 2_147_483_648);
      const answer = await closeDay(bench, shop);
      expect(answer.totals.saleAmount).toBe(6_442_450_944);
      expect((await settlementOf(bench, shop, answer)).netAmount).toBe(6_442_450_944);
    });

    it('gives settlements of one instant once each by pages of one, and null at the end', async () => {
      const { shop, bench } = await open();
      const closed = [await closeDay(bench, shop), await closeDay(bench, shop), await closeDay(bench, shop)];
      const seen: string[] = [];
      let cursor: string | null = null;
      for (let page = 1; page <= 3; page += 1) {
        const query: { limit: number; cursor?: string } = cursor === null ? { limit: 1 } : { limit: 1, cursor };
        const list = validate(SettlementList, await bench.settlements(secretOf(shop), query));
        seen.push(...list.data.map(({ id }) => id));
        expect(list.hasMore).toBe(page < 3);
        cursor = list.nextCursor;
      }
      expect(cursor).toBeNull();
      expect([...seen].sort()).toEqual(closed.map(({ settlementId }) => settlementId).sort());
      const nowMs = bench.clock.nowMs();
      const before = await bench.settlements(secretOf(shop), { limit: 25, to: isoOf(nowMs) });
      expect(before.data).toEqual([]);
      const from = await bench.settlements(secretOf(shop), { limit: 25, from: isoOf(nowMs) });
      expect(from.data).toHaveLength(3);
      const forged = bench.settlements(secretOf(shop), { limit: 1, cursor: 'AAAA' });
      await expect(forged).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'cursor' });
    });

    it('gives payments of one instant once each by pages of one, by their filters', async () => {
      const { shop, bench } = await open();
      const secret = secretOf(shop);
      for (let index = 0; index < 3; index += 1) await sell(shop, 100 + index, { referenceId: `R${index}` });
      const ids = new Set<string>();
      let cursor: string | null = null;
      do {
        const more: { cursor?: string } = cursor === null ? {} : { cursor };
        const list: { data: Payment[]; nextCursor: string | null } = await bench.payments(secret, {
          limit: 1,
          ...more,
        });
        for (const { id } of list.data) ids.add(id);
        cursor = list.nextCursor;
      } while (cursor !== null);
      expect(ids.size).toBe(3);
      const found = await bench.payments(secret, { limit: 25, referenceId: 'R1', from: isoOf(startMs) });
      expect(found.data).toMatchObject([{ amountMinor: 101 }]);
      expect((await bench.payments(secret, { limit: 25, to: isoOf(startMs) })).data).toEqual([]);
    });

    it('shows another merchant nothing: neither settlement, export, payment nor list', async () => {
      const { shop, bench } = await open();
      const sale = await sell(shop, 1000);
      const { settlementId = '' } = await closeDay(bench, shop);
      const other = secretOf(await openShop(stores.one));
      for (const call of [
        () => bench.settlement(other, settlementId),
        () => bench.settlementExport(other, settlementId),
        () => bench.payment(other, sale.payment.id),
        () => bench.payment(secretOf(shop), randomUUID()),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND', httpStatus: 404 });
      }
      expect((await bench.settlements(other, { limit: 25 })).data).toEqual([]);
      expect((await bench.payments(other, { limit: 25 })).data).toEqual([]);
    });

    it(`puts each payment in exactly one settlement while ${WRITERS} writers race closes of two processes`, async () => {
      const { shop, bench } = await open();
      const otherProcess = openBench(stores.other);
      const sold: string[] = [];
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        const own = { ...shop, store: writer % 2 === 0 ? stores.one : stores.other };
        for (let index = 0; index < SALES_OF_A_WRITER; index += 1) {
          sold.push((await sell(own, 100 + writer)).payment.id);
        }
      });
      const answers: ReconciliationResponse[] = [];
      const closer = async (by: Bench) => {
        for (let closes = 0; closes < 3; ) {
          const answer = await closeDay(by, shop).catch((error: { code: string }) => {
            if (error.code !== 'DAY_CLOSE_BLOCKED') throw error;
            return undefined;
          });
          if (answer === undefined) continue;
          answers.push(answer);
          closes += 1;
        }
      };
      await Promise.all([...writers, closer(bench), closer(otherProcess)]);
      answers.push(await closeDay(bench, shop));
      const placed: string[] = [];
      for (const answer of answers) {
        const { payments, settlement } = await bench.settlementExport(secretOf(shop), answer.settlementId ?? '');
        placed.push(...payments.map(({ paymentId }) => paymentId));
        const net = payments.reduce((sum, { netAmountMinor }) => sum + netAmountMinor, 0);
        expect(settlement).toMatchObject({
          saleCount: payments.length,
          netAmount: net,
          saleAmount: answer.totals.saleAmount,
        });
      }
      expect(placed.sort()).toEqual(sold.sort());
      const told = [...bench.acquirer.closes, ...otherProcess.acquirer.closes];
      expect(new Set(told.map(({ message }) => message.trace.reference)).size).toBe(answers.length);
    });
  });
}
