// A till with a reader and a host, as the programs that they are: the merchant's server closes a terminal's day as its till does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReconciliationResponse, Settlement } from '../../app/contract/settlements.ts';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import { openPairedShop, type PairedShop } from '../support/paired-shop.ts';
import type { PosAnswer } from '../support/pos.ts';
import { temporaryFolder } from '../support/processes.ts';

const PROGRAMS_MS = 240_000;
const folder = temporaryFolder();
let shop: PairedShop;

beforeAll(async () => {
  shop = await openPairedShop(folder.path, { kind: 'READER' });
}, PROGRAMS_MS);
afterAll(async () => {
  await shop?.close();
  folder.remove();
}, PROGRAMS_MS);

function bodyOf<T>({ status, text }: PosAnswer): T {
  expect(status, text).toBe(200);
  return JSON.parse(text) as T;
}

const newKey = () => ({ 'idempotency-key': crypto.randomUUID() });
const pos = async <T>(path: string, body: object) => bodyOf<T>(await shop.pos().post(path, body, newKey()));
const closeAtTill = () => pos<ReconciliationResponse>('/v1/reconciliation', { closeDay: true });
const askHost = (terminalId: string | undefined) =>
  shop.merchant().post(
    '/v1/reconciliation',
    { closeDay: true },
    {
      ...newKey(),
      ...(terminalId === undefined ? {} : { 'x-terminal-id': terminalId }),
    },
  );
const closeAtHost = async () => bodyOf<ReconciliationResponse>(await askHost(shop.terminalId));
const settlements = async () =>
  bodyOf<{ data: Settlement[] }>(await shop.merchant().get('/v1/settlements?limit=50')).data;
const settlement = async (id = '') => bodyOf<Settlement>(await shop.merchant().get(`/v1/settlements/${id}`));

/** Two sales, one of them taken back, and a refund. */
async function tradeForADay(): Promise<void> {
  const sell = (amount: number) =>
    pos<TransactionResponse>('/v1/transaction/sale', { type: 'SALE', amount, currency: 'EUR' });
  const kept = await sell(3_000);
  const undone = await sell(1_200);
  const on = ({ transactionId: originalTransactionId }: TransactionResponse) => ({
    currency: 'EUR',
    originalTransactionId,
  });
  await pos('/v1/transaction/void', { type: 'VOID', amount: 0, ...on(undone) });
  const refund = await pos<TransactionResponse>('/v1/transaction/refund', { type: 'REFUND', amount: 500, ...on(kept) });
  expect([kept.status, undone.status, refund.status]).toEqual(['APPROVED', 'APPROVED', 'APPROVED']);
}

const ofADay = { saleCount: 2, saleAmount: 4_200, refundCount: 1, refundAmount: 500, voidCount: 1, voidAmount: 1_200 };
const ofNone = { saleCount: 0, saleAmount: 0, refundCount: 0, refundAmount: 0, voidCount: 0, voidAmount: 0 };

it(
  'gives the merchant’s secret key the close that the till gives, once, for one terminal',
  async () => {
    await tradeForADay();
    const byTill = await closeAtTill();
    expect(byTill).toMatchObject({ status: 'SUCCESS', totals: ofADay });
    const [ofTill] = await settlements();

    await tradeForADay();
    const byServer = await closeAtHost();
    expect(byServer).toMatchObject({ status: 'SUCCESS', totals: ofADay });
    expect(byServer.totals).toEqual(byTill.totals);
    expect([byTill, byServer].map(({ differences }) => differences)).toEqual([undefined, undefined]);
    const same = async (id: string | undefined) => {
      const { id: _id, closedAt: _at, acquirerBatchRef, fundingDate: _date, ...figures } = await settlement(id);
      expect(acquirerBatchRef).toEqual(expect.any(String));
      return figures;
    };
    expect(await same(byServer.settlementId)).toEqual(await same(ofTill?.id));
    expect(await same(byServer.settlementId)).toMatchObject({ ...ofADay, netAmount: 2_500, status: 'SETTLED' });

    const again = await closeAtHost();
    expect(again).toMatchObject({ status: 'SUCCESS', totals: ofNone });
    // The till's day is the day that the server has closed: nothing of it is new, or differs.
    const later = await closeAtTill();
    expect(later).toMatchObject({ status: 'SUCCESS', totals: ofADay, columns: { host: { totals: ofADay } } });
    expect(later).not.toHaveProperty('differences');
    expect(later).not.toHaveProperty('namedDifferences');
    const all = await settlements();
    expect(all.map(({ saleAmount }) => saleAmount)).toEqual([0, 0, 4_200, 4_200]);
    expect(await closeAtTill()).toMatchObject({ status: 'SUCCESS', totals: ofNone });
  },
  PROGRAMS_MS,
);

it(
  'asks for X-Terminal-Id where the merchant has several terminals, and has none of another merchant',
  async () => {
    const before = await settlements();
    const unnamed = await askHost(undefined);
    expect(unnamed.status).toBe(400);
    expect(unnamed.body).toMatchObject({ error: 'INVALID_REQUEST', field: 'X-Terminal-Id' });
    expect(unnamed.body.message).toContain('X-Terminal-Id is required');
    const { merchantId = '' } = await shop.admin('merchants', 'add', '--name', 'Other Shop');
    const lane = ['--merchant', merchantId, '--name', 'Lane', '--currency', 'EUR'];
    const { terminalId: foreign = '' } = await shop.admin('terminals', 'add', ...lane);
    for (const terminalId of [foreign, 'T-unknown']) {
      const refused = await askHost(terminalId);
      expect(refused.status).toBe(404);
      expect(refused.body).toMatchObject({ error: 'NOT_FOUND' });
    }
    expect(await settlements()).toEqual(before);
  },
  PROGRAMS_MS,
);
