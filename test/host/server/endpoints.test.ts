import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endpointOf } from '../../../app/contract/endpoints.ts';
import { type HostEndpoint, hostEndpointOf, hostEndpoints } from '../../../app/contract/host/host-endpoints.ts';
import { HostMetaResponse, ReadyResponse } from '../../../app/contract/host/host-service.ts';
import { settlementExportColumns } from '../../../app/contract/host/settlement-export.ts';
import { validate } from '../../../app/contract/validate.ts';
import { posEndpoints } from '../../../host/server/pos-calls.ts';
import type { Host } from '../../../host/services/host.ts';
import { parseCsv } from '../../support/csv.ts';
import { createHarness, type Harness, requestFor, rightCredential } from './harness.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.server.close());

/** The method of the host behind each endpoint; null where the server answers by itself. */
const methods: Readonly<Record<HostEndpoint['id'], keyof Host | null>> = {
  'device.authorize': 'authorize',
  'device.offlineComplete': 'offlineComplete',
  'device.recoveryReverse': 'reverse',
  'device.tipAdjust': 'adjustTip',
  'device.capture': 'capture',
  'device.void': 'voidPayment',
  'device.record': 'record',
  'device.lookUp': 'lookUp',
  'device.reconciliation': 'closeOwnDay',
  'device.pair': 'pair',
  'device.config': 'deviceConfig',
  'device.posClients': 'posClients',
  'device.claimSession': 'claimSession',
  'device.sessionEvent': 'sessionEvent',
  'device.link': null,
  'paymentSessions.create': 'createSession',
  'paymentSessions.get': 'session',
  'paymentSessions.cancel': 'cancelSession',
  'payments.list': 'payments',
  'payments.get': 'payment',
  'payments.refund': 'refund',
  'payments.recover': 'recover',
  'host.balanceInquiry': null,
  'tipConfig.put': 'putTipConfig',
  'reconciliation.run': 'closeDay',
  'reconciliation.totals': 'totals',
  'settlements.list': 'settlements',
  'settlements.get': 'settlement',
  'settlements.exportJson': 'settlementExport',
  'settlements.exportCsv': 'settlementExport',
  'service.health': null,
  'service.ready': null,
  'service.metrics': null,
  'service.meta': null,
  'service.openapi': null,
  'service.docs': null,
};

const restEndpoints = hostEndpoints.filter(({ id }) => id !== 'device.link' && id !== 'host.balanceInquiry');
const kept = restEndpoints.filter(({ idempotency }) => idempotency !== 'none');

describe('the endpoint table of the host', () => {
  it('is what is registered: nothing less and nothing more', () => {
    const registered = hostEndpoints.filter(({ method, path }) =>
      harness.app.hasRoute({ method, url: path.replace(/\{([A-Za-z]+)\}/g, ':$1') }),
    );
    expect(registered).toEqual(hostEndpoints);
    const count = (harness.app.printRoutes({ commonPrefix: false }).match(/\((?:GET|POST|PUT)/g) ?? []).length;
    const sessions = [endpointOf('pos.session'), endpointOf('session.ticket')];
    const paths = new Set([...hostEndpoints, ...posEndpoints, ...sessions].map(({ path }) => path));
    expect(count).toBe(paths.size);
  });

  it.each(restEndpoints)('$id answers 200, and the host gets the call once', async (endpoint) => {
    const answer = await harness.app.inject(requestFor(endpoint));

    expect(answer.statusCode, answer.body).toBe(200);
    const method = methods[endpoint.id];
    expect(harness.calls.map((call) => call.method)).toEqual(method === null ? [] : [method]);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    if (endpoint.example !== undefined) expect(harness.calls[0]?.input).toContainEqual(endpoint.example);
  });

  it.each(kept)('$id hands on key, route and request id', async (endpoint) => {
    const headers = { ...rightCredential(endpoint), 'idempotency-key': 'order-4711/1', 'x-request-id': 'pos-7' };
    await harness.app.inject(requestFor(endpoint, headers));
    if (endpoint.id === 'device.claimSession') return;

    expect(harness.calls[0]?.input[1]).toMatchObject({
      idempotencyKey: 'order-4711/1',
      requestId: 'pos-7',
      route: `${endpoint.method} ${requestFor(endpoint).url}`,
    });
  });

  it.each(kept)('$id sends the bytes of the host as they are, and says when they are repeated', async (endpoint) => {
    const method = methods[endpoint.id];
    if (method === null) throw new Error('answers by itself');
    const body = '{"status":"SUCCEEDED",  "note":"ünïcödé – spaces and order kept"}';
    const answers = [];
    for (const replayed of [false, true]) {
      harness.answerWith(method, () => ({ statusCode: 200, body, replayed, subjectId: 's' }));
      answers.push(await harness.app.inject(requestFor(endpoint)));
    }
    for (const answer of answers) expect(answer.rawPayload.equals(Buffer.from(body))).toBe(true);
    expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
  });

  it.each(restEndpoints.filter(({ method }) => method === 'GET'))(
    '$id answers HEAD without a body',
    async (endpoint) => {
      const answer = await harness.app.inject({ ...requestFor(endpoint), method: 'HEAD' });
      expect([answer.statusCode, answer.body]).toEqual([200, '']);
    },
  );

  it.each(hostEndpoints.filter(({ hasOptionalBody }) => hasOptionalBody === true))(
    '$id takes no body',
    async (endpoint) => {
      const { payload: _left, ...request } = requestFor(endpoint);
      expect((await harness.app.inject(request)).statusCode).toBe(200);
    },
  );

  it('names the ids of a path as they are, however they were escaped', async () => {
    const request = requestFor(hostEndpointOf('device.capture'));
    await harness.app.inject({ ...request, url: '/api/v1/terminal/payments/p%2d1/capture' });
    expect(harness.calls[0]?.input[1]).toMatchObject({ route: 'POST /api/v1/terminal/payments/p-1/capture' });
    expect(harness.calls[0]?.input[2]).toBe('p-1');
  });

  it('hands X-Terminal-Id on where it picks a terminal', async () => {
    const close = requestFor(hostEndpointOf('reconciliation.run'));
    await harness.app.inject({ ...close, headers: { ...close.headers, 'x-terminal-id': 'T-9' } });
    await harness.app.inject(close);
    expect(harness.calls.map(({ input }) => input[2])).toEqual(['T-9', undefined]);
  });

  it('never makes up a balance', async () => {
    const answer = await harness.app.inject(requestFor(hostEndpointOf('host.balanceInquiry')));
    expect([answer.statusCode, answer.json().error]).toEqual([503, 'BALANCE_NOT_CONFIGURED']);
  });
});

describe('the configuration of a device', () => {
  it('is sent again only when it has changed', async () => {
    const request = requestFor(hostEndpointOf('device.config'));
    const first = await harness.app.inject(request);
    const etag = String(first.headers.etag);
    const ask = (tag: string) =>
      harness.app.inject({ ...request, headers: { ...request.headers, 'if-none-match': tag } });

    expect(etag).toMatch(/^"[A-Za-z0-9_-]{43}"$/);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(tag);
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await ask('"other"')).statusCode).toBe(200);
    harness.answerWith('deviceConfig', () => ({ terminalId: 'T-1', tips: { configVersion: 4 } }));
    const changed = await ask(etag);
    expect([changed.statusCode, changed.json().tips.configVersion]).toEqual([200, 4]);
    expect(changed.headers.etag).not.toBe(etag);
  });
});

