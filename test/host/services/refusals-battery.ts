import { beforeAll, describe, expect, it } from 'vitest';
import type { AuthorizeRequest } from '../../../app/contract/host/authorize.ts';
import { lapseHolds } from '../../../host/services/lapse-holds.ts';
import { authorize, authorizeRoute, callOf, type PaymentBench, purchaseOf } from './payment-bench.ts';
import { actCall, paymentLanes, refundCall } from './payment-lanes.ts';

/** Amounts at their limits, and what is refused before anything is stored or sent, over a database of this kind. */
export function refusalsBattery(kind: string, database: () => Promise<string | undefined>): void {
  describe(`limits and refusals of a host on ${kind}`, () => {
    const lanes = paymentLanes(database);
    const { onLane, charged, read } = lanes;
    let bench: PaymentBench;
    beforeAll(() => {
      bench = lanes.bench();
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
      await expect(bench.host.capture(lane.device, actCall(id, 'capture'), id, {})).rejects.toMatchObject({
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
        () => bench.host.capture(stranger, actCall(id, 'capture'), id, {}),
        () => bench.host.voidPayment(stranger, actCall(id, 'void'), id, {}),
        () => bench.host.adjustTip(stranger, actCall(id, 'tip-adjust'), id, { tipAmountMinor: 1 }),
        () => bench.host.lookUp(stranger, { transactionId: id }),
        () => bench.host.refund(elsewhere, refundCall(id), id, { amountMinor: 1 }),
        () => bench.host.recover(elsewhere, id, { action: 'REVERSE' }),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await read(lane, id)).toMatchObject({ status: 'SUCCEEDED' });
    });
  });
}
