// The host of F2 as a process of its own: its services on PostgreSQL in front of an acquirer that approves at once. It answers one message of its
// parent after the other: callers in this process, bare commits by the same client, or nothing but its HTTP server.
import { createHmac, randomUUID } from 'node:crypto';
import type { AuthorizeResponse } from '../../app/contract/host/authorize.ts';
import { hostEndpointOf } from '../../app/contract/host/host-endpoints.ts';
import { createBusinessDates } from '../../app/domain/business-day.ts';
import type { Log } from '../../app/ports/log.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import type { HostStore } from '../../host/ports/host-store.ts';
import { buildHostServer } from '../../host/server/build-host-server.ts';
import { defaultLinkSettings } from '../../host/server/link/link-settings.ts';
import { createTerminalLinkHub } from '../../host/server/link/terminal-link-hub.ts';
import { defaultHostServerSettings } from '../../host/server/server-options.ts';
import { createHostServices } from '../../host/services/create-host-services.ts';
import { credentialHash, newCredential } from '../../host/services/credentials.ts';
import type { Host } from '../../host/services/host.ts';
import type { HostDeps } from '../../host/services/host-deps.ts';
import { openHostStore } from '../../host/storage/open-host-store.ts';
import { createSystemClock } from '../../host/system-clock.ts';
import { openBareAuthorizations } from './bare-authorizations.ts';
import { type BenchTerminal, benchPurchase, terminalsInTurn } from './bench-terminals.ts';
import { type Driven, drive, type Load } from './drive.ts';
import { promptAcquirer } from './prompt-acquirer.ts';

/** What the parent asks for. */
export interface LoadOrder {
  readonly what: 'services' | 'bare';
  readonly load: Load;
}

/** What the process tells of itself, and of each order. */
export type LoadReport =
  | { readonly kind: 'READY'; readonly baseUrl: string; readonly terminals: readonly BenchTerminal[] }
  | { readonly kind: 'DRIVEN'; readonly driven: Driven };

const merchantCount = 40;
const terminalsPerMerchant = 10;
const authorizeRoute = `POST ${hostEndpointOf('device.authorize').path}`;
const clock = createSystemClock();
const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function main(database: string): Promise<void> {
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
  const limits = { requestsPerSecond: 1e9, requestBurst: 1e9 };
  const server = await buildHostServer(
    { ...deps, host: services.host, links },
    { ...defaultHostServerSettings, ...limits, version: '0.0.0' },
  );
  const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 });
  const terminals = await provision(store);
  services.start();
  const say = (report: LoadReport) => process.send?.(report);
  process.on('message', (order: LoadOrder) => {
    const work = order.what === 'bare' ? driveBare : driveServices;
    work(services.host, terminals, database, order.load).then(
      (driven) => say({ kind: 'DRIVEN', driven }),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      },
    );
  });
  process.on('SIGTERM', () => process.exit(0));
  say({ kind: 'READY', baseUrl, terminals });
}

async function provision(store: HostStore): Promise<readonly BenchTerminal[]> {
  const made: BenchTerminal[] = [];
  for (let merchant = 0; merchant < merchantCount; merchant += 1) {
    const merchantId = `M-${merchant}`;
    const createdAtMs = clock.nowMs();
    await store.transact(async (unit) => {
      await unit.addMerchant({ merchantId, name: 'Shop', createdAtMs });
      for (let index = 0; index < terminalsPerMerchant; index += 1) {
        const [terminalId, deviceId] = [`T-${index}`, `D-${merchant}-${index}`];
        const deviceToken = newCredential(nodeIds, 'DEVICE');
        const code = { selector: deviceId, merchantId, terminalId, codeHash: 'code', expiresAtMs: createdAtMs + 1 };
        await unit.addTerminal({ merchantId, terminalId, deviceId, name: 'Lane', currency: 'EUR', createdAtMs });
        await unit.offerPairingCode(code, createdAtMs);
        await unit.tryPairing(
          { selector: deviceId, codeHash: 'code', expected: {} },
          credentialHash(deviceToken),
          createdAtMs,
        );
        made.push({ terminalId, deviceId, deviceToken });
      }
    });
  }
  return made;
}

/** As the server calls them: the credential is looked up, then the payment is authorized. */
async function authorize(host: Host, terminal: BenchTerminal): Promise<string> {
  const caller = await host.deviceOf(terminal.deviceToken);
  if (caller === undefined) throw new Error('the device token does not work');
  const call = { requestId: randomUUID(), route: authorizeRoute, idempotencyKey: randomUUID() };
  const answer = await host.authorize(caller, call, benchPurchase(terminal));
  if (!(JSON.parse(answer.body) as AuthorizeResponse).approved) throw new Error(`not approved: ${answer.body}`);
  return answer.subjectId;
}

async function driveServices(
  host: Host,
  terminals: readonly BenchTerminal[],
  _database: string,
  load: Load,
): Promise<Driven> {
  const next = terminalsInTurn(terminals, load.callers);
  return await drive(load, (caller) => authorize(host, next(caller)));
}

async function driveBare(
  host: Host,
  terminals: readonly BenchTerminal[],
  database: string,
  load: Load,
): Promise<Driven> {
  const [terminal] = terminals;
  if (terminal === undefined) throw new Error('no terminal');
  const bare = await openBareAuthorizations(database, await authorize(host, terminal));
  try {
    return await drive(load, bare.authorize);
  } finally {
    await bare.close();
  }
}

await main(process.argv[2] ?? '');
