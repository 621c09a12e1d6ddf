import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EndpointId, endpointOf } from '../../../app/contract/endpoints.ts';
import type { LinkCall } from '../../../app/contract/host/link.ts';
import { nodeIds } from '../../../app/programs/node-ports.ts';
import type { HostStore } from '../../../host/ports/host-store.ts';
import type { CallResult } from '../../../host/ports/terminal-calls.ts';
import { createCloudCalls } from '../../../host/services/cloud-calls.ts';
import type { PosCall, PosCaller } from '../../../host/services/host.ts';
import { openHostStore } from '../../../host/storage/open-host-store.ts';
import { quietLog } from '../../support/engine-harness.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { openShop, type Shop, startMs } from '../store-fixture.ts';
import type { TestDatabase } from '../test-databases.ts';
import { addTerminal } from './services-fixture.ts';

const sale = { type: 'SALE', amount: 1000, currency: 'EUR', referenceId: 'order-7' };
const json = { 'content-type': 'application/json; charset=utf-8' };
const notLinked: CallResult = { kind: 'NOT_LINKED' };
const lost: CallResult = { kind: 'LOST' };
const answered = (body: object, statusCode = 200): CallResult => ({
  kind: 'ANSWERED',
  answer: { statusCode, headers: json, body: JSON.stringify(body) },
});

