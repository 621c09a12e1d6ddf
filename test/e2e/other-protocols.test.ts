// A day with a terminal that speaks neither ZVT nor NEO 2: till and terminal as the programs that they are, by REST. The terminal's book judges.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RecoveryTaskView } from '../../app/contract/recovery.ts';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import type { PosAnswer } from '../support/pos.ts';
import { temporaryFolder } from '../support/processes.ts';
import {
  caisseApTcp,
  ecr17Serial,
  ecr17Tcp,
  openProtocolShop,
  type ProtocolLine,
  type ProtocolShop,
} from '../support/protocol-shop.ts';

const PROGRAMS_MS = 180_000;
const WAIT = { timeout: 60_000, interval: 200 };

const folder = temporaryFolder();
let opened = 0;
let shop: ProtocolShop;
afterAll(() => folder.remove());

async function open(line: ProtocolLine): Promise<void> {
  opened += 1;
  const own = join(folder.path, String(opened));
  mkdirSync(own);
  shop = await openProtocolShop(line, own);
}

const sale = (amount: number, more = {}) =>
  shop.pos.post('/v1/transaction/sale', { type: 'SALE', amount, currency: 'EUR', ...more });
const approved = async (answer: Promise<PosAnswer>): Promise<TransactionResponse> => {
  const { status, text, body } = await answer;
  expect(status, text).toBe(200);
  expect(body, text).toMatchObject({ status: 'APPROVED', simulated: true });
  return body as unknown as TransactionResponse;
};
const voidOf = (originalTransactionId: string) =>
  shop.pos.post('/v1/transaction/void', { type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId });
const refundOf = (originalTransactionId: string, amount: number) =>
  shop.pos.post('/v1/transaction/refund', { type: 'REFUND', amount, currency: 'EUR', originalTransactionId });
const closeDay = (key: string) => shop.pos.post('/v1/reconciliation', { closeDay: true }, { 'idempotency-key': key });
const standing = async () => (await shop.control.book()).standing;
const tasks = async () => (await shop.pos.get('/v1/recovery-tasks')).body.data as readonly RecoveryTaskView[];

/** Asks until the outcome is known and nothing is left to do about it. */
const settled = (transactionId: string): Promise<TransactionResponse> =>
  vi.waitFor(async () => {
    const { body } = await shop.pos.get(`/v1/transactions/${transactionId}`);
    expect([body.status, await tasks()]).toEqual([expect.stringMatching(/^(APPROVED|DECLINED|CANCELLED)$/), []]);
    return body as unknown as TransactionResponse;
  }, WAIT);

/** A terminal that is back after a fault takes the next payment. */
const ready = () =>
  vi.waitFor(async () => {
    const { body } = await shop.pos.get('/v1/device/health');
    expect(body).toMatchObject({ connected: true, state: 'IDLE' });
  }, WAIT);

describe.each([ecr17Tcp, ecr17Serial])('a day with $name', (line) => {
  beforeEach(() => open(line), PROGRAMS_MS);
  afterEach(() => shop.close());

  it('is sold, taken back, held, recovered and closed, and both books agree', { timeout: PROGRAMS_MS }, async () => {
    const { body: meta } = await shop.pos.get('/v1/meta');
    expect(meta.terminals).toMatchObject([{ protocol: 'ECR17', capabilities: { abort: false } }]);

    const first = await approved(sale(1_250, { tipAmount: 50, referenceId: 'order-1' }));
    expect(first).toMatchObject({ amount: 1_250, tipAmount: 50, authorizationCode: expect.any(String) });
    expect(first.maskedPan).toMatch(/\*/);
    expect(first.receiptData).toMatchObject({ totalAmount: 1_300 });
    expect((await standing()).charges).toMatchObject({ count: 1, sumMinor: 1_300 });

    // No refund to a card, neither of a part nor of all.
    expect(await refundOf(first.transactionId, 500)).toMatchObject({
      status: 400,
      body: { error: 'OPERATION_NOT_SUPPORTED' },
    });
    await approved(voidOf(first.transactionId));
    expect((await standing()).charges).toMatchObject({ count: 0, sumMinor: 0 });

    await shop.control.arm('decline-51');
    expect((await sale(900)).body).toMatchObject({ status: 'DECLINED' });
    await shop.control.arm('cardholder-cancel');
    expect((await sale(800)).body).toMatchObject({ status: expect.stringMatching(/^(CANCELLED|DECLINED)$/) });
    expect((await standing()).charges.count).toBe(0);

    const second = await approved(sale(2_000));
    const third = await approved(sale(3_000));
    // Only the last payment can be taken back.
    expect(await voidOf(second.transactionId)).toMatchObject({
      status: 400,
      body: { error: 'OPERATION_NOT_SUPPORTED' },
    });
    expect((await standing()).charges).toMatchObject({ count: 2, sumMinor: 5_000 });
    await approved(voidOf(third.transactionId));

    const hold = await approved(
      shop.pos.post('/v1/transaction/pre-auth', { type: 'PRE_AUTH', amount: 6_000, currency: 'EUR' }),
    );
    expect((await standing()).holds).toMatchObject({ count: 1, sumMinor: 6_000 });
    await approved(
      shop.pos.post('/v1/transaction/pre-auth/complete', {
        type: 'PRE_AUTH_COMPLETE',
        amount: 4_500,
        currency: 'EUR',
        originalTransactionId: hold.transactionId,
      }),
    );
    expect(await standing()).toMatchObject({ charges: { count: 2, sumMinor: 6_500 }, holds: { count: 0 } });

    // The bank has approved, and the line is lost before the till hears of it: the last result of the terminal settles it.
    await shop.control.arm('drop-after-host');
    const lost = (await sale(700)).body;
    expect(await settled(String(lost.transactionId))).toMatchObject({
      status: 'APPROVED',
      outcome: { charged: 'YES' },
    });
    expect((await standing()).charges).toMatchObject({ count: 3, sumMinor: 7_200 });
    await ready();

    const { status, text, body } = await closeDay('close-1');
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ status: 'SUCCESS', totals: { saleCount: 5, saleAmount: 11_500, voidAmount: 4_300 } });
    const book = await shop.control.book();
    expect(book.closes).toBe(1);
    expect(book.standing.charges).toMatchObject({ count: 3, sumMinor: 7_200 });
  });
});

