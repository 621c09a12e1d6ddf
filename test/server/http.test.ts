import { afterEach, describe, expect, it } from 'vitest';
import { BridgeError, errorCatalogue, errorCodes } from '../../app/contract/errors.ts';
import { goodKey } from '../support/fake-till.ts';
import { createManualClock } from '../support/server-clock.ts';
import { rawExchange } from './raw-http.ts';
import { createHarness, type Harness, type HarnessOptions, posHeaders } from './server-harness.ts';

let harness: Harness | undefined;

afterEach(async () => {
  await harness?.server.close();
  harness = undefined;
});

async function inject(options: HarnessOptions = {}): Promise<Harness> {
  harness = await createHarness(options);
  return harness;
}

async function listen(options: HarnessOptions = {}): Promise<Harness & { url: string; port: number }> {
  const opened = await inject(options);
  const url = await opened.server.listen({ host: '127.0.0.1', port: 0 });
  return { ...opened, url, port: Number(new URL(url).port) };
}

const sale = { type: 'SALE', amount: 1000, currency: 'EUR' };
const saleCall = { method: 'POST', url: '/v1/transaction/sale', headers: posHeaders, payload: sale } as const;

describe('errors of the engine', () => {
  it.each(errorCodes.filter((code) => errorCatalogue[code].httpStatus >= 400))(
    '%s goes out with its status, as ErrorResponse',
    async (code) => {
      const { app, till } = await inject();
      till.answerWith('run', () => {
        throw new BridgeError(code, 'a message', {
          field: 'amount',
          details: { transactionId: 'tx-9', retryAfterSeconds: 3 },
          cause: new Error('secret cause'),
        });
      });
      const answer = await app.inject(saleCall);

      expect(answer.statusCode).toBe(errorCatalogue[code].httpStatus);
      expect(answer.headers['retry-after']).toBe('3');
      expect(answer.json()).toEqual({
        error: code,
        message: 'a message',
        field: 'amount',
        transactionId: 'tx-9',
        retryAfterSeconds: 3,
      });
    },
  );

  it.each([
    ['an Error', new Error('SQLITE_CORRUPT at /secret/path')],
    ['an Error with a status', Object.assign(new Error('secret'), { statusCode: 418 })],
    ['a string', 'secret'],
    ['undefined', undefined],
    ['a TypeError', new TypeError('secret of undefined')],
  ])('%s goes out as INTERNAL, telling nothing but the request id under which the log has it', async (_, thrown) => {
    const { app, till, lines } = await inject();
    till.answerWith('run', () => {
      throw thrown;
    });
    const answer = await app.inject({ ...saleCall, headers: { ...posHeaders, 'x-request-id': 'pos-42' } });

    expect(answer.statusCode).toBe(500);
    expect(answer.json().error).toBe('INTERNAL');
    expect(answer.body).toContain('pos-42');
    expect(answer.body + JSON.stringify(answer.headers)).not.toMatch(/secret|SQLITE|at .*\.ts/);
    expect(lines.filter(({ level, fields }) => level === 'error' && fields.requestId === 'pos-42')).toHaveLength(1);
  });

  it('logs each answer once under its request id, by the pattern of the route and without what was sent', async () => {
    const { app, lines } = await inject();
    await app.inject({ url: '/v1/transactions/tx-secret?x=y', headers: posHeaders });
    await app.inject({ ...saleCall, headers: { ...posHeaders, 'x-request-id': 'pos-1' } });

    expect(lines.find(({ fields }) => fields.requestId === 'pos-1')).toMatchObject({
      level: 'info',
      fields: {
        method: 'POST',
        route: '/v1/transaction/sale',
        statusCode: 200,
        clientName: 'front desk',
        transactionId: 'tx-1',
      },
    });
    expect(JSON.stringify(lines)).not.toMatch(/x=y|1000|good-key/);
  });
});

describe('a refusal', () => {
  it('is one line of the log, with its code and the transaction that it names', async () => {
    const { app, till, lines } = await inject();
    const details = { transactionId: 'tx-running' };
    till.answerWith('run', () => {
      throw new BridgeError('TRANSACTION_IN_PROGRESS', 'busy', { details });
    });
    await app.inject(saleCall);

    expect(lines).toMatchObject([
      { level: 'info', fields: { statusCode: 409, code: 'TRANSACTION_IN_PROGRESS', transactionId: 'tx-running' } },
    ]);
  });
});

