import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LinkCall } from '../../app/contract/host/link.ts';
import { createHarness, type Harness } from './server-harness.ts';

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

describe('a POS call that came over the link', () => {
  it('is the call of its client, at the terminal of its link, under the id of the host', async () => {
    const reply = await harness.server.linkedCalls.answer('T2', sale);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.stringify(harness.till.calls)).toContain('"actor":"pos:Web shop"');
    expect(harness.till.calls).toHaveLength(1);
    expect(harness.till.calls[0]).toMatchObject({
      context: {
        ...{ clientId: 'K7', terminalId: 'T2', requestId: 'call-1', transactionId: 'tx-host-1' },
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
