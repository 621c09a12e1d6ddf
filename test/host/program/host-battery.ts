import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { runProgram } from '../../support/processes.ts';
import type { TestDatabase } from '../test-databases.ts';
import { admin, apiKey, bearer, call, demoOf, type HostProgram, hostPrograms, purchase } from './host-program.ts';

/** How a database is named to the program: on SQLite by option, on PostgreSQL by its environment, as it has a password. */
interface Named {
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** What the program of the host does, on either database. */
export function hostBattery(databases: TestDatabase): void {
  const programs = hostPrograms();
  const nameOf = (database: string): Named =>
    database.startsWith('sqlite:')
      ? { args: ['--database', database], environment: {} }
      : { args: [], environment: { TILL_HOST_DATABASE_URL: database } };

  async function startDemo(database: string, dataDir = programs.dataDir()): Promise<HostProgram> {
    const { args, environment } = nameOf(database);
    return await programs.start([...args, '--data-dir', dataDir, '--demo'], environment);
  }

  describe('npm run host', () => {
    it('says where it is, and takes a payment with what it has named', async () => {
      const database = await databases.create();
      const host = await startDemo(database);
      const demo = demoOf(host);
      expect(host.ready).toMatchObject({ acquirer: 'simulator', pid: host.process.pid });
      expect(host.ready.database).not.toContain('for-tests-only');
      expect(host.ready.children).toHaveLength(1);
      expect((await call(host, 'GET', '/ready')).json()).toEqual({ status: 'ready', database: true });

      const paid = await purchase(host, demo, 'key-1', 2_147_483_649);
      expect([paid.status, paid.json()]).toMatchObject([200, { approved: true, responseCode: '00' }]);
      const again = await purchase(host, demo, 'key-1', 2_147_483_649);
      expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([paid.text, 'true']);
      const other = await purchase(host, demo, 'key-1', 2_147_483_650);
      expect([other.status, other.json().error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      const declined = await purchase(host, demo, 'key-2', 1051);
      expect(declined.json()).toMatchObject({ approved: false, payment: { status: 'DECLINED' } });

      const list = await call(host, 'GET', '/v1/payments?status=SUCCEEDED', apiKey(demo.secretKey));
      expect(list.json().data).toMatchObject([{ amountMinor: 2_147_483_649, status: 'SUCCEEDED' }]);
      const { control, book } = host.ready.simulator ?? {};
      const kept = await (await fetch(`${control}/book`)).json();
      expect(kept.standing).toMatchObject([{ captured: { count: 1, sumMinor: 2_147_483_649 } }]);
      expect(readFileSync(book ?? '', 'utf8')).toContain('2147483649');
      for (const secret of [demo.deviceToken, demo.secretKey, 'for-tests-only'])
        expect(host.errors()).not.toContain(secret);
    });

    it('knows its demo merchant again, and what was paid, after it was killed', async () => {
      const database = await databases.create();
      const dataDir = programs.dataDir();
      const first = await startDemo(database, dataDir);
      const paid = await purchase(first, demoOf(first), 'key-1');
      first.kill('SIGKILL');
      await first.ended;

      const second = await startDemo(database, dataDir);
      expect(second.ready.demo).toEqual(first.ready.demo);
      // The simulator has outlived the host, as an acquirer does.
      expect(second.ready.children).toEqual(first.ready.children);
      expect((await purchase(second, demoOf(second), 'key-1')).text).toBe(paid.text);
    });

    it('provisions by its admin command while it runs: merchant, terminal, code, keys, each until it is revoked', async () => {
      const database = await databases.create();
      const dataDir = programs.dataDir();
      const { args, environment } = nameOf(database);
      const host = await programs.start([...args, '--data-dir', dataDir], environment);
      expect(host.ready.demo).toBeUndefined();
      const run = (...command: readonly string[]) => admin([...command, ...args, '--data-dir', dataDir], environment);
      const { merchantId = '' } = await run('merchants', 'add', '--name', 'Corner Shop');
      const of = ['--merchant', merchantId] as const;
      const terminal = await run('terminals', 'add', ...of, '--name', 'Lane 1', '--currency', 'JPY', '--id', 'T-9');
      expect(terminal).toMatchObject({ terminalId: 'T-9', state: 'UNPAIRED', currency: 'JPY' });
      await expect(
        run('terminals', 'add', ...of, '--name', 'Lane 1', '--currency', 'EUR', '--id', 'T-9'),
      ).rejects.toThrow('is there already');
      const { pairingCode } = await run('pairing-codes', 'add', ...of, '--terminal', 'T-9');
      const pair = (code: unknown, expected = {}) =>
        call(host, 'POST', '/api/v1/terminal/pair', {}, { pairingCode: code, expected });

      const unexpected = (await pair(pairingCode, { merchantId, terminalId: 'T-8' })).json();
      expect(unexpected).toMatchObject({ error: 'ILLEGAL_STATE', field: 'terminalId' });
      const paired = (await pair(pairingCode)).json();
      expect(paired).toMatchObject({ merchantId, terminalId: 'T-9', currencyCode: 'JPY' });
      expect(paired).toMatchObject({ merchantName: 'Corner Shop', terminalName: 'Lane 1' });
      expect(paired.deviceToken).toMatch(/^dt_[A-Za-z0-9_-]{43}$/);
      expect((await pair(pairingCode)).json().error).toBe('PAIRING_CODE_INVALID');
      const config = () => call(host, 'GET', '/api/v1/terminal/config', bearer(String(paired.deviceToken)));
      expect((await config()).json()).toMatchObject({ merchantId, terminalId: 'T-9', currencyCode: 'JPY' });

      const issued = await run('keys', 'add', ...of, '--name', 'Server');
      const payments = async (key = '') => (await call(host, 'GET', '/v1/payments', apiKey(key))).status;
      expect(issued.key).toMatch(/^sk_[A-Za-z0-9_-]{43}$/);
      expect(await payments(issued.key)).toBe(200);
      const rotated = await run('keys', 'rotate', ...of, '--key', issued.keyId ?? '', '--keep-hours', '1');
      expect([await payments(issued.key), await payments(rotated.key)]).toEqual([200, 200]);
      await run('keys', 'revoke', ...of, '--key', issued.keyId ?? '');
      expect([await payments(issued.key), await payments(rotated.key)]).toEqual([401, 200]);
      const publishable = await run('keys', 'add', ...of, '--name', 'Page', '--publishable');
      expect(publishable.key).toMatch(/^pk_/);
      expect(await payments(publishable.key)).toBe(403);
      const listed = JSON.stringify(await run('keys', 'list', ...of));
      for (const { key } of [issued, rotated, publishable]) expect(listed).not.toContain(key);

      const clients = async () =>
        (await call(host, 'GET', '/api/v1/terminal/pos-clients', bearer(String(paired.deviceToken)))).json();
      const front = await run('pos-clients', 'add', ...of, '--name', 'Front');
      expect(front.key).toMatch(/^pos_[A-Za-z0-9_-]{43}$/);
      const sha256 = (key = '') => createHash('sha256').update(key).digest('hex');
      const told = { clientId: front.clientId, name: 'Front' };
      expect(await clients()).toMatchObject({ version: 1, clients: [{ ...told, keyHash: sha256(front.key) }] });
      const renewed = await run('pos-clients', 'rotate', ...of, '--name', 'Front', '--keep-hours', '1');
      expect(await clients()).toMatchObject({
        version: 2,
        clients: [{ ...told, keyHash: sha256(renewed.key), earlierKey: { keyHash: sha256(front.key) } }],
      });
      expect((await config()).json().posClientsVersion).toBe(2);
      await run('pos-clients', 'revoke', ...of, '--name', 'Front');
      const { clients: left } = await clients();
      expect(left).toMatchObject([{ ...told, revokedAt: expect.any(String) }]);
      expect(JSON.stringify(left)).not.toContain('earlierKey');
      expect(JSON.stringify(await run('pos-clients', 'list', ...of))).toContain('REVOKED');

      const day = ['terminals', 'business-day', ...of, '--terminal', 'T-9'];
      expect(await run(...day, '--time-zone', 'Asia/Tokyo')).toMatchObject({ timeZone: 'Asia/Tokyo', cutOff: '00:00' });
      expect(await run(...day, '--cut-off', '04:00')).toMatchObject({ timeZone: 'Asia/Tokyo', cutOff: '04:00' });
      await expect(run(...day, '--time-zone', 'Mars/Base')).rejects.toThrow('--time-zone');
      await expect(run(...day, '--cut-off', '24:00')).rejects.toThrow('--cut-off');
      await run('terminals', 'revoke', ...of, '--terminal', 'T-9');
      expect((await config()).status).toBe(401);
      expect(await run('recovery')).toEqual([]);
      const of9 = ['admin', 'export-ledger', ...of, ...args, '--data-dir', dataDir];
      const ledger = await runProgram('host/main', of9, environment);
      expect([ledger.code, ledger.output]).toEqual([0, expect.stringContaining('JPY')]);
      const stranger = await runProgram(
        'host/main',
        ['admin', 'export-ledger', '--merchant', 'M-0', ...args],
        environment,
      );
      expect([stranger.code, stranger.errors]).toEqual([1, expect.stringContaining('no such merchant')]);
    });

    it('locks a pairing code that is guessed wrong five times', async () => {
      const database = await databases.create();
      const { args, environment } = nameOf(database);
      const dataDir = programs.dataDir();
      const host = await startDemo(database, dataDir);
      const { merchantId, terminalId } = demoOf(host);
      const command = ['pairing-codes', 'add', '--merchant', merchantId, '--terminal', terminalId];
      const { pairingCode = '' } = await admin([...command, ...args, '--data-dir', dataDir], environment);
      const pair = async (code: string) => {
        const answer = await call(host, 'POST', '/api/v1/terminal/pair', {}, { pairingCode: code });
        return answer.json().error;
      };
      const wrong = pairingCode.slice(0, 4) + (pairingCode.endsWith('2222') ? '3333' : '2222');
      const answers = [];
      for (let guess = 1; guess <= 5; guess += 1) answers.push(await pair(wrong));
      expect(answers).toEqual([...Array(4).fill('PAIRING_CODE_INVALID'), 'PAIRING_LOCKED']);
      expect(await pair(pairingCode)).toBe('PAIRING_LOCKED');
    });

    it('wakes a linked terminal when a session is made for it', async () => {
      const host = await startDemo(await databases.create());
      const { merchantId, terminalId, deviceToken, secretKey } = demoOf(host);
      const socket = new WebSocket(`${host.ready.baseUrl.replace('http', 'ws')}/api/v1/terminal/link`, {
        headers: bearer(deviceToken),
      });
      const woken: string[] = [];
      socket.on('message', (data) => woken.push(String(data)));
      await vi.waitFor(() => expect(woken).toHaveLength(1), 10_000);
      const session = { merchantId, terminalId, operation: 'PURCHASE', amountMinor: 1500, currencyCode: 'EUR' };
      const headers = { ...apiKey(secretKey), 'idempotency-key': 'session-1' };
      const made = await call(host, 'POST', '/v1/terminal/payment-sessions', headers, {
        ...session,
        expiresInSeconds: 120,
      });
      expect(made.status, made.text).toBe(200);
      await vi.waitFor(() => expect(woken).toHaveLength(2), 10_000);
      expect(JSON.parse(woken[1] ?? '')).toEqual({ event: 'wake', subject: 'PAYMENT_SESSION' });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      host.kill('SIGTERM');
      expect([await closed, await host.ended]).toEqual([1001, 0]);
    });

    it('answers what runs when it is told to end, takes nothing new, and ends with 0', async () => {
      const host = await startDemo(await databases.create());
      const demo = demoOf(host);
      const control = async (path: string, body: object) =>
        await fetch(host.ready.simulator?.control + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      await control('/next', { rule: 'slow' });
      const running = purchase(host, demo, 'key-1');
      // The simulator has it as soon as nothing is armed any more.
      await vi.waitFor(async () => {
        const state = await (await fetch(`${host.ready.simulator?.control}/state`)).json();
        expect(state.armed).toEqual([]);
      }, 10_000);
      host.kill('SIGTERM');
      await vi.waitFor(async () => {
        expect((await call(host, 'GET', '/ready')).json()).toMatchObject({ status: 'draining' });
      }, 10_000);
      expect((await purchase(host, demo, 'key-2')).status).toBe(503);
      expect((await running).json()).toMatchObject({ approved: true });
      expect(await host.ended).toBe(0);
    });

    it('refuses a database that belongs to a host with another secret', async () => {
      const database = await databases.create();
      const first = await startDemo(database);
      first.kill('SIGTERM');
      expect(await first.ended).toBe(0);
      await expect(startDemo(database)).rejects.toThrow('belongs to a host with another secret');
    });
  });
}

/** A run of the program that is to fail, and what it says. */
export async function failing(args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runProgram('host/main', args);
  expect([code, output]).toEqual([1, '']);
  return errors;
}
