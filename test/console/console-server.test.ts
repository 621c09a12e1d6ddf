import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBirpc } from 'birpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type {
  ConsoleClientFunctions,
  ConsoleEvent,
  ConsoleServerFunctions,
  SignedOutReason,
} from '../../app/contract/console/channel.ts';
import { nodeClock, nodeIds } from '../../app/programs/node-ports.ts';
import { defaultConsoleServerSettings } from '../../app/server/console-options.ts';
import { buildConsoleServer, type ConsoleServer } from '../../app/server/console-server.ts';
import { quietLog } from '../support/engine-harness.ts';
import { type ConsoleHarness, createConsoleHarness } from './console-harness.ts';

let harness: ConsoleHarness;
let server: ConsoleServer;
let url: string;
let filesDir: string;

beforeEach(async () => {
  filesDir = mkdtempSync(join(tmpdir(), 'console-files-'));
  mkdirSync(join(filesDir, 'assets'));
  writeFileSync(join(filesDir, 'index.html'), '<!doctype html><title>Till</title>');
  writeFileSync(join(filesDir, 'assets', 'index-Ab3_xY-9.js'), 'export {};');
  harness = await createConsoleHarness();
  server = await buildConsoleServer(
    { door: harness.console, downloads: harness.downloads, clock: nodeClock, ids: nodeIds, log: quietLog },
    { ...defaultConsoleServerSettings, filesDir, maxWindows: 2 },
  );
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await server.close();
  await harness.stop();
  rmSync(filesDir, { recursive: true, force: true });
});

function get(path: string, headers: Record<string, string> = {}, options: RequestInit = {}): Promise<Response> {
  return fetch(`${url}${path}`, { headers, redirect: 'manual', ...options });
}

