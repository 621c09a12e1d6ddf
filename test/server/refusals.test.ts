import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Endpoint, endpoints } from '../../app/contract/endpoints.ts';
import { ErrorResponse } from '../../app/contract/errors.ts';
import { validate } from '../../app/contract/validate.ts';
import { goodKey } from '../support/fake-till.ts';
import { requestFor } from './endpoint-requests.ts';
import { createHarness, type Harness } from './server-harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness();
});

afterAll(() => harness.server.close());

beforeEach(() => {
  harness.till.calls.length = 0;
});

interface Refused {
  readonly what: string;
  readonly statusCode: number;
  readonly code: string;
  readonly field?: string;
  readonly headers?: Record<string, string>;
  /** Headers that the call leaves out. */
  readonly without?: readonly string[];
  readonly payload?: string | Buffer;
  readonly url?: (url: string) => string;
}

const forEveryEndpoint: readonly Refused[] = [
  { what: 'a Host of another name', statusCode: 403, code: 'HOST_NOT_ALLOWED', headers: { host: 'evil.example:8443' } },
  {
    what: 'a Host that begins as ours',
    statusCode: 403,
    code: 'HOST_NOT_ALLOWED',
    headers: { host: '127.0.0.1.evil.example' },
  },
  {
    what: 'a Host with a user part',
    statusCode: 403,
    code: 'HOST_NOT_ALLOWED',
    headers: { host: '127.0.0.1@evil.example' },
  },
  { what: 'a Host with a path', statusCode: 403, code: 'HOST_NOT_ALLOWED', headers: { host: '127.0.0.1/evil' } },
  { what: 'a Host ending in a dot', statusCode: 403, code: 'HOST_NOT_ALLOWED', headers: { host: 'localhost.' } },
  {
    what: 'a foreign Origin',
    statusCode: 403,
    code: 'ORIGIN_NOT_ALLOWED',
    headers: { origin: 'https://evil.example' },
  },
  { what: 'the null Origin', statusCode: 403, code: 'ORIGIN_NOT_ALLOWED', headers: { origin: 'null' } },
  { what: 'an empty Origin', statusCode: 403, code: 'ORIGIN_NOT_ALLOWED', headers: { origin: '' } },
  {
    what: 'an Origin of another scheme',
    statusCode: 403,
    code: 'ORIGIN_NOT_ALLOWED',
    headers: { origin: 'http://pos.example' },
  },
  {
    what: 'an Origin of another port',
    statusCode: 403,
    code: 'ORIGIN_NOT_ALLOWED',
    headers: { origin: 'https://pos.example:444' },
  },
  { what: 'its own Origin', statusCode: 403, code: 'ORIGIN_NOT_ALLOWED', headers: { origin: 'http://127.0.0.1:8443' } },
];

const forEndpointsWithKey: readonly Refused[] = [
  { what: 'no key', statusCode: 401, code: 'UNAUTHENTICATED', without: ['x-api-key'] },
  { what: 'an unknown key', statusCode: 401, code: 'UNAUTHENTICATED', headers: { 'x-api-key': 'pos_unknown' } },
  { what: 'an empty key', statusCode: 401, code: 'UNAUTHENTICATED', headers: { 'x-api-key': '' } },
  {
    what: 'a key of another case',
    statusCode: 401,
    code: 'UNAUTHENTICATED',
    headers: { 'x-api-key': goodKey.toUpperCase() },
  },
  { what: 'a huge key', statusCode: 401, code: 'UNAUTHENTICATED', headers: { 'x-api-key': 'k'.repeat(4_000) } },
  {
    what: 'an unknown Bearer key',
    statusCode: 401,
    code: 'UNAUTHENTICATED',
    headers: { authorization: 'Bearer x' },
    without: ['x-api-key'],
  },
  {
    what: 'Basic credentials',
    statusCode: 401,
    code: 'UNAUTHENTICATED',
    headers: { authorization: 'Basic cG9zOmtleQ==' },
    without: ['x-api-key'],
  },
  {
    what: 'two different keys',
    statusCode: 401,
    code: 'UNAUTHENTICATED',
    headers: { authorization: 'Bearer pos_other-key' },
  },
  {
    what: 'the key in the URL',
    statusCode: 401,
    code: 'UNAUTHENTICATED',
    without: ['x-api-key'],
    url: (url) => `${url}?apiKey=${goodKey}&token=${goodKey}`,
  },
];

const forRestEndpointsWithKey: readonly Refused[] = [
  {
    what: 'an unknown parameter',
    statusCode: 400,
    code: 'INVALID_REQUEST',
    field: 'colour',
    url: (url) => `${url}?colour=red`,
  },
  {
    what: 'a terminal id that is empty',
    statusCode: 400,
    code: 'INVALID_REQUEST',
    field: 'x-terminal-id',
    headers: { 'x-terminal-id': '' },
  },
  {
    what: 'a terminal id that is too long',
    statusCode: 400,
    code: 'INVALID_REQUEST',
    field: 'x-terminal-id',
    headers: { 'x-terminal-id': 't'.repeat(65) },
  },
];

