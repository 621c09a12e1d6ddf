import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Endpoint, endpointOf } from '../../../app/contract/endpoints.ts';
import { posEndpoints } from '../../../host/server/pos-calls.ts';
import type { PosCall } from '../../../host/services/host.ts';
import { credentials, pos } from './fake-host.ts';
import { createHarness, type Harness } from './harness.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.server.close());

const headers = { 'x-api-key': credentials.posKey };

function requestFor(endpoint: Endpoint) {
  const query = endpoint.id === 'events.list' ? '?after=0' : '';
  return {
    method: endpoint.method === 'GET' ? ('GET' as const) : ('POST' as const),
    url: endpoint.path.replace('{id}', 'tx-1').replace('{settlementId}', 's-1') + query,
    ...(endpoint.example === undefined ? {} : { payload: Object(endpoint.example) }),
  };
}

const lastCall = () => harness.calls.at(-1)?.input[1] as PosCall;

describe('a path of the POS API at the host', () => {
  it.each(posEndpoints)('$id takes the key of a POS in both headers, and hands the call on', async (endpoint) => {
    const key = { 'idempotency-key': 'k-1', 'x-terminal-id': 'T-1' };
    const request = requestFor(endpoint);
    for (const shown of [headers, { authorization: `Bearer ${credentials.posKey}` }]) {
      const answer = await harness.app.inject({ ...request, headers: { ...shown, ...key } });
      expect([answer.statusCode, answer.body]).toEqual([200, '{"till":true}']);
    }
    expect(harness.calls.map(({ method, input }) => [method, input[0]])).toEqual([
      ['posCall', pos],
      ['posCall', pos],
    ]);
    const keyed = endpoint.idempotency === 'none' ? undefined : 'k-1';
    expect(lastCall()).toMatchObject({ endpoint: { id: endpoint.id }, url: request.url, terminalId: 'T-1' });
    expect([lastCall().idempotencyKey, lastCall().body]).toEqual([keyed, endpoint.example]);
  });

  it.each(posEndpoints)('$id refuses every other key', async (endpoint) => {
    const refused = { [credentials.secretKey]: 403, [credentials.deviceToken]: 403, [credentials.publishableKey]: 403 };
    const unknown = { [credentials.unknownPosKey]: 401, 'pos_ x': 401, [`sk_${'A'.repeat(43)}`]: 401 };
    for (const [key, status] of Object.entries({ ...refused, ...unknown })) {
      const answer = await harness.app.inject({ ...requestFor(endpoint), headers: { 'x-api-key': key } });
      expect(answer.statusCode, key).toBe(status);
    }
    expect((await harness.app.inject(requestFor(endpoint))).statusCode).toBe(401);
    expect(harness.calls).toEqual([]);
  });

  it('refuses two keys that differ, and a client that was revoked', async () => {
    const sale = requestFor(endpointOf('pos.sale'));
    const both = { ...headers, authorization: `Bearer ${credentials.unknownPosKey}` };
    expect((await harness.app.inject({ ...sale, headers: both })).statusCode).toBe(401);
    harness.revoked.add(credentials.posKey);
    expect((await harness.app.inject({ ...sale, headers })).statusCode).toBe(401);
    expect(harness.calls).toEqual([]);
  });

  it('refuses what the till would refuse, before anything leaves', async () => {
    const sale = { ...requestFor(endpointOf('pos.sale')), headers };
    const bad = [
      { ...sale, payload: { ...sale.payload, amunt: 1 } },
      { ...sale, payload: { ...sale.payload, type: 'REFUND' } },
      { ...sale, headers: { ...headers, 'idempotency-key': 'a b' } },
      { ...sale, headers: { ...headers, 'x-timeout-seconds': '5' } },
      { ...sale, url: '/v1/transaction/sale?key=x' },
      { method: 'GET' as const, url: `/v1/transactions?cursor=${'x'.repeat(2_048)}`, headers },
    ];
    for (const request of bad) expect((await harness.app.inject(request)).statusCode, request.url).toBe(400);
    expect(harness.calls).toEqual([]);
  });

  it('leaves the answer as the till has given it', async () => {
    const given = {
      statusCode: 409,
      headers: { 'content-type': 'application/json', 'retry-after': '3' },
      body: '{"a": 1}',
    };
    harness.answerWith('posCall', () => given);
    const answer = await harness.app.inject({ url: '/v1/transactions/current', headers });
    expect([answer.statusCode, answer.body, answer.headers['retry-after']]).toEqual([409, '{"a": 1}', '3']);
  });

  it('has a rate limit of its own for each client', async () => {
    await harness.server.close();
    harness = await createHarness({ requestsPerSecond: 0.001, requestBurst: 1 });
    const ask = () => harness.app.inject({ url: '/v1/transactions/current', headers });
    expect([(await ask()).statusCode, (await ask()).statusCode]).toEqual([200, 429]);
    const other = { url: '/v1/settlements', headers: { 'x-api-key': credentials.secretKey } };
    expect((await harness.app.inject(other)).statusCode).toBe(200);
  });
});
