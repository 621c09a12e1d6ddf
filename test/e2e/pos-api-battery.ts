// The rows of the specification's POS API table, as they hold at {terminal_url} and at {cloud_url}: one contract, judged by the terminal's own book.
import { expect, it } from 'vitest';
import WebSocket from 'ws';
import { DeviceStatus } from '../../app/contract/device.ts';
import { TransactionResponse } from '../../app/contract/transactions.ts';
import { validate } from '../../app/contract/validate.ts';
import { posEndpoints } from '../contract/spec-document.ts';
import type { Pos, PosAnswer } from '../support/pos.ts';
import type { ControlClient } from '../virtual/support/running-terminal.ts';

/** A terminal as a POS reaches it. */
export interface PosApiAddress {
  readonly url: string;
  readonly key: string;
  /** As this address calls the terminal. */
  readonly terminalId: string;
  readonly pos: Pos;
  /** The terminal itself: its book judges. */
  readonly terminal: ControlClient;
}

export interface PosApiAddresses {
  /** Of a terminal that authorizes by itself. */
  own(): PosApiAddress;
  /** Of a card reader, for payments that the POS authorizes. */
  reader(): PosApiAddress;
}

const ROW_MS = 120_000;
const currency = 'EUR';

type Row = (addresses: PosApiAddresses) => Promise<void>;
type Fields = Readonly<Record<string, unknown>>;