function badTimeouts(): readonly Refused[] {
  return ['9', '241', '0', '-10', '60.5', '6e1', ' ', 'abc', '010', '60, 60'].map((value) => ({
    what: `X-Timeout-Seconds ${JSON.stringify(value)}`,
    statusCode: 400,
    code: 'INVALID_REQUEST',
    field: 'x-timeout-seconds',
    headers: { 'x-timeout-seconds': value },
  }));
}

function badIdempotencyKeys(): readonly Refused[] {
  const values = {
    empty: '',
    'with a space': 'a b',
    'of 256 characters': 'k'.repeat(256),
    'not ASCII': 'clé',
    'with a tab': 'a\tb',
  };
  return Object.entries(values).map(([what, value]) => ({
    what: `an Idempotency-Key ${what}`,
    statusCode: 400,
    code: 'INVALID_REQUEST',
    field: 'idempotency-key',
    headers: { 'idempotency-key': value },
  }));
}

const json = 'application/json';

function malformedBodies(): readonly Refused[] {
  const bodies: Readonly<Record<string, string | Buffer>> = {
    'cut JSON': '{"type":"SALE"',
    'no JSON': 'type=SALE&amount=1000',
    'two documents': '{} {}',
    'a trailing comma': '{"amount":1,}',
    'a comment': '{/* 1 */}',
    'single quotes': "{'amount':1}",
    'a byte order mark': Buffer.from('\ufeff{}'),
    'bytes that are not UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    'UTF-16': Buffer.from('{}', 'utf16le'),
    'a key twice': '{"amount":1,"amount":2}',
    'a key twice by escape': '{"amount":1,"\\u0061mount":2}',
    'a NUL': '{"referenceId":"a\\u0000b"}',
    'half a surrogate pair': '{"referenceId":"\\ud800"}',
    'too deep nesting': `${'['.repeat(33)}${']'.repeat(33)}`,
    'very deep nesting': '['.repeat(60_000),
    NaN: '{"amount":NaN}',
    'an array': '[]',
    'a string': '"SALE"',
    null: 'null',
    'a number': '1',
    'only spaces': '   ',
    'an unknown field': '{"amuont":1}',
    'an amount with a fraction': '{"amount":1.5}',
    'an amount with an exponent': '{"amount":1e3}',
    'minus zero': '{"amount":-0}',
    'an integer of 2^53': '{"amount":9007199254740992}',
  };
  return Object.entries(bodies).map(([what, payload]) => ({
    what: `a body of ${what}`,
    statusCode: 400,
    code: 'INVALID_REQUEST',
    headers: { 'content-type': json },
    payload,
  }));
}

const forEndpointsWithBody: readonly Refused[] = [
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
    'text/json',
    'application/json, text/plain',
    '',
  ].map((mediaType) => ({
    what: `content type ${JSON.stringify(mediaType)}`,
    statusCode: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    headers: { 'content-type': mediaType },
    payload: '{}',
  })),
  {
    what: 'a compressed body',
    statusCode: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    headers: { 'content-type': json, 'content-encoding': 'gzip' },
    payload: '{}',
  },
  {
    what: 'a body of 65 KiB',
    statusCode: 413,
    code: 'PAYLOAD_TOO_LARGE',
    headers: { 'content-type': json },
    payload: `{"referenceId":"${'x'.repeat(65 * 1024)}"}`,
  },
  { what: 'no body', statusCode: 400, code: 'INVALID_REQUEST', payload: '' },
  ...malformedBodies(),
  {
    what: 'a body with a prototype key',
    statusCode: 400,
    code: 'INVALID_REQUEST',
    headers: { 'content-type': json },
    payload: '{"__proto__":{"amount":1}}',
  },
];

async function expectRefusal(endpoint: Endpoint, refused: Refused): Promise<void> {
  const request = requestFor(endpoint, refused.headers);
  for (const name of refused.without ?? []) delete request.headers[name];
  const answer = await harness.app.inject({
    ...request,
    url: refused.url?.(request.url) ?? request.url,
    ...(refused.payload === undefined ? {} : { payload: refused.payload }),
  });

  expect(answer.statusCode, answer.body).toBe(refused.statusCode);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._:-]{1,64}$/);
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  const body = validate(ErrorResponse, answer.json());
  expect(body.error).toBe(refused.code);
  if (refused.field !== undefined) expect(body.field).toBe(refused.field);
  if (refused.statusCode === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer /);
  if (refused.code !== 'ORIGIN_NOT_ALLOWED') expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  expect(answer.headers['access-control-allow-origin']).not.toBe(refused.headers?.origin ?? '*');
  expect(harness.till.calls).toEqual([]);
}

function everyPair(over: readonly Endpoint[], refusals: readonly Refused[]) {
  return over.flatMap((endpoint) =>
    refusals.map((refused) => ({ name: `${endpoint.id}: ${refused.what}`, endpoint, refused })),
  );
}