export function cloudCallsBattery(database: TestDatabase): void {
  let store: HostStore;
  let shop: Shop;
  let pos: PosCaller;
  let clock: ManualClock;
  let sent: { readonly terminalId: string; readonly call: LinkCall }[];
  /** What the till does with each call that reaches it. */
  let till: (call: LinkCall) => CallResult | Promise<CallResult>;
  let cloud: ReturnType<typeof createCloudCalls>;

  beforeAll(async () => {
    store = await openHostStore({ database: await database.create(), nowMs: startMs });
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    shop = await openShop(store);
    pos = { kind: 'POS', merchantId: shop.merchantId, clientId: 'C-1', name: 'Shop' };
    clock = createManualClock();
    sent = [];
    till = (call) => answered({ transactionId: call.transactionId, status: 'APPROVED' });
    cloud = restart();
  });

  /** Another process of the host, or the same after a crash: what is in memory is gone. */
  function restart() {
    const hmac = (text: string) => createHmac('sha256', 'key').update(text).digest('hex');
    return createCloudCalls({
      ...{ store, clock, ids: nodeIds, log: quietLog, hmac },
      calls: {
        async call({ terminalId }, call) {
          sent.push({ terminalId, call });
          return await till(call);
        },
      },
    });
  }

  function callTo(id: EndpointId, change: Partial<PosCall> = {}): PosCall {
    const endpoint = endpointOf(id);
    const url = endpoint.path.replace('{id}', change.namedTransactionId ?? '');
    return { endpoint, requestId: 'r-1', route: `${endpoint.method} ${url}`, url, ...change };
  }
  const sell = (idempotencyKey: string | undefined, body: object = sale) =>
    cloud.posCall(pos, callTo('pos.sale', { body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }));
  const lookUp = (id: string) => cloud.posCall(pos, callTo('transactions.get', { namedTransactionId: id }));
  const sales = () => sent.filter(({ call }) => call.path === '/v1/transaction/sale');

  describe('a POS call at the cloud', () => {
    it('reaches the till once under an id of the host, and its repeat gets the same bytes', async () => {
      const first = await sell('k-1');
      const repeat = await sell('k-1');
      expect(first.body).toBe(JSON.stringify({ transactionId: first.transactionId, status: 'APPROVED' }));
      expect([repeat.statusCode, repeat.body]).toEqual([200, first.body]);
      expect([first.headers, repeat.headers]).toEqual([json, { ...json, 'idempotent-replayed': 'true' }]);
      cloud = restart();
      expect((await sell('k-1')).body).toBe(first.body);
      expect(sent).toHaveLength(1);
      const { callId, ...call } = sent[0]?.call ?? { callId: '' };
      expect(callId).not.toBe('');
      expect(call).toEqual({
        ...{ event: 'call', clientId: 'C-1', clientName: 'Shop', method: 'POST', path: '/v1/transaction/sale' },
        ...{ idempotencyKey: 'k-1', body: JSON.stringify(sale), transactionId: first.transactionId },
      });
    });

    it('is on disk as sent before it leaves', async () => {
      till = async ({ transactionId = '' }) => {
        expect((await store.read.findCloudCallOf(shop.merchantId, transactionId))?.state).toBe('SENT');
        return answered({ transactionId, status: 'DECLINED' });
      };
      const { transactionId = '' } = await sell(undefined);
      expect((await store.read.findCloudCallOf(shop.merchantId, transactionId))?.state).toBe('ANSWERED');
    });

    it('is one call, of several at the same time under one key', async () => {
      const answers = await Promise.all([sell('k-1'), sell('k-1'), sell('k-1')]);
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
      const other = restart();
      till = async ({ transactionId }) => answered({ transactionId, status: 'IN_PROGRESS' });
      await Promise.allSettled([
        sell('k-2'),
        other.posCall(pos, callTo('pos.sale', { body: sale, idempotencyKey: 'k-2' })),
      ]);
      expect(sales()).toHaveLength(2);
    });

    it('is refused under a key that was used for another body', async () => {
      await sell('k-1');
      await expect(sell('k-1', { ...sale, amount: 1001 })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
      expect(sent).toHaveLength(1);
    });

    it('is 503 at once where no till is linked, and keeps its id for the next try', async () => {
      till = () => notLinked;
      await expect(sell('k-1')).rejects.toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
      const assigned = sent[0]?.call.transactionId;
      expect(assigned).toEqual(expect.any(String));
      till = ({ transactionId }) => answered({ transactionId, status: 'APPROVED' });
      expect((await sell('k-1')).transactionId).toBe(assigned);
      expect(sent).toHaveLength(2);
    });

    it('is of unknown outcome when the link is lost, and is never sent again', async () => {
      till = () => lost;
      const first = await sell('k-1');
      const unknown = { status: 'ERROR', errorCode: 'OUTCOME_UNKNOWN', outcome: { charged: 'UNKNOWN' } };
      expect(first.statusCode).toBe(200);
      expect(JSON.parse(first.body)).toMatchObject({ ...sale, ...unknown, transactionId: first.transactionId });
      till = () => notLinked;
      cloud = restart();
      for (const answer of [await sell('k-1'), await lookUp(first.transactionId ?? '')]) {
        expect(JSON.parse(answer.body)).toEqual(JSON.parse(first.body));
      }
      expect(sales()).toHaveLength(1);

      // Back again: the till tells what became of it, and that is the answer from then on.
      till = () => answered({ transactionId: first.transactionId, status: 'APPROVED', amount: 1000 });
      const truth = await sell('k-1');
      expect(JSON.parse(truth.body).status).toBe('APPROVED');
      till = () => notLinked;
      expect((await sell('k-1')).body).toBe(truth.body);
      expect((await lookUp(first.transactionId ?? '')).body).toBe(truth.body);
      expect(sales()).toHaveLength(1);
    });

    it('says that it is not known while the till has not begun, and that there is none once its time is over', async () => {
      till = () => lost;
      const { transactionId = '' } = await sell('k-1');
      till = () => answered({ error: 'NOT_FOUND', message: 'none' }, 404);
      expect(JSON.parse((await lookUp(transactionId)).body).errorCode).toBe('OUTCOME_UNKNOWN');
      await clock.advance(300_000);
      expect((await lookUp(transactionId)).statusCode).toBe(404);
    });

    it('that was refused before anything was done is a new one when it is repeated', async () => {
      till = () => answered({ error: 'TERMINAL_BUSY', message: 'busy' }, 503);
      expect((await sell('k-1')).statusCode).toBe(503);
      till = ({ transactionId }) => answered({ transactionId, status: 'APPROVED' });
      expect(JSON.parse((await sell('k-1')).body).status).toBe('APPROVED');
      const [first, second] = sales().map(({ call }) => call.transactionId);
      expect(second).not.toBe(first);
    });

    it('that failed without a word on the money is looked up, and not sent again', async () => {
      till = () => answered({ error: 'INTERNAL', message: 'look it up' }, 500);
      expect((await sell('k-1')).statusCode).toBe(500);
      till = () => notLinked;
      expect(JSON.parse((await sell('k-1')).body).errorCode).toBe('OUTCOME_UNKNOWN');
      expect(sales()).toHaveLength(1);
    });

    it('keeps no chip data', async () => {
      till = ({ transactionId }) => answered({ transactionId, status: 'PENDING_ONLINE', chipData: { emvTags: {} } });
      const { transactionId = '', body } = await cloud.posCall(pos, callTo('pos.initiate', { body: sale }));
      expect(body).toContain('chipData');
      const record = await store.read.findCloudCallOf(shop.merchantId, transactionId);
      expect(JSON.stringify(record)).not.toContain('chipData');
      expect(record?.state).toBe('SENT');
    });

    it('that changes what is there says after a lost link only that it is not known, and leaves once', async () => {
      till = () => lost;
      const capture = callTo('transactions.capture', { namedTransactionId: 'tx-1', idempotencyKey: 'k', body: {} });
      for (let count = 0; count < 2; count += 1) {
        await expect(cloud.posCall(pos, capture)).rejects.toMatchObject({
          ...{ code: 'INTERNAL', details: { transactionId: 'tx-1', outcome: { charged: 'UNKNOWN' } } },
        });
      }
      const abort = callTo('transactions.abort', { namedTransactionId: 'tx-1' });
      await expect(cloud.posCall(pos, abort)).rejects.toMatchObject({ code: 'INTERNAL' });
      expect(sent.map(({ call }) => call.transactionId)).toEqual([undefined, undefined]);
    });

    it('that only asks may be asked again', async () => {
      till = () => lost;
      const health = () => cloud.posCall(pos, callTo('pos.health'));
      await expect(health()).rejects.toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
      till = () => answered({ state: 'IDLE' });
      expect((await health()).body).toBe('{"state":"IDLE"}');
    });

    it('is for a terminal of the merchant: the named one, that of the transaction, or the only one', async () => {
      const { transactionId = '' } = await sell('k-1');
      await addTerminal(shop, 'T2');
      await expect(sell('k-2')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      await cloud.posCall(pos, callTo('pos.sale', { body: sale, terminalId: 'T2' }));
      await lookUp(transactionId);
      expect(sent.map(({ terminalId }) => terminalId)).toEqual(['T1', 'T2', 'T1']);
      const other = { ...pos, merchantId: (await openShop(store)).merchantId };
      const foreign = callTo('transactions.get', { namedTransactionId: transactionId, terminalId: 'T2' });
      await expect(cloud.posCall(other, foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(sent).toHaveLength(3);
    });

    it('is forgotten after 30 days, unless nobody knows what became of it', async () => {
      const { transactionId: known = '' } = await sell('k-1');
      till = () => lost;
      const { transactionId: unknown = '' } = await sell('k-2');
      const day = 24 * 3_600_000;
      const states = async () => [
        (await store.read.findCloudCallOf(shop.merchantId, known))?.state,
        (await store.read.findCloudCallOf(shop.merchantId, unknown))?.state,
      ];
      await store.maintain(clock.nowMs() + 29 * day);
      expect(await states()).toEqual(['ANSWERED', 'SENT']);
      await store.maintain(clock.nowMs() + 31 * day);
      expect(await states()).toEqual([undefined, 'SENT']);
    });
  });

  describe('the key of a POS', () => {
    it('finds its client, also for a while after a rotation, and no longer once it is revoked', async () => {
      const { merchantId } = shop;
      const [keyHash, next] = [randomUUID(), randomUUID()];
      const client = { merchantId, clientId: randomUUID(), name: 'Front', keyHash, createdAtMs: startMs };
      await store.transact((unit) => unit.savePosClient(client));
      expect(await store.read.findPosClient(keyHash, startMs)).toEqual(client);
      const rotated = { ...client, keyHash: next, earlierKey: { keyHash, untilMs: startMs + 10 } };
      await store.transact((unit) => unit.savePosClient(rotated));
      expect(await store.read.findPosClient(next, startMs)).toEqual(rotated);
      expect(await store.read.findPosClient(keyHash, startMs + 9)).toEqual(rotated);
      expect(await store.read.findPosClient(keyHash, startMs + 10)).toBeUndefined();
      await store.transact((unit) => unit.savePosClient({ ...rotated, revokedAtMs: startMs }));
      expect(await store.read.findPosClient(next, startMs)).toBeUndefined();
      expect(await store.read.findPosClient(keyHash, startMs)).toBeUndefined();
    });
  });
}