describe('the export of a settlement as CSV', () => {
  it('has the columns of the contract, exact amounts, and nothing that a spreadsheet would run', async () => {
    const hostile = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '＝1', 'a"b,c\r\nd'];
    const row = {
      paymentId: '6f1f3c52-2f2c-4b0a-9a55-0f6a1d3a7c10',
      type: 'REFUND',
      status: 'SUCCEEDED',
      acceptanceChannel: 'CARD_PRESENT',
      createdAt: '2026-11-28T10:00:00.000Z',
      currencyCode: 'EUR',
      amountMinor: 9_007_199_254_740_991,
      tipAmountMinor: 0,
      cashbackAmountMinor: 0,
      netAmountMinor: -500,
      metadata: { table: '=7', who: 'Zoë' },
    };
    const payments = hostile.map((referenceId) => ({ ...row, referenceId }));
    harness.answerWith('settlementExport', () => ({ settlement: {}, payments }));
    const answer = await harness.app.inject(requestFor(hostEndpointOf('settlements.exportCsv')));
    const [header, ...rows] = parseCsv(answer.body);
    const column = (name: string) => rows.map((cells) => cells[header?.indexOf(name) ?? -1]);

    expect(answer.headers['content-type']).toMatch(/^text\/csv; charset=utf-8/);
    expect(answer.headers['content-disposition']).toMatch(/^attachment/);
    expect(header).toEqual(settlementExportColumns);
    expect(column('referenceId')).toEqual([...hostile.slice(0, 7).map((text) => `'${text}`), hostile[7]]);
    expect(new Set(column('amountMinor'))).toEqual(new Set(['9007199254740991']));
    expect(new Set(column('netAmountMinor'))).toEqual(new Set(['-500']));
    expect(JSON.parse(column('metadata')[0] ?? '')).toEqual(row.metadata);
    expect(new Set(column('rrn'))).toEqual(new Set(['']));
  });
});

describe('what the host tells of itself', () => {
  const ask = (url: string) => harness.app.inject(url);

  it('is alive whatever its database does, and ready only with it', async () => {
    const ready = await ask('/ready');
    expect([ready.statusCode, validate(ReadyResponse, ready.json())]).toEqual([
      200,
      { status: 'ready', database: true },
    ]);
    harness.state.isDatabaseReady = false;
    const away = await ask('/ready');
    expect([away.statusCode, validate(ReadyResponse, away.json())]).toEqual([
      503,
      { status: 'unavailable', database: false },
    ]);
    expect((await ask('/health')).json()).toEqual({ status: 'ok', version: '9.9.9' });
  });

  it('is ready among other nodes while they hear it, and while none hears another', async () => {
    let isConnected = true;
    const node = await createHarness({ bus: { node: 'a', isConnected: () => isConnected, onChange: () => {} } });
    const told = async () => {
      const answer = await node.app.inject('/ready');
      return [answer.statusCode, validate(ReadyResponse, answer.json())];
    };
    expect(await told()).toEqual([200, { status: 'ready', database: true, nodes: true }]);
    isConnected = false;
    expect(await told()).toEqual([503, { status: 'unavailable', database: true, nodes: false }]);
    expect((await node.app.inject('/health')).statusCode).toBe(200);
    node.state.isAnotherNodeHeard = false;
    expect(await told()).toEqual([200, { status: 'ready', database: true, nodes: false }]);
    await node.server.close();
  });

  it('is its version and what its acquirer can do', async () => {
    expect(validate(HostMetaResponse, (await ask('/v1/meta')).json())).toMatchObject({
      version: '9.9.9',
      apiVersions: ['1.0.0'],
      acquirer: { kind: 'simulator', tipAdjust: true, balances: false, simulated: true },
    });
  });

  it('is its interface, as a document and as a page that may load nothing', async () => {
    expect((await ask('/openapi.json')).json().paths).toHaveProperty(['/api/v1/terminal/transactions/authorize']);
    const page = await ask('/docs');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.body).toContain('/v1/settlements/{settlementId}/export.csv');
  });
});