const withKey = endpoints.filter(({ credential, id }) => credential === 'pos' && id !== 'pos.session');

describe('every endpoint refuses', () => {
  it.each([
    ...everyPair(endpoints, forEveryEndpoint),
    ...everyPair(withKey, forEndpointsWithKey),
    ...everyPair(withKey, forRestEndpointsWithKey),
    ...everyPair(
      endpoints.filter(({ waitsForTerminal }) => waitsForTerminal),
      badTimeouts(),
    ),
    ...everyPair(
      endpoints.filter(({ idempotency }) => idempotency !== 'none'),
      badIdempotencyKeys(),
    ),
    ...everyPair(
      endpoints.filter(({ requestSchema }) => requestSchema !== undefined),
      forEndpointsWithBody,
    ),
  ])('$name', ({ endpoint, refused }) => expectRefusal(endpoint, refused));

  it.each(endpoints)('$id: any other method, and names those that it has', async (endpoint) => {
    const { url, headers } = requestFor(endpoint);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const) {
      const known = endpoints.filter(({ path }) => path === endpoint.path).map((each) => each.method);
      if (known.some((each) => each === method)) continue;
      const answer = await harness.app.inject({ method, url, headers });
      expect(answer.statusCode).toBe(405);
      expect(answer.json().error).toBe('METHOD_NOT_ALLOWED');
      expect(answer.headers.allow).toBe(known[0] === 'GET' ? 'GET, HEAD' : 'POST');
    }
  });

  it.each(endpoints.filter(({ idempotency }) => idempotency === 'required'))(
    '$id: a call without Idempotency-Key',
    async (endpoint) => {
      const request = requestFor(endpoint);
      delete request.headers['idempotency-key'];
      const answer = await harness.app.inject(request);

      expect(answer.statusCode).toBe(400);
      expect(answer.json().field).toBe('idempotency-key');
      expect(harness.till.calls).toEqual([]);
    },
  );

  it.each([['0'], ['101'], ['1.5'], ['abc'], ['-1'], [''], ['1&limit=2']])(
    'a page limit of %s, naming it',
    async (limit) => {
      for (const path of ['/v1/settlements', '/v1/transactions', '/v1/events']) {
        const bad = path === '/v1/events' && limit === '101' ? '1001' : limit;
        const answer = await harness.app.inject({
          url: `${path}?limit=${bad}`,
          headers: requestFor(endpoints[0] as Endpoint).headers,
        });

        expect(answer.statusCode).toBe(400);
        expect(answer.json()).toMatchObject({ error: 'INVALID_REQUEST', field: 'limit' });
      }
      expect(harness.till.calls).toEqual([]);
    },
  );
});

describe('the order of refusals', () => {
  const sale = endpoints[0] as Endpoint;

  it('tells a foreign Host nothing else, not even that the key is wrong', async () => {
    const answer = await harness.app.inject({
      method: 'POST',
      url: '/v1/nothing',
      headers: { host: 'evil.example', origin: 'https://evil.example', 'x-api-key': 'wrong' },
    });

    expect(answer.json().error).toBe('HOST_NOT_ALLOWED');
  });

  it('answers 404 for an unknown path, whatever the body', async () => {
    for (const url of [
      '/',
      '/v1',
      '/v1/transaction',
      '/v1/transaction/sale/',
      '//v1/transaction/sale',
      '/V1/transaction/sale',
      '/v2/meta',
    ]) {
      const answer = await harness.app.inject({ method: 'POST', url, headers: { host: 'localhost' }, payload: 'x' });
      expect([url, answer.statusCode, answer.json().error]).toEqual([url, 404, 'NOT_FOUND']);
    }
  });

  it('answers 404 for an id longer than any of ours', async () => {
    const answer = await harness.app.inject({
      ...requestFor(sale),
      method: 'GET',
      url: `/v1/transactions/${'x'.repeat(65)}`,
    });

    expect([answer.statusCode, answer.json().error]).toEqual([404, 'NOT_FOUND']);
  });

  it('asks for the key before it reads a body', async () => {
    const answer = await harness.app.inject({
      ...requestFor(sale, { 'content-type': 'text/plain' }),
      payload: 'x'.repeat(100_000),
    });
    expect(answer.json().error).toBe('UNSUPPORTED_MEDIA_TYPE');

    const anonymous = requestFor(sale, { 'content-type': 'text/plain' });
    delete anonymous.headers['x-api-key'];
    expect((await harness.app.inject({ ...anonymous, payload: 'x' })).json().error).toBe('UNAUTHENTICATED');
  });

  it('names the operation when the body is of another one', async () => {
    const answer = await harness.app.inject({
      ...requestFor(sale),
      payload: { type: 'REFUND', amount: 1, currency: 'EUR' },
    });

    expect(answer.json()).toMatchObject({ error: 'INVALID_REQUEST', field: 'type' });
  });
});
