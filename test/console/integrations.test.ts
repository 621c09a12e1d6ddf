import { afterEach, describe, expect, it } from 'vitest';
import type { PosProbe } from '../../app/ports/pos-probe.ts';
import { type ConsoleHarness, createConsoleHarness } from './console-harness.ts';

let harness: ConsoleHarness | undefined;
afterEach(async () => {
  await harness?.stop();
  harness = undefined;
});

async function start(options: Parameters<typeof createConsoleHarness>[0] = {}) {
  harness = await createConsoleHarness(options);
  return { harness, manager: await harness.as('MANAGER') };
}

describe('the keys of POS clients in the console', () => {
  it('are in the one answer that makes them, and in nothing else', async () => {
    const { harness: till, manager } = await start();
    const { key: first } = await manager.get('integrations.clients.create', { name: 'bar' });
    const { key: second, client } = await manager.get('integrations.clients.rotate', {
      name: 'bar',
      graceSeconds: 3600,
    });
    const renamed = await manager.get('integrations.clients.rename', { name: 'bar', newName: 'terrace' });
    const listed = await manager.get('integrations.clients.list', {});
    const revoked = await manager.get('integrations.clients.revoke', { name: 'terrace' });
    const elsewhere = JSON.stringify([client, renamed, listed, revoked, till.audit(), manager.events]);

    expect(first).toMatch(/^pos_/);
    expect(second).not.toBe(first);
    for (const key of [first, second]) expect(elsewhere).not.toContain(key);
    expect(elsewhere).not.toContain('keyHash');
    expect(client.earlierKeyUntil).toBe('2026-11-27T11:00:00.000Z');
    expect(revoked.revokedAt).toBeDefined();
    expect(till.audit().map(({ action }) => action)).toEqual(
      expect.arrayContaining(['KEY_CREATED', 'KEY_ROTATED', 'CLIENT_RENAMED', 'KEY_REVOKED']),
    );
  });
});

describe('the allowed origins in the console', () => {
  it('are kept as a browser sends them, each once, with who did it', async () => {
    const { harness: till, manager } = await start();
    await manager.get('integrations.origins.allow', { origin: 'https://POS.example:443/' });
    const { origins } = await manager.get('integrations.origins.allow', { origin: 'https://pos.example' });
    expect(origins).toEqual(['https://pos.example']);
    const refusal = await manager.refusal('integrations.origins.allow', { origin: 'https://*.example' });
    expect([refusal.error, refusal.field]).toEqual(['INVALID_REQUEST', 'origin']);
    expect(await manager.get('integrations.origins.remove', { origin: 'https://pos.example' })).toEqual({
      origins: [],
    });
    expect(till.audit().filter(({ action }) => action.startsWith('ORIGIN'))).toEqual([
      { actor: 'console:Ben', action: 'ORIGIN_ALLOWED', text: 'https://pos.example' },
      { actor: 'console:Ben', action: 'ORIGIN_REMOVED', text: 'https://pos.example' },
    ]);
  });
});

describe('the diagnosis', () => {
  it('tries the POS API as the page would, and says who has the port that it calls', async () => {
    const probes: PosProbe[] = [];
    const { manager } = await start({
      posAccess: {
        url: () => 'http://127.0.0.1:8443',
        probe: async (probe) => {
          probes.push(probe);
          return { statusCode: 403, errorCode: 'ORIGIN_NOT_ALLOWED' };
        },
        holderOf: async (port) => `node (pid ${port})`,
      },
    });
    const found = await manager.get('integrations.diagnose', {
      origin: 'https://pos.example',
      address: 'http://till.example:9000',
    });
    expect(found.port).toEqual({ own: 8443, called: 9000, holder: 'node (pid 9000)' });
    expect(found.origin).toEqual({ origin: 'https://pos.example', isAllowed: false });
    expect(found.preflight).toEqual({ statusCode: 403, errorCode: 'ORIGIN_NOT_ALLOWED' });
    expect(probes.map(({ kind, host, origin }) => [kind, host, origin])).toEqual([
      ['PLAIN', 'till.example:9000', undefined],
      ['PREFLIGHT', 'till.example:9000', 'https://pos.example'],
      ['WEB_SOCKET', 'till.example:9000', 'https://pos.example'],
    ]);
    const { listId, requests } = await manager.get('integrations.requests', { after: 7 });
    expect(requests).toEqual([]);
    expect(await manager.get('integrations.requests', { after: 7, listId })).toEqual({ listId, requests: [] });
    const own = await manager.get('integrations.diagnose', {});
    expect(own.port).toEqual({ own: 8443, called: 8443 });
    const refusal = await manager.refusal('integrations.diagnose', { address: 'till' });
    expect([refusal.error, refusal.field]).toEqual(['INVALID_REQUEST', 'address']);
  });
});
