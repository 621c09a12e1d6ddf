import { fileURLToPath } from 'node:url';
import { openSettings } from '../app/config/settings-store.ts';
import type { StoredTerminal } from '../app/contract/settings.ts';
import { type Bridge, createBridge } from '../app/create-bridge.ts';
import type { RunProgram } from '../app/logs/support-work.ts';
import type { HostAccess } from '../app/ports/host-client.ts';
import type { SettingsStore } from '../app/ports/settings.ts';
import type { Terminal } from '../app/ports/terminal.ts';
import type { Vault } from '../app/ports/vault.ts';
import { dataDirOf } from '../app/programs/data-dir.ts';
import { nodeClock, nodeIds } from '../app/programs/node-ports.ts';
import { portHolder } from '../app/programs/port-holder.ts';
import { programVersion } from '../app/programs/program-version.ts';
import type { StartProgram } from '../app/programs/start-program.ts';
import { createFinder, printersOf } from '../drivers/registry.ts';
import { type EmbeddedHost, type StartOwned, startEmbeddedHost } from './embedded-host.ts';
import { hostAccessOf } from './host-access.ts';
import type { Options } from './options.ts';
import { createBridgeTerminal, firstAttempt } from './terminals.ts';
import { trainingKey } from './training-key.ts';
import { openVirtualTerminal, type VirtualTerminal } from './virtual-terminal.ts';

const host = '127.0.0.1';
const firstAttemptWaitMs = 5000;

/** What this run is made of, after options and stored settings have been put together. */
export interface Plan {
  readonly dataDir: string;
  readonly settings: SettingsStore;
  readonly training: boolean;
  readonly port: number;
  readonly consolePort: number;
  /** Terminals named by option or settings; none means the till's own virtual terminal. */
  readonly terminals: readonly StoredTerminal[];
  /** They are those of the settings, and real money moves: a change of the settings may hold at once. */
  readonly areTerminalsStored: boolean;
  /** The host that authorizes for a card reader, and is told of a terminal with an acquirer of its own. */
  readonly host?: HostAccess;
}

/** What the kind of process that the till runs in brings along. */
export interface Surroundings {
  readonly vault: Vault;
  /** Starts a built program beside the till. */
  readonly startProgram: StartProgram;
  /** Starts a built program that ends with the till; absent where the process cannot start one. */
  readonly startOwned?: StartOwned;
  /** Runs a built program to its end. */
  readonly runProgram: RunProgram;
}

/** What the READY line says. */
interface Ready {
  readonly posUrl: string;
  readonly posKey?: string;
  readonly consoleUrl: string;
  readonly terminalId: string | undefined;
  readonly dataDir: string;
  readonly pid: number;
  /** Process ids of the programs that the till started. */
  readonly children: readonly number[];
  readonly simulated: boolean;
  readonly virtualTerminal?: VirtualTerminal['address'];
  /** Where the training till's own host answers. */
  readonly hostUrl?: string;
}

/** A till of this run, not listening yet. */
export interface BridgeRun {
  readonly bridge: Bridge;
  /** Resolves when everything listens, with what a POS or a person needs to reach it. @throws the system's error for a taken port */
  start(): Promise<Ready>;
  /** Accepts nothing new, ends what runs or leaves it to recovery. */
  stop(): Promise<void>;
}

/** @throws BridgeError INVALID_REQUEST naming the setting that is wrong */
export function planOf(options: Options): Plan {
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
    ...(options.host === undefined ? {} : { host: hostAccessOf(options.host, process.env) }),
  };
}

/** The plan becomes a till, whatever kind of process it runs in. @throws BridgeError JOURNAL_UNAVAILABLE, INVALID_REQUEST */
export async function createBridgeRun(plan: Plan, surroundings: Surroundings): Promise<BridgeRun> {
  const virtual =
    plan.terminals.length === 0 ? await openVirtualTerminal(plan.dataDir, surroundings.startProgram) : undefined;
  const key = plan.training ? trainingKey(plan.dataDir, nodeIds) : undefined;
  let embedded: EmbeddedHost | undefined;
  let ownHostComes = false;
  const hasOwnHost = plan.training && plan.host === undefined && surroundings.startOwned !== undefined;
  const bridge = await createBridge({
    dataDir: plan.dataDir,
    settings: plan.settings,
    training: plan.training,
    ...(key === undefined ? {} : { trainingKey: key }),
    version: programVersion(),
    pid: process.pid,
    listen: { host, port: plan.port },
    console: { listen: { host, port: plan.consolePort }, filesDir: screenDir() },
    vault: surroundings.vault,
    clock: nodeClock,
    printers: await printersOf(nodeClock),
    ids: nodeIds,
    portHolder,
    runProgram: surroundings.runProgram,
    ...(plan.host === undefined ? {} : { host: () => plan.host }),
    ...(hasOwnHost ? { host: () => embedded?.access, isHostExpected: () => ownHostComes } : {}),
    createTerminals: (log, wire) =>
      virtual === undefined
        ? Promise.all(plan.terminals.map((stored) => createBridgeTerminal(stored, nodeClock, log, wire)))
        : createBridgeTerminal(addressOf(virtual), nodeClock, log, wire).then((own) => [{ ...own, isOwn: true }]),
    terminalSetup: {
      isChangedNow: plan.areTerminalsStored,
      createFinder: (log) => createFinder(nodeClock, log),
      createTerminal: (stored, log, wire) => createBridgeTerminal(stored, nodeClock, log, wire),
    },
  });
  ownHostComes = hasOwnHost && (virtual !== undefined || bridge.terminals.some(readsCards));
  return {
    bridge,
    start: async () => {
      const { posUrl, consoleUrl } = await bridge.start();
      // The API answers already; what is started beside it takes its time together.
      [embedded] = await Promise.all([
        ownHostComes ? ownHost(plan, surroundings) : undefined,
        ...bridge.terminals.map(({ terminal }) => firstAttempt(terminal, nodeClock, firstAttemptWaitMs)),
      ]);
      ownHostComes = embedded !== undefined;
      return {
        posUrl,
        ...(key === undefined ? {} : { posKey: key }),
        consoleUrl,
        terminalId: bridge.terminals[0]?.terminal.terminalId,
        dataDir: plan.dataDir,
        pid: process.pid,
        children: [...(virtual === undefined ? [] : [virtual.address.pid]), ...(embedded?.pids ?? [])],
        simulated: plan.training,
        ...(virtual === undefined ? {} : { virtualTerminal: virtual.address }),
        ...(embedded === undefined ? {} : { hostUrl: embedded.url }),
      };
    },
    stop: async () => {
      virtual?.release();
      await bridge.stop();
      await embedded?.stop();
    },
  };
}

/** A reader has the host behind it. */
function readsCards({ terminal }: { readonly terminal: Terminal }): boolean {
  return terminal.capabilities.operations.has('GRANULAR');
}

/** A training till sells without its host, too: then READY names none, and the log file says why. */
async function ownHost(plan: Plan, { startOwned }: Surroundings): Promise<EmbeddedHost | undefined> {
  if (startOwned === undefined) return undefined;
  try {
    return await startEmbeddedHost(plan.dataDir, startOwned);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

/** Folder of the built screen, beside this program in dist/. */
export function screenDir(): string {
  return fileURLToPath(new URL('../renderer', import.meta.url));
}

function addressOf(virtual: VirtualTerminal): StoredTerminal {
  return { terminalId: 'TRAINING-1', url: `zvt+tcp://127.0.0.1:${virtual.address.tcp}?password=000000&currency=EUR` };
}