const rows: Readonly<Record<string, Row>> = {
  async 'pos.health'({ own }) {
    const { pos, terminalId } = own();
    const answer = await pos.get('/v1/device/health', ofTerminal(own()));
    expect(answer.status, answer.text).toBe(200);
    expect(validate(DeviceStatus, answer.body)).toMatchObject({ connected: true, terminalId, state: 'IDLE' });
    await refusesOtherCallers(own(), 'GET', '/v1/device/health');
  },
  async 'pos.sale'({ own }) {
    const before = await standing(own());
    const request = { ...sale, tipAmount: 150, referenceId: 'order-7', metadata: { lane: '4' } };
    const sold = await run(own(), '/v1/transaction/sale', request, 'sale-1');
    expect(sold).toMatchObject({ status: 'APPROVED', ...request, outcome: { charged: 'YES' } });
    expect(sold.maskedPan).toMatch(/^[\d*]+\d{4}$/);
    await own().terminal.arm('decline-51');
    const declined = await run(own(), '/v1/transaction/sale', sale, 'sale-2');
    expect(declined).toMatchObject({ status: 'DECLINED', responseCode: '51', outcome: { charged: 'NO' } });
    expect(await standing(own())).toEqual({ ...before, charges: before.charges + 2_150 });
    await repeats(own(), '/v1/transaction/sale', request, 'sale-1', sold);
    await refuses(own(), '/v1/transaction/sale', [
      { body: { ...sale, amount: 0 }, status: 400, error: 'INVALID_REQUEST', names: 'amount' },
      { body: { ...sale, amount: '20.00' }, status: 400, error: 'INVALID_REQUEST', names: 'amount' },
      { body: { type: 'SALE', amount: 2_000 }, status: 400, error: 'INVALID_REQUEST', names: 'currency' },
      { body: { ...sale, amonut: 1 }, status: 400, error: 'INVALID_REQUEST', names: 'amonut' },
      { body: { ...sale, type: 'REFUND' }, status: 400, error: 'INVALID_REQUEST', names: 'type' },
      { body: '{"type":', status: 400, error: 'INVALID_REQUEST', names: 'JSON' },
      { body: { ...sale, currency: 'USD' }, status: 400, error: 'UNSUPPORTED_CURRENCY' },
      { body: { ...sale, amount: 2_001 }, key: 'sale-1', status: 422, error: 'IDEMPOTENCY_KEY_REUSED' },
    ]);
    await refusesOtherCallers(own(), 'POST', '/v1/transaction/sale', sale);
    expect(await standing(own())).toEqual({ ...before, charges: before.charges + 2_150 });
  },
  async 'pos.preAuth'({ own }) {
    const before = await standing(own());
    const request = { type: 'PRE_AUTH', amount: 7_000, currency };
    const held = await run(own(), '/v1/transaction/pre-auth', request, 'hold-1');
    expect(held).toMatchObject({ status: 'APPROVED', type: 'PRE_AUTH', amount: 7_000 });
    expect(await standing(own())).toEqual({ ...before, holds: before.holds + 7_000 });
    await repeats(own(), '/v1/transaction/pre-auth', request, 'hold-1', held);
    const { transactionId: originalTransactionId } = held;
    await run(own(), '/v1/transaction/void', { type: 'VOID', amount: 7_000, currency, originalTransactionId });
    expect(await standing(own())).toEqual(before);
    await refusesWrongAmounts(own(), '/v1/transaction/pre-auth', request);
  },
  async 'pos.preAuthComplete'({ own }) {
    const before = await standing(own());
    const held = await run(own(), '/v1/transaction/pre-auth', { type: 'PRE_AUTH', amount: 9_000, currency });
    const { transactionId: originalTransactionId } = held;
    const path = '/v1/transaction/pre-auth/complete';
    const request = { type: 'PRE_AUTH_COMPLETE', amount: 6_500, currency, originalTransactionId };
    await refuses(own(), path, [
      { body: { ...request, amount: 9_001 }, status: 400, error: 'CAPTURE_EXCEEDS_AUTHORIZATION' },
      { body: { ...request, originalTransactionId: 'nobody' }, status: 404, error: 'ORIGINAL_NOT_FOUND' },
      {
        body: without(request, 'originalTransactionId'),
        status: 400,
        error: 'INVALID_REQUEST',
        names: 'originalTransactionId',
      },
    ]);
    const completed = await run(own(), path, request, 'complete-1');
    expect(completed).toMatchObject({ status: 'APPROVED', amount: 6_500 });
    expect(await standing(own())).toEqual({ ...before, charges: before.charges + 6_500 });
    await repeats(own(), path, request, 'complete-1', completed);
    await refuses(own(), path, [{ body: request, status: 409, error: 'ALREADY_COMPLETED' }]);
    await refusesOtherCallers(own(), 'POST', path, request);
  },
  async 'pos.refund'({ own }) {
    const sold = await run(own(), '/v1/transaction/sale', sale);
    const before = await standing(own());
    const { transactionId: originalTransactionId } = sold;
    const path = '/v1/transaction/refund';
    const request = { type: 'REFUND', amount: 500, currency, originalTransactionId };
    const refunded = await run(own(), path, request, 'refund-1');
    expect(refunded).toMatchObject({ status: 'APPROVED', type: 'REFUND', amount: 500 });
    await repeats(own(), path, request, 'refund-1', refunded);
    await refuses(own(), path, [
      { body: { ...request, amount: 1_501 }, status: 400, error: 'REFUND_EXCEEDS_ORIGINAL' },
      { body: { ...request, originalTransactionId: 'nobody' }, status: 404, error: 'ORIGINAL_NOT_FOUND' },
      {
        body: without(request, 'originalTransactionId'),
        status: 400,
        error: 'INVALID_REQUEST',
        names: 'originalTransactionId',
      },
    ]);
    await refusesOtherCallers(own(), 'POST', path, request);
    expect(await standing(own())).toEqual({ ...before, refunds: before.refunds + 500 });
  },
  async 'pos.void'({ own }) {
    const before = await standing(own());
    const sold = await run(own(), '/v1/transaction/sale', sale);
    const { transactionId: originalTransactionId } = sold;
    const path = '/v1/transaction/void';
    const request = { type: 'VOID', amount: sale.amount, currency, originalTransactionId };
    await refuses(own(), path, [
      { body: { ...request, originalTransactionId: 'nobody' }, status: 404, error: 'ORIGINAL_NOT_FOUND' },
      {
        body: without(request, 'originalTransactionId'),
        status: 400,
        error: 'INVALID_REQUEST',
        names: 'originalTransactionId',
      },
    ]);
    const voided = await run(own(), path, request, 'void-1');
    expect(voided).toMatchObject({ status: 'APPROVED', type: 'VOID' });
    expect(await standing(own())).toEqual(before);
    await repeats(own(), path, request, 'void-1', voided);
    await refuses(own(), path, [{ body: request, status: 409, error: 'ALREADY_VOIDED' }]);
    await refusesOtherCallers(own(), 'POST', path, request);
  },
  async 'pos.cardRead'({ own }) {
    const before = await standing(own());
    const request = { type: 'CARD_READ', amount: 0, currency };
    const read = await run(own(), '/v1/transaction/card-read', request);
    expect(read).toMatchObject({ status: 'APPROVED', type: 'CARD_READ', amount: 0, maskedPan: expect.any(String) });
    await refuses(own(), '/v1/transaction/card-read', [
      { body: { ...request, amount: 1 }, status: 400, error: 'INVALID_REQUEST', names: 'amount' },
    ]);
    await refusesOtherCallers(own(), 'POST', '/v1/transaction/card-read', request);
    expect(await standing(own())).toEqual(before);
  },
  async 'pos.balanceInquiry'({ own }) {
    const before = await standing(own());
    const request = { type: 'BALANCE_INQUIRY', amount: 0, currency };
    const { terminal } = own();
    await terminal.send('POST', '/hand', { seconds: 60 });
    const asked = run(own(), '/v1/transaction/balance-inquiry', request);
    await terminal.untilState(({ state }) => state === 'WAITING_FOR_CARD');
    await terminal.send('POST', '/card', { card: 'prepaid' });
    expect(await asked).toMatchObject({ status: 'APPROVED', type: 'BALANCE_INQUIRY', amount: 5_000, currency });
    await terminal.send('DELETE', '/hand');
    await refuses(own(), '/v1/transaction/balance-inquiry', [
      { body: { ...request, amount: 1 }, status: 400, error: 'INVALID_REQUEST', names: 'amount' },
    ]);
    await refusesOtherCallers(own(), 'POST', '/v1/transaction/balance-inquiry', request);
    expect(await standing(own())).toEqual(before);
  },
  async 'pos.initiate'({ reader }) {
    const request = { ...sale, amount: 10_000, entryMode: 'CONTACT' };
    const pending = await run(reader(), '/v1/transaction/initiate', request, 'initiate-1');
    expect(pending).toMatchObject({ status: 'PENDING_ONLINE', amount: 10_000 });
    expect(pending.chipData?.emvTags).toMatchObject({ '9F02': '000000010000' });
    const { transactionId } = pending;
    await refuses(reader(), '/v1/transaction/initiate', [
      { body: { ...request, amount: 0 }, status: 400, error: 'INVALID_REQUEST', names: 'amount' },
      { body: request, status: 409, error: 'TRANSACTION_IN_PROGRESS' },
    ]);
    await refusesOtherCallers(reader(), 'POST', '/v1/transaction/initiate', request);
    const declined = await run(reader(), '/v1/transaction/complete', { transactionId, responseCode: '51' });
    expect(declined).toMatchObject({ status: 'DECLINED', responseCode: '51' });
  },
  async 'pos.complete'({ reader }) {
    const request = { ...sale, amount: 12_000, entryMode: 'CONTACT' };
    const { transactionId } = await run(reader(), '/v1/transaction/initiate', request);
    const completion = { transactionId, responseCode: '00', authorizationCode: 'ABC123' };
    await refuses(reader(), '/v1/transaction/complete', [
      { body: { ...completion, responseCode: '' }, status: 400, error: 'INVALID_REQUEST', names: 'responseCode' },
      { body: { ...completion, transactionId: 'nobody' }, status: 404, error: 'NOT_FOUND' },
    ]);
    // Its transaction names the terminal.
    await refusesCallersWithoutKey(reader(), 'POST', '/v1/transaction/complete', completion);
    const approved = await run(reader(), '/v1/transaction/complete', completion);
    expect(approved).toMatchObject({ status: 'APPROVED', authorizationCode: 'ABC123', amount: 12_000 });
    const found = await reader().pos.get(`/v1/transactions/${transactionId}`, ofTerminal(reader()));
    expect(found.body).toMatchObject({ status: 'APPROVED', transactionId });
  },
  async 'pos.session'({ own }) {
    const before = await standing(own());
    const { url, key, terminalId } = own();
    const session = await openSession(url, key);
    session.send({
      action: 'sale',
      amount: 2_000,
      currency,
      terminalId,
      requestId: 'r-1',
      idempotencyKey: keyAt(own(), 'session-1'),
    });
    const result = await session.until('result');
    expect(validate(TransactionResponse, result.response)).toMatchObject({ status: 'APPROVED', amount: 2_000 });
    expect(result).toMatchObject({ requestId: 'r-1', terminalId });
    expect(session.names()).toEqual(expect.arrayContaining(['card_detected', 'processing', 'result']));
    session.send({ action: 'sale', amount: 0, currency, terminalId, requestId: 'r-2' });
    expect(await session.until('error')).toMatchObject({ requestId: 'r-2', errorCode: 'INVALID_REQUEST' });
    session.close();
    expect(await standing(own())).toEqual({ ...before, charges: before.charges + 2_000 });
    await expect(openSession(url, `${key}x`)).rejects.toThrow('401');
  },
};

