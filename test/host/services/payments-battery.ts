import { beforeAll, describe, expect, it } from 'vitest';
import type { TerminalTipConfigRequest } from '../../../app/contract/host/tip-config.ts';
import {
  authorize,
  authorizedOf,
  authorizeRoute,
  callOf,
  type PaymentBench,
  paymentOf,
  purchaseOf,
} from './payment-bench.ts';
import { actCall, paymentLanes, refundCall } from './payment-lanes.ts';

const tips: TerminalTipConfigRequest = {
  enabled: true,
  presetBasisPoints: [1000],
  allowCustomAmount: true,
  postAuthAdjustEnabled: true,
  maxAmountMinor: 5000,
  maxBasisPoints: 5000,
  fixedAmountMinor: null,
  fixedAmountThresholdMinor: null,
};

/** The payment services over a database of this kind, judged by the acquirer's own book. */
export function paymentsBattery(kind: string, database: () => Promise<string | undefined>): void {
  describe(`payments of a host on ${kind}`, () => {
    const lanes = paymentLanes(database);
    const { onLane, read } = lanes;
    let bench: PaymentBench;
    beforeAll(() => {
      bench = lanes.bench();
    });

    it('approves a purchase, charges it once, and says the same under its key', async () => {
      const lane = await onLane('approve');
      const request = purchaseOf(lane.device, {
        referenceId: 'order 1',
        metadata: { table: '7' },
        maskedPan: '411111******1111',
      });
      const call = callOf(authorizeRoute);
      const first = await bench.host.authorize(lane.device, call, request);
      const again = await bench.host.authorize(lane.device, call, request);
      expect(again).toEqual({ ...first, replayed: true });
      const told = authorizedOf(first);
      expect(told).toMatchObject({
        approved: true,
        responseCode: '00',
        transactionId: request.transactionId,
        payment: {
          id: request.transactionId,
          status: 'SUCCEEDED',
          capturedAmountMinor: 1000,
          referenceId: 'order 1',
          metadata: { table: '7' },
          simulated: true,
          businessDate: told.payment.createdAt.slice(0, 10),
        },
      });
      expect(told.authorizationCode).toMatch(/^[0-9]{6}$/);
      expect(await read(lane, told.transactionId)).toEqual(told.payment);
      expect(await lane.charged()).toEqual({ held: 0, captured: 1000, refunded: 0 });
    });

    it('refuses another body under a key, and leaves the first payment alone', async () => {
      const lane = await onLane('reused');
      const call = callOf(authorizeRoute);
      const request = purchaseOf(lane.device);
      await bench.host.authorize(lane.device, call, request);
      await expect(bench.host.authorize(lane.device, call, { ...request, amount: 1100 })).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
      expect(await lane.charged()).toMatchObject({ captured: 1000 });
    });

    it('has one effect of 32 calls under one key at two processes', async () => {
      const lane = await onLane('parallel');
      const other = await bench.another();
      const call = callOf(authorizeRoute);
      const request = purchaseOf(lane.device);
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, index) =>
          (index % 2 === 0 ? bench.host : other).authorize(lane.device, call, request),
        ),
      );
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(await lane.charged()).toMatchObject({ captured: 1000 });
    });

    it('tells a decline with its reason, and charges nothing', async () => {
      const lane = await onLane('decline');
      const told = await authorize(lane, { amount: 1051 });
      expect(told).toMatchObject({
        approved: false,
        responseCode: '51',
        payment: { status: 'DECLINED', decline: { category: 'INSUFFICIENT_FUNDS', retryable: true } },
      });
      expect(await lane.charged()).toEqual({ held: 0, captured: 0, refunded: 0 });
    });

    it('holds a pre-authorization, captures a part of it once, and releases the rest', async () => {
      const lane = await onLane('capture');
      const held = await authorize(lane, { transactionType: 'pre_auth', amount: 20_000 });
      expect(held.payment).toMatchObject({ status: 'REQUIRES_CAPTURE', type: 'PRE_AUTH', capturedAmountMinor: null });
      expect(Date.parse(held.payment.authExpiresAt ?? '')).toBeGreaterThan(bench.deps.clock.nowMs());
      const { id } = held.payment;
      await expect(
        bench.host.capture(lane.device, actCall(id, 'capture'), id, { amountMinor: 20_001 }),
      ).rejects.toMatchObject({
        code: 'CAPTURE_EXCEEDS_AUTHORIZATION',
      });
      const answers = await Promise.allSettled(
        Array.from({ length: 8 }, () =>
          bench.host.capture(lane.device, actCall(id, 'capture'), id, { amountMinor: 18_500 }),
        ),
      );
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const answer of answers) {
        if (answer.status === 'rejected') expect(['ALREADY_COMPLETED', 'ILLEGAL_STATE']).toContain(answer.reason.code);
      }
      expect(await read(lane, id)).toMatchObject({ status: 'SUCCEEDED', capturedAmountMinor: 18_500 });
      expect(await lane.charged()).toEqual({ held: 0, captured: 18_500, refunded: 0 });
    });

    it('keeps a purchase uncaptured where tips are adjusted, adjusts the tip, and refuses it after the capture', async () => {
      const lane = await onLane('tips');
      await bench.store.transact((unit) => unit.saveTipConfig(lane.device.merchantId, tips, bench.deps.clock.nowMs()));
      try {
        const held = await authorize(lane, { amount: 2000 });
        expect(held.payment).toMatchObject({ status: 'REQUIRES_CAPTURE', type: 'SALE', captureMethod: 'MANUAL' });
        const { id } = held.payment;
        const tip = { tipAmountMinor: 300, tipSource: 'custom' };
        const adjusted = paymentOf(await bench.host.adjustTip(lane.device, actCall(id, 'tip-adjust'), id, tip));
        expect(adjusted).toMatchObject({
          status: 'REQUIRES_CAPTURE',
          amountMinor: 2300,
          tipAmountMinor: 300,
          tipSource: 'custom',
        });
        await expect(
          bench.host.adjustTip(lane.device, actCall(id, 'tip-adjust'), id, { tipAmountMinor: 1001 }),
        ).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'tipAmountMinor' });
        expect(await lane.charged()).toMatchObject({ held: 2300 });
        await bench.host.capture(lane.device, actCall(id, 'capture'), id, {});
        expect(await lane.charged()).toMatchObject({ held: 0, captured: 2300 });
        await expect(bench.host.adjustTip(lane.device, actCall(id, 'tip-adjust'), id, tip)).rejects.toMatchObject({
          code: 'ALREADY_COMPLETED',
        });
      } finally {
        const off = { ...tips, postAuthAdjustEnabled: false };
        await bench.store.transact((unit) => unit.saveTipConfig(lane.device.merchantId, off, bench.deps.clock.nowMs()));
      }
    });

    it('voids a captured purchase, releases a hold, and says so once', async () => {
      const lane = await onLane('void');
      const sale = (await authorize(lane)).payment;
      const hold = (await authorize(lane, { transactionType: 'pre_auth', amount: 5000 })).payment;
      for (const { id } of [sale, hold]) {
        const voided = paymentOf(
          await bench.host.voidPayment(lane.device, actCall(id, 'void'), id, { reason: 'Wrong table' }),
        );
        expect(voided).toMatchObject({ id, status: 'REVERSED' });
        await expect(bench.host.voidPayment(lane.device, actCall(id, 'void'), id, {})).rejects.toMatchObject({
          code: 'ALREADY_VOIDED',
        });
      }
      expect(await lane.charged()).toEqual({ held: 0, captured: 0, refunded: 0 });
      expect((await bench.store.read.openTotals(lane.device)).funded).toMatchObject({
        saleCount: 1,
        saleAmount: 1000,
        voidCount: 1,
        voidAmount: 1000,
      });
    });

    it('refunds in parts up to what was captured without cash-back', async () => {
      const lane = await onLane('refund');
      const sale = (await authorize(lane, { amount: 1500, cashbackAmountMinor: 500, baseAmountMinor: 1500 })).payment;
      const first = paymentOf(
        await bench.host.refund(bench.server, refundCall(sale.id), sale.id, { amountMinor: 600 }),
      );
      expect(first).toMatchObject({
        type: 'REFUND',
        status: 'SUCCEEDED',
        originalTransactionId: sale.id,
        amountMinor: 600,
        businessDate: first.createdAt.slice(0, 10),
      });
      await expect(
        bench.host.refund(bench.server, refundCall(sale.id), sale.id, { amountMinor: 401 }),
      ).rejects.toMatchObject({
        code: 'REFUND_EXCEEDS_ORIGINAL',
        field: 'amountMinor',
      });
      const withCard = await authorize(lane, {
        transactionType: 'refund',
        amount: 400,
        originalTransactionId: sale.id,
      });
      expect(withCard.payment).toMatchObject({ type: 'REFUND', status: 'SUCCEEDED' });
      expect(await lane.charged()).toEqual({ held: 0, captured: 1500, refunded: 1000 });
      await expect(bench.host.voidPayment(lane.device, actCall(sale.id, 'void'), sale.id, {})).rejects.toMatchObject({
        code: 'HAS_REFUNDS',
      });
    });

    it('gives the reservation of a declined refund back', async () => {
      const lane = await onLane('refund-declined');
      const sale = (await authorize(lane)).payment;
      await bench.simulator.control.next({ rule: 'decline-57', types: ['REFUND'] });
      const declined = paymentOf(
        await bench.host.refund(bench.server, refundCall(sale.id), sale.id, { amountMinor: 1000 }),
      );
      expect(declined.status).toBe('DECLINED');
      const whole = paymentOf(
        await bench.host.refund(bench.server, refundCall(sale.id), sale.id, { amountMinor: 1000 }),
      );
      expect(whole.status).toBe('SUCCEEDED');
    });

    it('never gives back more than was captured when refunds race at two processes', async () => {
      const lane = await onLane('race');
      const other = await bench.another();
      for (let round = 0; round < 10; round += 1) {
        const sale = (await authorize(lane, { amount: 10_000 })).payment;
        const before = (await lane.charged()).refunded;
        const results = await Promise.allSettled(
          Array.from({ length: 16 }, (_, index) =>
            (index % 2 === 0 ? bench.host : other).refund(bench.server, refundCall(sale.id), sale.id, {
              amountMinor: 6000,
            }),
          ),
        );
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const result of results) {
          if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'REFUND_EXCEEDS_ORIGINAL' });
        }
        expect((await lane.charged()).refunded - before).toBe(6000);
      }
    });

    it('sends nothing, and keeps no key, while the acquirer is away', async () => {
      const lane = await onLane('away');
      const request = purchaseOf(lane.device);
      const call = callOf(authorizeRoute);
      await bench.simulator.lineDown();
      await expect(bench.host.authorize(lane.device, call, request)).rejects.toMatchObject({
        code: 'HOST_UNREACHABLE',
      });
      await bench.simulator.lineUp();
      expect(authorizedOf(await bench.host.authorize(lane.device, call, request)).approved).toBe(true);
    });

    it('knows a payment by the key of its call and by the name that the till gave it, and nobody else does', async () => {
      const lane = await onLane('look-up');
      const stranger = await bench.addDevice('look-up-2');
      const call = callOf(authorizeRoute);
      const told = authorizedOf(
        await bench.host.authorize(lane.device, call, purchaseOf(lane.device, { transactionId: 'till-17' })),
      );
      const { idempotencyKey = '' } = call;
      for (const query of [{ idempotencyKey }, { transactionId: 'till-17' }, { transactionId: told.payment.id }]) {
        expect(await bench.host.lookUp(lane.device, query)).toEqual(told.payment);
        await expect(bench.host.lookUp(stranger, query)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
    });
  });
}
