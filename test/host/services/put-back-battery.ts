import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { authorizedOf, authorizeRoute, callOf, type PaymentBench, purchaseOf } from './payment-bench.ts';
import { paymentLanes } from './payment-lanes.ts';

/** What a host asks again that was put back to a backup from before the payment, judged by the acquirer's own book. */
export function putBackBattery(kind: string, database: () => Promise<string | undefined>): void {
  describe(`a host on ${kind} that was put back to a backup`, () => {
    const lanes = paymentLanes(database);
    const { onLane } = lanes;
    let bench: PaymentBench;
    beforeAll(() => {
      bench = lanes.bench();
    });

    it.each(['purchase', 'pre_auth'] as const)(
      'moves the money of a %s once, and says what the acquirer has booked',
      async (transactionType) => {
        const lane = await onLane(`forgotten-${transactionType}`);
        const request = purchaseOf(lane.device, { transactionType });
        const call = callOf(authorizeRoute);
        const first = authorizedOf(await bench.host.authorize(lane.device, call, request));
        const booked = await lane.charged();
        expect(Object.values(booked).sort((one, other) => other - one)).toEqual([1000, 0, 0]);
        const host = await bench.putBack(lane.device);
        const answer = await host.authorize(lane.device, call, request);
        expect(answer.replayed).toBe(false);
        const { approved, responseCode, authorizationCode, payment } = authorizedOf(answer);
        expect({ approved, responseCode, authorizationCode }).toEqual({
          approved: true,
          responseCode: '00',
          authorizationCode: first.authorizationCode,
        });
        expect(payment).toMatchObject({ id: request.transactionId, status: first.payment.status });
        expect(await lane.charged()).toEqual(booked);
      },
    );

    it('gives a refund back once, although sale and refund are both asked for again', async () => {
      const lane = await onLane('forgotten-refund');
      const sale = purchaseOf(lane.device);
      const { transactionId: originalTransactionId = '' } = sale;
      const refund = purchaseOf(lane.device, { transactionType: 'refund', amount: 400, originalTransactionId });
      const [saleCall, call] = [callOf(authorizeRoute), callOf(authorizeRoute)];
      const ask = async (host: Pick<typeof bench.host, 'authorize'>) => {
        await host.authorize(lane.device, saleCall, sale);
        return authorizedOf(await host.authorize(lane.device, call, refund));
      };
      const first = await ask(bench.host);
      const again = await ask(await bench.putBack(lane.device));
      expect(first.approved).toBe(true);
      expect(again).toMatchObject({ approved: true, authorizationCode: first.authorizationCode });
      expect(await lane.charged()).toEqual({ held: 0, captured: 1000, refunded: 400 });
    });

    it('keeps a decline a decline', async () => {
      const lane = await onLane('forgotten-decline');
      const request = purchaseOf(lane.device, { amount: 1051 });
      const call = callOf(authorizeRoute);
      await bench.host.authorize(lane.device, call, request);
      const host = await bench.putBack(lane.device);
      const told = authorizedOf(await host.authorize(lane.device, call, request));
      expect(told).toMatchObject({ approved: false, responseCode: '51' });
      const { transactions } = await bench.book();
      expect(transactions.filter(({ terminalId }) => terminalId === lane.device.terminalId)).toMatchObject([
        { state: 'DECLINED', responseCode: '51' },
      ]);
    });

    it('never charges another amount under the name of a payment: nothing stands in the end', async () => {
      const lane = await onLane('forgotten-amount');
      const request = purchaseOf(lane.device);
      await bench.host.authorize(lane.device, callOf(authorizeRoute), request);
      const host = await bench.putBack(lane.device);
      const other = await host.authorize(lane.device, callOf(authorizeRoute), { ...request, amount: 1100 });
      expect(authorizedOf(other)).toMatchObject({ approved: false, payment: { status: 'FAILED' } });
      expect(await lane.charged()).toMatchObject({ captured: 1000 });
      const ref = { merchantId: lane.device.merchantId, paymentId: authorizedOf(other).payment.id };
      expect(await host.recovery.recover(ref)).toBe(true);
      expect(await host.lookUp(lane.device, { transactionId: ref.paymentId })).toMatchObject({ status: 'REVERSED' });
      expect(await lane.charged()).toMatchObject({ captured: 0 });
    });

    it('takes back the one charge by its name', async () => {
      const lane = await onLane('forgotten-reversal');
      const request = purchaseOf(lane.device);
      const call = callOf(authorizeRoute);
      await bench.host.authorize(lane.device, call, request);
      const host = await bench.putBack(lane.device);
      await host.authorize(lane.device, call, request);
      const { transactionId: originalTransactionId = '' } = request;
      const reversed = await host.reverse(lane.device, callOf('x'), { originalTransactionId, reason: 'card removed' });
      expect(reversed).toMatchObject({ status: 'reversed' });
      expect(await lane.charged()).toMatchObject({ captured: 0 });
    });

    it('charges each name at each terminal by itself', async () => {
      const [one, other] = [await onLane('name-one'), await onLane('name-other')];
      const transactionId = `receipt-${randomUUID()}`;
      for (const { device } of [one, other])
        await bench.host.authorize(device, callOf(authorizeRoute), purchaseOf(device, { transactionId }));
      await bench.host.authorize(one.device, callOf(authorizeRoute), purchaseOf(one.device));
      expect(await one.charged()).toMatchObject({ captured: 2000 });
      expect(await other.charged()).toMatchObject({ captured: 1000 });
    });
  });
}
