import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSettings } from '../../../app/config/settings-store.ts';
import { type Bridge, createBridge } from '../../../app/create-bridge.ts';
import { Secret } from '../../../app/domain/secret.ts';
import type { Clock } from '../../../app/ports/clock.ts';
import { nodeIds } from '../../../app/programs/node-ports.ts';
import { createTerminal, parseTerminalUrl } from '../../../drivers/registry.ts';
import { parseOptions } from '../../../drivers/virtual/options.ts';
import { startVirtualTerminal } from '../../../drivers/virtual/start-virtual-terminal.ts';
import { createSimulatorAcquirer } from '../../../host/acquirers/simulator-acquirer.ts';
import { addPosClient } from '../../../host/admin/pos-clients.ts';
import { createHost } from '../../../host/create-host.ts';
import { type Demo, openDemo } from '../../../host/program/demo.ts';
import { startSimulator } from '../../../host/simulator/start-simulator.ts';
import { openHostStore } from '../../../host/storage/open-host-store.ts';
import { simulatorControl } from '../../host/support/simulator-control.ts';
import { quietLog } from '../../support/engine-harness.ts';
import { createFastClock } from '../../support/fast-clock.ts';
import { HID_IDENTITY, startHidReader } from '../../virtual/neo2/hid-reader.ts';
import { controlClient } from '../../virtual/support/running-terminal.ts';
import { createWires, type Wires } from './hop.ts';
import { openHttpHop } from './http-hop.ts';
import { openStreamHop, simulatorLines, zvtMessages } from './stream-hop.ts';

/** Times as fast as the machine's clock. Faster, and a busy machine would take an answer that is a little late for a lost one. HOPS_SPEED is another. */
const SPEED = { OWN: 5, READER: 8 } as const;
/** The most that a call may take, and less at the host, so that it does not wait too long for one of which nothing is heard any more. */
export const MOST_CALL_SECONDS = 240;
const CLOUD_CALL_SECONDS = 120;
const POS_KEY = `pos_${'h'.repeat(43)}`;

const HOPS = {
  pos: 'POS ↔ till',
  cloud: 'POS ↔ host',
  host: 'till ↔ host',
  terminal: 'till ↔ terminal',
  acquirer: 'host ↔ acquirer',
} as const;

/** OWN: a ZVT terminal with an acquirer of its own. READER: a card reader, for which the host authorizes. */
export type TerminalKind = 'OWN' | 'READER';

/** Money that stands in the book of who moves it. */
export interface StandingPayment {
  readonly type: 'SALE' | 'REFUND';
  readonly amountMinor: number;
}

/** Where a POS calls, over the line that is disturbed, and past it. */
export interface PosAddress {
  readonly url: string;
  readonly pastUrl: string;
  readonly key: string;
  /** That the till is given for a call. */
  readonly callSeconds: number;
}

/** A whole shop in this process, over real sockets: POS API, till, terminal, host and acquirer, and a line between each two of them. */
export interface HopShop {
  readonly kind: TerminalKind;
  readonly wires: Wires;
  readonly demo: Demo;
  readonly hostUrl: string;
  /** The POS API at the till itself, and at the host, which passes a call on to the till. */
  readonly till: PosAddress;
  readonly cloud: PosAddress;
  /** What stands in the book of the terminal's acquirer, or of the host's. */
  book(): Promise<readonly StandingPayment[]>;
  /** The till is stopped and started again, with what it had kept. */
  restartTill(): Promise<void>;
  stop(): Promise<void>;
}

/** A terminal as the till reaches it, and the book of its own acquirer, where it has one. */
interface Device {
  readonly url: string;
  readonly hid?: Awaited<ReturnType<typeof startHidReader>>['hid'];
  book?(): Promise<readonly StandingPayment[]>;
  stop(): Promise<void>;
}