describe('a path that is no URL', () => {
  it('is answered as any error, and logged', async () => {
    const { app, lines } = await inject();
    const answer = await app.inject({ url: '/v1/%zz', headers: posHeaders });

    expect([answer.statusCode, answer.json().error]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(lines.map(({ fields }) => fields.requestId)).toEqual([answer.headers['x-request-id']]);
  });
});

describe('request ids', () => {
  it.each([
    ['pos-1', true],
    ['A.b:c_9', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['a b', false],
    ['<script>', false],
    ['', false],
  ])('%j is kept: %s', async (given, isKept) => {
    const { app } = await inject();
    const answer = await app.inject({ url: '/health', headers: { host: 'localhost', 'x-request-id': given } });

    if (isKept) expect(answer.headers['x-request-id']).toBe(given);
    else expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('CORS', () => {
  const origin = 'https://pos.example';

  it('lets the page of an allowed origin read, and tells caches that it depends', async () => {
    const { app } = await inject();
    const answer = await app.inject({ ...saleCall, headers: { ...posHeaders, origin } });

    expect(answer.statusCode).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    expect(answer.headers.vary).toContain('Origin');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    expect(answer.headers['access-control-expose-headers']).toMatch(/Idempotent-Replayed.*X-Request-Id/);
  });

  it('lets that page read the errors too', async () => {
    const { app } = await inject();
    const answer = await app.inject({ ...saleCall, payload: {}, headers: { ...posHeaders, origin } });

    expect(answer.statusCode).toBe(400);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
  });

  it.each([['/v1/transaction/sale'], ['/v1/session/ticket'], ['/health']])(
    'answers the preflight of an allowed origin for %s, without a key',
    async (url) => {
      const { app } = await inject();
      const answer = await app.inject({
        method: 'OPTIONS',
        url,
        headers: {
          host: 'localhost',
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,idempotency-key,x-api-key',
        },
      });

      expect(answer.statusCode).toBe(204);
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      expect(answer.headers['access-control-allow-methods']).toBe('GET, POST');
      for (const name of [
        'authorization',
        'content-type',
        'idempotency-key',
        'x-api-key',
        'x-terminal-id',
        'x-timeout-seconds',
        'x-request-id',
      ])
        expect(String(answer.headers['access-control-allow-headers']).toLowerCase()).toContain(name);
    },
  );

  it.each([['https://evil.example'], ['null'], ['https://pos.example.evil.example'], ['HTTPS://POS.EXAMPLE']])(
    'refuses the preflight of %s',
    async (foreign) => {
      const { app } = await inject();
      const answer = await app.inject({
        method: 'OPTIONS',
        url: '/v1/transaction/sale',
        headers: { host: 'localhost', origin: foreign, 'access-control-request-method': 'POST' },
      });

      expect(answer.statusCode).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it('never allows null, even when it is on the list', async () => {
    const { app } = await inject({ allowedOrigins: ['null'] });

    expect((await app.inject({ ...saleCall, headers: { ...posHeaders, origin: 'null' } })).statusCode).toBe(403);
  });
});

describe('hosts', () => {
  it.each([['127.0.0.1'], ['127.0.0.1:8443'], ['localhost:1'], ['LOCALHOST'], ['[::1]:8443'], ['[::1]']])(
    'answers to %s',
    async (host) => {
      const { app } = await inject();

      expect((await app.inject({ url: '/health', headers: { host } })).statusCode).toBe(200);
    },
  );

  it('answers to a name that the operator has added, and to nothing else', async () => {
    const { app } = await inject({ allowedHosts: ['till.shop.lan'] });

    expect((await app.inject({ url: '/health', headers: { host: 'till.shop.lan:8443' } })).statusCode).toBe(200);
    expect((await app.inject({ url: '/health', headers: { host: '127.0.0.1' } })).statusCode).toBe(403);
  });

  it.each([
    ['without Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['of HTTP/1.0 without Host', 'GET /health HTTP/1.0\r\n\r\n'],
    ['with an empty Host', 'GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
    [
      'with a second Host',
      'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    ],
    [
      'with a second Host that is ours',
      'GET /health HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
    ],
    [
      'whose target names another host',
      'GET http://evil.example/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
    ],
  ])('refuses a request %s', async (_, text) => {
    const { port } = await listen();
    const answer = await rawExchange(port, text);

    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('HOST_NOT_ALLOWED');
  });
});

describe('what is not good HTTP', () => {
  it.each([
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['a line that is no request', 'HELLO\r\n\r\n'],
    ['headers beyond any size', `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
    [
      'two lengths',
      'POST /v1/transaction/sale HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    ],
    [
      'length and chunks',
      'POST /v1/transaction/sale HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    ],
  ])('is answered as ErrorResponse and cut off: %s', async (_, text) => {
    const { port, till } = await listen();
    const answer = await rawExchange(port, text);

    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).error).toBe('INVALID_REQUEST');
    expect(answer.toLowerCase()).toMatch(/x-request-id: \S+/);
    expect(till.calls).toEqual([]);
  });

  it.each([
    ['in one piece', false],
    ['with its body after its head', true],
  ])('is not a call that would like HTTP/2, as Java sends it: it is answered %s', async (_, isSplit) => {
    const { port, till } = await listen();
    const body = JSON.stringify(sale);
    const head = `POST /v1/transaction/sale HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nContent-Length: ${body.length}\r\nHost: 127.0.0.1\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\nUpgrade: h2c\r\nUser-Agent: Java-http-client/17\r\nX-Api-Key: ${goodKey}\r\nContent-Type: application/json\r\n\r\n`;
    const next = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
    const parts = isSplit ? [head, body + next] : [head + body + next];
    const answer = await rawExchange(port, ...parts);

    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(till.calls.map(({ input }) => input)).toEqual([[sale]]);
  });

  it('refuses a body in chunks that grows beyond 64 KiB', async () => {
    const { port, till } = await listen();
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const answer = await rawExchange(
      port,
      `POST /v1/transaction/sale HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ${goodKey}\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(till.calls).toEqual([]);
  });

  it('takes a body of exactly 64 KiB as far as the contract', async () => {
    const { app } = await inject();
    const payload = `{"referenceId":"${'x'.repeat(64 * 1024 - 18)}"}`;
    expect(payload.length).toBe(64 * 1024);
    const answer = await app.inject({
      ...saleCall,
      headers: { ...posHeaders, 'content-type': 'application/json' },
      payload,
    });

    expect(answer.statusCode).toBe(400);
  });
});

describe('the rate limit', () => {
  it('lets a burst through, then answers 429 with Retry-After until tokens have come back', async () => {
    const clock = createManualClock();
    const { app, till } = await inject({ clock, requestsPerSecond: 50, requestBurst: 100 });
    const statuses = async (count: number, headers = posHeaders) =>
      (await Promise.all(Array.from({ length: count }, () => app.inject({ ...saleCall, headers })))).map(
        ({ statusCode }) => statusCode,
      );

    expect((await statuses(100)).every((statusCode) => statusCode === 200)).toBe(true);
    const refused = await app.inject(saleCall);
    expect([refused.statusCode, refused.json().error, refused.headers['retry-after']]).toEqual([
      429,
      'RATE_LIMITED',
      '1',
    ]);
    expect(till.calls).toHaveLength(100);
    expect((await statuses(1, { ...posHeaders, 'x-api-key': 'pos_other-key' }))[0]).toBe(200);

    clock.advance(1_000);
    expect((await statuses(51)).filter((statusCode) => statusCode === 200)).toHaveLength(50);
    clock.advance(3_600_000);
    expect((await statuses(101)).filter((statusCode) => statusCode === 200)).toHaveLength(100);
  });

  it('limits guesses of a key, and health, by the address', async () => {
    const { app } = await inject({ clock: createManualClock(), requestsPerSecond: 1, requestBurst: 2 });
    const guess = () => app.inject({ ...saleCall, headers: { ...posHeaders, 'x-api-key': 'guess' } });

    expect([(await guess()).statusCode, (await guess()).statusCode, (await guess()).statusCode]).toEqual([
      401, 401, 429,
    ]);
    expect((await app.inject({ url: '/health', headers: { host: 'localhost' } })).statusCode).toBe(429);
    expect((await app.inject(saleCall)).statusCode).toBe(200);
  });
});