const sale = { type: 'SALE', amount: 2_000, currency } as const;

export function posApiBattery(addresses: PosApiAddresses): void {
  const wanted = posEndpoints.filter(({ id }) => id.startsWith('pos.')).map(({ id }) => id);

  it('has a test for every row of the table', () => {
    expect(wanted.length).toBeGreaterThan(10);
    expect(Object.keys(rows).sort()).toEqual(wanted.toSorted());
  });

  for (const [row, test] of Object.entries(rows)) it(row, () => test(addresses), ROW_MS);
}

const ofTerminal = ({ terminalId }: PosApiAddress) => ({ 'x-terminal-id': terminalId });

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));
}

/** Sums that stand in the terminal's own book, in minor units. */
async function standing({ terminal }: PosApiAddress) {
  const { charges, refunds, holds } = (await terminal.book()).standing;
  return { charges: charges.sumMinor, refunds: refunds.sumMinor, holds: holds.sumMinor };
}

const post = (address: PosApiAddress, path: string, body: unknown, key?: string): Promise<PosAnswer> =>
  address.pos.post(path, body, {
    ...ofTerminal(address),
    ...(key === undefined ? {} : { 'idempotency-key': keyAt(address, key) }),
  });

/** Each address has keys of its own: at the cloud the same key is the same call, but not the same as at the till. */
const keyAt = ({ terminalId }: PosApiAddress, key: string) => `${terminalId}.${key}`;

