import { createHmac, randomUUID } from 'node:crypto';
import { createBusinessDates } from '../../app/domain/business-day.ts';
import type { Log } from '../../app/ports/log.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { createSimulatorAcquirer } from '../../host/acquirers/simulator-acquirer.ts';
import type { Acquirer } from '../../host/ports/acquirer.ts';
import type { HostStore } from '../../host/ports/host-store.ts';
import { buildHostServer } from '../../host/server/build-host-server.ts';
import { defaultLinkSettings } from '../../host/server/link/link-settings.ts';
import { createTerminalLinkHub } from '../../host/server/link/terminal-link-hub.ts';
import { defaultHostServerSettings } from '../../host/server/server-options.ts';
import { createHostServices } from '../../host/services/create-host-services.ts';
import { openHostStore } from '../../host/storage/open-host-store.ts';
import { createSystemClock } from '../../host/system-clock.ts';

/**
 * A host as a process of its own that kills itself, by SIGKILL, at a place that it is told: before or after a commit, or before a message leaves or
 * after its answer has come. It is made of the parts of the real program.
 * Arguments: database, port of the acquirer simulator.
 */
const [database = '', acquirerPort = ''] = process.argv.slice(2);

let left = Number.POSITIVE_INFINITY;
let passed: string[] = [];

/** Whoever is told to die here never comes back. */
async function place(name: string): Promise<void> {
  passed.push(name);
  left -= 1;
  if (left > 0) return;
  process.send?.({ at: name });
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
}

async function around<T>(name: string, work: () => Promise<T>): Promise<T> {
  await place(`before ${name}`);
  const result = await work();
  await place(`after ${name}`);
  return result;
}

function killingStore(store: HostStore): HostStore {
  return {
    ...store,
    transact: (work, options) => around('a commit', () => store.transact(work, options)),
    beginAuthorization: (intent) => around('the intent', () => store.beginAuthorization(intent)),
    endAuthorization: (end) => around('the outcome', () => store.endAuthorization(end)),
  };
}

function killingAcquirer(acquirer: Acquirer): Acquirer {
  return {
    ...acquirer,
    authorize: (message, call) => around('AUTHORIZE', () => acquirer.authorize(message, call)),
    capture: (message, call) => around('CAPTURE', () => acquirer.capture(message, call)),
    adjustTip: (message, call) => around('ADJUST_TIP', () => acquirer.adjustTip(message, call)),
    void: (message, call) => around('VOID', () => acquirer.void(message, call)),
    refund: (message, call) => around('REFUND', () => acquirer.refund(message, call)),
    reverse: (message, call) => around('REVERSE', () => acquirer.reverse(message, call)),
    closeBatch: (message, call) => around('CLOSE_BATCH', () => acquirer.closeBatch(message, call)),
  };
}

const write = (message: string, fields: unknown) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
const log: Log = { debug: () => {}, info: () => {}, warn: write, error: write };
const clock = createSystemClock();
const acquirer = killingAcquirer(
  createSimulatorAcquirer({ host: '127.0.0.1', port: Number(acquirerPort) }, { clock, log }),
);
const store = killingStore(await openHostStore({ database, nowMs: clock.nowMs() }));
const links = createTerminalLinkHub({ clock, log }, defaultLinkSettings);
const services = createHostServices(
  {
    store,
    acquirer,
    acquirerName: 'simulator',
    clock,
    ids: nodeIds,
    log,
    links,
    calls: links,
    hmac: (text) => createHmac('sha256', 'of the crash tests').update(text).digest('hex'),
    processId: randomUUID(),
    businessDateOf: createBusinessDates(),
    acquirerTimeoutMs: 10_000,
  },
  { isAlone: true },
);
const server = await buildHostServer(
  { host: services.host, store, acquirer, acquirerName: 'simulator', links, clock, ids: nodeIds, log },
  { ...defaultHostServerSettings, version: '0.0.0' },
);
await acquirer.start();
services.start();
const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 });

process.on('message', (told: { readonly dieAt?: number }) => {
  // What ran before is not counted; without a number only the places are told.
  const before = passed;
  passed = [];
  left = told.dieAt ?? Number.POSITIVE_INFINITY;
  process.send?.({ passed: before });
});
process.send?.({ baseUrl });
