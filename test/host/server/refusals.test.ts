import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BridgeError, errorCodes } from '../../../app/contract/errors.ts';
import { type HostEndpoint, hostEndpointOf, hostEndpoints } from '../../../app/contract/host/host-endpoints.ts';
import { StoreUnavailable } from '../../../host/ports/store-unavailable.ts';
import { credentials } from './fake-host.ts';
import { createHarness, type Harness, requestFor, rightCredential } from './harness.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.server.close());

const withBody = hostEndpoints.filter(({ requestSchema }) => requestSchema !== undefined);
const authorize = requestFor(hostEndpointOf('device.authorize'));

/** Sends bytes as the body. */
function sendBytes(endpoint: HostEndpoint, payload: string | Buffer, contentType = 'application/json') {
  const request = requestFor(endpoint);
  return harness.app.inject({ ...request, payload, headers: { ...request.headers, 'content-type': contentType } });
}

describe('bodies', () => {
  it.each(withBody)('$id refuses a field that it does not know, by its name', async (endpoint) => {
    const answer = await harness.app.inject({
      ...requestFor(endpoint),
      payload: { ...Object(endpoint.example), amunt: 1 },
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: 'INVALID_REQUEST', field: 'amunt' }]);
    expect(harness.calls).toEqual([]);
  });

  it.each(withBody)('$id refuses what is no strict JSON, no JSON at all, and what is too large', async (endpoint) => {
    const example = JSON.stringify(endpoint.example);
    const doubled = example.replace(/^\{("[A-Za-z]+"):/, '{$1:null,$1:');
    const refused = {
      [doubled]: 400,
      [`\uFEFF${example}`]: 400,
      [`${example} x`]: 400,
      '{"__proto__":{}}': 400,
      [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`]: 400,
      [JSON.stringify({ pad: 'x'.repeat(70_000) })]: 413,
    };
    for (const [body, status] of Object.entries(refused)) {
      expect((await sendBytes(endpoint, body)).statusCode, body.slice(0, 60)).toBe(status);
    }
    expect((await sendBytes(endpoint, Buffer.from([0x7b, 0xff, 0x7d]))).statusCode).toBe(400);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
      expect((await sendBytes(endpoint, example, type)).statusCode, type).toBe(415);
    }
    expect(harness.calls).toEqual([]);
  });

  it.each([['1.0', '1e3', '1.5', '-1', '-0', '0', 'null', '"100"', '9007199254740992', '1e400', 'true']])(
    'refuse amounts that are no plain integers from 1 to 2^53 − 1',
    async (...amounts) => {
      for (const amount of amounts) {
        const body = `{"deviceId":"D-1","terminalId":"T-1","entryMode":"CONTACT","currencyCode":"EUR","amount":${amount}}`;
        const answer = await sendBytes(hostEndpointOf('device.authorize'), body);
        expect([answer.statusCode, answer.json().field], amount).toEqual([400, 'amount']);
      }
      expect(harness.calls).toEqual([]);
    },
  );

  it('take 2^31 and 2^53 − 1 as they are', async () => {
    for (const amount of [2_147_483_648, 9_007_199_254_740_991]) {
      const {
        baseAmountMinor: _b,
        tipAmountMinor: _t,
        tipSource: _s,
        cashbackAmountMinor: _c,
        ...rest
      } = authorize.payload as Record<string, unknown>;
      await harness.app.inject({ ...authorize, payload: { ...rest, amount } });
      expect(harness.calls.at(-1)?.input[2]).toMatchObject({ amount });
    }
  });

  it('never have card data repeated in a refusal or in the log', async () => {
    const pan = '4111111111111111';
    const answer = await harness.app.inject({
      ...authorize,
      payload: { ...Object(authorize.payload), referenceId: pan, applicationPan: 'x', track2: `${pan}D2912` },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.body + JSON.stringify(harness.lines)).not.toContain(pan);
  });
});

describe('keys, queries and headers', () => {
  it.each(hostEndpoints.filter(({ idempotency }) => idempotency === 'required'))(
    '$id needs an Idempotency-Key of visible ASCII',
    async (endpoint) => {
      const { 'idempotency-key': _key, ...headers } = requestFor(endpoint).headers as Record<string, string>;
      for (const key of [undefined, '', 'a b', 'é', 'k'.repeat(256)]) {
        const answer = await harness.app.inject({
          ...requestFor(endpoint),
          headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
        });
        expect([answer.statusCode, answer.json().field], key).toEqual([400, 'idempotency-key']);
      }
      expect(harness.calls).toEqual([]);
    },
  );

  it.each(['limit=0', 'limit=101', 'limit=1.5', 'limit=', 'limit=1&limit=2', 'form=2026-01-01', 'from=yesterday'])(
    'a list refuses the query %s',
    async (query) => {
      const answer = await harness.app.inject({
        url: `/v1/settlements?${query}`,
        headers: { 'x-api-key': credentials.secretKey },
      });
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'INVALID_REQUEST']);
    },
  );

  it.each(hostEndpoints.filter(({ credential, querySchema }) => credential !== 'none' && querySchema === undefined))(
    '$id refuses a parameter in the URL, such as a key',
    async (endpoint) => {
      const request = requestFor(endpoint);
      const answer = await harness.app.inject({ ...request, url: `${request.url}?key=sk_secret` });
      expect(answer.statusCode).toBe(endpoint.id === 'device.link' ? 426 : 400);
      expect(answer.body).not.toContain('sk_secret');
    },
  );
});

describe('paths and methods', () => {
  it.each(hostEndpoints)('$path answers 405 with Allow to a method that it has not', async (endpoint) => {
    const { url } = requestFor(endpoint);
    const methods = hostEndpoints.filter(({ path }) => path === endpoint.path).map(({ method }) => method);
    const answer = await harness.app.inject({ method: 'DELETE', url, headers: rightCredential(endpoint) });
    expect([answer.statusCode, answer.json().error]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    expect(String(answer.headers.allow).split(', ').sort()).toEqual(allowed.sort());
  });

  it.each(['/', '/v1', '/v1/payments/', '/api/v1/terminal', '/v2/payments', '/v1/transaction', '/admin', '//'])(
    '%s is nothing',
    async (url) => {
      const answer = await harness.app.inject({ url, headers: { 'x-api-key': credentials.secretKey } });
      expect([answer.statusCode, answer.json().error]).toEqual([404, 'NOT_FOUND']);
      expect(answer.headers['x-request-id']).toBeDefined();
    },
  );
});

describe('failures', () => {
  it('of the database are 503, for credentials and for work', async () => {
    harness.answerWith('authorize', () => {
      throw new StoreUnavailable('connection refused', { cause: new Error('at 10.0.0.7') });
    });
    const work = await harness.app.inject(authorize);
    expect([work.statusCode, work.json().error]).toEqual([503, 'JOURNAL_UNAVAILABLE']);
    harness.answerWith('deviceOf', () => {
      throw new StoreUnavailable('connection refused');
    });
    const credential = await harness.app.inject(authorize);
    expect([credential.statusCode, credential.json().error]).toEqual([503, 'JOURNAL_UNAVAILABLE']);
    expect(work.body).not.toContain('10.0.0.7');
  });

  it('of ours tell nothing but the request id, under which the log has the rest', async () => {
    harness.answerWith('authorize', () => {
      throw new Error('secret detail');
    });
    const answer = await harness.app.inject(authorize);
    expect([answer.statusCode, answer.json().error]).toEqual([500, 'INTERNAL']);
    expect(answer.body).not.toContain('secret detail');
    const line = harness.lines.find(({ level }) => level === 'error');
    expect(line?.fields).toMatchObject({ requestId: answer.headers['x-request-id'], reason: 'secret detail' });
  });

  it.each(errorCodes.map((code) => ({ code })))('pass the code $code on with its status', async ({ code }) => {
    const details = { transactionId: 'p-1', retryAfterSeconds: 7 };
    harness.answerWith('authorize', () => {
      throw new BridgeError(code, 'told', { details });
    });
    const answer = await harness.app.inject(authorize);
    expect(answer.json()).toEqual({ error: code, message: 'told', ...details });
    expect(answer.headers['retry-after']).toBe('7');
  });
});

describe('the log', () => {
  it('has the pattern of the path and no credential, key or body', async () => {
    const capture = requestFor(hostEndpointOf('device.capture'));
    await harness.app.inject({ ...capture, url: capture.url.replace('p-1', 'p-secret') });
    await harness.app.inject({ url: '/v1/payments?referenceId=o-1', headers: { 'x-api-key': 'sk_wrong' } });
    const answered = harness.lines.filter(({ message }) => message === 'answered');
    expect(answered.map(({ level, fields }) => [level, fields.route, fields.statusCode, fields.code])).toEqual([
      ['info', '/api/v1/terminal/payments/{id}/capture', 200, undefined],
      ['info', '/v1/payments', 401, 'UNAUTHENTICATED'],
    ]);
    expect(answered[0]?.fields).toMatchObject({ terminalId: 'T-1', transactionId: 'subject-1', method: 'POST' });
    const text = JSON.stringify(harness.lines);
    for (const secret of [...Object.values(credentials), 'sk_wrong', 'o-1', 'p-secret', 'key-1"']) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('a close', () => {
  it('answers what runs, refuses what comes, and says that it drains', async () => {
    const url = await harness.server.listen({ host: '127.0.0.1', port: 0 });
    let finish = () => {};
    const begun = new Promise<void>((started) => {
      harness.answerWith('authorize', () => {
        started();
        return new Promise((resolve) => {
          finish = () => resolve({ statusCode: 200, body: '{"late":true}', replayed: false, subjectId: 's' });
        });
      });
    });
    const headers = { ...authorize.headers, 'content-type': 'application/json' };
    const running = fetch(url + authorize.url, { method: 'POST', headers, body: JSON.stringify(authorize.payload) });
    await begun;
    const closing = harness.server.close();

    const ready = await fetch(`${url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'draining', database: true }]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const refused = await fetch(`${url}/v1/payments`, { headers: { 'x-api-key': credentials.secretKey } });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: 'JOURNAL_UNAVAILABLE', retryAfterSeconds: 1 });

    finish();
    expect(await (await running).text()).toBe('{"late":true}');
    await closing;
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  it('does not wait longer than its bound', async () => {
    await harness.server.close();
    harness = await createHarness({ closeGraceMs: 50 });
    const url = await harness.server.listen({ host: '127.0.0.1', port: 0 });
    const begun = new Promise<void>((started) => {
      harness.answerWith('payments', () => {
        started();
        return new Promise(() => {});
      });
    });
    const hanging = fetch(`${url}/v1/payments`, { headers: { 'x-api-key': credentials.secretKey } });
    await begun;
    await Promise.all([harness.server.close(), expect(hanging).rejects.toThrow()]);
    expect(harness.lines.map(({ message }) => message)).toContain('stopped while calls were still running');
  });
});
