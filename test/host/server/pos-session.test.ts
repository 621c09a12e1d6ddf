import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { RefusalEvent, RepeatedResultEvent } from '../../../app/contract/session.ts';
import { validate } from '../../../app/contract/validate.ts';
import type { PosAnswer, PosCall } from '../../../host/services/host.ts';
import { openSession, refusedUpgrade, type SessionClient } from '../../server/session-client.ts';
import { approved } from '../../support/fake-till.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { credentials, pos } from './fake-host.ts';
import { createHarness, type Harness } from './harness.ts';

let harness: Harness;
let clock: ManualClock;
let url: string;

beforeEach(async () => {
  clock = createManualClock();
  harness = await createHarness({ clock });
  url = await harness.server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => harness.server.close());

const headers = { 'x-api-key': credentials.posKey };
const open = (options: object = { headers }) => openSession(url, options);
const sale = { action: 'sale', amount: 1000, currency: 'EUR', requestId: 'r-1' };

/** The link of a till, and what it was asked to listen to. */
async function linkTill(token: string = credentials.deviceToken) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/terminal/link`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const wanted: boolean[] = [];
  socket.on('message', (data) => {
    const { event, isWanted } = JSON.parse(String(data));
    if (event === 'listen') wanted.push(isWanted);
  });
  await new Promise((resolve) => socket.once('open', resolve));
  const tell = (sequence: number, more: object = {}) =>
    socket.send(
      JSON.stringify({
        event: 'happened',
        happened: { event: 'pin_required', sequence, terminalId: 'local', ...more },
      }),
    );
  return { socket, wanted, tell };
}

const posCalls = () =>
  harness.calls.filter(({ method }) => method === 'posCall').map(({ input }) => input as [typeof pos, PosCall]);

function answer(body: object, more: Partial<PosAnswer> = {}): void {
  harness.answerWith('posCall', () => ({ statusCode: 200, headers: {}, body: JSON.stringify(body), ...more }));
}

async function called(count = 1): Promise<PosCall[]> {
  await vi.waitFor(() => expect(posCalls().length).toBeGreaterThanOrEqual(count), 10_000);
  return posCalls().map(([, call]) => call);
}

const first = async (client: SessionClient) => (await client.received(1))[0];

describe('a session at the cloud', () => {
  it.each([
    [
      { ...sale, idempotencyKey: 'k', timeoutSeconds: 90, terminalId: 'T-1' },
      {
        route: 'POST /v1/transaction/sale',
        body: { type: 'SALE', amount: 1000, currency: 'EUR' },
        idempotencyKey: 'k',
        timeoutSeconds: 90,
        terminalId: 'T-1',
        eventRequestId: 'r-1',
      },
    ],
    [
      { ...sale, granular: true },
      { route: 'POST /v1/transaction/initiate', body: { type: 'SALE', amount: 1000, currency: 'EUR' } },
    ],
    [
      { ...sale, action: 'pre_auth' },
      { route: 'POST /v1/transaction/pre-auth', body: { type: 'PRE_AUTH', amount: 1000, currency: 'EUR' } },
    ],
    [
      { action: 'card_read' },
      { route: 'POST /v1/transaction/card-read', body: { type: 'CARD_READ', amount: 0, currency: 'EUR' } },
    ],
    [
      { action: 'complete', transactionId: 'tx-1', responseCode: '00', authorizationCode: '1' },
      {
        route: 'POST /v1/transaction/complete',
        namedTransactionId: 'tx-1',
        body: { transactionId: 'tx-1', responseCode: '00', authorizationCode: '1' },
      },
    ],
    [
      { action: 'abort', transactionId: 'tx-1' },
      { route: 'POST /v1/transactions/tx-1/abort', url: '/v1/transactions/tx-1/abort', namedTransactionId: 'tx-1' },
    ],
    [
      { action: 'display', lines: ['Hello'] },
      { route: 'POST /v1/device/display', body: { lines: ['Hello'] } },
    ],
    [
      { action: 'input', prompt: 'Receipt?', inputType: 'CONFIRM' },
      { route: 'POST /v1/device/input', body: { prompt: 'Receipt?', inputType: 'CONFIRM' } },
    ],
  ])('makes of an action the call that does the same: %j', async (action, expected) => {
    const client = await open();
    client.send(action);
    expect((await called())[0]).toMatchObject(expected);
    expect(posCalls()[0]?.[0]).toEqual(pos);
    expect(client.texts).toEqual([]);
  });

  it('is told what happens at the terminals of its merchant, under their names here, for as long as it is there', async () => {
    const till = await linkTill();
    const client = await open();
    const other = await open();
    await vi.waitFor(() => expect(till.wanted).toEqual([true]), 10_000);
    till.tell(7, { transactionId: 'tx-1' });
    const expected = [{ event: 'pin_required', sequence: 7, terminalId: 'T-1', transactionId: 'tx-1' }];
    expect(await client.received(1)).toEqual(expected);
    expect(await other.received(1)).toEqual(expected);
    const later = await linkTill(credentials.otherDeviceToken);
    await vi.waitFor(() => expect(later.wanted).toEqual([true]), 10_000);
    later.tell(1);
    expect(await client.received(2)).toMatchObject([{}, { sequence: 1, terminalId: 'T-2' }]);
    client.socket.close();
    other.socket.close();
    await vi.waitFor(
      () =>
        expect([till.wanted, later.wanted]).toEqual([
          [true, false],
          [true, false],
        ]),
      10_000,
    );
    till.socket.terminate();
    later.socket.terminate();
  });

  it('tells a refusal of the till in the words of a session', async () => {
    const outcome = { charged: 'NO', safeToRetry: true, evidence: 'none' };
    answer(
      { error: 'TERMINAL_BUSY', message: 'busy', transactionId: 'tx-2', outcome },
      { statusCode: 503, headers: { 'retry-after': '3' } },
    );
    const client = await open();
    client.send(sale);
    expect(validate(RefusalEvent, await first(client))).toMatchObject({
      ...{ event: 'error', requestId: 'r-1', errorCode: 'TERMINAL_BUSY', message: 'busy' },
      ...{ transactionId: 'tx-2', outcome, retryAfterSeconds: 3 },
    });
  });

  it('names the transaction whose outcome is unknown once the till is lost', async () => {
    const outcome = { charged: 'UNKNOWN', safeToRetry: false, evidence: 'lost' };
    answer(
      { status: 'ERROR', errorCode: 'OUTCOME_UNKNOWN', message: 'lost', transactionId: 'tx-3', outcome },
      { isHosts: true },
    );
    const client = await open();
    client.send(sale);
    expect(validate(RefusalEvent, await first(client))).toMatchObject({
      ...{ event: 'error', requestId: 'r-1', errorCode: 'OUTCOME_UNKNOWN', transactionId: 'tx-3', outcome },
    });
  });

  it('gives the first answer again under the same key', async () => {
    answer(approved({ type: 'SALE', amount: 1000, currency: 'EUR' }), { headers: { 'idempotent-replayed': 'true' } });
    const client = await open();
    client.send({ ...sale, idempotencyKey: 'k' });
    expect(validate(RepeatedResultEvent, await first(client))).toMatchObject({ replayed: true, requestId: 'r-1' });
  });

  it('fills the gap before what it was told already, and repeats what is asked for later', async () => {
    const till = await linkTill();
    const client = await open();
    await vi.waitFor(() => expect(till.wanted).toEqual([true]), 10_000);
    till.tell(5);
    await client.received(1);
    const data = [3, 4, 5].map((sequence) => ({ event: 'pin_required', sequence, terminalId: 'local' }));
    answer({ data, hasMore: false, lastSequence: 5 });
    client.send({ action: 'replay', after: 2 });
    await client.received(3);
    client.send({ action: 'replay', after: 4 });
    const told = await client.received(6);
    expect(told.map(({ sequence }) => sequence)).toEqual([5, 3, 4, 3, 4, 5]);
    expect(told.every(({ terminalId }) => terminalId === 'T-1')).toBe(true);
    expect((await called(2)).map((call) => [call.url, call.terminalId])).toEqual([
      ['/v1/events?after=2&limit=1000', 'T-1'],
      ['/v1/events?after=4&limit=1000', 'T-1'],
    ]);
    till.socket.terminate();
  });

  it('refuses what no till would take, and calls none', async () => {
    const client = await open();
    for (const text of ['{', '{"action":"sale","amount":1,"currency":"EUR","more":1}', '{"action":"auth","token":"t"}'])
      client.send(text);
    const told = await client.received(3);
    expect(told.map(({ errorCode }) => errorCode)).toEqual(['INVALID_REQUEST', 'INVALID_REQUEST', 'INVALID_REQUEST']);
    expect(posCalls()).toEqual([]);
    for (let count = 0; count < 20; count++) client.send('{');
    expect((await client.closed()).code).toBe(1008);
  });

  it('is closed for a message that is too long', async () => {
    const client = await open();
    client.send('x'.repeat(65_537));
    expect((await client.closed()).code).toBe(1009);
  });
});

describe('sessions at a host that hears other hosts no more', () => {
  it('are closed so that their clients connect again and ask for what they have missed', async () => {
    const changes: ((isConnected: boolean) => void)[] = [];
    const bus = {
      node: 'a',
      isConnected: () => true,
      onChange: (listener: (typeof changes)[0]) => void changes.push(listener),
    };
    const node = await createHarness({ bus });
    const address = await node.server.listen({ host: '127.0.0.1', port: 0 });
    const client = await openSession(address, { headers });
    for (const change of changes) change(false);
    expect((await client.closed()).code).toBe(1013);
    // Another is taken, and lives on when the others are heard again.
    const next = await openSession(address, { headers });
    for (const change of changes) change(true);
    next.send('{');
    expect(await first(next)).toMatchObject({ event: 'error', errorCode: 'INVALID_REQUEST' });
    next.socket.close();
    await node.server.close();
  });
});

describe('who opens a session at the cloud', () => {
  it('may say so with the first message, or not at all', async () => {
    const client = await open({ headers: {} });
    client.send({ action: 'auth', token: credentials.posKey });
    client.send(sale);
    await called();
    const wrong = await open({ headers: {} });
    wrong.send({ action: 'auth', token: credentials.unknownPosKey });
    expect((await wrong.closed()).code).toBe(4401);
    const early = await open({ headers: {} });
    early.send(sale);
    expect((await early.closed()).code).toBe(4401);
    const silent = await open({ headers: {} });
    await clock.advance(5_000);
    expect((await silent.closed()).code).toBe(4401);
    expect(posCalls()).toHaveLength(1);
  });

  it('may use a ticket, once', async () => {
    const issued = await fetch(`${url}/v1/session/ticket`, { method: 'POST', headers });
    expect(issued.status).toBe(200);
    const { ticket } = await issued.json();
    const client = await open({ query: `?ticket=${ticket}`, headers: {} });
    client.send(sale);
    await called();
    expect(await refusedUpgrade(url, { query: `?ticket=${ticket}`, headers: {} })).toMatchObject({ statusCode: 401 });
    expect((await fetch(`${url}/v1/session/ticket`, { method: 'POST' })).status).toBe(401);
  });

  it.each([
    ['an unknown key', { headers: { 'x-api-key': credentials.unknownPosKey } }, 401],
    ['a secret key', { headers: { 'x-api-key': credentials.secretKey } }, 403],
    ['a key in the URL', { query: '?key=pos_x', headers: {} }, 400],
  ])('is refused with %s', async (_what, options, statusCode) => {
    expect(await refusedUpgrade(url, options)).toMatchObject({ statusCode });
  });

  it('must open it as a WebSocket', async () => {
    expect((await fetch(`${url}/v1/session`, { headers })).status).toBe(426);
  });

  it('is shut out from the next message on when its key was revoked', async () => {
    const client = await open();
    harness.revoked.add(credentials.posKey);
    client.send(sale);
    expect((await client.closed()).code).toBe(4401);
    expect(posCalls()).toEqual([]);
  });

  it('is shut out in time also where it says nothing', async () => {
    const client = await open();
    harness.revoked.add(credentials.posKey);
    for (let second = 0; second <= 30; second += 5) {
      await clock.advance(5_000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect((await client.closed()).code).toBe(4401);
  });

  it('has eight sessions at a time', async () => {
    await Promise.all(Array.from({ length: 8 }, () => open()));
    expect((await (await open()).closed()).code).toBe(1008);
  });
});
