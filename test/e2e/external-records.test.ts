// A till with a terminal of its own acquirer and a host, as the programs that they are: what the one tells, the other has.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { PaymentSessionDetail } from '../../app/contract/host/payment-session.ts';
import type { ReconciliationResponse } from '../../app/contract/settlements.ts';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import { openPairedShop, type PairedShop } from '../support/paired-shop.ts';
import type { PosAnswer } from '../support/pos.ts';
import { temporaryFolder } from '../support/processes.ts';

const PROGRAMS_MS = 180_000;
const WAIT = { timeout: 60_000, interval: 200 };
const folder = temporaryFolder();
let shop: PairedShop;

beforeAll(async () => {
  shop = await openPairedShop(folder.path);
}, PROGRAMS_MS);
afterAll(async () => {
  await shop?.close();
  folder.remove();
}, PROGRAMS_MS);

function bodyOf<T>({ status, text }: PosAnswer): T {
  expect(status, text).toBe(200);
  return JSON.parse(text) as T;
}

const pos = async <T>(path: string, body: object, key: string = crypto.randomUUID()) =>
  bodyOf<T>(await shop.pos().post(path, body, { 'idempotency-key': key }));
const merchant = async <T>(path: string) => bodyOf<T>(await shop.merchant().get(path));
const sell = (amount: number) =>
  pos<TransactionResponse>('/v1/transaction/sale', { type: 'SALE', amount, currency: 'EUR' });
const closeDay = (key: string) => pos<ReconciliationResponse>('/v1/reconciliation', { closeDay: true }, key);

interface Told {
  readonly data: readonly {
    readonly id: string;
    readonly status: string;
    readonly acceptanceChannel: string;
    readonly amountMinor: number;
  }[];
}
const told = async () => {
  const { data } = await merchant<Told>('/v1/payments?limit=50');
  return Object.fromEntries(
    data.map(({ id, status, acceptanceChannel, amountMinor }) => [id, `${acceptanceChannel} ${status} ${amountMinor}`]),
  );
};

it(
  'tells the host of its payments, closes in three columns, and catches up with a host that was down',
  async () => {
    const kept = await sell(1_500);
    const undone = await sell(2_500);
    const { transactionId: originalTransactionId } = undone;
    await pos('/v1/transaction/void', { type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId });
    await shop.terminal.arm('decline-51');
    const declined = await sell(1_051);
    expect([kept.status, undone.status, declined.status]).toEqual(['APPROVED', 'APPROVED', 'DECLINED']);
    const first = {
      [kept.transactionId]: 'EXTERNAL_RAIL SUCCEEDED 1500',
      [undone.transactionId]: 'EXTERNAL_RAIL REVERSED 2500',
      [declined.transactionId]: 'EXTERNAL_RAIL DECLINED 1051',
    };
    await vi.waitFor(async () => expect(await told()).toEqual(first), WAIT);

    const totals = {
      saleCount: 2,
      saleAmount: 4_000,
      voidCount: 1,
      voidAmount: 2_500,
      refundCount: 0,
      refundAmount: 0,
    };
    const closed = await closeDay('close-1');
    expect(closed).toMatchObject({
      ...{ status: 'SUCCESS', totals },
      columns: { terminal: { netAmount: 1_500 }, host: { state: 'TOLD', totals } },
    });
    const settled = await merchant<object>(`/v1/settlements/${closed.columns?.host?.settlementId}`);
    expect(settled).toMatchObject({ externalTotals: totals, saleCount: 0, netAmount: 0, status: 'SETTLED' });

    await shop.stop('HOST');
    const during = await sell(700);
    const without = await closeDay('close-2');
    expect(without).toMatchObject({
      status: 'SUCCESS',
      totals: { saleAmount: 700 },
      columns: { host: { state: 'NOT_YET' } },
    });
    const after = await sell(800);
    await shop.start('HOST');
    await vi.waitFor(
      async () =>
        expect(await told()).toEqual({
          ...first,
          [during.transactionId]: 'EXTERNAL_RAIL SUCCEEDED 700',
          [after.transactionId]: 'EXTERNAL_RAIL SUCCEEDED 800',
        }),
      WAIT,
    );
    const { data } = await merchant<{ data: { externalTotals?: { saleAmount: number } }[] }>(
      '/v1/settlements?limit=10',
    );
    expect(data.map(({ externalTotals }) => externalTotals?.saleAmount)).toEqual([700, 4_000]);
  },
  PROGRAMS_MS,
);

it(
  'runs at its terminal what the merchant’s server orders at the host, and the record ends the session',
  async () => {
    const { merchantId, terminalId } = shop;
    const order = { merchantId, terminalId, operation: 'PURCHASE', amountMinor: 4_200, currencyCode: 'EUR' };
    const key = { 'idempotency-key': 'order-1' };
    const { id } = bodyOf<{ id: string }>(await shop.merchant().post('/v1/terminal/payment-sessions', order, key));
    const ended = await vi.waitFor(async () => {
      const detail = await merchant<PaymentSessionDetail>(`/v1/terminal/payment-sessions/${id}`);
      expect(detail.session.status).toBe('SUCCEEDED');
      expect(detail.events.at(-1)).toMatchObject({ eventType: 'COMPLETED', status: 'SUCCEEDED' });
      return detail.session;
    }, WAIT);
    const own = bodyOf<TransactionResponse>(await shop.pos().get('/v1/transactions/last'));
    expect(own).toMatchObject({ status: 'APPROVED', amount: 4_200 });
    expect(ended).toMatchObject({ paymentId: own.transactionId, finalAmountMinor: 4_200 });
    expect((await told())[own.transactionId]).toBe('EXTERNAL_RAIL SUCCEEDED 4200');
  },
  PROGRAMS_MS,
);
