import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AuthorizeRequest } from '../../../app/contract/host/authorize.ts';
import { Payment } from '../../../app/contract/host/payment.ts';
import type {
  ClaimPaymentSessionResponse,
  TerminalPaymentSession,
} from '../../../app/contract/host/payment-session.ts';
import type { RecordRequest } from '../../../app/contract/host/record.ts';
import { validate } from '../../../app/contract/validate.ts';
import { isoOf } from '../../../app/domain/instant.ts';
import { moveOverdueSessions } from '../../../host/services/session-time.ts';
import { withStores } from '../store-battery.ts';
import { openShop, type Shop, sell, startMs } from '../store-fixture.ts';
import type { TestDatabase } from '../test-databases.ts';
import { type Bench, callOf, deviceOf, openBench, read, secretOf } from './services-fixture.ts';

const recordRoute = 'POST /api/v1/terminal/transactions/record';
const offlineRoute = 'POST /api/v1/terminal/transactions/offline-complete';

function recordOf(changes: Partial<RecordRequest> = {}): RecordRequest {
  return {
    deviceId: 'D1',
    terminalId: 'T1',
    transactionId: randomUUID(),
    type: 'SALE',
    status: 'SUCCEEDED',
    amount: 1000,
    currencyCode: 'EUR',
    occurredAt: isoOf(startMs - 5000),
    ...changes,
  };
}

function offlineOf(changes: Partial<AuthorizeRequest> = {}): AuthorizeRequest {
  return {
    deviceId: 'D1',
    terminalId: 'T1',
    transactionId: randomUUID(),
    amount: 500,
    currencyCode: 'EUR',
    entryMode: 'CONTACT',
    emvTlv: { '8A': '5931', '9F27': '40' },
    ...changes,
  };
}

/** A session of the terminal, claimed. */
async function claimed(bench: Bench, shop: Shop, amountMinor: number): Promise<TerminalPaymentSession> {
  const { merchantId, terminalId } = shop;
  const request = { merchantId, terminalId, operation: 'PURCHASE', amountMinor, currencyCode: 'EUR' } as const;
  await bench.createSession(secretOf(shop), callOf('POST /v1/terminal/payment-sessions'), request);
  const claim = callOf('POST /api/v1/terminal/payment-sessions/claim');
  const answer = await bench.claimSession(deviceOf(shop), claim, { deviceId: 'D1', terminalId });
  const { session } = read<ClaimPaymentSessionResponse>(answer);
  if (session === undefined) throw new Error('none waits');
  return session;
}

