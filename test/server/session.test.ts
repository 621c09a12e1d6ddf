import { afterEach, describe, expect, it, vi } from 'vitest';
import { BridgeError } from '../../app/contract/errors.ts';
import { RefusalEvent, RepeatedResultEvent } from '../../app/contract/session.ts';
import { validate } from '../../app/contract/validate.ts';
import { answerOf, approved, goodKey, otherKey } from '../support/fake-till.ts';
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

const sale = approved({ type: 'SALE', amount: 1000, currency: 'EUR' });

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

describe('an action', () => {
  const callFields = { requestId: 'r-1', terminalId: 'T1', idempotencyKey: 'key-1', timeoutSeconds: 90 };
  const context = {
    clientId: 'client-1',
    actor: 'pos:front desk',
    terminalId: 'T1',
    eventRequestId: 'r-1',
    idempotencyKey: 'key-1',
    timeoutSeconds: 90,
  };
  const { idempotencyKey: _key, timeoutSeconds: _timeout, ...addressed } = context;
  const { timeoutSeconds: _seconds, ...keyed } = context;
  const { idempotencyKey: _otherKey, ...timed } = context;
  const { timeoutSeconds: _none, ...keyedFields } = callFields;
  const { idempotencyKey: _no, ...timedFields } = callFields;
  const address = { requestId: 'r-1', terminalId: 'T1' };
  const payment = { amount: 1000, currency: 'EUR', entryMode: 'CONTACT', referenceId: 'ref', metadata: { table: '7' } };
  const issuerAnswer = { transactionId: 'tx-1', responseCode: '00', authorizationCode: '123456' };
  const prompt = { prompt: 'Receipt?', inputType: 'CONFIRM' };

  it.each([
    [
      'sale',
      { ...payment, tipAmount: 100, ...callFields },
      'run',
      { ...context, route: 'POST /v1/transaction/sale' },
      [{ type: 'SALE', ...payment, tipAmount: 100 }],
    ],
    [
      'sale',
      { ...payment, granular: true, ...callFields },
      'initiate',
      { ...context, route: 'POST /v1/transaction/initiate' },
      [{ type: 'SALE', ...payment }],
    ],
    [
      'pre_auth',
      { ...payment, ...callFields },
      'run',
      { ...context, route: 'POST /v1/transaction/pre-auth' },
      [{ type: 'PRE_AUTH', ...payment }],
    ],
    [
      'card_read',
      { entryMode: 'AUTO', ...timedFields },
      'run',
      { ...timed, route: 'POST /v1/transaction/card-read' },
      [{ type: 'CARD_READ', amount: 0, currency: 'EUR', entryMode: 'AUTO' }],
    ],
    [
      'complete',
      { ...issuerAnswer, ...keyedFields },
      'complete',
      { ...keyed, route: 'POST /v1/transaction/complete' },
      [issuerAnswer],
    ],
    [
      'display',
      { lines: ['Hello'], ...address },
      'display',
      { ...addressed, route: 'POST /v1/device/display' },
      [{ lines: ['Hello'] }],
    ],
    ['input', { ...prompt, ...address }, 'input', { ...addressed, route: 'POST /v1/device/input' }, [prompt]],
    [
      'abort',
      { transactionId: 'tx-1', ...address },
      'abort',
      { ...addressed, route: 'POST /v1/transactions/tx-1/abort' },
      ['tx-1'],
    ],
  ])('%s reaches the engine as the REST call that does the same', async (action, fields, method, expected, input) => {
    const opened = await listen();
    const client = await openSession(opened.url, { headers: { 'x-api-key': goodKey, 'x-request-id': 'session-1' } });
    client.send({ action, ...fields });
    await untilCalls(opened, 1);

    expect(opened.till.calls).toEqual([{ method, context: { ...expected, requestId: 'session-1.1' }, input }]);
  });

  it('whose key was used before gets the first answer again', async () => {
    const opened = await listen();
    opened.till.answerWith('run', () => answerOf(sale, true));
    const client = await openSession(opened.url);
    client.send({ action: 'sale', amount: 1000, currency: 'EUR', idempotencyKey: 'k', requestId: 'r-9' });
    const [message] = await client.received(1);

    expect(validate(RepeatedResultEvent, message)).toMatchObject({
      event: 'result',
      requestId: 'r-9',
      replayed: true,
      response: sale,
    });
  });

  it('that the engine refuses is told as an error event, to this client alone', async () => {
    const opened = await listen();
    opened.till.answerWith('run', () => {
      throw new BridgeError('TRANSACTION_IN_PROGRESS', 'tx-7 is running', { details: { transactionId: 'tx-7' } });
    });
    const [client, other] = await Promise.all([openSession(opened.url), openSession(opened.url)]);
    client.send({ action: 'sale', amount: 1000, currency: 'EUR', requestId: 'r-2' });
    const [message] = await client.received(1);

    expect(validate(RefusalEvent, message)).toMatchObject({
      event: 'error',
      errorCode: 'TRANSACTION_IN_PROGRESS',
      message: 'tx-7 is running',
      transactionId: 'tx-7',
      requestId: 'r-2',
    });
    await roundTrip(opened, other);
    expect(other.texts).toEqual([]);
  });

  it('that fails unexpectedly is told as INTERNAL, without what happened', async () => {
    const opened = await listen();
    opened.till.answerWith('abort', () => {
      throw new Error('secret');
    });
    const client = await openSession(opened.url);
    client.send({ action: 'abort', transactionId: 'tx-1', requestId: 'r-3' });
    const [message] = await client.received(1);

    expect(message).toMatchObject({ errorCode: 'INTERNAL', requestId: 'r-3' });
    expect(client.texts.join()).not.toContain('secret');
    expect(opened.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it.each([
    ['an unknown action', { action: 'refund', requestId: 'r' }, 'action'],
    ['no action', { requestId: 'r' }, 'action'],
    ['an unknown field', { action: 'sale', amount: 1, currency: 'EUR', tip: 1, requestId: 'r' }, 'tip'],
    ['an amount in text', { action: 'sale', amount: '100', currency: 'EUR', requestId: 'r' }, 'amount'],
    ['an amount of 0', { action: 'sale', amount: 0, currency: 'EUR', requestId: 'r' }, 'amount'],
    ['an unknown currency', { action: 'sale', amount: 1, currency: 'EURO', requestId: 'r' }, 'currency'],
    [
      'a card number',
      { action: 'sale', amount: 1, currency: 'EUR', referenceId: '4111111111111111', requestId: 'r' },
      'referenceId',
    ],
    [
      'a prompt for a PIN',
      { action: 'input', prompt: 'Enter your PIN', inputType: 'DIGITS', requestId: 'r' },
      'prompt',
    ],
    ['a replay from -1', { action: 'replay', after: -1, requestId: 'r' }, 'after'],
    [
      'an empty key',
      { action: 'sale', amount: 1, currency: 'EUR', idempotencyKey: '', requestId: 'r' },
      'idempotencyKey',
    ],
    ['a second auth', { action: 'auth', token: goodKey }, undefined],
  ])('with %s is refused, naming the field', async (_, message, field) => {
    const opened = await listen();
    const client = await openSession(opened.url);
    client.send(message);
    const [refusal] = await client.received(1);

    expect(validate(RefusalEvent, refusal)).toMatchObject({ event: 'error', errorCode: 'INVALID_REQUEST' });
    expect(refusal?.field).toBe(field);
    expect(refusal?.requestId).toBe('requestId' in message ? 'r' : undefined);
    expect(client.texts.join()).not.toContain('4111111111111111');
    expect(opened.till.calls).toEqual([]);
  });

  it.each([['{"action":"sale","amount":1,"amount":2}'], ['{"action":'], ['[]'], ['null'], ['"sale"'], ['']])(
    'that is %j is refused, and the session goes on',
    async (text) => {
      const opened = await listen();
      const client = await openSession(opened.url);
      client.send(text);

      expect((await client.received(1))[0]).toMatchObject({ event: 'error', errorCode: 'INVALID_REQUEST' });
      await roundTrip(opened, client);
    },
  );

  it('in a binary frame is refused', async () => {
    const { url, till } = await listen();
    const client = await openSession(url);
    client.socket.send(Buffer.from('{"action":"abort","transactionId":"tx-1"}'));

    expect((await client.received(1))[0]).toMatchObject({ errorCode: 'INVALID_REQUEST' });
    expect(till.calls).toEqual([]);
  });

  it('beyond 64 KiB ends the session with 1009', async () => {
    const { url, till } = await listen();
    const client = await openSession(url);
    client.send({ action: 'display', lines: ['x'.repeat(65 * 1024)] });

    expect((await client.closed()).code).toBe(1009);
    expect(till.calls).toEqual([]);
  });

  it('beyond the rate is refused with the time to wait', async () => {
    const opened = await listen({ clock: createManualClock(), requestsPerSecond: 1, requestBurst: 2 });
    const client = await openSession(opened.url);
    client.send({ action: 'abort', transactionId: 'tx-1' });
    client.send({ action: 'abort', transactionId: 'tx-1', requestId: 'r-4' });

    expect((await client.received(1))[0]).toMatchObject({
      errorCode: 'RATE_LIMITED',
      retryAfterSeconds: 1,
      requestId: 'r-4',
    });
    expect(opened.till.calls).toHaveLength(1);
  });

  it('beyond those that may run at once is refused', async () => {
    const opened = await listen({ session: { maxRunningActions: 2 } });
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    opened.till.answerWith('display', () => done);
    const client = await openSession(opened.url);
    for (const requestId of ['1', '2', '3']) client.send({ action: 'display', lines: ['x'], requestId });

    expect((await client.received(1))[0]).toMatchObject({ errorCode: 'RATE_LIMITED', requestId: '3' });
    expect(opened.till.calls).toHaveLength(2);
    finish();
  });

  it('goes on when its client hangs up', async () => {
    const opened = await listen();
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let finished = false;
    opened.till.answerWith('run', async () => {
      await done;
      finished = true;
      return answerOf(sale, true);
    });
    const client = await openSession(opened.url);
    client.send({ action: 'sale', amount: 1000, currency: 'EUR' });
    await untilCalls(opened, 1);
    client.socket.terminate();
    await vi.waitFor(() => expect(sessionCount(opened)).toBe(0));
    finish();
    await vi.waitFor(() => expect(finished).toBe(true));

    expect(opened.till.calls.map(({ method }) => method)).toEqual(['run']);
    expect(opened.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a client that misbehaves', () => {
  it('is closed with 1008 after so many refused messages in a row', async () => {
    const { url } = await listen({ session: { maxBadMessages: 5 } });
    const client = await openSession(url);
    for (let index = 0; index < 10; index += 1) client.send('bad');

    expect((await client.closed()).code).toBe(1008);
    expect(client.texts).toHaveLength(5);
  });

  it('is forgiven after a good one', async () => {
    const opened = await listen({ session: { maxBadMessages: 3 } });
    const client = await openSession(opened.url);
    for (let round = 0; round < 4; round += 1) {
      client.send('bad');
      client.send('bad');
      await roundTrip(opened, client);
    }

    expect(client.socket.readyState).toBe(1);
  });

  it('is closed with 4401 when its key is revoked, at its next action', async () => {
    const opened = await listen();
    const client = await openSession(opened.url);
    opened.credentials.revoke(goodKey);
    client.send({ action: 'sale', amount: 1000, currency: 'EUR' });

    expect((await client.closed()).code).toBe(4401);
    expect(opened.till.calls).toEqual([]);
  });

  it('is closed with 4401 when its key is revoked, within a ping though it says nothing', async () => {
    const clock = createManualClock();
    const opened = await listen({ clock });
    const client = await openSession(opened.url);
    opened.credentials.revoke(goodKey);
    clock.advance(5_000);

    expect((await client.closed()).code).toBe(4401);
  });
});
