import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuthorizeRequest } from '../../../app/contract/host/authorize.ts';
import type { TerminalPaymentSession } from '../../../app/contract/host/payment-session.ts';
import type { TerminalTipConfigRequest } from '../../../app/contract/host/tip-config.ts';
import type { DeviceCaller } from '../../../host/services/host.ts';
import { lapseHolds } from '../../../host/services/lapse-holds.ts';
import { until } from '../support/until.ts';
import {
  authorize,
  authorizedOf,
  authorizeRoute,
  callOf,
  claimedSession,
  openPaymentBench,
  type PaymentBench,
  paymentOf,
  purchaseOf,
} from './payment-bench.ts';

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
    let bench: PaymentBench;
    beforeAll(async () => {
      const url = await database();
      bench = await openPaymentBench(url === undefined ? {} : { database: url });
    });
    afterAll(() => bench.stop());

    const charged = async (terminalId: string) => {
      const lane = (await bench.book()).standing.find((each) => each.terminalId === terminalId);
      return {
        held: lane?.authorized.sumMinor ?? 0,
        captured: lane?.captured.sumMinor ?? 0,
        refunded: lane?.refunded.sumMinor ?? 0,
      };
    };
    const onLane = async (name: string) => {
      const device = await bench.addDevice(name);
      return { ...bench, device, charged: () => charged(name) };
    };
    type Lane = Awaited<ReturnType<typeof onLane>>;
    const read = async ({ device }: Pick<Lane, 'device'>, transactionId: string) =>
      await bench.host.lookUp(device, { transactionId });
    const route = (id: string, act: string) => callOf(`POST /api/v1/terminal/payments/${id}/${act}`);
    const refundCall = (id: string) => callOf(`POST /v1/payments/${id}/refunds`);
    const recoverAll = async () => {
      bench.skip(3_600_000);
      await bench.host.recovery.recoverDue(bench.deps.clock.nowMs(), 1000);
      await bench.host.reversals.repeatDue(bench.deps.clock.nowMs(), 1000);
    };
    const openTasks = async () => (await bench.store.read.openTasks(bench.device.merchantId, 1000)).length;

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
        bench.host.capture(lane.device, route(id, 'capture'), id, { amountMinor: 20_001 }),
      ).rejects.toMatchObject({
        code: 'CAPTURE_EXCEEDS_AUTHORIZATION',
      });
      const answers = await Promise.allSettled(
        Array.from({ length: 8 }, () =>
          bench.host.capture(lane.device, route(id, 'capture'), id, { amountMinor: 18_500 }),
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
        const adjusted = paymentOf(await bench.host.adjustTip(lane.device, route(id, 'tip-adjust'), id, tip));
        expect(adjusted).toMatchObject({
          status: 'REQUIRES_CAPTURE',
          amountMinor: 2300,
          tipAmountMinor: 300,
          tipSource: 'custom',
        });
        await expect(
          bench.host.adjustTip(lane.device, route(id, 'tip-adjust'), id, { tipAmountMinor: 1001 }),
        ).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'tipAmountMinor' });
        expect(await lane.charged()).toMatchObject({ held: 2300 });
        await bench.host.capture(lane.device, route(id, 'capture'), id, {});
        expect(await lane.charged()).toMatchObject({ held: 0, captured: 2300 });
        await expect(bench.host.adjustTip(lane.device, route(id, 'tip-adjust'), id, tip)).rejects.toMatchObject({
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
          await bench.host.voidPayment(lane.device, route(id, 'void'), id, { reason: 'Wrong table' }),
        );
        expect(voided).toMatchObject({ id, status: 'REVERSED' });
        await expect(bench.host.voidPayment(lane.device, route(id, 'void'), id, {})).rejects.toMatchObject({
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
      await expect(bench.host.voidPayment(lane.device, route(sale.id, 'void'), sale.id, {})).rejects.toMatchObject({
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

    it.each([
      ['booked, and the answer lost', 'drop-after-host', 'SUCCEEDED', 1000],
      ['lost on the way', 'drop-before-host', 'REVERSED', 0],
      ['answered with another amount', 'wrong-amount', 'REVERSED', 0],
      ['approved in part', 'partial-approval', 'DECLINED', 0],
      ['booked, and answered with 68', 'booked-68', 'SUCCEEDED', 1000],
    ] as const)('finds out about a purchase that was %s', async (_words, rule, status, capturedMinor) => {
      const lane = await onLane(`lost-${rule}`);
      await bench.simulator.control.next({ rule, types: ['AUTHORIZE'] });
      const call = callOf(authorizeRoute);
      const request = purchaseOf(lane.device);
      const unknown = authorizedOf(await bench.host.authorize(lane.device, call, request));
      expect(unknown).toMatchObject({ approved: false, payment: { status: 'FAILED' } });
      expect(unknown.responseCode).not.toBe('00');
      expect(await openTasks()).toBe(1);
      await until(() => bench.simulator.acquirer.isReady());
      await recoverAll();
      expect(await read(lane, unknown.transactionId)).toMatchObject({ status });
      expect(await lane.charged()).toMatchObject({ captured: capturedMinor });
      const told = await bench.host.authorize(lane.device, call, request);
      expect(told.replayed).toBe(true);
      expect(authorizedOf(told)).toMatchObject({ approved: status === 'SUCCEEDED', payment: { status } });
      expect(await openTasks()).toBe(0);
    });

    it.each(['CAPTURE', 'VOID', 'ADJUST_TIP'] as const)(
      'repeats a %s whose answer was lost, and the acquirer does it once',
      async (kind) => {
        const lane = await onLane(`lost-${kind}`);
        const { id } = (await authorize(lane, { transactionType: 'pre_auth', amount: 5000 })).payment;
        for (const rule of ['drop-after-host', 'drop-before-host'])
          await bench.simulator.control.next({ rule, types: [kind] });
        const call = route(id, kind);
        const act = () => {
          if (kind === 'CAPTURE') return bench.host.capture(lane.device, call, id, { amountMinor: 4000 });
          if (kind === 'VOID') return bench.host.voidPayment(lane.device, call, id, {});
          return bench.host.adjustTip(lane.device, call, id, { tipAmountMinor: 250 });
        };
        expect(paymentOf(await act()).status).toBe('FAILED');
        await until(() => bench.simulator.acquirer.isReady());
        await recoverAll();
        await until(() => bench.simulator.acquirer.isReady());
        await recoverAll();
        const expected = {
          CAPTURE: { status: 'SUCCEEDED', capturedAmountMinor: 4000 },
          VOID: { status: 'REVERSED' },
          ADJUST_TIP: { status: 'REQUIRES_CAPTURE', amountMinor: 5250, tipAmountMinor: 250 },
        }[kind];
        const book = { CAPTURE: [0, 4000], VOID: [0, 0], ADJUST_TIP: [5250, 0] }[kind];
        expect(await read(lane, id)).toMatchObject(expected);
        expect(await lane.charged()).toMatchObject({ held: book[0], captured: book[1] });
        const again = await act();
        expect(again.replayed).toBe(true);
        expect(paymentOf(again)).toMatchObject(expected);
        expect((await bench.book()).conflicts).toBe(0);
        expect(await openTasks()).toBe(0);
      },
    );

    it('reverses what the terminal could not finish, once, and takes its sale out of the totals', async () => {
      const lane = await onLane('reverse');
      const { payment } = await authorize(lane);
      const request = { originalTransactionId: payment.id, reason: 'card removed' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => bench.host.reverse(lane.device, callOf('x'), request)),
      );
      const last = await bench.host.reverse(lane.device, callOf('x'), request);
      expect(last).toMatchObject({ status: 'reversed', reversalId: payment.id, payment: { status: 'REVERSED' } });
      expect(answers.every(({ status }) => status === 'reversed' || status === 'pending')).toBe(true);
      expect(await lane.charged()).toEqual({ held: 0, captured: 0, refunded: 0 });
      expect((await bench.store.read.openTotals(lane.device)).funded).toMatchObject({ saleCount: 0, voidCount: 0 });
    });

    it('keeps the id of a payment that it has never seen, and refuses a late authorize under it', async () => {
      const lane = await onLane('tombstone');
      const transactionId = randomUUID();
      const request = { originalTransactionId: transactionId, reason: 'no answer' };
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => bench.host.reverse(lane.device, callOf('x'), request)),
      );
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 'reversed', payment: { status: 'CANCELED' } });
      await expect(
        bench.host.authorize(lane.device, callOf(authorizeRoute), purchaseOf(lane.device, { transactionId })),
      ).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
      expect(await lane.charged()).toMatchObject({ captured: 0 });
    });

    it('lets a stored reversal leave before the next authorization of the terminal', async () => {
      const lane = await onLane('flush');
      const { payment } = await authorize(lane);
      await bench.simulator.control.next({ rule: 'drop-before-host', types: ['REVERSE'] });
      const pending = await bench.host.reverse(lane.device, callOf('x'), {
        originalTransactionId: payment.id,
        reason: 'card removed',
      });
      expect(pending).toMatchObject({ status: 'pending', payment: { status: 'FAILED' } });
      await until(() => bench.simulator.acquirer.isReady());
      await authorize(lane, { amount: 700 });
      expect(await read(lane, payment.id)).toMatchObject({ status: 'REVERSED' });
      expect(await lane.charged()).toMatchObject({ captured: 700 });
      const order = (await bench.book()).transactions.filter(({ terminalId }) => terminalId === 'flush');
      expect(order.map(({ state }) => state)).toEqual(['REVERSED', 'CAPTURED']);
    });

    it('reverses a payment that comes back approved while its reversal is stored', async () => {
      const lane = await onLane('late');
      const request = purchaseOf(lane.device);
      await bench.simulator.withhold();
      const running = bench.host.authorize(lane.device, callOf(authorizeRoute), request);
      await until(
        async () =>
          (await bench.store.read.findPayment({ ...lane.device, paymentId: request.transactionId ?? '' })) !==
          undefined,
      );
      await until(async () => (await lane.charged()).captured === 1000);
      const reversed = await bench.host.reverse(lane.device, callOf('x'), {
        originalTransactionId: request.transactionId ?? '',
        reason: 'the cardholder has left',
      });
      expect(reversed.status).toBe('reversed');
      await bench.simulator.release();
      expect(authorizedOf(await running)).toMatchObject({ approved: false, payment: { status: 'REVERSED' } });
      expect(await lane.charged()).toMatchObject({ captured: 0 });
    });

    it('takes over what a process has left open when it died', async () => {
      const lane = await onLane('orphan');
      await bench.simulator.withhold();
      const request = purchaseOf(lane.device);
      const call = callOf(authorizeRoute);
      const lost = (await bench.another()).authorize(lane.device, call, request);
      await until(async () => (await lane.charged()).captured === 1000);
      const nowMs = bench.deps.clock.nowMs();
      expect(await bench.host.recovery.takeOver(nowMs + 1, 100)).toBe(1);
      await recoverAll();
      expect(await read(lane, request.transactionId ?? '')).toMatchObject({ status: 'SUCCEEDED' });
      await bench.simulator.release();
      // The first process was only slow: it tells what stands.
      expect(authorizedOf(await lost)).toMatchObject({ approved: true, payment: { status: 'SUCCEEDED' } });
      expect(authorizedOf(await bench.host.authorize(lane.device, call, request)).approved).toBe(true);
      expect(await lane.charged()).toMatchObject({ captured: 1000 });
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

    describe('payment sessions', () => {
      const echoOf = ({ id, claimToken }: TerminalPaymentSession, change: Partial<AuthorizeRequest> = {}) => ({
        paymentSessionId: id,
        claimToken,
        ...change,
      });
      const sessionOf = async (id: string) => (await bench.host.session(bench.server, id)).session;

      it('sends one message for 64 authorizations of one session under 64 keys, at two processes', async () => {
        const lane = await onLane('session-64');
        const other = await bench.another();
        const session = await claimedSession(lane);
        const before = (await bench.book()).messages.AUTHORIZE ?? 0;
        const results = await Promise.allSettled(
          Array.from({ length: 64 }, (_, index) => {
            // The key is the session's; the other 63 come from a device that has lost it.
            const call = callOf(authorizeRoute, index === 17 ? session.idempotencyKey : randomUUID());
            return (index % 2 === 0 ? bench.host : other).authorize(
              lane.device,
              call,
              purchaseOf(lane.device, echoOf(session)),
            );
          }),
        );
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        expect((await bench.book()).messages.AUTHORIZE).toBe(before + 1);
        expect(await sessionOf(session.id)).toMatchObject({ status: 'SUCCEEDED', finalAmountMinor: 1000 });
      });

      it('sends one message for 64 authorizations of one session under its own key, each with a name of its own', async () => {
        const lane = await onLane('session-key');
        const other = await bench.another();
        const session = await claimedSession(lane);
        const before = (await bench.book()).messages.AUTHORIZE ?? 0;
        const call = callOf(authorizeRoute, session.idempotencyKey);
        const results = await Promise.allSettled(
          Array.from({ length: 64 }, (_, index) =>
            (index % 2 === 0 ? bench.host : other).authorize(
              lane.device,
              call,
              purchaseOf(lane.device, echoOf(session)),
            ),
          ),
        );
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const result of results) {
          if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
        }
        expect((await bench.book()).messages.AUTHORIZE).toBe(before + 1);
      });

      it('verifies amount, currency, operation, ownership and claim before anything is sent', async () => {
        const lane = await onLane('session-echo');
        const stranger = await bench.addDevice('session-echo-2');
        const session = await claimedSession(lane);
        const before = (await bench.book()).messages.AUTHORIZE ?? 0;
        const attempt = (device: DeviceCaller, change: Partial<AuthorizeRequest>, key = session.idempotencyKey) =>
          bench.host.authorize(device, callOf(authorizeRoute, key), purchaseOf(device, echoOf(session, change)));
        const wrong: readonly (readonly [() => Promise<unknown>, object])[] = [
          [() => attempt(lane.device, { amount: 1001 }), { code: 'INVALID_REQUEST', field: 'baseAmountMinor' }],
          [
            () => attempt(lane.device, { transactionType: 'pre_auth' }),
            { code: 'INVALID_REQUEST', field: 'transactionType' },
          ],
          [() => attempt(lane.device, { claimToken: 'another' }), { code: 'STALE_CLAIM_TOKEN' }],
          [() => attempt(stranger, {}), { code: 'NOT_FOUND' }],
          [() => attempt(lane.device, { currencyCode: 'USD' }), { code: 'UNSUPPORTED_CURRENCY' }],
          [() => attempt(lane.device, {}, randomUUID()), { code: 'INVALID_REQUEST', field: 'Idempotency-Key' }],
        ];
        for (const [outcome, error] of wrong) await expect(outcome()).rejects.toMatchObject(error);
        expect((await bench.book()).messages.AUTHORIZE).toBe(before);
        const tipped = await attempt(lane.device, { amount: 1200, tipAmountMinor: 200, tipSource: 'custom' });
        expect(authorizedOf(tipped).approved).toBe(true);
        expect(await sessionOf(session.id)).toMatchObject({
          status: 'SUCCEEDED',
          finalAmountMinor: 1200,
          tipAmountMinor: 200,
        });
      });

      it('ends a session as its payment ends, found late by recovery too', async () => {
        const lane = await onLane('session-late');
        const session = await claimedSession(lane);
        await bench.simulator.control.next({ rule: 'drop-after-host', types: ['AUTHORIZE'] });
        const call = callOf(authorizeRoute, session.idempotencyKey);
        const told = await bench.host.authorize(lane.device, call, purchaseOf(lane.device, echoOf(session)));
        expect(authorizedOf(told).payment.status).toBe('FAILED');
        expect((await sessionOf(session.id)).status).toBe('IN_PROGRESS');
        await until(() => bench.simulator.acquirer.isReady());
        await recoverAll();
        expect(await sessionOf(session.id)).toMatchObject({
          status: 'SUCCEEDED',
          paymentId: authorizedOf(told).payment.id,
        });
      });
    });

    it.each([
      ['JPY', 500],
      ['KWD', 92_000],
      ['EUR', 2_147_483_648],
      ['EUR', 999_999_999_999],
    ] as const)('charges and refunds %s %i exactly', async (currency, amount) => {
      const device = await bench.addDevice(`exact-${currency}-${amount}`, currency);
      const lane = { ...bench, device };
      const sale = (await authorize(lane, { amount })).payment;
      expect(sale).toMatchObject({ status: 'SUCCEEDED', amountMinor: amount, currencyCode: currency });
      await bench.host.refund(bench.server, refundCall(sale.id), sale.id, { amountMinor: amount });
      expect(await charged(device.terminalId)).toEqual({ held: 0, captured: amount, refunded: amount });
    });

    it('refuses an amount that the acquirer has no field for, before anything is stored or sent', async () => {
      const lane = await onLane('too-large');
      for (const amount of [1_000_000_000_000, Number.MAX_SAFE_INTEGER]) {
        const request = purchaseOf(lane.device, { amount });
        await expect(bench.host.authorize(lane.device, callOf(authorizeRoute), request)).rejects.toMatchObject({
          code: 'AMOUNT_TOO_LARGE',
          field: 'amount',
        });
        await expect(read(lane, request.transactionId ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
      expect(await lane.charged()).toMatchObject({ captured: 0 });
    });

    it('refuses another currency, another device, an unknown original, and what does not add up', async () => {
      const lane = await onLane('wrong');
      const wrong: readonly (readonly [Partial<AuthorizeRequest>, object])[] = [
        [{ currencyCode: 'USD' }, { code: 'UNSUPPORTED_CURRENCY', field: 'currencyCode' }],
        [{ terminalId: 'T-1' }, { code: 'INVALID_REQUEST', field: 'terminalId' }],
        [{ deviceId: 'D-x' }, { code: 'INVALID_REQUEST', field: 'deviceId' }],
        [{ baseAmountMinor: 900, tipAmountMinor: 99 }, { code: 'INVALID_REQUEST' }],
        [
          { tipAmountMinor: 100, tipSource: 'preset:999' },
          { code: 'INVALID_REQUEST', field: 'tipAmountMinor' },
        ],
        [{ transactionType: 'refund' }, { code: 'INVALID_REQUEST', field: 'originalTransactionId' }],
        [{ transactionType: 'refund', originalTransactionId: 'nothing' }, { code: 'ORIGINAL_NOT_FOUND' }],
        [{ emvTlv: { '9F02': '000000000999' } }, { code: 'INVALID_REQUEST', field: 'emvTlv.9F02' }],
        [{ panEncrypted: 'AABB' }, { code: 'INVALID_REQUEST' }],
        [{ pinBlock: 'AABBCCDDEEFF0011' }, { code: 'INVALID_REQUEST' }],
      ];
      for (const [change, error] of wrong)
        await expect(authorize(lane, change), JSON.stringify(change)).rejects.toMatchObject(error);
      expect(await lane.charged()).toMatchObject({ captured: 0 });
    });

    it('ends a hold at its time, and captures nothing of it', async () => {
      const lane = await onLane('lapse');
      const { id } = (await authorize(lane, { transactionType: 'pre_auth' })).payment;
      bench.skip(7 * 24 * 3_600_000);
      await expect(bench.host.capture(lane.device, route(id, 'capture'), id, {})).rejects.toMatchObject({
        code: 'AUTH_EXPIRED',
      });
      expect(await lapseHolds(bench.deps, bench.deps.clock.nowMs(), 1000)).toBeGreaterThanOrEqual(1);
      expect(await read(lane, id)).toMatchObject({ status: 'REVERSED' });
      expect((await bench.store.read.openTotals(lane.device)).funded).toMatchObject({
        preAuthCount: 0,
        preAuthAmount: 0,
      });
    });

    it('tells another merchant, and another terminal, of no payment', async () => {
      const lane = await onLane('mine');
      const stranger = await bench.addDevice('not-mine');
      const { id } = (await authorize(lane)).payment;
      const elsewhere = { ...bench.server, merchantId: 'M-other' };
      const calls = [
        () => bench.host.capture(stranger, route(id, 'capture'), id, {}),
        () => bench.host.voidPayment(stranger, route(id, 'void'), id, {}),
        () => bench.host.adjustTip(stranger, route(id, 'tip-adjust'), id, { tipAmountMinor: 1 }),
        () => bench.host.lookUp(stranger, { transactionId: id }),
        () => bench.host.refund(elsewhere, refundCall(id), id, { amountMinor: 1 }),
        () => bench.host.recover(elsewhere, id, { action: 'REVERSE' }),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await read(lane, id)).toMatchObject({ status: 'SUCCEEDED' });
    });
  });
}
