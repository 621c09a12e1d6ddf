import { afterEach, describe, expect, it } from 'vitest';
import { createRequestRing } from '../../app/logs/request-ring.ts';
import { goodKey } from '../support/fake-till.ts';
import { createHarness, type Harness, posHeaders } from './server-harness.ts';
import { openSession, refusedUpgrade } from './session-client.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.server.close();
  harness = undefined;
});

async function start(): Promise<Harness & { readonly url: string }> {
  harness = await createHarness();
  return { ...harness, url: await harness.server.listen({ host: '127.0.0.1', port: 0 }) };
}

const page = 'https://web-pos.example';
const preflight = {
  method: 'OPTIONS',
  url: '/v1/transaction/sale',
  headers: { host: '127.0.0.1:8443', origin: page, 'access-control-request-method': 'POST' },
} as const;

describe('the allowed origins', () => {
  it('hold for the next request as soon as they are changed', async () => {
    const { app, setAllowedOrigins } = await start();
    expect((await app.inject(preflight)).statusCode).toBe(403);
    setAllowedOrigins([page]);
    const allowed = await app.inject(preflight);
    expect([allowed.statusCode, allowed.headers['access-control-allow-origin']]).toEqual([204, page]);
    setAllowedOrigins([]);
    const again = await app.inject(preflight);
    expect([again.statusCode, again.headers['access-control-allow-origin']]).toEqual([403, undefined]);
  });

  it('hold for the WebSocket too, and end a session whose page was taken from the list at its next message', async () => {
    const { url, setAllowedOrigins, till } = await start();
    expect((await refusedUpgrade(url, { headers: { origin: page } })).statusCode).toBe(403);
    setAllowedOrigins([page]);
    const session = await openSession(url, { headers: { origin: page, 'x-api-key': goodKey } });
    setAllowedOrigins([]);
    session.send({ action: 'sale', amount: 1000, currency: 'EUR' });
    expect((await session.closed()).code).toBe(1008);
    expect(till.calls).toEqual([]);
  });

  it('never hold `null`', async () => {
    const { app, setAllowedOrigins } = await start();
    setAllowedOrigins(['null']);
    const headers = { ...preflight.headers, origin: 'null' };
    expect((await app.inject({ ...preflight, headers })).statusCode).toBe(403);
  });
});

const canary = '4111111111111111';
const canaries = [canary, '4111 1111 1111 1111', '4111-1111-1111-1111', '4111.1111.1111.1111'];

describe('the list of requests', () => {
  it('holds who called what and how it ended, and nothing of what the caller wrote, wherever a card number stands', async () => {
    const { app, requests } = await start();
    const call = async (url: string, headers: object, payload?: object) =>
      app.inject({
        method: payload === undefined ? 'GET' : 'POST',
        url,
        headers: { ...posHeaders, ...headers },
        ...(payload === undefined ? {} : { payload }),
      });
    await call(`/v1/transactions/${canary}`, {});
    await call(`/v1/${canary}`, {});
    await call(`/v1/transactions?referenceId=${canary}`, {});
    await call('/v1/transaction/sale', {}, { type: 'SALE', amount: 1000, currency: 'EUR', referenceId: canary });
    await call('/v1/transaction/sale', { 'idempotency-key': canary }, { [canary]: 1, card: canary });
    for (const value of canaries) {
      await call('/v1/meta', { 'x-request-id': value });
      await call('/v1/meta', { 'user-agent': value, referer: value, cookie: value });
      await call('/v1/meta', { origin: `https://${value}.example` });
      await call('/v1/meta', { 'x-api-key': value });
      await call('/v1/meta', { 'x-terminal-id': value });
    }
    const listed = requests.after(0);

    expect(listed).toHaveLength(25);
    expect(JSON.stringify(listed).replaceAll(/[0-9a-f-]{36}/g, '')).not.toMatch(/4111|1111/);
    expect(JSON.stringify(listed)).not.toContain(goodKey);
    expect(listed[0]).toEqual({
      ...{ sequence: 1, at: expect.any(String), method: 'GET', path: '/v1/transactions/{id}', statusCode: 200 },
      ...{ clientName: 'front desk', durationMs: expect.any(Number), requestId: expect.any(String) },
    });
    expect(listed[1]).toMatchObject({ statusCode: 404, errorCode: 'NOT_FOUND' });
    expect(listed[1]).not.toHaveProperty('path');
  });

  it('names the page that was refused, and the session that was opened', async () => {
    const { url, requests, setAllowedOrigins } = await start();
    await refusedUpgrade(url, { headers: { origin: page } });
    await expect.poll(() => requests.after(0).length).toBe(1);
    setAllowedOrigins([page]);
    const session = await openSession(url, { headers: { origin: page, 'x-api-key': goodKey } });
    session.socket.close();
    await session.closed();
    expect(
      requests.after(0).map(({ path, origin, statusCode, errorCode }) => ({ path, origin, statusCode, errorCode })),
    ).toEqual([
      { path: '/v1/session', origin: page, statusCode: 403, errorCode: 'ORIGIN_NOT_ALLOWED' },
      { path: '/v1/session', origin: page, statusCode: 101, errorCode: undefined },
    ]);
  });

  it('holds the actions of a session, by name and end only, and a first message that was refused', async () => {
    const { url, requests, setAllowedOrigins } = await start();
    setAllowedOrigins([page]);
    const session = await openSession(url, { headers: { origin: page } });
    session.send({ action: 'auth', token: goodKey });
    session.send({ action: 'sale', amount: 1000, currency: 'EUR' });
    session.send({ action: 'sale', amount: canary, requestId: canary });
    session.send({ action: canary });
    session.send(`not JSON ${canary}`);
    session.send({ action: 'replay', after: 0 });
    await expect.poll(() => requests.after(1).length).toBe(6);
    const stranger = await openSession(url, { headers: { origin: page } });
    stranger.send({ action: 'auth', token: canary });
    await stranger.closed();
    const listed = requests.after(0).filter(({ method }) => method === 'WS');
    const told = listed.map(({ path, statusCode, errorCode, clientName }) => [path, statusCode, errorCode, clientName]);
    expect(told.toSorted()).toEqual(
      [
        ['auth', 200, undefined, 'front desk'],
        ['sale', 200, undefined, 'front desk'],
        ['sale', 400, 'INVALID_REQUEST', 'front desk'],
        [undefined, 400, 'INVALID_REQUEST', 'front desk'],
        [undefined, 400, 'INVALID_REQUEST', 'front desk'],
        ['replay', 200, undefined, 'front desk'],
        ['auth', 401, 'UNAUTHENTICATED', undefined],
      ].toSorted(),
    );
    expect(listed.every(({ origin }) => origin === page)).toBe(true);
    expect(JSON.stringify(listed).replaceAll(/[0-9a-f-]{36}/g, '')).not.toMatch(/4111|1111/);
    expect(JSON.stringify(listed)).not.toContain(goodKey);
    session.socket.close();
  });

  it('keeps the last ones only', () => {
    const ring = createRequestRing({ nowMs: () => 0 }, 3);
    for (let count = 1; count <= 10; count += 1)
      ring.record({ method: 'GET', statusCode: 200, durationMs: count, requestId: 'r' });
    expect(ring.after(0).map(({ sequence }) => sequence)).toEqual([8, 9, 10]);
    expect(ring.after(9).map(({ durationMs }) => durationMs)).toEqual([10]);
  });
});