export function recordServicesBattery(database: TestDatabase): void {
  describe('records and offline decisions', () => {
    const stores = withStores(database);
    const open = async () => {
      const shop = await openShop(stores.one);
      const bench = openBench(stores.one);
      const record = async (request: RecordRequest, key?: string, by: Bench = bench) =>
        validate(Payment, read(await by.record(deviceOf(shop), callOf(recordRoute, key), request)));
      const offline = async (request: AuthorizeRequest, key?: string) =>
        validate(Payment, read(await bench.offlineComplete(deviceOf(shop), callOf(offlineRoute, key), request)));
      return { shop, bench, record, offline };
    };

    it('records what the terminal told, as the terminal told it, apart from what is funded', async () => {
      const { shop, record } = await open();
      const payment = await record(
        recordOf({
          amount: 1600,
          baseAmountMinor: 1500,
          tipAmountMinor: 100,
          cashbackAmountMinor: 500,
          referenceId: '🧾'.repeat(64),
          metadata: { table: '7' },
          responseCode: '08',
          cardScheme: 'girocard',
          maskedPan: '4111111111111111',
          entryMode: 'CONTACTLESS',
          applicationLabel: 'girocard',
        }),
      );
      expect(payment).toMatchObject({
        acceptanceChannel: 'EXTERNAL_RAIL',
        status: 'SUCCEEDED',
        amountMinor: 1600,
        baseAmountMinor: 1500,
        tipAmountMinor: 100,
        cashbackAmountMinor: 500,
        capturedAmountMinor: 1600,
        referenceId: '🧾'.repeat(64),
        metadata: { table: '7' },
        responseCode: '00',
        cardScheme: 'OTHER',
        cardPresent: { terminalId: 'T1', entryMode: 'CONTACTLESS', applicationLabel: 'girocard' },
        createdAt: isoOf(startMs - 5000),
        settlementId: null,
      });
      expect(payment.maskedPan).toBeUndefined();
      const totals = await stores.one.read.openTotals(shop);
      expect(totals.external).toMatchObject({ saleCount: 1, saleAmount: 1600 });
      expect(totals.funded).toMatchObject({ saleCount: 0, saleAmount: 0 });
    });

    it('counts a payment that was taken back as sale and as void, told in one record or in two', async () => {
      const { shop, record } = await open();
      const told = recordOf();
      const first = await record(told);
      const reversed = await record({ ...told, status: 'REVERSED', rrn: 'of the reversal' });
      expect(reversed).toMatchObject({ id: first.id, status: 'REVERSED' });
      await record(recordOf({ status: 'REVERSED', amount: 70 }));
      await record(recordOf({ status: 'DECLINED', amount: 9, responseCode: '51' }));
      const refund = recordOf({ type: 'REFUND', amount: 400, originalTransactionId: told.transactionId });
      await record(refund);
      await record({ ...refund, status: 'REVERSED' });
      expect((await stores.one.read.openTotals(shop)).external).toMatchObject({
        saleCount: 2,
        saleAmount: 1070,
        voidCount: 2,
        voidAmount: 1070,
        refundCount: 0,
        refundAmount: 0,
      });
    });

    it('says why a payment was declined', async () => {
      const { record } = await open();
      const declined = await record(recordOf({ status: 'DECLINED', responseCode: '51' }));
      expect(declined).toMatchObject({ capturedAmountMinor: null, decline: { category: 'INSUFFICIENT_FUNDS' } });
    });

    it('takes the same again under any key, and refuses another content under the same transactionId', async () => {
      const { shop, bench, record } = await open();
      const told = recordOf({ referenceId: 'R1', tipAmountMinor: 100, metadata: { a: '1' }, rrn: '7' });
      const key = randomUUID();
      const first = await record(told, key);
      expect(await record(told, key)).toEqual(first);
      expect(await record(told)).toEqual(first);
      const others: readonly Partial<RecordRequest>[] = [
        { amount: 1001 },
        { tipAmountMinor: 99 },
        { type: 'PRE_AUTH' },
        { referenceId: 'R2' },
        { metadata: { a: '2' } },
        { rrn: '8' },
        { status: 'DECLINED' },
        { status: 'REVERSED', amount: 1001 },
      ];
      for (const changes of others) {
        const refused = record({ ...told, ...changes });
        await expect(refused, JSON.stringify(changes)).rejects.toMatchObject({
          code: 'ILLEGAL_STATE',
          httpStatus: 409,
        });
      }
      await record({ ...told, status: 'REVERSED' });
      await expect(record(told)).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
      const ofHost = await sell(shop, 1000);
      const asHosts = record(recordOf({ transactionId: ofHost.payment.id }));
      await expect(asHosts).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
      const reused = bench.record(deviceOf(shop), callOf(recordRoute, key), { ...told, amount: 1001 });
      await expect(reused).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    });

    it('stores one payment when two processes are told of it at the same time under different keys', async () => {
      const { shop, record } = await open();
      const other = openBench(stores.other);
      for (let round = 0; round < 20; round += 1) {
        const told = recordOf({ transactionId: `till-name-${round}` });
        const [one, two] = await Promise.all([record(told), record(told, undefined, other)]);
        expect(one.id).toBe(two.id);
      }
      expect((await stores.one.read.openTotals(shop)).external.saleCount).toBe(20);
    });

    it('refuses what no record can be, with the field', async () => {
      const { record } = await open();
      const cases: readonly (readonly [Partial<RecordRequest>, object])[] = [
        [{ terminalId: 'T2' }, { code: 'INVALID_REQUEST', field: 'terminalId' }],
        [{ deviceId: 'D2' }, { code: 'INVALID_REQUEST', field: 'deviceId' }],
        [{ currencyCode: 'USD' }, { code: 'UNSUPPORTED_CURRENCY', field: 'currencyCode' }],
        [
          { amount: 1000, baseAmountMinor: 1000, tipAmountMinor: 1 },
          { code: 'INVALID_REQUEST', field: 'amount' },
        ],
        [{ transactionId: '4111111111111111' }, { code: 'INVALID_REQUEST', field: 'transactionId' }],
        [{ paymentSessionId: 'S1' }, { code: 'INVALID_REQUEST', field: 'claimToken' }],
        [{ paymentSessionId: 'S1', claimToken: 'c' }, { code: 'NOT_FOUND' }],
      ];
      for (const [changes, error] of cases) {
        await expect(record(recordOf(changes)), JSON.stringify(changes)).rejects.toMatchObject(error);
      }
    });

    it('keeps 2^31 and 2^53 − 1 exactly, and says when a sum passes it', async () => {
      const { shop, bench, record } = await open();
      for (let index = 0; index < 3; index += 1) await record(recordOf({ amount: 2_147_483_648 }));
      expect((await bench.totals(secretOf(shop), undefined)).externalTotals?.saleAmount).toBe(6_442_450_944);
      const large = await record(recordOf({ amount: Number.MAX_SAFE_INTEGER, status: 'DECLINED' }));
      expect(large.amountMinor).toBe(Number.MAX_SAFE_INTEGER);
      await record(recordOf({ amount: Number.MAX_SAFE_INTEGER }));
      await expect(bench.totals(secretOf(shop), undefined)).rejects.toMatchObject({ code: 'AMOUNT_TOO_LARGE' });
    });

    it('ends the session that a record is of, by the same verification, even when its time has run out', async () => {
      const { shop, bench, record } = await open();
      const session = await claimed(bench, shop, 1000);
      const { id: paymentSessionId, claimToken } = session;
      const told = recordOf({ paymentSessionId, claimToken, amount: 1100, tipAmountMinor: 100 });
      const stale = record({ ...told, claimToken: 'stale' });
      await expect(stale).rejects.toMatchObject({ code: 'STALE_CLAIM_TOKEN' });
      const otherAmount = record({ ...told, amount: 1101 });
      await expect(otherAmount).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'baseAmountMinor' });
      await bench.clock.advance(60_000);
      await moveOverdueSessions(bench.deps, bench.clock.nowMs());
      const find = async () => (await bench.session(secretOf(shop), paymentSessionId)).session;
      expect((await find()).status).toBe('FAILED');
      const payment = await record(told);
      expect(await find()).toMatchObject({ status: 'SUCCEEDED', paymentId: payment.id, finalAmountMinor: 1100 });
      const second = record({ ...told, transactionId: randomUUID() });
      await expect(second).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    });

    it('records what a kernel decided: an approval is captured money of the host, a decline is none', async () => {
      const { shop, bench, offline } = await open();
      const approved = await offline(offlineOf({ cardScheme: 'visa', tvr: '0000008000', cvm: 'OFFLINE_PIN' }));
      expect(approved).toMatchObject({
        acceptanceChannel: 'CARD_PRESENT',
        status: 'SUCCEEDED',
        capturedAmountMinor: 500,
        responseCode: '00',
        cardScheme: 'VISA',
        cardPresent: { cryptogramType: 'TC', tvr: '0000008000', cvmResult: 'OFFLINE_PIN' },
      });
      const declined = await offline(offlineOf({ emvTlv: { '8A': '5A33' }, amount: 700 }));
      expect(declined).toMatchObject({ status: 'DECLINED', responseCode: 'Z3', capturedAmountMinor: null });
      expect(declined.decline?.category).toBe('OFFLINE_DECLINED');
      expect((await stores.one.read.openTotals(shop)).funded).toMatchObject({ saleCount: 1, saleAmount: 500 });
      expect(bench.acquirer.closes).toEqual([]);
    });

    it('takes no card data, no undecided cryptogram and no second payment under one name', async () => {
      const { shop, offline } = await open();
      const told = offlineOf();
      const key = randomUUID();
      const first = await offline(told, key);
      expect(await offline(told, key)).toEqual(first);
      await expect(offline(told)).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
      const cases: readonly (readonly [Partial<AuthorizeRequest>, string])[] = [
        [{ applicationPan: '4111111111111111' }, 'applicationPan'],
        [{ track2: '4111111111111111=2512' }, 'track2'],
        [{ pinBlock: 'AABB', ksn: 'CC' }, 'pinBlock'],
        [{ emvTlv: { '5A': '4111111111111111' } }, 'emvTlv.5A'],
        [{ emvTlv: { '9F27': '80' } }, 'cid'],
        [{ transactionType: 'pre_auth' }, 'transactionType'],
      ];
      for (const [changes, field] of cases) {
        const refused = offline(offlineOf(changes));
        await expect(refused, field).rejects.toMatchObject({ code: 'INVALID_REQUEST', field });
      }
      const foreign = offline(offlineOf({ currencyCode: 'USD' }));
      await expect(foreign).rejects.toMatchObject({ code: 'UNSUPPORTED_CURRENCY' });
      const page = await stores.one.read.listPayments({ merchantId: shop.merchantId, limit: 10 });
      expect(page.rows).toHaveLength(1);
    });

    it('ends the session of an offline approval', async () => {
      const { shop, bench, offline } = await open();
      const { id: paymentSessionId, claimToken } = await claimed(bench, shop, 500);
      const payment = await offline(offlineOf({ paymentSessionId, claimToken }));
      const { session } = await bench.session(secretOf(shop), paymentSessionId);
      expect(session).toMatchObject({ status: 'SUCCEEDED', paymentId: payment.id });
    });
  });
}
