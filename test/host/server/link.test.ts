import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { LinkMessage } from '../../../app/contract/host/link.ts';
import { validate } from '../../../app/contract/validate.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { credentials, device } from './fake-host.ts';
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

interface Link {
  readonly socket: WebSocket;
  readonly requestId: string | undefined;
  /** Subjects of the wake-ups so far, when there are as many. */
  woken(count: number): Promise<readonly string[]>;
  closed(): Promise<number>;
}

async function open(token: string = credentials.deviceToken, options: object = {}): Promise<Link> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/terminal/link`, {
    headers: { authorization: `Bearer ${token}` },
    ...options,
  });
  const subjects: string[] = [];
  socket.on('message', (data) => subjects.push(validate(LinkMessage, JSON.parse(String(data))).subject));
  const end = new Promise<number>((resolve) => socket.once('close', resolve));
  let requestId: string | undefined;
  socket.once('upgrade', ({ headers }) => {
    requestId = String(headers['x-request-id']);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  return {
    socket,
    requestId,
    woken: async (count) => {
      await vi.waitFor(() => expect(subjects.length).toBeGreaterThanOrEqual(count), 10_000);
      return subjects;
    },
    closed: () => end,
  };
}

describe('the link of a terminal', () => {
  it('wakes it at once, so that nothing that waits is missed, and then when there is something', async () => {
    const link = await open();
    expect(link.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await link.woken(1)).toEqual(['PAYMENT_SESSION']);
    harness.links.wake(device, 'CONFIGURATION');
    harness.links.wake({ ...device, terminalId: 'T-2' }, 'PAYMENT_SESSION');
    harness.links.wake({ ...device, merchantId: 'M-2' }, 'PAYMENT_SESSION');
    harness.links.wake(device, 'PAYMENT_SESSION');
    expect(await link.woken(3)).toEqual(['PAYMENT_SESSION', 'CONFIGURATION', 'PAYMENT_SESSION']);
    expect(harness.links.count()).toBe(1);
  });

  it.each([
    ['no token', undefined, 401],
    ['an unknown token', 'Bearer dt_x', 401],
    ['a secret key', `Bearer ${credentials.secretKey}`, 403],
  ])('is refused with %s', async (_what, authorization, status) => {
    const answer = await fetch(
      `${url}/api/v1/terminal/link`,
      authorization === undefined ? {} : { headers: { authorization } },
    );
    expect(answer.status).toBe(status);
    const headers = authorization === undefined ? {} : { authorization };
    await expect(open('', { headers })).rejects.toThrow(String(status));
  });

  it('is no plain call, and no other path is a WebSocket', async () => {
    const headers = { authorization: `Bearer ${credentials.deviceToken}` };
    const plain = await fetch(`${url}/api/v1/terminal/link`, { headers });
    expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket']);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/terminal/config`, { headers });
    const error = await new Promise<Error>((resolve) => socket.once('error', resolve));
    expect(error.message).toContain('400');
  });

  it('takes the place of an earlier one of the same terminal, and of no other', async () => {
    const first = await open();
    const other = await open(credentials.otherDeviceToken);
    const second = await open();
    expect(await first.closed()).toBe(4409);
    harness.links.wake(device, 'CONFIGURATION');
    expect(await second.woken(2)).toEqual(['PAYMENT_SESSION', 'CONFIGURATION']);
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
    expect(harness.links.count()).toBe(2);
  });

  it('ends within half a minute when its token is revoked, and outlives an outage of the database', async () => {
    const link = await open();
    const other = await open(credentials.otherDeviceToken);
    const pinged = () => new Promise((resolve) => link.socket.once('ping', resolve));
    harness.revoked.add(credentials.deviceToken);
    for (let ping = 1; ping <= 5; ping += 1) {
      const next = pinged();
      await clock.advance(5_000);
      await next;
    }
    expect(link.socket.readyState).toBe(WebSocket.OPEN);
    await clock.advance(5_000);
    expect(await link.closed()).toBe(4401);

    harness.answerWith('deviceOf', () => {
      throw new Error('away');
    });
    for (let ping = 1; ping <= 7; ping += 1) {
      const next = new Promise((resolve) => other.socket.once('ping', resolve));
      await clock.advance(5_000);
      await next;
    }
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('is cut off when its terminal is silent for 15 seconds', async () => {
    const link = await open(credentials.deviceToken, { autoPong: false });
    for (let ping = 1; ping <= 3; ping += 1) await clock.advance(5_000);
    expect(await link.closed()).toBe(1006);
    await vi.waitFor(() => expect(harness.links.count()).toBe(0), 10_000);
  });

  it('is closed with 1001 when the host stops', async () => {
    const link = await open();
    const [code] = await Promise.all([link.closed(), harness.server.close()]);
    expect(code).toBe(1001);
  });

  it('never has its token in the log', async () => {
    await open();
    expect(harness.lines.map(({ message }) => message)).toContain('link opened');
    expect(JSON.stringify(harness.lines)).not.toContain(credentials.deviceToken);
  });
});
