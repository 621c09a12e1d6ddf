import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { DeviceConfigResponse } from '../../app/contract/host/device-config.ts';
import { DEFAULT_OFFLINE_LIMITS } from '../../app/domain/offline-sales.ts';
import { Secret } from '../../app/domain/secret.ts';
import type { SessionTill } from '../../app/ports/payment-sessions.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { createJournal } from '../../app/storage/create-journal.ts';
import { createHostSide } from '../../app/sync/host-side.ts';
import { until } from '../host/support/until.ts';
import { quietLog } from '../support/engine-harness.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';
import { createMemoryVault } from './support/memory-vault.ts';

const configOf = (configVersion: number): DeviceConfigResponse => ({
  ...{ merchantId: 'M1', terminalId: 'HT1', deviceId: 'D1', currencyCode: 'EUR', posClientsVersion: 0 },
  tips: {
    ...{ terminalId: 'HT1', merchantId: 'M1', currencyCode: 'EUR', configVersion },
    ...{ tipEnabled: true, tipPresetBasisPoints: [1000], tipAllowCustomAmount: true, tipPostAuthAdjustEnabled: false },
    ...{
      tipMaxAmountMinor: 500,
      tipMaxBasisPoints: 2000,
      tipFixedAmountMinor: null,
      tipFixedAmountThresholdMinor: null,
    },
  },
  limits: { maxAmountMinor: 999_999, authorizationDays: 7 },
  acquirer: { tipAdjust: true, simulated: true },
});

const idleTill: SessionTill = {
  isFree: () => false,
  isBegun: () => false,
  run: () => Promise.reject(new Error('nothing is ordered here')),
  find: () => {
    throw new Error('nothing is ordered here');
  },
  subscribe: () => () => undefined,
};

/** The clock stands still: nothing is asked again because time has passed. */
it('a terminal has the tips of its merchant as soon as the host says that they have changed', async () => {
  let version = 1;
  const sockets: WebSocket[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', etag: `"${version}"` });
    response.end(JSON.stringify(configOf(version)));
  });
  const links = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    links.handleUpgrade(request, socket, head, (made) => sockets.push(made));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'configuration-wake-'));
  const clock = createManualClock();
  const journal = createJournal({ dataDir: folder, clock, log: quietLog, pid: process.pid });
  const side = createHostSide({
    offlineLimits: () => DEFAULT_OFFLINE_LIMITS,
    ...{ journal, vault: createMemoryVault(), training: true, clock, ids: nodeIds, log: quietLog },
    access: () => ({ url, deviceToken: new Secret('token') }),
    clients: { version: () => undefined, take: () => undefined, release: () => undefined },
  });
  try {
    side.complete(createMemoryDevice().attach());
    expect(side.tipsOf('T1')).toBeUndefined();
    side.start();
    const noCalls = { answer: () => Promise.reject(new Error('no calls here')) };
    side.serve(idleTill, noCalls, { standing: () => 'OVER', answered: () => undefined });
    await until(() => side.tipsOf('T1')?.configVersion === 1 && sockets.length === 1);
    version = 2;
    sockets[0]?.send(JSON.stringify({ event: 'wake', subject: 'CONFIGURATION' }));
    await until(() => side.tipsOf('T1')?.configVersion === 2);
    expect(side.tipsOf('T1')).toMatchObject({
      presetBasisPoints: [1000],
      maxAmountMinor: 500,
      largestTotalMinor: 999_999,
    });
    expect(side.tipsOf('T9')).toBeUndefined();
  } finally {
    side.stop();
    for (const socket of sockets) socket.terminate();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