export async function openHopShop(kind: TerminalKind): Promise<HopShop> {
  const clock = createFastClock(Number(process.env.HOPS_SPEED ?? SPEED[kind]));
  const wires = createWires();
  const folder = mkdtempSync(join(tmpdir(), 'hops-'));
  const host = await startHost(folder, clock, wires);
  const device = kind === 'OWN' ? await startOwn(folder, clock, wires) : await startReader(clock);
  const hostLine = await openHttpHop(HOPS.host, () => host.url, wires);
  const access = () => ({ url: hostLine.url, deviceToken: new Secret(host.demo.deviceToken) });
  const parts = { dataDir: join(folder, 'till'), clock, device, access };
  let till = await openTill(parts);
  const posLine = await openHttpHop(HOPS.pos, () => till.posUrl, wires);
  const cloudLine = await openHttpHop(HOPS.cloud, () => host.url, wires);
  return {
    ...{ kind, wires, demo: host.demo, hostUrl: host.url },
    get till() {
      return { url: posLine.url, pastUrl: till.posUrl, key: POS_KEY, callSeconds: MOST_CALL_SECONDS };
    },
    cloud: { url: cloudLine.url, pastUrl: host.url, key: host.posKey, callSeconds: CLOUD_CALL_SECONDS },
    book: device.book ?? host.book,
    async restartTill() {
      await till.bridge.stop();
      till = await openTill(parts);
    },
    async stop() {
      await posLine.close();
      await cloudLine.close();
      await till.bridge.stop();
      await hostLine.close();
      await host.stop();
      await device.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface TillParts {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly device: Device;
  access(): { readonly url: string; readonly deviceToken: Secret<string> };
}

async function openTill(parts: TillParts): Promise<{ readonly bridge: Bridge; readonly posUrl: string }> {
  const { dataDir, clock, device, access } = parts;
  const unused = () => Promise.reject(new Error('not used here'));
  const listen = { host: '127.0.0.1', port: 0 };
  const bridge = await createBridge({
    ...{ dataDir, clock, listen, ids: nodeIds, host: access },
    settings: openSettings(dataDir),
    training: true,
    trainingKey: POS_KEY,
    version: 'test',
    pid: process.pid,
    console: { listen, filesDir: dataDir },
    portHolder: async () => undefined,
    createTerminals: async (log) => {
      const hid = device.hid;
      const terminal = await createTerminal(parseTerminalUrl(device.url), {
        ...{ terminalId: 'T1', clock, log },
        ...(hid === undefined ? {} : { loadHidLibrary: async () => hid.library }),
      });
      return [{ terminal, currency: 'EUR' }];
    },
    printers: { open: unused, describe: unused } as never,
    terminalSetup: { isChangedNow: false, createFinder: async () => ({}) as never, createTerminal: unused },
    vault: { read: async () => undefined, keep: async () => undefined },
    runProgram: unused as never,
  });
  const { posUrl } = await bridge.start();
  return { bridge, posUrl };
}

/** The host with its database, its acquirer, and the line between the two. */
async function startHost(folder: string, clock: Clock, wires: Wires) {
  const simulator = await startSimulator(
    { port: 0, controlPort: 0, bookPath: join(folder, 'acquirer.jsonl'), slowMs: 50 },
    { clock, onEnd: () => {} },
  );
  const control = simulatorControl(simulator.ready.controlUrl);
  const line = await openStreamHop(HOPS.acquirer, simulator.ready.port, simulatorLines, wires);
  const database = `sqlite:${join(folder, 'host.db')}`;
  const store = await openHostStore({ database, nowMs: clock.nowMs() });
  const provisioning = { store, clock, ids: nodeIds };
  const demo = await openDemo(provisioning, folder);
  const { key: posKey } = await addPosClient(provisioning, { merchantId: demo.merchantId, name: 'Web shop' });
  const host = await createHost({
    ...{ store, database, clock, ids: nodeIds, log: quietLog, version: 'test' },
    acquirer: createSimulatorAcquirer({ host: '127.0.0.1', port: line.port }, { clock, log: quietLog }),
    acquirerName: 'simulator',
    hmac: (text) => createHmac('sha256', 'key of this bench').update(text).digest('hex'),
  });
  const url = await host.start({ host: '127.0.0.1', port: 0 });
  return {
    ...{ demo, url, posKey },
    async book(): Promise<readonly StandingPayment[]> {
      const { transactions } = await control.book();
      return transactions
        .filter(({ stands }) => stands)
        .map(({ operation, state, heldMinor, capturedMinor }) => ({
          type: operation === 'refund' ? 'REFUND' : 'SALE',
          amountMinor: state === 'HELD' ? heldMinor : capturedMinor,
        }));
    },
    async stop() {
      await host.stop();
      await line.close();
      await simulator.stop();
    },
  };
}

async function startOwn(folder: string, clock: Clock, wires: Wires): Promise<Device> {
  const options = parseOptions(['--tcp', '0', '--think-ms', '0', '--book', join(folder, 'terminal.jsonl')]);
  const terminal = await startVirtualTerminal(options, { clock, onEnd: () => {} });
  const control = controlClient(terminal.ready.controlUrl);
  const line = await openStreamHop(HOPS.terminal, terminal.ready.tcp ?? 0, zvtMessages, wires);
  return {
    url: `zvt+tcp://127.0.0.1:${line.port}?password=000000&currency=EUR`,
    async book() {
      // A reversal has an entry of its own there, which is no payment.
      const { transactions } = await control.book();
      return transactions
        .filter(({ stands, operation }) => stands && (operation === 'SALE' || operation === 'REFUND'))
        .map(({ operation, amountMinor }) => ({ type: operation === 'REFUND' ? 'REFUND' : 'SALE', amountMinor }));
    },
    async stop() {
      await line.close();
      await terminal.stop();
    },
  };
}

async function startReader(clock: Clock): Promise<Device> {
  const reader = await startHidReader({ slowMs: 3_000, outageMs: 3_000 }, HID_IDENTITY, clock);
  return { url: 'neo2+hid://0ACD:3810/123T456789?currency=EUR', hid: reader.hid, stop: () => reader.stop() };
}