describe(`a day with ${caisseApTcp.name}`, () => {
  beforeEach(() => open(caisseApTcp), PROGRAMS_MS);
  afterEach(() => shop.close());

  it('is sold, refunded, resolved by a person and closed from the journal', { timeout: PROGRAMS_MS }, async () => {
    const { body: meta } = await shop.pos.get('/v1/meta');
    expect(meta.terminals).toMatchObject([
      { protocol: 'CAISSE_AP', capabilities: { operations: ['SALE', 'REFUND'], abort: false } },
    ]);

    const first = await approved(sale(1_250, { referenceId: 'order-1' }));
    expect((await standing()).charges).toMatchObject({ count: 1, sumMinor: 1_250 });
    await approved(refundOf(first.transactionId, 500));
    expect(await standing()).toMatchObject({ charges: { sumMinor: 1_250 }, refunds: { count: 1, sumMinor: 500 } });
    expect(await voidOf(first.transactionId)).toMatchObject({
      status: 400,
      body: { error: 'OPERATION_NOT_SUPPORTED' },
    });

    await shop.control.arm('decline-51');
    expect((await sale(900)).body).toMatchObject({ status: 'DECLINED' });
    await shop.control.arm('cardholder-cancel');
    expect((await sale(800)).body).toMatchObject({ status: expect.stringMatching(/^(CANCELLED|DECLINED)$/) });

    // The line is lost after the bank approved. The protocol has no question about it: a person looks, and decides.
    await shop.control.arm('drop-after-host');
    const lost = (await sale(700, { referenceId: 'order-2' })).body;
    expect(lost).toMatchObject({ outcome: { charged: 'UNKNOWN' } });
    const transactionId = String(lost.transactionId);
    await vi.waitFor(
      async () => expect(await tasks()).toMatchObject([{ state: 'NEEDS_PERSON', subject: { id: transactionId } }]),
      WAIT,
    );
    expect(await closeDay('close-1')).toMatchObject({ status: 409 });
    // What the person reads on the terminal: it stands.
    expect((await standing()).charges).toMatchObject({ count: 2, sumMinor: 1_950 });
    const resolved = await shop.pos.post(`/v1/transactions/${transactionId}/resolve`, {
      charged: true,
      evidence: 'The receipt of the terminal says 7.00 EUR, approved.',
    });
    expect(resolved.status, resolved.text).toBe(200);
    expect(await settled(transactionId)).toMatchObject({ status: 'APPROVED', outcome: { charged: 'YES' } });

    // The next sale works at once.
    await approved(sale(300));
    const { status, text } = await closeDay('close-2');
    expect(status, text).toBe(200);
    const { charges, refunds } = await standing();
    expect([charges.sumMinor, refunds.sumMinor]).toEqual([2_250, 500]);
    const { body } = await shop.pos.get('/v1/settlements');
    expect(body.data).toHaveLength(1);
  });
});