/** A call that the terminal runs: 200 with the response of the specification. */
async function run(address: PosApiAddress, path: string, body: Fields, key?: string): Promise<TransactionResponse> {
  const answer = await post(address, path, body, key);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get('x-request-id')).toMatch(/./);
  return validate(TransactionResponse, answer.body);
}

/** The same call under the same key: the same bytes, and nothing more is charged. */
async function repeats(
  address: PosApiAddress,
  path: string,
  body: Fields,
  key: string,
  first: TransactionResponse,
): Promise<void> {
  const before = await standing(address);
  const again = await post(address, path, body, key);
  expect(again.status, again.text).toBe(200);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(first);
  expect(await standing(address)).toEqual(before);
}

interface Refusal {
  readonly body: unknown;
  readonly key?: string;
  readonly status: number;
  readonly error: string;
  /** What the message names. */
  readonly names?: string;
}

async function refuses(address: PosApiAddress, path: string, refusals: readonly Refusal[]): Promise<void> {
  for (const { body, key, status, error, names = '' } of refusals) {
    const answer = await post(address, path, body, key);
    expect([answer.status, answer.body.error], answer.text).toEqual([status, error]);
    expect(answer.body.message).toContain(names);
  }
}

async function refusesWrongAmounts(address: PosApiAddress, path: string, request: Fields): Promise<void> {
  const wrong = [0, -1, 1.5, '10', null];
  const refusals = wrong.map((amount) => ({
    body: { ...request, amount },
    status: 400,
    error: 'INVALID_REQUEST',
    names: 'amount',
  }));
  await refuses(address, path, refusals);
  await refusesOtherCallers(address, 'POST', path, request);
}

/** Without a key, with a wrong one, and for a terminal that is nobody's. */
async function refusesOtherCallers(address: PosApiAddress, method: string, path: string, body?: Fields): Promise<void> {
  await refusesCallersWithoutKey(address, method, path, body);
  const elsewhere = { 'x-terminal-id': 'nobody', 'x-api-key': address.key };
  expect(await errorOf(address, method, path, elsewhere, body)).toEqual([404, 'NOT_FOUND']);
}

async function refusesCallersWithoutKey(address: PosApiAddress, method: string, path: string, body?: Fields) {
  const wrongKey = { ...ofTerminal(address), 'x-api-key': `${address.key}x` };
  for (const headers of [ofTerminal(address), wrongKey]) {
    expect(await errorOf(address, method, path, headers, body)).toEqual([401, 'UNAUTHENTICATED']);
  }
}

async function errorOf(
  { url }: PosApiAddress,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Fields | undefined,
): Promise<readonly [status: number, error: string]> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(new URL(path, url), { method, headers: { ...type, ...headers }, ...sent });
  return [answer.status, ((await answer.json()) as { error: string }).error];
}

interface Told {
  readonly event: string;
  readonly response?: unknown;
  readonly [field: string]: unknown;
}

interface Session {
  send(action: Fields): void;
  /** The next event of this name. */
  until(event: string): Promise<Told>;
  /** Names of everything that came. */
  names(): readonly string[];
  close(): void;
}

function openSession(url: string, key: string): Promise<Session> {
  const socket = new WebSocket(new URL('/v1/session', url.replace('http', 'ws')), { headers: { 'x-api-key': key } });
  const told: Told[] = [];
  let read = 0;
  let onMore = (): void => undefined;
  socket.on('message', (data) => {
    told.push(JSON.parse(String(data)) as Told);
    onMore();
  });
  const session: Session = {
    send: (action) => socket.send(JSON.stringify(action)),
    async until(event) {
      for (;;) {
        const next = told.slice(read).findIndex((each) => each.event === event);
        if (next >= 0) {
          read += next + 1;
          return told[read - 1] as Told;
        }
        await new Promise<void>((resolve) => {
          onMore = resolve;
        });
      }
    },
    names: () => told.map(({ event }) => event),
    close: () => socket.close(),
  };
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(session));
    socket.once('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))));
    socket.on('error', reject);
  });
}
