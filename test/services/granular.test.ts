import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CompleteRequest } from '../../app/contract/transactions.ts';
import type { CallContext } from '../../app/services/till.ts';
import { bodyOf, call, createHarness, type Harness, saleOf } from '../support/engine-harness.ts';
import { settle } from '../support/manual-clock.ts';
import { createMemoryReader, type MemoryReader, testChipData } from '../support/memory-reader.ts';

let reader: MemoryReader;
let harness: Harness;
beforeEach(() => {
  reader = createMemoryReader();
  harness = createHarness({ terminals: [reader.terminal] });
});
afterEach(() => harness.stop());

const context: CallContext = {
  clientId: 'client-1',
  actor: 'pos:x',
  requestId: 'q',
  route: 'POST /v1/transaction/initiate',
};
const completeContext = { ...context, route: 'POST /v1/transaction/complete' };
const approval = (transactionId: string): CompleteRequest => ({
  transactionId,
  responseCode: '00',
  authorizationCode: 'A1B2C3',
});

async function initiate(key?: string) {
  const answer = await harness.till.initiate(
    key === undefined ? context : { ...context, idempotencyKey: key },
    saleOf(),
  );
  return { answer, response: bodyOf(answer) };
}

describe('initiate', () => {
  test('answers PENDING_ONLINE with the chip data, and the events in order', async () => {
    const { response } = await initiate();
    expect(response).toMatchObject({ status: 'PENDING_ONLINE', chipData: testChipData, cardScheme: 'VISA' });
    expect(harness.names()).toEqual(['waiting_for_card', 'card_detected', 'online_authorization']);
  });

  test('again under its key includes the chip data while it waits, and the final result afterwards', async () => {
    const { answer, response } = await initiate('k');
    expect((await initiate('k')).answer).toEqual({ ...answer, replayed: true });
    const final = await harness.till.complete(completeContext, approval(response.transactionId));
    expect((await initiate('k')).answer).toEqual({ ...final, replayed: true });
  });

  test('keeps the chip data out of look-ups, journal and stored events', async () => {
    const { response } = await initiate('k');
    expect(harness.till.transaction(context, response.transactionId).chipData).toBeUndefined();
    const replayed = harness.till.eventsAfter(context, 0);
    expect(replayed.map((event) => event.event)).toContain('online_authorization');
    await harness.till.complete(completeContext, approval(response.transactionId));
    expect(harness.till.eventsAfter(context, 0).map((event) => event.event)).not.toContain('online_authorization');
    await harness.clock.advance(5_000);
    const files = ['journal.db', 'journal.db-wal']
      .map((name) => readFileSync(join(harness.dataDir, name), 'latin1'))
      .join('');
    expect(files).toContain(response.transactionId);
    expect(files).not.toContain('1122334455667788');
  });

  test('of an operation that the reader does not have is refused', async () => {
    await expect(call(harness.till, saleOf())).rejects.toMatchObject({ code: 'OPERATION_NOT_SUPPORTED' });
  });
});

