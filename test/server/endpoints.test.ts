import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Endpoint, endpoints } from '../../app/contract/endpoints.ts';
import { validate } from '../../app/contract/validate.ts';
import type { Till } from '../../app/services/till.ts';
import { answerOf, approved } from '../support/fake-till.ts';
import { requestFor } from './endpoint-requests.ts';
import { createHarness, type Harness, posHeaders } from './server-harness.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await createHarness();
});

afterEach(() => harness.server.close());

const restEndpoints = endpoints.filter(({ id }) => id !== 'pos.session');

/** The engine's method behind each endpoint; null where the server answers by itself. */
const methods: Readonly<Record<Endpoint['id'], keyof Till | null>> = {
  'pos.sale': 'run',
  'pos.preAuth': 'run',
  'pos.preAuthComplete': 'run',
  'pos.refund': 'run',
  'pos.void': 'run',
  'pos.cardRead': 'run',
  'pos.balanceInquiry': 'run',
  'pos.initiate': 'initiate',
  'pos.complete': 'complete',
  'transactions.list': 'transactions',
  'transactions.current': 'currentTransaction',
  'transactions.last': 'lastTransaction',
  'transactions.get': 'transaction',
  'transactions.abort': 'abort',
  'transactions.capture': 'capture',
  'transactions.resolve': 'resolve',
  'recoveryTasks.list': 'recoveryTasks',
  'pos.health': 'health',
  'device.display': 'display',
  'device.input': 'input',
  'device.print': 'print',
  'reconciliation.run': 'reconcile',
  'reconciliation.totals': 'totals',
  'settlements.list': 'settlements',
  'settlements.get': 'settlement',
  'pos.session': null,
  'session.ticket': null,
  'events.list': 'eventsAfter',
  'service.health': null,
  'service.meta': null,
  'service.openapi': null,
  'service.asyncapi': null,
  'service.docs': null,
  'service.doctor': null,
};

describe('the endpoint table', () => {
  it('is what is registered: nothing less and nothing more', () => {
    const registered = registeredRoutes(harness.app.printRoutes({ commonPrefix: false }));

    expect(registered.sort()).toEqual(
      endpoints
        .flatMap(({ method, path }) => (method === 'GET' ? [`GET ${path}`, `HEAD ${path}`] : [`${method} ${path}`]))
        .sort(),
    );
  });

  it.each(restEndpoints)('$method $path answers 200, and the engine gets the call once', async (endpoint) => {
    const answer = await harness.app.inject(requestFor(endpoint));

    expect(answer.statusCode, answer.body).toBe(200);
    expect(harness.till.calls.map(({ method }) => method)).toEqual(
      methods[endpoint.id] === null ? [] : [methods[endpoint.id]],
    );
    for (const { context } of harness.till.calls) {
      expect(context).toMatchObject({ clientId: 'client-1', actor: 'pos:front desk' });
      expect(context.requestId).toBe(answer.headers['x-request-id']);
      expect(context.route).toBe(`${endpoint.method} ${requestFor(endpoint).url}`);
    }
  });

  it.each(restEndpoints.filter(({ successMediaType }) => successMediaType === 'application/json'))(
    '$method $path answers in the shape that it promises',
    async (endpoint) => {
      const answer = await harness.app.inject(requestFor(endpoint));

      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      if (endpoint.successSchema !== undefined && endpoint.id !== 'reconciliation.run') {
        expect(() => validate(endpoint.successSchema ?? {}, answer.json())).not.toThrow();
      }
    },
  );

  it.each(restEndpoints.filter(({ method }) => method === 'GET'))(
    '$path answers HEAD without a body',
    async (endpoint) => {
      const answer = await harness.app.inject({ ...requestFor(endpoint), method: 'HEAD' });

      expect(answer.statusCode).toBe(200);
      expect(answer.body).toBe('');
    },
  );
});

/** Reads the printed tree of routes: each line holds its part of the path, four characters further in than its parent's. */
function registeredRoutes(tree: string): string[] {
  const parts: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const found = /^(.*?)(?:├──|└──) (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (found === null) return [];
    const depth = (found[1] ?? '').length / 4;
    parts.splice(depth, parts.length, found[2] ?? '');
    const path = parts.join('').replace(/:([A-Za-z]+)/g, '{$1}');
    return found[3] === undefined ? [] : found[3].split(', ').map((method) => `${method} ${path}`);
  });
}

