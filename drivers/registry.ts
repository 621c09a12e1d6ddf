import type { Clock } from '../app/ports/clock.ts';
import type { Log } from '../app/ports/log.ts';
import type { Printers } from '../app/ports/printer.ts';
import type { Terminal } from '../app/ports/terminal.ts';
import type { TerminalFinder } from '../app/ports/terminal-finder.ts';
import type { WireRecorder } from '../app/ports/wire-traces.ts';
import { parseTerminalUrl, type TerminalAddress } from './terminal-url.ts';
import type { SerialPortDescription } from './transport/serial-ports.ts';

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
  ];
}

/** Makes a terminal that is not started yet. Only the protocol and the line that it needs are loaded. */
export async function createTerminal(address: TerminalAddress, deps: TerminalDeps): Promise<Terminal> {
  const { createZvtTerminal } = await import('./zvt/zvt-terminal.ts');
  const { createTransportFactory } = await import('./transport/transport-factory.ts');
  return createZvtTerminal({
    ...deps,
    settings: address.settings,
    line: address.line.kind,
    createTransport: await createTransportFactory(address.line, deps.clock),
  });
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

/** Receipt printers over TCP, serial and USB. */
export async function printersOf(clock: Clock): Promise<Printers> {
  const { createPrinters } = await import('./printers/create-printers.ts');
  return createPrinters(clock);
}
