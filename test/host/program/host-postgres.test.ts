import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createPostgresServer } from '../../support/postgres-server.ts';
import { postgresDatabases } from '../test-databases.ts';
import { hostBattery } from './host-battery.ts';
import { apiKey, bearer, call, demoOf, hostPrograms, purchase } from './host-program.ts';

describe('the host program on PostgreSQL', () => hostBattery(postgresDatabases));

describe('two hosts on one PostgreSQL database', () => {
  const programs = hostPrograms();

  it('wake a terminal that is linked at the other one, and answer a key the same', async () => {
    const environment = {
      TILL_HOST_DATABASE_URL: await postgresDatabases.create(),
      TILL_HOST_SECRET: 'a secret of both hosts, long enough',
    };
    const dataDir = programs.dataDir();
    const one = await programs.start(['--data-dir', dataDir, '--demo'], environment);
    const other = await programs.start(['--data-dir', dataDir, '--demo'], environment);
    const demo = demoOf(one);
    expect(other.ready.demo).toEqual(demo);
    const { merchantId, terminalId, deviceToken, secretKey } = demo;

    const socket = new WebSocket(`${one.ready.baseUrl.replace('http', 'ws')}/api/v1/terminal/link`, {
      headers: bearer(deviceToken),
    });
    const woken: string[] = [];
    socket.on('message', (data) => woken.push(String(data)));
    await vi.waitFor(() => expect(woken).toHaveLength(1), 10_000);
    const body = {
      merchantId,
      terminalId,
      operation: 'PURCHASE',
      amountMinor: 1500,
      currencyCode: 'EUR',
      expiresInSeconds: 60,
    };
    const headers = { ...apiKey(secretKey), 'idempotency-key': 'session-1' };
    expect((await call(other, 'POST', '/v1/terminal/payment-sessions', headers, body)).status).toBe(200);
    await vi.waitFor(() => expect(woken).toHaveLength(2), 10_000);
    socket.terminate();

    const answers = await Promise.all([one, other, one, other].map((host) => purchase(host, demo, 'one key')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

describe('a host whose PostgreSQL goes away', () => {
  const programs = hostPrograms();

  it('answers 503 and that it is not ready, and goes on without a restart when it is back', async () => {
    const server = await createPostgresServer();
    try {
      const environment = { TILL_HOST_DATABASE_URL: `${server.url}postgres` };
      const host = await programs.start(['--data-dir', programs.dataDir(), '--demo'], environment);
      const demo = demoOf(host);
      expect((await purchase(host, demo, 'before')).status).toBe(200);

      await server.stop();
      const away = await purchase(host, demo, 'away');
      expect([away.status, away.json().error]).toEqual([503, 'JOURNAL_UNAVAILABLE']);
      expect((await call(host, 'GET', '/ready')).status).toBe(503);
      expect((await call(host, 'GET', '/health')).status).toBe(200);
      expect((await call(host, 'GET', '/metrics')).text).toContain('till_host_database_ready 0');

      await server.start();
      await vi.waitFor(async () => expect((await call(host, 'GET', '/ready')).status).toBe(200), 30_000);
      expect((await purchase(host, demo, 'away')).json()).toMatchObject({ approved: true });
      expect((await purchase(host, demo, 'before')).headers.get('idempotent-replayed')).toBe('true');
      host.kill('SIGTERM');
      expect(await host.ended).toBe(0);
    } finally {
      await server.remove();
    }
  });
});