describe('complete', () => {
  test('with an approval is APPROVED, counted in no totals', async () => {
    const { response } = await initiate();
    const final = bodyOf(await harness.till.complete(completeContext, approval(response.transactionId)));
    expect(final).toMatchObject({
      status: 'APPROVED',
      responseCode: '00',
      authorizationCode: 'A1B2C3',
      cryptogramType: 'TC',
      outcome: { charged: 'YES' },
    });
    expect(harness.till.totals(context).totals).toMatchObject({ saleCount: 0, saleAmount: 0 });
    expect(harness.names().at(-1)).toBe('result');
  });

  test('again with the identical body gives the same result, after a restart too; with another body NOT_PENDING_ONLINE', async () => {
    const { response } = await initiate();
    const request = approval(response.transactionId);
    const final = await harness.till.complete(completeContext, request);
    expect(await harness.till.complete(completeContext, request)).toEqual({ ...final, replayed: true });
    harness.crashAndRestart();
    expect(await harness.till.complete(completeContext, request)).toEqual({ ...final, replayed: true });
    await expect(harness.till.complete(completeContext, { ...request, responseCode: '05' })).rejects.toMatchObject({
      code: 'NOT_PENDING_ONLINE',
    });
    expect(reader.completions).toHaveLength(1);
  });

  test('with a decline is DECLINED, even when the chip approves by itself', async () => {
    const { response } = await initiate();
    reader.nextCompletion({ kind: 'APPROVED', card: {}, reference: {}, receipts: [] });
    const request = { transactionId: response.transactionId, responseCode: '51' };
    expect(bodyOf(await harness.till.complete(completeContext, request))).toMatchObject({
      status: 'DECLINED',
      responseCode: '51',
      decline: { category: 'INSUFFICIENT_FUNDS' },
      outcome: { charged: 'NO', safeToRetry: true },
    });
  });

  test('that the card refuses after an approval tells the POS to reverse its own authorization', async () => {
    const { response } = await initiate();
    reader.nextCompletion({ kind: 'DECLINED', card: {}, receipts: [] });
    const final = bodyOf(await harness.till.complete(completeContext, approval(response.transactionId)));
    expect(final).toMatchObject({ status: 'DECLINED', outcome: { evidence: expect.stringMatching(/reverse/i) } });
    expect(final.responseCode).toBeUndefined();
  });

  test.each([
    ['the card is lost', 'LOST', '00'],
    ['the issuer answered 68', undefined, '68'],
  ] as const)('when %s is OUTCOME_UNKNOWN without a task', async (_what, planned, responseCode) => {
    const { response } = await initiate();
    if (planned !== undefined) reader.nextCompletion(planned);
    const request = { ...approval(response.transactionId), responseCode };
    expect(bodyOf(await harness.till.complete(completeContext, request))).toMatchObject({
      status: 'ERROR',
      errorCode: 'OUTCOME_UNKNOWN',
      outcome: { charged: 'UNKNOWN', evidence: expect.stringMatching(/reverse/i) },
    });
    expect(harness.till.recoveryTasks(context).data).toEqual([]);
  });

  test('of an unknown transaction is NOT_FOUND', async () => {
    await expect(harness.till.complete(completeContext, approval('nobody'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('twice at once reaches the card once', async () => {
    const { response } = await initiate();
    const request = approval(response.transactionId);
    const answers = await Promise.all([1, 2, 3].map(() => harness.till.complete(completeContext, request)));
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    expect(reader.completions).toHaveLength(1);
  });
});

describe('no completion', () => {
  test('within 60 s tells the card, ends ERROR OUTCOME_UNKNOWN without a task, and a later one is too late', async () => {
    const { response } = await initiate();
    await harness.clock.advance(59_000);
    expect(harness.till.currentTransaction(context).status).toBe('PENDING_ONLINE');
    await harness.clock.advance(1_500);
    expect(harness.till.transaction(context, response.transactionId)).toMatchObject({
      status: 'ERROR',
      errorCode: 'OUTCOME_UNKNOWN',
      outcome: { evidence: expect.stringMatching(/reverse/i) },
    });
    expect(reader.completions).toMatchObject([{ responseCode: 'Z3' }]);
    expect(harness.till.recoveryTasks(context).data).toEqual([]);
    await expect(harness.till.complete(completeContext, approval(response.transactionId))).rejects.toMatchObject({
      code: 'NOT_PENDING_ONLINE',
    });
    await settle();
    expect((await initiate()).response.status).toBe('PENDING_ONLINE');
  });

  test('because of a crash ends the same way at the next start', async () => {
    const { response } = await initiate('k');
    harness.crashAndRestart();
    expect(harness.till.transaction(context, response.transactionId)).toMatchObject({
      status: 'ERROR',
      errorCode: 'OUTCOME_UNKNOWN',
    });
    expect(harness.till.recoveryTasks(context).data).toEqual([]);
    expect(bodyOf((await initiate('k')).answer).status).toBe('ERROR');
    await expect(harness.till.complete(completeContext, approval(response.transactionId))).rejects.toMatchObject({
      code: 'NOT_PENDING_ONLINE',
    });
  });

  test('cannot be shortened by an abort: the POS completes with a decline instead', async () => {
    const { response } = await initiate();
    await expect(harness.till.abort(context, response.transactionId)).rejects.toMatchObject({ code: 'ABORT_TOO_LATE' });
    await expect(harness.till.initiate(context, saleOf())).rejects.toMatchObject({ code: 'TRANSACTION_IN_PROGRESS' });
  });
});

test('a refund of a granular payment goes through initiate; void and completion of it are not supported', async () => {
  const { response } = await initiate();
  await harness.till.complete(completeContext, approval(response.transactionId));
  const refund = {
    type: 'REFUND',
    amount: 1_000,
    currency: 'EUR',
    originalTransactionId: response.transactionId,
  } as const;
  expect(bodyOf(await harness.till.initiate(context, refund)).status).toBe('PENDING_ONLINE');
});
