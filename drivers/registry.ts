import type { Clock } from '../app/ports/clock.ts';
import type { Log } from '../app/ports/log.ts';
import type { Printers } from '../app/ports/printer.ts';
import type { Terminal } from '../app/ports/terminal.ts';
import type { TerminalFinder } from '../app/ports/terminal-finder.ts';
import type { WireRecorder } from '../app/ports/wire-traces.ts';
import { parseTerminalUrl, type TerminalAddress } from './terminal-url.ts';
import type { LoadHidLibrary } from './transport/load-hid-library.ts';
import type { SerialPortDescription } from './transport/serial-ports.ts';
import type { CaisseApAddress } from './urls/caisse-ap-url.ts';
import type { Ecr17Address } from './urls/ecr17-url.ts';
import type { Neo2Address } from './urls/neo2-url.ts';
import type { ZvtAddress } from './urls/zvt-url.ts';

export type { SerialPortDescription, TerminalAddress };
export { parseTerminalUrl };

/** A protocol that terminals may be attached by. */
export interface ProtocolDescription {
  readonly protocol: TerminalAddress['protocol'];
  readonly name: string;
  /** What a terminal's URL looks like, one example per kind of line. */
  readonly examples: readonly string[];
}

export interface TerminalDeps {
  readonly terminalId: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Keeps what goes over the line, without card data. */
  readonly wire?: WireRecorder;
  /** What reaches HID devices; node-hid unless a virtual reader stands in for it. */
  readonly loadHidLibrary?: LoadHidLibrary;
}

/** Every protocol of this program. */
export function listProtocols(): readonly ProtocolDescription[] {
  return [
    {
      protocol: 'ZVT',
      name: 'ZVT 13 (terminals in Germany, Austria, Switzerland and neighbours)',
      examples: [
        'zvt+tcp://192.168.1.20:20007?password=000000&currency=EUR',
        'zvt+serial:///dev/ttyUSB0?baudRate=9600&password=000000&currency=EUR',
      ],
    },
    {
      protocol: 'NEO2',
      name: 'ID TECH NEO 2 card readers (granular mode, and sales that a host authorizes)',
      examples: [
        'neo2+hid://0ACD:3810?currency=EUR&encryption=required',
        'neo2+serial:///dev/ttyUSB0?baudRate=115200&currency=EUR&encryption=required',
      ],
    },
    {
      protocol: 'ECR17',
      name: 'ECR17, also called Protocollo 17 (terminals in Italy)',
      examples: [
        'ecr17+tcp://192.168.1.20:10000?lrc=std&currency=EUR',
        'ecr17+serial:///dev/ttyUSB0?baudRate=9600&lrc=std&currency=EUR',
      ],
    },
    {
      protocol: 'CAISSE_AP',
      name: 'Caisse-AP over IP (terminals in France)',
      examples: ['caisse-ap+tcp://192.168.1.20:8888?currency=EUR&till=01'],
    },
  ];
}

/** Makes a terminal that is not started yet. Only the protocol and the line that it needs are loaded. */
export async function createTerminal(address: TerminalAddress, deps: TerminalDeps): Promise<Terminal> {
  switch (address.protocol) {
    case 'ZVT':
      return createZvt(address, deps);
    case 'NEO2':
      return createNeo2(address, deps);
    case 'ECR17':
      return createEcr17(address, deps);
    case 'CAISSE_AP':
      return createCaisseAp(address, deps);
  }
}

async function createZvt({ line, settings }: ZvtAddress, deps: TerminalDeps): Promise<Terminal> {
  const { createZvtTerminal } = await import('./zvt/zvt-terminal.ts');
  const { createTransportFactory } = await import('./transport/transport-factory.ts');
  const { loadHidLibrary: _, ...rest } = deps;
  const createTransport = await createTransportFactory(line, deps.clock);
  return createZvtTerminal({ ...rest, settings, line: line.kind, createTransport });
}

async function createEcr17({ line, settings }: Ecr17Address, deps: TerminalDeps): Promise<Terminal> {
  const { createEcr17Terminal } = await import('./ecr17/ecr17-terminal.ts');
  const { createTransportFactory } = await import('./transport/transport-factory.ts');
  const { loadHidLibrary: _, ...rest } = deps;
  // 8N1, as terminals on cables stand.
  const createTransport = await createTransportFactory(line, deps.clock, { stopBits: 1 });
  return createEcr17Terminal({ ...rest, settings, line: line.kind, createTransport });
}

async function createCaisseAp({ line, settings }: CaisseApAddress, deps: TerminalDeps): Promise<Terminal> {
  const { createCaisseApTerminal } = await import('./caisse-ap/caisse-ap-terminal.ts');
  const { createTransportFactory } = await import('./transport/transport-factory.ts');
  const { loadHidLibrary: _, ...rest } = deps;
  return createCaisseApTerminal({ ...rest, settings, createTransport: await createTransportFactory(line, deps.clock) });
}

async function createNeo2({ line, settings }: Neo2Address, deps: TerminalDeps): Promise<Terminal> {
  const { createNeo2Terminal } = await import('./neo2/neo2-terminal.ts');
  const { createNeo2Links } = await import('./session/neo2-links.ts');
  const { loadHidLibrary, ...rest } = deps;
  const createLink = await createNeo2Links(line, deps.clock, loadHidLibrary);
  const known = line.kind === 'HID' && line.serialNumber !== undefined ? { serialNumber: line.serialNumber } : {};
  const terminal = createNeo2Terminal({ ...rest, ...known, settings, line: line.kind, createLink });
  if (line.kind === 'SERIAL') return terminal;
  const { withHotPlug } = await import('./session/hot-plug.ts');
  const { loadNodeHid } = await import('./transport/load-hid-library.ts');
  return withHotPlug(terminal, { ...rest, line, loadLibrary: loadHidLibrary ?? loadNodeHid });
}

/** Finds terminals on the lines of this machine. */
export async function createFinder(clock: Clock, log: Log): Promise<TerminalFinder> {
  const { createTerminalFinder } = await import('./detection/terminal-finder.ts');
  return createTerminalFinder({
    clock,
    createTerminal: (address) => createTerminal(address, { terminalId: 'search', clock, log }),
  });
}

/** Serial ports of this machine, also without udev; empty where there are none. Never rejects. */
export async function listSerialPorts(): Promise<readonly SerialPortDescription[]> {
  const { listSerialPorts: list } = await import('./transport/serial-ports.ts');
  return list();
}

/** A card reader on USB. */
export interface ReaderDescription {
  /** What names it to the till, without parameters. */
  readonly url: string;
  readonly description?: string;
}

/** Card readers on USB of this machine. Never rejects: `problem` says why there may be more. */
export async function listReaders(
  loadHidLibrary?: LoadHidLibrary,
): Promise<{ readonly readers: readonly ReaderDescription[]; readonly problem?: string }> {
  const { listHidReaders } = await import('./transport/hid-readers.ts');
  const { neo2PlaceOf } = await import('./urls/neo2-url.ts');
  try {
    const readers = await listHidReaders(loadHidLibrary);
    return { readers: readers.map(({ line, ...words }) => ({ url: neo2PlaceOf(line), ...words })) };
  } catch (error) {
    return { readers: [], problem: error instanceof Error ? error.message : 'The USB readers cannot be listed.' };
  }
}

/** Receipt printers over TCP, serial and USB. */
export async function printersOf(clock: Clock): Promise<Printers> {
  const { createPrinters } = await import('./printers/create-printers.ts');
  return createPrinters(clock);
}