/** Goes in by a token, as a browser does. */
async function cookieByToken(): Promise<string> {
  const answer = await get(`/?token=${server.issueToken()}`);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/');
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

interface Window {
  readonly socket: WebSocket;
  readonly rpc: { call: ConsoleServerFunctions['call'] };
  readonly events: readonly ConsoleEvent[];
  readonly signedOut: readonly SignedOutReason[];
  readonly closed: Promise<number>;
}

/** Opens a window as the screen does. @throws Error whose message holds the status when the upgrade is refused */
async function openWindow(cookie: string, headers: Record<string, string> = {}): Promise<Window> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/console`, {
    headers: { cookie, origin: url, ...headers },
  });
  const events: ConsoleEvent[] = [];
  const signedOut: SignedOutReason[] = [];
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  const rpc = createBirpc<ConsoleServerFunctions, ConsoleClientFunctions>(
    {
      event: (event) => events.push(event),
      signedOut: (reason) => signedOut.push(reason),
      virtualTerminal: () => undefined,
    },
    {
      post: (message) => socket.send(message),
      on: (receive) => socket.on('message', (data) => receive(String(data))),
      serialize: JSON.stringify,
      deserialize: JSON.parse,
      timeout: -1,
    },
  );
  return { socket, rpc: { call: rpc.call as ConsoleServerFunctions['call'] }, events, signedOut, closed };
}

describe('the entry', () => {
  it('turns a one-time token into a cookie that no script and no other site can use, and forgets the token', async () => {
    const token = server.issueToken();
    const first = await get(`/?token=${token}`);
    expect(first.status).toBe(303);
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^console_[0-9]+=[A-Za-z0-9_-]{43}; /);
    expect(cookie.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict']);
    const second = await get(`/?token=${token}`);
    expect(second.status).toBe(401);
    expect(second.headers.get('set-cookie')).toBeNull();
    expect(Buffer.from(token, 'base64url')).toHaveLength(16);
  });

  it('refuses everything without the cookie, and with one of another kind', async () => {
    for (const path of ['/', '/index.html', '/activity/x', '/assets/index-Ab3_xY-9.js', '/console', '/nothing.js']) {
      expect((await get(path)).status, path).toBe(401);
      expect((await get(path, { cookie: `console_${new URL(url).port}=guess` })).status, path).toBe(401);
    }
    expect((await get('/?token=guess')).status).toBe(401);
    await expect(openWindow('')).rejects.toThrow('401');
  });

  it('answers under its own names and to its own pages only', async () => {
    const cookie = await cookieByToken();
    const { app } = server;
    const inject = (headers: Record<string, string>) => app.inject({ url: '/', headers: { cookie, ...headers } });
    expect((await inject({ host: 'evil.example' })).json()).toMatchObject({ error: 'HOST_NOT_ALLOWED' });
    expect((await get('/', { cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect((await get('/', { cookie, origin: 'null' })).status).toBe(403);
    expect((await get('/', { cookie, origin: url })).status).toBe(200);
    await expect(openWindow(cookie, { origin: 'https://evil.example' })).rejects.toThrow('403');
    await expect(openWindow(cookie, { origin: url.replace(/:[0-9]+$/, ':1') })).rejects.toThrow('403');
  });
});

describe('the files', () => {
  it('are the page under every address of the screen, kept only where their name has a hash, under a strict policy', async () => {
    const cookie = await cookieByToken();
    for (const path of ['/', '/activity/0a1b', '/sell']) {
      const page = await get(path, { cookie });
      expect(page.status, path).toBe(200);
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(page.headers.get('cache-control')).toBe('no-store');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/https?:|\*|unsafe-/);
    }
    const asset = await get('/assets/index-Ab3_xY-9.js', { cookie });
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect((await get('/assets/other.js', { cookie })).status).toBe(404);
    expect((await get('/', { cookie }, { method: 'POST' })).status).toBe(404);
    expect((await get('/%2e%2e/%2e%2e/etc/passwd.txt', { cookie })).status).toBeGreaterThanOrEqual(400);
  });
});

describe('the socket', () => {
  it('carries calls, refusals and events', async () => {
    const window = await openWindow(await cookieByToken());
    expect(await window.rpc.call('day.preview', {})).toMatchObject({
      ok: false,
      refusal: { error: 'UNAUTHENTICATED', reason: 'SIGN_IN_REQUIRED' },
    });
    expect(await window.rpc.call('session.signIn', harness.staff.CASHIER)).toMatchObject({
      ok: true,
      value: { name: 'Anna', role: 'CASHIER' },
    });
    const request = { type: 'SALE', amount: 1_250, currency: 'EUR', idempotencyKey: 'press-1' } as const;
    expect(await window.rpc.call('sell.start', request)).toMatchObject({ ok: true, value: { status: 'APPROVED' } });
    expect(window.events.filter(({ event }) => event === 'result')).toHaveLength(1);
    await window.rpc.call('session.signOut', {});
    expect(window.signedOut).toEqual(['SIGNED_OUT']);
    window.socket.close();
    await window.closed;
  });

  it('gives two windows of one browser the same sign-in', async () => {
    const cookie = await cookieByToken();
    const [one, two] = [await openWindow(cookie), await openWindow(cookie)];
    await one.rpc.call('session.signIn', harness.staff.MANAGER);
    expect(await two.rpc.call('session.state', {})).toMatchObject({ value: { signedIn: { name: 'Ben' } } });
    const third = await openWindow(cookie);
    expect(await third.closed).toBe(1013);
  });

  it('ends at a message that is too large', async () => {
    const window = await openWindow(await cookieByToken());
    window.socket.send(JSON.stringify({ t: 'q', i: '1', m: 'call', a: ['session.state', { x: 'x'.repeat(70_000) }] }));
    expect(await window.closed).toBe(1009);
  });

  it.each([
    'null',
    '[]',
    '{',
    '{"t":"q","i":"1","m":"constructor","a":["a",{}]}',
    '{"t":"q","i":"1","m":"call","a":["session.state"]}',
    '{"t":"q","i":"1","m":"call","a":"ab"}',
    '{"t":"q","m":"call","a":["session.state",{}]}',
    '{"t":"s","i":"1","r":1}',
    '{"t":"q","i":"1","m":"call","a":["a",{}],"a":["b",{}]}',
  ])('ends at what is no call: %s', async (text) => {
    const window = await openWindow(await cookieByToken());
    window.socket.send(text);
    expect(await window.closed).toBe(1008);
  });

  it('is no other address, and no plain request', async () => {
    const cookie = await cookieByToken();
    expect((await get('/console', { cookie })).status).toBe(426);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/activity`, { headers: { cookie, origin: url } });
    const refused = new Promise<string>((resolve) => socket.once('error', (error) => resolve(error.message)));
    expect(await refused).toContain('400');
  });

  it('closes with 1001 when the till ends, after a running payment was answered', async () => {
    const window = await openWindow(await cookieByToken());
    await window.rpc.call('session.signIn', harness.staff.CASHIER);
    harness.engine.device.next({ hold: ['CARD'] });
    const request = { type: 'SALE', amount: 100, currency: 'EUR', idempotencyKey: 'k' } as const;
    const sale = window.rpc.call('sell.start', request);
    await expect.poll(() => harness.engine.device.isHeld('CARD')).toBe(true);
    const closing = server.close();
    harness.engine.device.release('CARD');
    expect(await sale).toMatchObject({ ok: true, value: { status: 'APPROVED' } });
    expect(await window.closed).toBe(1001);
    await closing;
  });
});
