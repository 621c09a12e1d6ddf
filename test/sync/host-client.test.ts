import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readHostUrl } from '../../app/domain/host-url.ts';
import { Secret } from '../../app/domain/secret.ts';
import { createHostClient } from '../../app/sync/host-client.ts';
import { realClock } from '../support/zvt-clock.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const token = 'dt_the-token-of-this-test';
const call = () => ({ timeoutMs: 2_000, signal: new AbortController().signal });
const clientAt = (url: string) =>
  createHostClient({ clock: realClock, access: () => ({ url, deviceToken: new Secret(token) }) });

async function serve(status: number, body: string, headers: Record<string, string> = {}) {
  const requests: { readonly url: string | undefined; readonly headers: unknown }[] = [];
  const server: Server = createServer((request, response) => {
    requests.push({ url: request.url, headers: request.headers });
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  ends.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Answers with the version in the body as ETag, and 304 for who has it. */
async function serveTagged(body: () => string, tags: (string | undefined)[]): Promise<string> {
  const server = createServer((request, response) => {
    const text = body();
    const etag = `"${(JSON.parse(text) as { posClientsVersion: number }).posClientsVersion}"`;
    tags.push(request.headers['if-none-match']);
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { 'content-type': 'application/json', etag }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  ends.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function peer(onConnection: (socket: import('node:net').Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    ends.push(() => socket.destroy());
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  ends.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const deviceConfig = {
  ...{ merchantId: 'M1', terminalId: 'T1', deviceId: 'D1', currencyCode: 'EUR', posClientsVersion: 0 },
  tips: {
    ...{ terminalId: 'T1', merchantId: 'M1', currencyCode: 'EUR', configVersion: 3 },
    ...{ tipEnabled: true, tipPresetBasisPoints: [1000], tipAllowCustomAmount: true, tipPostAuthAdjustEnabled: false },
    ...{
      tipMaxAmountMinor: 500,
      tipMaxBasisPoints: 2000,
      tipFixedAmountMinor: null,
      tipFixedAmountThresholdMinor: null,
    },
  },
  limits: { maxAmountMinor: 999_999, authorizationDays: 7 },
  acquirer: { tipAdjust: true, simulated: true },
};

const payment = {
  id: '6f1f3c52-2f2c-4b0a-9a55-0f6a1d3a7c10',
  merchantId: 'M1',
  acceptanceChannel: 'CARD_PRESENT',
  status: 'SUCCEEDED',
  type: 'SALE',
  amountMinor: 1000,
  baseAmountMinor: 1000,
  tipAmountMinor: 0,
  currencyCode: 'EUR',
  createdAt: '2026-11-28T10:15:00Z',
};

describe('a call to the host', () => {
  it('that asks for the configuration again gets what it had for as long as nothing has changed', async () => {
    const config = (version: number) => JSON.stringify({ ...deviceConfig, posClientsVersion: version });
    const tags: (string | undefined)[] = [];
    let version = 1;
    const url = await serveTagged(() => config(version), tags);
    const client = clientAt(url);
    const first = await client.config(call());
    expect(first).toEqual({ kind: 'ANSWERED', body: { ...deviceConfig, posClientsVersion: 1 } });
    expect(await client.config(call())).toEqual(first);
    version = 2;
    expect(await client.config(call())).toMatchObject({ body: { posClientsVersion: 2 } });
    expect(await client.config(call())).toMatchObject({ body: { posClientsVersion: 2 } });
    expect(tags).toEqual([undefined, '"1"', '"1"', '"2"']);
  });

  it('is answered by what the contract says, without what this till does not know', async () => {
    const { url, requests } = await serve(200, JSON.stringify({ ...payment, addedLater: { a: 1 } }));
    expect(await clientAt(url).lookUp('t 1&x', call())).toEqual({ kind: 'ANSWERED', body: payment });
    expect(requests[0]?.url).toBe('/api/v1/terminal/transactions?transactionId=t+1%26x');
    expect(requests[0]?.headers).toMatchObject({ authorization: `Bearer ${token}` });
  });

  it('is refused by a code of the catalogue that says that nothing was done', async () => {
    const { url } = await serve(404, JSON.stringify({ error: 'NOT_FOUND', message: 'never seen' }));
    const reply = await clientAt(url).lookUp('t1', call());
    expect(reply).toEqual({ kind: 'REFUSED', errorCode: 'NOT_FOUND', message: 'never seen' });
  });

  it.each([
    ['a code that does not say what was done', 500, '{"error":"INTERNAL","message":"?"}'],
    ['a first call that still runs', 409, '{"error":"IDEMPOTENCY_IN_PROGRESS","message":"?"}'],
    ['an unknown code', 400, '{"error":"SOMETHING_ELSE","message":"?"}'],
    ['a page of something in between', 502, '<html></html>'],
    ['another shape', 200, '{"status":"SUCCEEDED"}'],
    ['the same field twice', 200, '{"id":"a","id":"b"}'],
    ['nothing', 200, ''],
    ['a success without content', 204, ''],
  ])('is lost with %s', async (_what, status, body) => {
    const { url } = await serve(status, body);
    expect(await clientAt(url).lookUp('t1', call())).toMatchObject({ kind: 'LOST' });
  });

  it('follows no redirect', async () => {
    const other = await serve(200, JSON.stringify(payment));
    const { url } = await serve(307, '', { location: other.url });
    expect(await clientAt(url).lookUp('t1', call())).toMatchObject({ kind: 'LOST' });
    expect(other.requests).toEqual([]);
  });

  it('was certainly not sent where no connection came about', async () => {
    const url = await peer(() => undefined);
    for (const end of ends.splice(0)) end();
    expect(await clientAt(url).lookUp('t1', call())).toMatchObject({ kind: 'NOT_SENT' });
    expect(await clientAt('http://host.invalid').lookUp('t1', call())).toMatchObject({ kind: 'NOT_SENT' });
    // A peer that speaks no TLS has seen nothing of the call.
    const plain = await peer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await clientAt(plain.replace('http:', 'https:')).lookUp('t1', call())).toMatchObject({ kind: 'NOT_SENT' });
  });

  it('is not sent while there is no host, nor when it was given up before', async () => {
    const none = createHostClient({ clock: realClock, access: () => undefined });
    expect(await none.lookUp('t1', call())).toMatchObject({ kind: 'NOT_SENT' });
    const { url, requests } = await serve(200, JSON.stringify(payment));
    const reply = await clientAt(url).lookUp('t1', { timeoutMs: 2_000, signal: AbortSignal.abort() });
    expect(reply).toMatchObject({ kind: 'NOT_SENT' });
    expect(requests).toEqual([]);
  });

  it('is lost where the answer stays out, breaks off, or is given up', async () => {
    const silent = await peer(() => undefined);
    expect(await clientAt(silent).lookUp('t1', { ...call(), timeoutMs: 50 })).toMatchObject({ kind: 'LOST' });
    const broken = await peer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id"')),
    );
    expect(await clientAt(broken).lookUp('t1', call())).toMatchObject({ kind: 'LOST' });
    const giveUp = new AbortController();
    const heard = await peer((socket) => socket.once('data', () => giveUp.abort()));
    expect(await clientAt(heard).lookUp('t1', { timeoutMs: 2_000, signal: giveUp.signal })).toMatchObject({
      kind: 'LOST',
    });
    const endless = await peer((socket) =>
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(2_000_000)}`)),
    );
    expect(await clientAt(endless).lookUp('t1', call())).toMatchObject({ kind: 'LOST' });
  });

  it('tells its token to nobody but the host', async () => {
    const replies = [
      await clientAt('http://127.0.0.1:1').lookUp('t1', call()),
      await clientAt((await serve(500, token)).url).lookUp('t1', call()),
    ];
    expect(JSON.stringify(replies)).not.toContain(token);
  });
});

describe('the address of a host', () => {
  it.each([
    ['https://pay.example/', 'https://pay.example'],
    ['https://PAY.example:8444/host/', 'https://pay.example:8444/host'],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ['http://localhost:9000/', 'http://localhost:9000'],
    ['http://[::1]:9000', 'http://[::1]:9000'],
  ])('%s is taken', (text, url) => {
    expect(readHostUrl(text)).toEqual({ url });
  });

  it.each([
    ['http://pay.example', 'NOT_SECURE'],
    ['http://127.0.0.1.evil.example', 'NOT_SECURE'],
    ['http://localhost@evil.example', 'HOST'],
    ['https://user:secret@pay.example', 'HOST'],
    ['https://pay.example?x=1', 'EXTRA'],
    ['https://pay.example/#x', 'EXTRA'],
    ['ftp://pay.example', 'SCHEME'],
    ['pay.example', 'SCHEME'],
    ['https://', 'HOST'],
  ])('%s is refused', (text, problem) => {
    expect(readHostUrl(text)).toEqual({ problem });
  });
});
