import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { linkedEndpoints } from '../../app/contract/endpoints.ts';
import type { LinkCall } from '../../app/contract/host/link.ts';
import { otherKey } from '../support/fake-till.ts';
import { createHarness, type Harness, posHeaders } from './server-harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.server.close());
beforeEach(() => {
  harness.till.calls.length = 0;
});

const sale: LinkCall = {
  ...{ event: 'call', callId: 'call-1', clientId: 'K7', clientName: 'Web shop', method: 'POST' },
  ...{ path: '/v1/transaction/sale', idempotencyKey: 'order-1', timeoutSeconds: '60', transactionId: 'tx-host-1' },
  eventRequestId: 'r-1',
  body: JSON.stringify({ type: 'SALE', amount: 1000, currency: 'EUR' }),
};

const plain = (method: LinkCall['method'], path: string): LinkCall => ({
  ...{ event: 'call', callId: 'c', clientId: 'K7', clientName: 'Shop', method, path },
});

describe('a call at the till itself', () => {
  it('is for all of its terminals where it names an id', async () => {
    const headers = { ...posHeaders, 'x-terminal-id': 'T1' };
    await harness.app.inject({ url: '/v1/transactions/tx-1', headers });
    expect(harness.till.calls).toHaveLength(1);
    expect(harness.till.calls[0]?.context.onlyTerminalId).toBeUndefined();
  });
});

describe('a POS call that came over the link', () => {
  it('is the call of its client, at the terminal of its link, under the id of the host', async () => {
    const reply = await harness.server.linkedCalls.answer('T2', sale);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.stringify(harness.till.calls)).toContain('"actor":"pos:Web shop"');
    expect(harness.till.calls).toHaveLength(1);
    expect(harness.till.calls[0]).toMatchObject({
      context: {
        ...{ clientId: 'K7', terminalId: 'T2', onlyTerminalId: 'T2', requestId: 'call-1', transactionId: 'tx-host-1' },
        eventRequestId: 'r-1',
        ...{ idempotencyKey: 'order-1', timeoutSeconds: 60, route: 'POST /v1/transaction/sale' },
      },
    });
  });

  it('names the terminal as the host does, in whatever it answers', async () => {
    const ask = async (path: string, terminalId?: string) => {
      const call: LinkCall = { event: 'call', callId: 'c', clientId: 'K7', clientName: 'Shop', method: 'GET', path };
      return await harness.server.linkedCalls.answer('T1', {
        ...call,
        ...(terminalId === undefined ? {} : { terminalId }),
      });
    };
    for (const path of ['/v1/device/health', '/v1/settlements']) {
      const own = await ask(path);
      expect(own.body, path).toContain('"terminalId":"T1"');
      const named = await ask(path, 'T-0042');
      expect(named.body).toBe(own.body.replaceAll('"terminalId":"T1"', '"terminalId":"T-0042"'));
      expect(named.statusCode).toBe(own.statusCode);
    }
  });

  it.each([
    ['GET', '/v1/meta'],
    ['GET', '/v1/session'],
    ['POST', '/v1/session/ticket'],
    // Read as /docs and the like by whoever takes a URL apart.
    ...['docs', 'health', 'doctor', 'openapi.json', 'asyncapi.json'].map((page) => ['GET', `/v1/../${page}`] as const),
    ['GET', '/v1/%2e%2e/docs'],
  ] as const)('does not reach %s %s', async (method, path) => {
    const { statusCode, body } = await harness.server.linkedCalls.answer('T2', plain(method, path));
    expect({ statusCode, error: JSON.parse(body).error }).toEqual({ statusCode: 404, error: 'NOT_FOUND' });
  });

  it('reaches every row that the host may pass on', async () => {
    expect(linkedEndpoints.length).toBeGreaterThan(20);
    for (const { method, path } of linkedEndpoints) {
      const call = plain(method === 'GET' ? 'GET' : 'POST', path.replace(/\{[A-Za-z]+\}/, 'tx-1'));
      const { body } = await harness.server.linkedCalls.answer('T2', call);
      expect(body, path).not.toMatch(/nothing is known|does not take that method|POS key/);
    }
  });

  it('is refused for a client that this till has revoked', async () => {
    const call = { ...sale, clientId: 'client-2' };
    expect((await harness.server.linkedCalls.answer('T2', call)).statusCode).toBe(200);
    harness.till.calls.length = 0;
    harness.credentials.revoke(otherKey);
    const { statusCode, body } = await harness.server.linkedCalls.answer('T2', call);
    expect({ statusCode, error: JSON.parse(body).error }).toEqual({ statusCode: 401, error: 'UNAUTHENTICATED' });
    expect(harness.till.calls).toEqual([]);
  });

  it.each([
    ['a body that is no JSON', { body: '{' }, 400],
    ['an unknown field', { body: '{"type":"SALE","amount":1,"currency":"EUR","more":1}' }, 400],
    ['a time-out out of bounds', { timeoutSeconds: '1' }, 400],
    ['a path that is none', { path: '/v1/nothing' }, 404],
  ] as const)('is refused as any other with %s', async (_what, change, statusCode) => {
    const reply = await harness.server.linkedCalls.answer('T2', { ...sale, ...change });
    expect(reply.statusCode).toBe(statusCode);
    expect(harness.till.calls).toEqual([]);
  });
});
