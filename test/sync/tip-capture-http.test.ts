// POST /v1/transactions/{id}/capture as a POS calls it: the real server on the real engine, with a real host behind it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TransactionResponse } from '../../app/contract/transactions.ts';
import { validate } from '../../app/contract/validate.ts';
import { createHarness, type Harness } from '../server/server-harness.ts';
import { saleOf } from '../support/engine-harness.ts';
import { goodKey } from '../support/fake-till.ts';
import { openSyncBench, type SyncBench } from './support/sync-bench.ts';

let bench: SyncBench;
let server: Harness;

beforeEach(async () => {
  bench = await openSyncBench();
  const choices = { presetBasisPoints: [], fixedAmountMinor: null, fixedAmountThresholdMinor: null };
  const caps = { maxAmountMinor: 500, maxBasisPoints: 10_000 };
  const config = { ...choices, ...caps, allowCustomAmount: true, enabled: true, postAuthAdjustEnabled: true };
  await bench.store.transact((unit) => unit.saveTipConfig(bench.demo.merchantId, config, Date.now()));
  server = await createHarness({ engine: bench.harness.till });
});
afterEach(async () => {
  await server.server.close();
  await bench.stop();
});

const pathOf = (id: string) => `/v1/transactions/${id}/capture`;
const withKey = (idempotencyKey?: string) => ({
  ...{ host: '127.0.0.1:8443', 'content-type': 'application/json', 'x-api-key': goodKey },
  ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
});

async function post(id: string, body: object | string, headers: Record<string, string> = withKey()) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await server.app.inject({ method: 'POST', url: pathOf(id), headers, payload });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: answer.json() };
}

async function capture(id: string, body: object, idempotencyKey?: string): Promise<TransactionResponse> {
  const answer = await post(id, body, withKey(idempotencyKey));
  expect(answer.status, answer.text).toBe(200);
  return validate(TransactionResponse, answer.body);
}

async function heldSale(): Promise<string> {
  const answer = await bench.run(saleOf({ amount: 1_000 }));
  expect(answer).toMatchObject({ status: 'APPROVED', tipCapturePending: true });
  return answer.transactionId;
}

const atHost = async (paymentId: string) =>
  (await bench.store.read.findPayment({ merchantId: bench.demo.merchantId, paymentId }))?.payment;

