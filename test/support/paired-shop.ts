import { join } from 'node:path';
import { type SimulatorControl, simulatorControl } from '../host/support/simulator-control.ts';
import { type ControlClient, controlClient } from '../virtual/support/running-terminal.ts';
import { createPos, type Pos } from './pos.ts';
import {
  endProgram,
  type Program,
  runProgram,
  startProgram,
  startVirtualTerminal,
  type TillReady,
} from './processes.ts';
import { startWireProxy, type WireHooks, type WireProxy } from './wire-proxy.ts';

interface HostReady {
  readonly baseUrl: string;
  readonly demo: { readonly merchantId: string; readonly secretKey: string };
  readonly simulator: { readonly control: string };
}

/** OWN_ACQUIRER: a ZVT terminal that authorizes by itself. READER: a card reader whose payments the host authorizes. */
export type TerminalKind = 'OWN_ACQUIRER' | 'READER';

/** The two programs that are joined. */
export type Side = 'HOST' | 'TILL';

/**
 * A host with its acquirer, a till and a terminal, as the programs that they are, and a wire between till and host. The till (its terminal is T1) is
 * paired with a terminal of the host by a code, unless that was left to the test.
 */
export interface PairedShop {
  readonly folder: string;
  readonly tillDir: string;
  readonly hostDir: string;
  readonly merchantId: string;
  /** Of the terminal at the host. */
  readonly terminalId: string;
  /** The control interface of the virtual terminal or reader; its book judges. */
  readonly terminal: ControlClient;
  /** Between till and host. */
  readonly hostLine: WireProxy;
  host(): Program<HostReady>;
  till(): Program<TillReady>;
  acquirer(): SimulatorControl;
  /** The POS API at the till. */
  pos(): Pos;
  /** The host API for the merchant's server, with its secret key; straight to the host. */
  merchant(): Pos;
  /** An admin command of the host, and what it says. */
  admin(...args: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Offers a pairing code for the terminal and types it in at the till. */
  pair(...args: readonly string[]): ReturnType<typeof runProgram>;
  /** By SIGKILL; resolves when it is gone. */
  kill(side: Side): Promise<void>;
  /** Starts it again on the same data folder and its own port. */
  start(side: Side): Promise<void>;
  /** By SIGTERM; `start` starts it again. */
  stop(side: Side): Promise<void>;
  close(): Promise<void>;
}

export interface PairedShopOptions {
  readonly kind?: TerminalKind;
  /** False: the test pairs. */
  readonly isPaired?: boolean;
  /** What happens to messages between till and host, and between till and terminal (not a reader's: it is on a serial line). */
  readonly hostHooks?: WireHooks;
  readonly terminalHooks?: WireHooks;
}

/** @param folder of its own; what it holds is the caller's to remove */
export async function openPairedShop(folder: string, options: PairedShopOptions = {}): Promise<PairedShop> {
  const { kind = 'OWN_ACQUIRER', isPaired = true, hostHooks = {}, terminalHooks = {} } = options;
  const tillDir = join(folder, 'till');
  const hostDir = join(folder, 'host');
  const startHost = (port: number) =>
    startProgram<HostReady>('host/main', ['--port', String(port), '--data-dir', hostDir, '--demo']);
  let host = await startHost(0);
  const { merchantId, secretKey } = host.ready.demo;
  const said = async (program: string, ...args: readonly string[]) => {
    const { code, output, errors } = await runProgram(program, args);
    if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${errors}`);
    return output;
  };
  const admin = async (...args: readonly string[]) =>
    JSON.parse(await said('host/main', 'admin', ...args, '--data-dir', hostDir, '--json')) as Record<string, string>;
  const addTerminal = ['terminals', 'add', '--merchant', merchantId, '--name', 'Till 2', '--currency', 'EUR'];
  const { terminalId = '' } = await admin(...addTerminal);
  const hostLine = await startWireProxy(portOf(host.ready.baseUrl), hostHooks);

  const line = await openTerminalLine(kind, folder, terminalHooks);
  const startTill = (port: number) => {
    const place = ['--port', String(port), '--data-dir', tillDir, '--terminal', line.url];
    return startProgram<TillReady>('main/headless', ['--headless', ...place]);
  };
  let till = await startTill(0);
  const made = await said('main/keys', 'create', 'POS', '--data-dir', tillDir);
  const posKey = /pos_[\w-]+/.exec(made)?.[0] ?? '';
  const programOf = (side: Side): Program<unknown> => (side === 'HOST' ? host : till);
  const acquirer = () => simulatorControl(host.ready.simulator.control);

  const shop: PairedShop = {
    ...{ folder, tillDir, hostDir, merchantId, terminalId, hostLine, acquirer, admin },
    terminal: line.terminal,
    host: () => host,
    till: () => till,
    pos: () => createPos(till.ready.posUrl, posKey),
    merchant: () => createPos(host.ready.baseUrl, secretKey),
    async pair(...args) {
      const { pairingCode = '' } = await admin(
        'pairing-codes',
        'add',
        '--merchant',
        merchantId,
        '--terminal',
        terminalId,
      );
      return await runProgram('main/pair', [pairingCode, '--terminal', 'T1', '--data-dir', tillDir, ...args]);
    },
    async kill(side) {
      programOf(side).kill('SIGKILL');
      await programOf(side).ended;
    },
    stop: (side) => endProgram(programOf(side)),
    async start(side) {
      if (side === 'HOST') host = await startHost(portOf(host.ready.baseUrl));
      else till = await startTill(portOf(till.ready.posUrl));
    },
    async close() {
      await endProgram(till);
      await line.close();
      await hostLine.close();
      await endProgram(host);
      // It would outlive its host by its lease.
      await acquirer().send('POST', '/stop');
    },
  };
  if (!isPaired) return shop;
  const { code, errors } = await shop.pair('--host', `http://127.0.0.1:${hostLine.port}`);
  if (code !== 0) throw new Error(`the till was not paired: ${errors}`);
  return shop;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

interface TerminalLine {
  /** For the till. */
  readonly url: string;
  readonly terminal: ControlClient;
  close(): Promise<void>;
}

async function openTerminalLine(kind: TerminalKind, folder: string, hooks: WireHooks): Promise<TerminalLine> {
  // Beside the till's folder: what the terminal knows is no part of what the till keeps.
  const common = ['--think-ms', '0', '--book', join(folder, 'terminal.jsonl')];
  if (kind === 'READER') {
    const link = join(folder, 'tty-reader');
    const reader = await startVirtualTerminal(['--protocol', 'neo2', '--pty', link, ...common]);
    const terminal = controlClient(reader.ready.controlUrl);
    return { url: `neo2+serial://${link}?currency=EUR`, terminal, close: () => endProgram(reader) };
  }
  const virtual = await startVirtualTerminal(['--tcp', '0', ...common]);
  const proxy = await startWireProxy(virtual.ready.tcp ?? 0, hooks);
  return {
    url: `zvt+tcp://127.0.0.1:${proxy.port}?currency=EUR`,
    terminal: controlClient(virtual.ready.controlUrl),
    async close() {
      await proxy.close();
      await endProgram(virtual);
    },
  };
}
