import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import {
  authorize,
  authorizedOf,
  authorizeRoute,
  callOf,
  type PaymentBench,
  paymentOf,
  purchaseOf,
} from './payment-bench.ts';
import { actCall, paymentLanes } from './payment-lanes.ts';

/** What is lost, late or left open, over a database of this kind: the acquirer's own book is what must come out. */
export function recoveryBattery(kind: string, database: () => Promise<string | undefined>): void {
  describe(`recovery of a host on ${kind}`, () => {
    const lanes = paymentLanes(database);
    const { onLane, read, recoverAll, openTasks } = lanes;
    let bench: PaymentBench;
    beforeAll(() => {
      bench = lanes.bench();
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
        const call = actCall(id, kind);
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
  });
}
