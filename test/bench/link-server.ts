// The server of F8 as a process of its own: the host with its terminals on SQLite, or, as the baseline, nothing but `ws` that accepts everybody.
// It answers one message of its parent after the other. Run with --expose-gc, so that its memory is what it holds and not what it has let go.
import { createHmac, randomUUID } from 'node:crypto';
import { WebSocketServer } from 'ws';
import { endpointOf } from '../../app/contract/endpoints.ts';
import { hostEndpointOf } from '../../app/contract/host/host-endpoints.ts';
import { createBusinessDates } from '../../app/domain/business-day.ts';
import type { Log } from '../../app/ports/log.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { addPosClient } from '../../host/admin/pos-clients.ts';
import type { HostStore } from '../../host/ports/host-store.ts';
import { buildHostServer } from '../../host/server/build-host-server.ts';
import { defaultLinkSettings } from '../../host/server/link/link-settings.ts';
import { createTerminalLinkHub } from '../../host/server/link/terminal-link-hub.ts';
import { defaultHostServerSettings } from '../../host/server/server-options.ts';
import { createHostServices } from '../../host/services/create-host-services.ts';
import { credentialHash, newCredential } from '../../host/services/credentials.ts';
import type { HostDeps } from '../../host/services/host-deps.ts';
import { openHostStore } from '../../host/storage/open-host-store.ts';
import { createSystemClock } from '../../host/system-clock.ts';
import { promptAcquirer } from './prompt-acquirer.ts';

/** What the parent asks for. */
export type LinkOrder = 'COUNT' | 'WAKE';

/** What the process tells of itself, and for each order. */
export type LinkReport =
  | { readonly kind: 'READY'; readonly url: string; readonly tokens: readonly string[]; readonly pos?: LinkedPos }
  | { readonly kind: 'COUNTED'; readonly links: number; readonly rssBytes: number }
  /** On the clock of process.hrtime, which all processes of a machine share; before the first wake-up was sent. */
  | { readonly kind: 'WOKEN'; readonly startedAtNs: string };

/** A POS that calls at the host for the first of the terminals. */
export interface LinkedPos {
  readonly saleUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Linked {
  readonly url: string;
  readonly tokens: readonly string[];
  /** Where there is a host. */
  readonly pos?: LinkedPos;
  count(): number;
  wakeAll(): void;
}

const terminalsPerMerchant = 100;
const clock = createSystemClock();
const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function openHost(database: string, terminals: number): Promise<Linked> {
  const store = await openHostStore({ database, nowMs: clock.nowMs() });
  const links = createTerminalLinkHub({ clock, log }, defaultLinkSettings);
  const deps: HostDeps = {
    ...{ store, acquirer: promptAcquirer, acquirerName: 'simulator', clock, ids: nodeIds, log, links },
    hmac: (text) => createHmac('sha256', 'key of this benchmark').update(text).digest('hex'),
    processId: randomUUID(),
    businessDateOf: createBusinessDates(),
    acquirerTimeoutMs: 30_000,
  };
  const services = createHostServices({ ...deps, calls: links }, { isAlone: true });
  // All terminals of this benchmark have one address and come at once.
  const limits = { requestsPerSecond: 1e9, requestBurst: 1e9 };
  const server = await buildHostServer(
    { ...deps, host: services.host, links },
    { ...defaultHostServerSettings, ...limits, version: '0.0.0' },
  );
  const tokens = await provision(store, terminals);
  const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 });
  services.start();
  const url = `${baseUrl.replace('http', 'ws')}${hostEndpointOf('device.link').path}`;
  const client = { merchantId: 'M-0', name: 'Web shop' };
  const { key } = await addPosClient({ store, clock, ids: nodeIds }, client);
  const pos = {
    saleUrl: `${baseUrl}${endpointOf('pos.sale').path}`,
    headers: { 'x-api-key': key, 'x-terminal-id': 'T-0', 'content-type': 'application/json' },
  };
  return { url, tokens, pos, count: links.count, wakeAll: () => links.wakeAll('PAYMENT_SESSION') };
}

async function provision(store: HostStore, terminals: number): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let merchant = 0; tokens.length < terminals; merchant += 1) {
    const merchantId = `M-${merchant}`;
    const createdAtMs = clock.nowMs();
    await store.transact(async (unit) => {
      await unit.addMerchant({ merchantId, name: 'Shop', createdAtMs });
      for (let index = 0; index < terminalsPerMerchant && tokens.length < terminals; index += 1) {
        const [terminalId, deviceId] = [`T-${index}`, `D-${merchant}-${index}`];
        const token = newCredential(nodeIds, 'DEVICE');
        const code = { selector: deviceId, merchantId, terminalId, codeHash: 'code', expiresAtMs: createdAtMs + 1 };
        await unit.addTerminal({ merchantId, terminalId, deviceId, name: 'Lane', currency: 'EUR', createdAtMs });
        await unit.offerPairingCode(code, createdAtMs);
        const attempt = { selector: deviceId, codeHash: 'code', expected: {} };
        await unit.tryPairing(attempt, credentialHash(token), createdAtMs);
        tokens.push(token);
      }
    });
  }
  return tokens;
}

/** Its connections carry a token that nobody looks at, so that both servers read the same requests. */
async function openBare(connections: number): Promise<Linked> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (socket) => socket.send(bareWake));
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `ws://127.0.0.1:${port}/`,
    tokens: Array.from({ length: connections }, () => newCredential(nodeIds, 'DEVICE')),
    count: () => server.clients.size,
    wakeAll() {
      for (const socket of server.clients) socket.send(bareWake);
    },
  };
}

const bareWake = JSON.stringify({ event: 'wake', subject: 'PAYMENT_SESSION' });

function answer(linked: Linked, order: LinkOrder): LinkReport {
  if (order === 'COUNT') {
    globalThis.gc?.();
    return { kind: 'COUNTED', links: linked.count(), rssBytes: process.memoryUsage.rss() };
  }
  const startedAtNs = String(process.hrtime.bigint());
  linked.wakeAll();
  return { kind: 'WOKEN', startedAtNs };
}

async function main(database: string, links: number): Promise<void> {
  const linked = database === 'none' ? await openBare(links) : await openHost(database, links);
  const say = (report: LinkReport) => process.send?.(report);
  process.on('message', (order: LinkOrder) => say(answer(linked, order)));
  process.on('SIGTERM', () => process.exit(0));
  const { url, tokens, pos } = linked;
  say({ kind: 'READY', url, tokens, ...(pos === undefined ? {} : { pos }) });
}

await main(process.argv[2] ?? '', Number(process.argv[3]));