describe('what a call carries to the engine', () => {
  const sale = { type: 'SALE', amount: 1000, currency: 'EUR' };

  it('is the body as it was sent, and the headers', async () => {
    await harness.app.inject({
      method: 'POST',
      url: '/v1/transaction/sale',
      headers: {
        ...posHeaders,
        'idempotency-key': 'order-4711/1',
        'x-terminal-id': 'T1',
        'x-timeout-seconds': '90',
        'x-request-id': 'pos-7',
      },
      payload: sale,
    });

    expect(harness.till.calls).toEqual([
      {
        method: 'run',
        context: {
          clientId: 'client-1',
          actor: 'pos:front desk',
          requestId: 'pos-7',
          route: 'POST /v1/transaction/sale',
          terminalId: 'T1',
          idempotencyKey: 'order-4711/1',
          timeoutSeconds: 90,
        },
        input: [sale],
      },
    ]);
  });

  it('names the ids of the path in the route, however they were escaped', async () => {
    await harness.app.inject({
      ...requestFor(endpointOf('transactions.capture')),
      url: '/v1/transactions/t%78-1/capture',
    });

    expect(harness.till.calls[0]?.context.route).toBe('POST /v1/transactions/tx-1/capture');
    expect(harness.till.calls[0]?.input[0]).toBe('tx-1');
  });

  it.each([['Authorization'], ['X-Api-Key']])('knows the client by %s', async (header) => {
    const value = header === 'Authorization' ? 'Bearer pos_other-key' : 'pos_other-key';
    await harness.app.inject({ url: '/v1/transactions/last', headers: { host: 'localhost', [header]: value } });

    expect(harness.till.calls[0]?.context.clientId).toBe('client-2');
  });

  it.each([
    { payload: { closeDay: true }, statusCode: 400 },
    { payload: undefined, statusCode: 200 },
    { payload: {}, statusCode: 200 },
  ])('of an abort may be empty, and says nothing: $payload', async ({ payload, statusCode }) => {
    const answer = await harness.app.inject({
      method: 'POST',
      url: '/v1/transactions/tx-1/abort',
      headers: posHeaders,
      ...(payload === undefined ? {} : { payload }),
    });

    expect(answer.statusCode).toBe(statusCode);
  });
});

function endpointOf(id: Endpoint['id']): Endpoint {
  const found = endpoints.find((endpoint) => endpoint.id === id);
  if (found === undefined) throw new Error(`no endpoint ${id}`);
  return found;
}

describe('what an answer carries', () => {
  it('is the exact bytes of the engine, on a replay too', async () => {
    const body = '{"status":"APPROVED",  "note":"ünïcödé – spaces and order kept"}';
    harness.till.answerWith('run', () => ({
      ...answerOf(approved({ type: 'SALE', amount: 1, currency: 'EUR' })),
      body,
    }));
    const first = await harness.app.inject(requestFor(endpointOf('pos.sale')));
    harness.till.answerWith('run', () => ({
      ...answerOf(approved({ type: 'SALE', amount: 1, currency: 'EUR' }), true),
      body,
    }));
    const second = await harness.app.inject(requestFor(endpointOf('pos.sale')));

    expect(first.rawPayload.equals(Buffer.from(body))).toBe(true);
    expect(second.rawPayload.equals(Buffer.from(body))).toBe(true);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('is the status of the engine', async () => {
    harness.till.answerWith('run', () => ({
      ...answerOf(approved({ type: 'SALE', amount: 1, currency: 'EUR' })),
      statusCode: 409,
    }));

    expect((await harness.app.inject(requestFor(endpointOf('pos.sale')))).statusCode).toBe(409);
  });

  it('tells the version, the terminals and what they can do', async () => {
    const meta = (await harness.app.inject(requestFor(endpointOf('service.meta')))).json();

    expect(meta).toMatchObject({ version: '9.9.9', apiVersions: ['1.0.0'], training: false });
    expect(meta.terminals[0].capabilities.operations).toEqual(['SALE', 'VOID']);
  });

  it.each([
    ['IDLE', true, 200, undefined],
    ['BUSY', true, 200, undefined],
    ['UPDATING', true, 503, 'TERMINAL_NOT_READY'],
    ['ERROR', true, 503, 'TERMINAL_NOT_READY'],
    ['DISCONNECTED', false, 503, 'TERMINAL_UNREACHABLE'],
    ['CONNECTING', false, 503, 'TERMINAL_UNREACHABLE'],
  ])('for the health of a terminal that is %s: status', async (state, connected, statusCode, error) => {
    harness.till.answerWith('health', () => ({ connected, terminalId: 'T1', state }));
    const answer = await harness.app.inject(requestFor(endpointOf('pos.health')));

    expect(answer.statusCode).toBe(statusCode);
    expect(answer.json().error).toBe(error);
  });

  it('pages events, and says where to go on', async () => {
    for (const sequence of [3, 4, 7]) harness.till.emit({ event: 'pin_required', sequence, transactionId: 'tx-1' });
    const page = async (query: string) =>
      (await harness.app.inject({ url: `/v1/events${query}`, headers: posHeaders })).json();

    expect(await page('?after=3&limit=1')).toMatchObject({ data: [{ sequence: 4 }], hasMore: true, lastSequence: 4 });
    expect(await page('?after=4')).toMatchObject({ data: [{ sequence: 7 }], hasMore: false, lastSequence: 7 });
    expect(await page('?after=7')).toEqual({ data: [], hasMore: false, lastSequence: 7 });
  });
});
