import { afterEach, describe, expect, it, vi } from 'vitest';
import { goodKey, otherKey } from '../support/fake-till.ts';
import { createManualClock } from '../support/server-clock.ts';
import { createHarness, type Harness, type HarnessOptions, posHeaders } from './server-harness.ts';
import { openSession, refusedUpgrade, type SessionClient } from './session-client.ts';

let harness: Harness | undefined;

afterEach(async () => {
  await harness?.server.close();
  harness = undefined;
});

async function listen(options: HarnessOptions = {}): Promise<Harness & { url: string }> {
  harness = await createHarness(options);
  return { ...harness, url: await harness.server.listen({ host: '127.0.0.1', port: 0 }) };
}

function sessionCount({ app }: Harness): number {
  return app.websocketServer.clients.size;
}

async function untilCalls(opened: Harness, count: number): Promise<void> {
  await vi.waitFor(() => expect(opened.till.calls.length).toBeGreaterThanOrEqual(count), 10_000);
}

/** A message whose processing can be seen, so that everything sent before it has been processed. */
async function roundTrip(opened: Harness, client: SessionClient): Promise<void> {
  const before = opened.till.calls.length;
  client.send({ action: 'replay', after: 1_000_000 });
  await untilCalls(opened, before + 1);
}

describe('opening a session', () => {
  it.each([
    ['X-Api-Key', { 'x-api-key': goodKey }],
    ['Bearer', { authorization: `Bearer ${goodKey}` }],
  ])('works with %s, and the upgrade carries a request id', async (_, headers) => {
    const opened = await listen();
    const client = await openSession(opened.url, { headers });

    expect(client.upgrade.statusCode).toBe(101);
    expect(client.upgrade.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    client.send({ action: 'sale', amount: 1000, currency: 'EUR' });
    await untilCalls(opened, 1);
    expect(opened.till.calls[0]?.context.clientId).toBe('client-1');
  });

  it('works from a page of an allowed origin', async () => {
    const { url } = await listen();

    expect((await openSession(url, { origin: 'https://pos.example' })).upgrade.statusCode).toBe(101);
  });

  it.each([
    ['a wrong key', 401, 'UNAUTHENTICATED', { headers: { 'x-api-key': 'wrong' } }],
    ['a foreign Host', 403, 'HOST_NOT_ALLOWED', { headers: { 'x-api-key': goodKey, host: 'evil.example' } }],
    ['a foreign Origin', 403, 'ORIGIN_NOT_ALLOWED', { origin: 'https://evil.example' }],
    ['the null Origin', 403, 'ORIGIN_NOT_ALLOWED', { origin: 'null' }],
    ['a ticket that is none', 401, 'UNAUTHENTICATED', { query: '?ticket=guess', headers: {} }],
    ['the key in the URL', 400, 'INVALID_REQUEST', { query: `?token=${goodKey}`, headers: {} }],
    ['two tickets', 400, 'INVALID_REQUEST', { query: '?ticket=a&ticket=b', headers: {} }],
  ])('is refused with %s: %i', async (_, statusCode, error, options) => {
    const opened = await listen();
    const refused = await refusedUpgrade(opened.url, options);

    expect([refused.statusCode, refused.body.error]).toEqual([statusCode, error]);
    expect(refused.headers['x-request-id']).toBeTruthy();
    expect(sessionCount(opened)).toBe(0);
  });

  it('is told in the log, and so is its end, with the code', async () => {
    const opened = await listen();
    const client = await openSession(opened.url, { headers: { 'x-api-key': goodKey, 'x-request-id': 'session-1' } });
    client.socket.terminate();
    await vi.waitFor(() => expect(sessionCount(opened)).toBe(0));

    expect(opened.lines.filter(({ fields }) => fields.requestId === 'session-1')).toEqual([
      { level: 'info', message: 'session opened', fields: { requestId: 'session-1' } },
      {
        level: 'info',
        message: 'session closed',
        fields: { requestId: 'session-1', clientName: 'front desk', code: '1006' },
      },
    ]);
  });

  it('asks for an upgrade when there is none', async () => {
    const { app } = await listen();
    const answer = await app.inject({ url: '/v1/session', headers: posHeaders });

    expect([answer.statusCode, answer.json().error, answer.headers.upgrade]).toEqual([
      426,
      'UPGRADE_REQUIRED',
      'websocket',
    ]);
  });

  it.each([['/health'], ['/v1/transactions'], ['/nothing']])('is not to be had at %s', async (path) => {
    const { url } = await listen();
    const refused = await refusedUpgrade(`${url}${path}?`, {});

    expect(refused.statusCode).toBe(path === '/nothing' ? 404 : 400);
  });

  it('counts against the rate limit', async () => {
    const { url } = await listen({ clock: createManualClock(), requestsPerSecond: 1, requestBurst: 1 });
    await openSession(url);

    expect((await refusedUpgrade(url)).statusCode).toBe(429);
  });

  it('is possible for as many as the setting says, for each client by itself', async () => {
    const { url } = await listen({ socketsPerClient: 8 });
    const first = await Promise.all(Array.from({ length: 8 }, () => openSession(url)));
    const ninth = await openSession(url);

    expect((await ninth.closed()).code).toBe(1008);
    expect((await openSession(url, { headers: { 'x-api-key': otherKey } })).socket.readyState).toBe(1);
    first[0]?.socket.close();
    await first[0]?.closed();
    const again = await openSession(url);
    again.send({ action: 'sale', amount: 1, currency: 'EUR' });
    if (harness !== undefined) await untilCalls(harness, 1);
  });
});

describe('a browser', () => {
  const anonymous = { headers: {}, origin: 'https://pos.example' };

  it('says who it is with its first message', async () => {
    const opened = await listen();
    const client = await openSession(opened.url, anonymous);
    client.send({ action: 'auth', token: goodKey });
    client.send({ action: 'sale', amount: 1000, currency: 'EUR' });
    await untilCalls(opened, 1);

    expect(opened.till.calls[0]?.context.actor).toBe('pos:front desk');
  });

  it.each([
    ['a wrong key', { action: 'auth', token: 'wrong' }],
    ['another action', { action: 'sale', amount: 1000, currency: 'EUR' }],
    ['no JSON', 'hello'],
    ['an auth without token', { action: 'auth' }],
  ])('is closed with 4401 when its first message is %s', async (_, message) => {
    const opened = await listen();
    const client = await openSession(opened.url, anonymous);
    client.send(message);

    expect((await client.closed()).code).toBe(4401);
    expect(opened.till.calls).toEqual([]);
  });

  it('is closed with 4401 when it says nothing for 5 seconds, and not before', async () => {
    const clock = createManualClock();
    const { url } = await listen({ clock });
    const client = await openSession(url, anonymous);
    clock.advance(4_999);
    expect(client.socket.readyState).toBe(1);
    clock.advance(1);

    expect((await client.closed()).code).toBe(4401);
  });

  it('sees no event before it has said who it is', async () => {
    const opened = await listen();
    const client = await openSession(opened.url, anonymous);
    opened.till.emit({ event: 'pin_required', sequence: 1, transactionId: 'tx-1' });
    client.send({ action: 'auth', token: goodKey });
    await roundTrip(opened, client);
    opened.till.emit({ event: 'pin_required', sequence: 2, transactionId: 'tx-1' });

    expect((await client.received(1)).map(({ sequence }) => sequence)).toEqual([2]);
  });

  it('may not be one of too many that say nothing', async () => {
    const { url } = await listen({ session: { maxUnauthenticated: 2 } });
    await Promise.all([openSession(url, anonymous), openSession(url, anonymous)]);

    expect((await (await openSession(url, anonymous)).closed()).code).toBe(1013);
  });

  async function ticketOf({ app }: Harness, headers = posHeaders): Promise<string> {
    return (await app.inject({ method: 'POST', url: '/v1/session/ticket', headers })).json().ticket;
  }

  it('opens one session with a ticket, once', async () => {
    const opened = await listen();
    const query = `?ticket=${await ticketOf(opened, { ...posHeaders, 'x-api-key': otherKey })}`;
    const client = await openSession(opened.url, { ...anonymous, query });
    client.send({ action: 'abort', transactionId: 'tx-1' });
    await untilCalls(opened, 1);

    expect(opened.till.calls[0]?.context.clientId).toBe('client-2');
    expect((await refusedUpgrade(opened.url, { ...anonymous, query })).statusCode).toBe(401);
  });

  it('has 30 seconds for it', async () => {
    const clock = createManualClock();
    const opened = await listen({ clock });
    const [early, late] = [await ticketOf(opened), await ticketOf(opened)];
    clock.advance(29_999);
    await openSession(opened.url, { ...anonymous, query: `?ticket=${early}` });
    clock.advance(1);

    expect((await refusedUpgrade(opened.url, { ...anonymous, query: `?ticket=${late}` })).statusCode).toBe(401);
  });

  it('cannot use the ticket of a key that was revoked since', async () => {
    const opened = await listen();
    const query = `?ticket=${await ticketOf(opened)}`;
    opened.credentials.revoke(goodKey);

    expect((await refusedUpgrade(opened.url, { ...anonymous, query })).statusCode).toBe(401);
  });

  it('cannot hoard tickets', async () => {
    const opened = await listen({ session: { maxTickets: 2 } });
    await ticketOf(opened);
    await ticketOf(opened);
    const answer = await opened.app.inject({ method: 'POST', url: '/v1/session/ticket', headers: posHeaders });

    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '30']);
  });
});
