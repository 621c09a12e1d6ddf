import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { ErrorResponse } from '../../app/contract/errors.ts';
import { LinkAnswer, type LinkCall, LinkEvent, type LinkListen } from '../../app/contract/host/link.ts';
import type { TransactionEvent } from '../../app/contract/session.ts';
import { validate } from '../../app/contract/validate.ts';
import { Secret } from '../../app/domain/secret.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { MAX_LINKED_CALLS } from '../../app/sync/sync-limits.ts';
import { createTerminalLink, type TerminalLink } from '../../app/sync/terminal-link.ts';
import { until } from '../host/support/until.ts';
import { quietLog } from '../support/engine-harness.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

/** Longer than any pause between two tries. */
const LONG_MS = 120_000;
const token = 'device-token-1';
const CLOSED = 3;

let server: Server;
let sockets: WebSocket[];
let tokens: (string | undefined)[];
let isRefusing: boolean;
let clock: ManualClock;
let link: TerminalLink;
let woken: string[];
let called: LinkCall[];
let listeners: Set<(event: TransactionEvent) => void>;
let holds: (() => void)[];
let hasHost: boolean;
let epoch: string;

beforeEach(async () => {
  sockets = [];
  tokens = [];
  woken = [];
  called = [];
  holds = [];
  const listening = new Set<(event: TransactionEvent) => void>();
  listeners = listening;
  isRefusing = false;
  hasHost = true;
  epoch = 'first';
  server = createServer();
  const host = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    tokens.push(request.headers.authorization);
    if (isRefusing) return void socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
    host.handleUpgrade(request, socket, head, (made) => sockets.push(made));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  clock = createManualClock();
  link = createTerminalLink({
    terminalId: 'T1',
    access: async () => (hasHost ? { url, deviceToken: new Secret(token) } : undefined),
    epoch: () => epoch,
    onWake: (subject) => void woken.push(subject),
    async onCall(call) {
      called.push(call);
      if (call.path === '/v1/broken') throw new TypeError('broken');
      if (call.path === '/v1/held') await new Promise<void>((resolve) => holds.push(resolve));
      return { statusCode: 200, headers: {}, body: '{}' };
    },
    listen(tell) {
      listening.add(tell);
      return () => listening.delete(tell);
    },
    ...{ clock, ids: nodeIds, log: quietLog },
  });
});
afterEach(async () => {
  link.stop();
  for (const socket of sockets) socket.terminate();
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const linked = (count = 1) => until(() => sockets.length === count && link.isUp());
/** What the till answers from now on. */
const heard = () => {
  const answers: LinkAnswer[] = [];
  sockets[0]?.on('message', (data) => answers.push(validate(LinkAnswer, JSON.parse(String(data)))));
  return answers;
};
const wake = (subject: string) => sockets.at(-1)?.send(JSON.stringify({ event: 'wake', subject }));

describe('the link to the host', () => {
  it('shows its token in a header, and is woken', async () => {
    link.start();
    await linked();
    wake('PAYMENT_SESSION');
    wake('CONFIGURATION');
    await until(() => woken.length === 2);
    expect(woken).toEqual(['PAYMENT_SESSION', 'CONFIGURATION']);
    expect(tokens).toEqual([`Bearer ${token}`]);
  });

  it.each([
    'no JSON',
    '{"event":"wake","subject":"LUNCH"}',
    '{"event":"wake"}',
    '[]',
    '{"event":"wake","event":"wake","subject":"CONFIGURATION"}',
  ])('is not disturbed by %s', async (text) => {
    link.start();
    await linked();
    sockets.at(-1)?.send(text);
    wake('CONFIGURATION');
    await until(() => woken.length > 0);
    expect(woken).toEqual(['CONFIGURATION']);
  });

  it('hands a POS call over and answers on the same socket, under its callId', async () => {
    link.start();
    await linked();
    const answers = heard();
    const call: LinkCall = {
      ...{
        event: 'call',
        callId: 'c1',
        clientId: 'K1',
        clientName: 'Shop',
        method: 'POST',
        path: '/v1/transaction/sale',
      },
      ...{ idempotencyKey: 'k', body: '"'.repeat(65_536), transactionId: 'tx-1' },
    };
    sockets[0]?.send(JSON.stringify({ ...call, callId: 'c0', path: '/v1/broken' }));
    sockets[0]?.send(JSON.stringify(call));
    await until(() => answers.length > 0);
    expect(answers).toEqual([{ event: 'answer', callId: 'c1', statusCode: 200, headers: {}, body: '{}' }]);
    expect(called.at(-1)).toEqual(call);
  });

  const asked = (path: string, callId = 'c') => ({
    ...{ event: 'call', callId, clientId: 'K', clientName: 'S', method: 'GET', path },
  });

  it.each([
    ['a field that it does not know', { ...asked('/v1/device/health'), since: 7 }],
    ['another method', { ...asked('/v1/device/health'), method: 'PUT' }],
    ['a path of the host', asked('/api/v1/terminal/config')],
    ['the path of another server', asked('http://elsewhere/v1/health')],
    ['no path', asked('')],
  ])('refuses a call with %s, and does not run it', async (_what, message) => {
    link.start();
    await linked();
    const answers = heard();
    sockets[0]?.send(JSON.stringify(message));
    await until(() => answers.length > 0);
    const [answer] = answers;
    expect(answer).toMatchObject({ callId: 'c', statusCode: 400 });
    expect(validate(ErrorResponse, JSON.parse(answer?.body ?? '')).error).toBe('INVALID_REQUEST');
    expect(called).toEqual([]);
  });

  it('refuses the calls beyond what may run at once, and runs them once others have ended', async () => {
    link.start();
    await linked();
    const answers = heard();
    for (let count = 0; count <= MAX_LINKED_CALLS; count++)
      sockets[0]?.send(JSON.stringify(asked('/v1/held', `c${count}`)));
    await until(() => answers.length > 0);
    expect(answers).toMatchObject([
      { callId: `c${MAX_LINKED_CALLS}`, statusCode: 429, headers: { 'retry-after': '1' } },
    ]);
    expect(validate(ErrorResponse, JSON.parse(answers[0]?.body ?? '')).error).toBe('RATE_LIMITED');
    expect(called).toHaveLength(MAX_LINKED_CALLS);
    holds[0]?.();
    await until(() => answers.length === 2);
    sockets[0]?.send(JSON.stringify(asked('/v1/device/health', 'later')));
    await until(() => answers.length === 3);
    expect(answers[2]).toMatchObject({ callId: 'later', statusCode: 200 });
  });

  it('runs a call once that comes twice, and answers it with its end', async () => {
    link.start();
    await linked();
    const answers = heard();
    const twice = JSON.stringify(asked('/v1/held'));
    sockets[0]?.send(twice);
    sockets[0]?.send(twice);
    sockets[0]?.send(JSON.stringify(asked('/v1/device/health', 'later')));
    await until(() => answers.length === 1);
    holds[0]?.();
    await until(() => answers.length === 2);
    expect(called.map(({ path }) => path)).toEqual(['/v1/held', '/v1/device/health']);
    expect(answers.map(({ callId }) => callId)).toEqual(['later', 'c']);
  });

  const listen = (isWanted: boolean) =>
    sockets.at(-1)?.send(JSON.stringify({ event: 'listen', isWanted } satisfies LinkListen));
  const pin = (sequence: number): TransactionEvent => ({
    ...{ event: 'pin_required', sequence, at: '2026-11-27T10:00:00.000Z' },
    ...{ terminalId: 'T1', transactionId: 'tx-1' },
  });

  it('tells the events of its terminal while its host listens, and as long as it is up', async () => {
    link.start();
    await linked();
    const told: LinkEvent[] = [];
    sockets[0]?.on('message', (data) => told.push(validate(LinkEvent, JSON.parse(String(data)))));
    expect(listeners.size).toBe(0);
    listen(true);
    listen(true);
    await until(() => listeners.size === 1);
    for (const tell of listeners) tell(pin(7));
    await until(() => told.length === 1);
    expect(told).toEqual([{ event: 'happened', happened: pin(7) }]);
    listen(false);
    await until(() => listeners.size === 0);
    listen(true);
    await until(() => listeners.size === 1);
    sockets[0]?.terminate();
    await until(() => listeners.size === 0);
  });

  it('is given up when its host reads too slowly', async () => {
    link.start();
    await linked();
    listen(true);
    await until(() => listeners.size === 1);
    sockets[0]?.pause();
    const event = { ...pin(1), message: 'x'.repeat(1_048_576) };
    await until(() => {
      for (const tell of listeners) tell(event);
      return listeners.size === 0;
    });
    expect(link.isUp()).toBe(false);
  });

  it('takes a message of a newer host', async () => {
    link.start();
    await linked();
    sockets.at(-1)?.send('{"event":"wake","subject":"CONFIGURATION","since":7}');
    await until(() => woken.length > 0);
  });

  it('is opened again when it was lost, however often', async () => {
    link.start();
    for (let count = 1; count <= 4; count++) {
      await until(async () => {
        await clock.advance(1_000);
        return sockets.length === count && link.isUp();
      });
      sockets.at(-1)?.terminate();
      await until(() => !link.isUp());
    }
    expect(tokens).toHaveLength(4);
  });

  it('is tried on while the host refuses it, and not in a tight loop', async () => {
    isRefusing = true;
    link.start();
    await until(() => tokens.length === 1);
    await clock.advance(500);
    expect(tokens).toHaveLength(1);
    await until(async () => {
      await clock.advance(1_000);
      return tokens.length >= 3;
    });
    isRefusing = false;
    await until(async () => {
      await clock.advance(LONG_MS);
      return link.isUp();
    });
  });

  it('is given up when the host is silent, and kept while it pings', async () => {
    link.start();
    await linked();
    for (let second = 0; second < 60; second += 15) {
      await clock.advance(15_000);
      sockets[0]?.ping();
      await new Promise((resolve) => sockets[0]?.once('pong', resolve));
    }
    expect(sockets).toHaveLength(1);
    await clock.advance(21_000);
    await until(() => sockets[0]?.readyState === CLOSED);
  });

  it('waits for a host that comes later', async () => {
    hasHost = false;
    link.start();
    await clock.advance(5_000);
    expect(tokens).toEqual([]);
    hasHost = true;
    await until(async () => {
      await clock.advance(LONG_MS);
      return link.isUp();
    });
  });

  it('is tried at once when somebody knows that the host is back', async () => {
    isRefusing = true;
    link.start();
    await until(() => tokens.length === 1);
    isRefusing = false;
    await until(() => {
      link.retry();
      return link.isUp();
    });
    link.retry();
    expect(sockets).toHaveLength(1);
  });

  it('is opened anew once the terminal has another token', async () => {
    link.start();
    await linked();
    epoch = 'second';
    sockets[0]?.ping();
    await until(() => sockets[0]?.readyState === CLOSED);
    await until(async () => {
      await clock.advance(1_000);
      return sockets.length === 2 && link.isUp();
    });
  });

  it('ends when it is stopped, and does not come back', async () => {
    link.start();
    await linked();
    link.stop();
    await until(() => sockets[0]?.readyState === CLOSED);
    await clock.advance(LONG_MS);
    expect(sockets).toHaveLength(1);
    expect(link.isUp()).toBe(false);
  });
});