describe('POST /v1/transactions/{id}/capture', () => {
  it('answers with the sale as it was captured, and byte for byte the same under the same key', async () => {
    const id = await heldSale();
    const first = await post(id, { tipAmount: 200 }, withKey('tip-1'));
    expect(first.status, first.text).toBe(200);
    const told = validate(TransactionResponse, first.body);
    expect(told).toMatchObject({
      ...{ transactionId: id, status: 'APPROVED', type: 'SALE', amount: 1_000, tipAmount: 200 },
      receiptData: { tipAmount: 200, totalAmount: 1_200 },
    });
    expect(told.tipCapturePending).toBeUndefined();
    expect(await atHost(id)).toMatchObject({ status: 'SUCCEEDED', capturedAmountMinor: 1_200 });
    const again = await post(id, { tipAmount: 200 }, withKey('tip-1'));
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect([first, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
    expect(bench.line.calls.filter((path) => path.endsWith('/capture'))).toHaveLength(1);
  });

  it('captures without a tip, and needs no Idempotency-Key', async () => {
    const id = await heldSale();
    expect((await capture(id, {})).tipAmount ?? 0).toBe(0);
    expect(await atHost(id)).toMatchObject({ status: 'SUCCEEDED', capturedAmountMinor: 1_000 });
  });

  it('says that it is not known while the host cannot be reached, and the end to the same call later', async () => {
    const id = await heldSale();
    bench.setReachable(false);
    expect(await capture(id, { tipAmount: 200 }, 'tip-1')).toMatchObject({
      ...{ transactionId: id, status: 'ERROR', errorCode: 'OUTCOME_UNKNOWN', outcome: { charged: 'UNKNOWN' } },
    });
    const other = await post(id, { tipAmount: 300 });
    expect([other.status, other.body.error]).toEqual([409, 'ILLEGAL_STATE']);
    bench.setReachable(true);
    await bench.passUntil(async () => (await atHost(id))?.status === 'SUCCEEDED');
    await bench.passUntil(async () => (await capture(id, { tipAmount: 200 }, 'tip-1')).status === 'APPROVED');
    expect(await atHost(id)).toMatchObject({ capturedAmountMinor: 1_200 });
  });

  it('refuses a capture that differs from the first, or comes after it', async () => {
    const id = await heldSale();
    await capture(id, { tipAmount: 200 }, 'tip-1');
    const reused = await post(id, { tipAmount: 300 }, withKey('tip-1'));
    expect([reused.status, reused.body.error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const later = await post(id, { tipAmount: 200 });
    expect(later.status).toBe(409);
    expect(later.body).toMatchObject({ error: 'ALREADY_COMPLETED', transactionId: id });
  });

  it('refuses what waits for no capture: an unknown sale, a void one, one that had its tip before', async () => {
    const unknown = await post('tx-nobody-knows', {});
    expect([unknown.status, unknown.body.error]).toEqual([404, 'NOT_FOUND']);
    const voided = await heldSale();
    await bench.run({ type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId: voided });
    const dead = await post(voided, { tipAmount: 100 });
    expect([dead.status, dead.body.error]).toEqual([409, 'ALREADY_VOIDED']);
    const { transactionId } = await bench.run(saleOf({ amount: 1_000, tipAmount: 100 }));
    await bench.passUntil(async () => (await atHost(transactionId))?.status === 'SUCCEEDED');
    const paid = await post(transactionId, {});
    expect(paid.status).toBe(409);
    expect(paid.body).toMatchObject({ error: 'ILLEGAL_STATE', transactionId });
  });

  it('names the tip where it is none, or above the cap, and the sale waits on', async () => {
    const id = await heldSale();
    for (const tipAmount of [-1, 1.5, '100', null, 2 ** 53]) {
      const refused = await post(id, { tipAmount });
      expect([refused.status, refused.body.error, refused.body.field], String(tipAmount)).toEqual([
        ...[400, 'INVALID_REQUEST', 'tipAmount'],
      ]);
    }
    const more = await post(id, { tipAmount: 100, amount: 1 });
    expect([more.status, more.body.error, more.body.field]).toEqual([400, 'INVALID_REQUEST', 'amount']);
    const config = await bench.client().config({ timeoutMs: 10_000, signal: new AbortController().signal });
    if (config.kind !== 'ANSWERED') throw new Error('no configuration');
    bench.believe(config.body);
    const above = await post(id, { tipAmount: 501 }, withKey('tip-1'));
    expect([above.status, above.body.error, above.body.field]).toEqual([400, 'INVALID_REQUEST', 'tipAmount']);
    bench.believe({ ...config.body, acquirer: { ...config.body.acquirer, tipAdjust: false } });
    const never = await post(id, { tipAmount: 100 }, withKey('tip-1'));
    expect([never.status, never.body.error]).toEqual([422, 'TIP_ADJUST_NOT_SUPPORTED']);
    expect(bench.harness.journal.findTransaction(id)?.tipCapture).toEqual({ state: 'WAITING' });
    // A refusal binds no key.
    bench.believe(config.body);
    expect(await capture(id, { tipAmount: 500 }, 'tip-1')).toMatchObject({ tipAmount: 500 });
  });

  it('passes on what the host refuses for good, with the transaction that it is about', async () => {
    const id = await heldSale();
    const lapsed = { status: 409, body: JSON.stringify({ error: 'AUTH_EXPIRED', message: 'the hold has lapsed' }) };
    bench.line.next('/capture', lapsed);
    const refused = await post(id, { tipAmount: 100 });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ error: 'AUTH_EXPIRED', transactionId: id });
    expect(refused.body.message).toContain('the hold has lapsed');
  });

  it('needs the key of a POS client, POST and JSON', async () => {
    const id = await heldSale();
    const { 'x-api-key': _key, ...nobody } = withKey();
    const unauthenticated = await post(id, {}, nobody);
    expect([unauthenticated.status, unauthenticated.body.error]).toEqual([401, 'UNAUTHENTICATED']);
    expect(unauthenticated.headers['www-authenticate']).toBeDefined();
    const text = await post(id, 'tip', { ...withKey(), 'content-type': 'text/plain' });
    expect([text.status, text.body.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const got = await server.app.inject({ method: 'GET', url: pathOf(id), headers: withKey() });
    expect([got.statusCode, got.json().error]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(bench.harness.journal.findTransaction(id)?.tipCapture).toEqual({ state: 'WAITING' });
  });
});
