// The host as a program: `npm run host -- --help` names its options.
import { BridgeError } from '../app/contract/errors.ts';
import type { Log } from '../app/ports/log.ts';
import { dataDirOf, hostDataDir } from '../app/programs/data-dir.ts';
import { stopProgram } from '../app/programs/kept-program.ts';
import { nodeClock, nodeIds } from '../app/programs/node-ports.ts';
import { portHolder } from '../app/programs/port-holder.ts';
import { programVersion } from '../app/programs/program-version.ts';
import { runAdmin } from './admin/run-admin.ts';
import { createHost } from './create-host.ts';
import type { NatsAddress } from './nodes/nats-address.ts';
import type { NodeBus } from './nodes/node-bus.ts';
import { type Demo, openDemo } from './program/demo.ts';
import { openAcquirer } from './program/open-acquirer.ts';
import { type HostOptions, parseOptions, UsageError, usage } from './program/options.ts';
import { databaseUrl, natsAddress, openHmac, requireSameSecret, withoutPassword } from './program/secrets.ts';
import { createStderrLog } from './program/stderr-log.ts';
import { lockForOneHost } from './storage/one-host-lock.ts';
import { openHostStore } from './storage/open-host-store.ts';

/** What the READY line says. */
interface Ready {
  readonly baseUrl: string;
  /** Without its password. */
  readonly database: string;
  readonly acquirer: string;
  readonly pid: number;
  /** Process ids of the programs that the host started. */
  readonly children: readonly number[];
  /** Control address and book of the acquirer simulator. */
  readonly simulator?: { readonly control: string; readonly book: string };
  readonly demo?: Demo;
}

/** Milliseconds after which a stop that hangs is cut off: the grace for running calls, and some more. */
const stopTimeoutMs = 120_000;

async function start(options: HostOptions): Promise<void> {
  const dataDir = dataDirOf(options.dataDir, hostDataDir);
  const database = databaseUrl(process.env, options.database, dataDir);
  const nats = natsAddress(process.env, options.nats, database);
  const hmac = openHmac(process.env, dataDir, nodeIds);
  const clock = nodeClock;
  const log = createStderrLog(clock);
  const lock = database.startsWith('sqlite:') ? lockForOneHost(database, process.pid) : undefined;
  const store = await openHostStore({ database, nowMs: clock.nowMs() });
  await requireSameSecret(store, hmac, clock.nowMs());
  const { acquirer, acquirerName, simulator, release } = await openAcquirer(options.acquirer, { dataDir, clock, log });
  const bus = nats === undefined ? undefined : await joinNodes(nats, hmac, log);
  const parts = { store, database, acquirer, acquirerName, hmac, clock, ids: nodeIds, log };
  const host = await createHost({ ...parts, ...(bus === undefined ? {} : { bus }), version: programVersion() });
  stopOnEnd(options.untilInputEnds, async () => {
    log.info('the host is being stopped');
    release();
    await host.stop();
    // Whoever starts a host of its own wants nothing of it left behind; its book stays.
    if (options.untilInputEnds && simulator !== undefined) await stopProgram(simulator.controlUrl);
    lock?.release();
  });
  const demo = options.demo ? await openDemo({ store, clock, ids: nodeIds }, dataDir) : undefined;
  const baseUrl = await host.start({ host: options.listenHost, port: options.port });
  const ready: Ready = {
    baseUrl,
    database: withoutPassword(database),
    acquirer: acquirerName,
    pid: process.pid,
    children: simulator === undefined ? [] : [simulator.pid],
    ...(simulator === undefined ? {} : { simulator: { control: simulator.controlUrl, book: simulator.book } }),
    ...(demo === undefined ? {} : { demo }),
  };
  process.stdout.write(`READY ${JSON.stringify(ready)}\n`);
}

/** The client of NATS is loaded only where there are several hosts. */
async function joinNodes(nats: NatsAddress, hmac: (text: string) => string, log: Log): Promise<NodeBus> {
  const { openNatsBus } = await import('./nodes/nats-bus.ts');
  // Several databases may share one NATS; the secret is one per database.
  const namespace = hmac('names of the nodes').slice(0, 16);
  return await openNatsBus({ ...nats, node: nodeIds.next(), namespace, clock: nodeClock, log });
}

function stopOnEnd(untilInputEnds: boolean, stop: () => Promise<void>): void {
  let isStopping = false;
  const end = () => {
    if (isStopping) return;
    isStopping = true;
    nodeClock.after(stopTimeoutMs, () => process.exit(1));
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        say(error instanceof Error ? (error.stack ?? error.message) : String(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  // Whoever reads READY may be gone before the host is.
  process.stdout.on('error', () => {});
  if (untilInputEnds) process.stdin.on('error', end).on('end', end).on('close', end).resume();
}

/** One clear line for the operator; a stack only for what nobody foresaw. */
async function explain(error: unknown): Promise<string> {
  if (error instanceof UsageError || error instanceof BridgeError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error && typeof error.port === 'number' ? error.port : 0;
    return `Port ${port} is in use by ${(await portHolder(port)) ?? 'another program'}. End it, or start the host with --port N.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function write(text: string): Promise<void> {
  return new Promise((resolve) => void process.stdout.write(text, () => resolve()));
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === 'admin') {
    await runAdmin(args.slice(1), process.env, write);
    return;
  }
  const options = parseOptions(args);
  if (options.help) process.stdout.write(`${usage}\n`);
  else await start(options);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  say(await explain(error));
  process.exit(1);
}
