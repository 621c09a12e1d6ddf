import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openSettings } from '../app/config/settings-store.ts';
import { BridgeError } from '../app/contract/errors.ts';
import type { StoredTerminal } from '../app/contract/settings.ts';
import { type Bridge, createBridge } from '../app/create-bridge.ts';
import type { SettingsStore } from '../app/ports/settings.ts';
import { createFinder, listSerialPorts, type SerialPortDescription } from '../drivers/registry.ts';
import { dataDirOf } from './data-dir.ts';
import { nodeClock, nodeIds } from './node-ports.ts';
import { type Options, parseOptions, UsageError, usage } from './options.ts';
import { portHolder } from './port-holder.ts';
import { createBridgeTerminal, firstAttempt } from './terminals.ts';
import { trainingKey } from './training-key.ts';
import { openVirtualTerminal, type VirtualTerminal } from './virtual-terminal.ts';

const host = '127.0.0.1';
const firstAttemptWaitMs = 5000;

/** What this run is made of, after options and stored settings have been put together. */
interface Plan {
  readonly dataDir: string;
  readonly settings: SettingsStore;
  readonly training: boolean;
  readonly port: number;
  readonly consolePort: number;
  /** Terminals named by option or settings; none means the till's own virtual terminal. */
  readonly terminals: readonly StoredTerminal[];
  /** They are those of the settings, and real money moves: a change of the settings may hold at once. */
  readonly areTerminalsStored: boolean;
}

function planOf(options: Options): Plan {
  const dataDir = dataDirOf(options.dataDir);
  const store = openSettings(dataDir);
  const settings = store.current();
  const named =
    options.terminal === undefined
      ? undefined
      : [{ terminalId: options.training ? 'TRAINING-1' : 'T1', url: options.terminal }];
  const stored = options.training ? [] : settings.terminals;
  const terminals = named ?? stored;
  return {
    dataDir,
    settings: store,
    // Until a terminal is configured, training is what a start gives.
    training: options.training || terminals.length === 0,
    port: options.port ?? settings.port,
    consolePort: options.consolePort ?? settings.consolePort,
    terminals,
    areTerminalsStored: named === undefined && terminals.length > 0,
  };
}

async function start(plan: Plan): Promise<void> {
  const virtual = plan.terminals.length === 0 ? await openVirtualTerminal(plan.dataDir) : undefined;
  const key = plan.training ? trainingKey(plan.dataDir, nodeIds) : undefined;
  const bridge = await createBridge({
    dataDir: plan.dataDir,
    settings: plan.settings,
    training: plan.training,
    ...(key === undefined ? {} : { trainingKey: key }),
    version: programVersion(),
    pid: process.pid,
    listen: { host, port: plan.port },
    console: {
      listen: { host, port: plan.consolePort },
      // Beside this program in dist/.
      filesDir: fileURLToPath(new URL('../renderer', import.meta.url)),
    },
    clock: nodeClock,
    ids: nodeIds,
    createTerminals: (log) =>
      virtual === undefined
        ? Promise.all(plan.terminals.map((stored) => createBridgeTerminal(stored, nodeClock, log)))
        : createBridgeTerminal(addressOf(virtual), nodeClock, log).then((own) => [{ ...own, isOwn: true }]),
    terminalSetup: {
      isChangedNow: plan.areTerminalsStored,
      createFinder: (log) => createFinder(nodeClock, log),
      createTerminal: (stored, log) => createBridgeTerminal(stored, nodeClock, log),
    },
  });
  stopOnSignal(bridge, virtual);
  const { posUrl, consoleUrl } = await bridge.start();
  await Promise.all(bridge.terminals.map(({ terminal }) => firstAttempt(terminal, nodeClock, firstAttemptWaitMs)));
  const ready = {
    posUrl,
    ...(key === undefined ? {} : { posKey: key }),
    consoleUrl,
    terminalId: bridge.terminals[0]?.terminal.terminalId,
    dataDir: plan.dataDir,
    pid: process.pid,
    children: virtual === undefined ? [] : [virtual.address.pid],
    simulated: plan.training,
    ...(virtual === undefined ? {} : { virtualTerminal: virtual.address }),
  };
  process.stdout.write(`READY ${JSON.stringify(ready)}\n`);
}

function addressOf(virtual: VirtualTerminal): StoredTerminal {
  return { terminalId: 'TRAINING-1', url: `zvt+tcp://127.0.0.1:${virtual.address.tcp}?password=000000&currency=EUR` };
}

function stopOnSignal(bridge: Bridge, virtual: VirtualTerminal | undefined): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    virtual?.release();
    await bridge.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
}

function programVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}

function describePorts(ports: readonly SerialPortDescription[]): string {
  if (ports.length === 0) return 'This machine has no serial port. Plug the terminal in and ask again.';
  return ports
    .map((port) => [`zvt+serial://${port.path}`, port.manufacturer, port.serialNumber].filter(Boolean).join('\t'))
    .join('\n');
}

/** One clear line for the operator; a stack only for what nobody foresaw. */
function explain(error: unknown, plan: Plan | undefined): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof BridgeError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error && typeof error.port === 'number' ? error.port : (plan?.port ?? 0);
    const option = port === plan?.consolePort ? '--console-port' : '--port';
    return `Port ${port} is in use by ${portHolder(port) ?? 'another program'}. End it, or start the till with ${option} N.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function main(): Promise<void> {
  let plan: Plan | undefined;
  try {
    const options = parseOptions(process.argv.slice(2));
    if (options.help) {
      process.stdout.write(`${usage}\n`);
      return;
    }
    if (options.listPorts) {
      process.stdout.write(`${describePorts(await listSerialPorts())}\n`);
      return;
    }
    plan = planOf(options);
    await start(plan);
  } catch (error) {
    process.stderr.write(`${explain(error, plan)}\n`);
    process.exit(1);
  }
}

await main();
