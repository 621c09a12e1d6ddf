import type { Clock } from '../../app/ports/clock.ts';
import type { Terminal } from '../../app/ports/terminal.ts';
import type { Candidate, SearchResult, TerminalFinder, TestResult } from '../../app/ports/terminal-finder.ts';
import { type HidLine, type LineAddress, usbIdOf } from '../line-address.ts';
import { createNeo2Links } from '../session/neo2-links.ts';
import { parseTerminalUrl, type TerminalAddress } from '../terminal-url.ts';
import type { LoadHidLibrary } from '../transport/load-hid-library.ts';
import { neo2PlaceOf } from '../urls/neo2-url.ts';
import { holderOfPort, permissionCommand, udevCommand } from './port-facts.ts';
import { searchNeo2 } from './search-neo2.ts';
import { searchZvt } from './search-zvt.ts';

/** How long the registration and the status may take. */
const TEST_TIMEOUT_MS = 20_000;

export interface FinderDeps {
  readonly clock: Clock;
  createTerminal(address: TerminalAddress): Promise<Terminal>;
  /** What reaches HID devices; node-hid unless told otherwise. */
  readonly loadHidLibrary?: LoadHidLibrary;
}

const names = { ZVT: 'ZVT', NEO2: 'NEO 2' } as const;

/** Finds terminals on the lines of this machine, and tries them without money. */
export function createTerminalFinder(deps: FinderDeps): TerminalFinder {
  const { clock, loadHidLibrary } = deps;

  async function ask(
    protocol: TerminalAddress['protocol'],
    candidate: Candidate,
    signal: AbortSignal,
  ): Promise<SearchResult> {
    const address = parseTerminalUrl(urlOf({ ...candidate, protocol }));
    if (address.protocol === 'NEO2')
      return searchNeo2({ clock, createLink: await createNeo2Links(address.line, clock, loadHidLibrary) }, signal);
    const { createTransportFactory } = await import('../transport/transport-factory.ts');
    return searchZvt({ clock, createTransport: await createTransportFactory(address.line, clock) }, candidate, signal);
  }

  /** On a serial port either may be attached: where one does not answer, the other is asked for, so that it can be named. */
  async function orOther(
    protocol: TerminalAddress['protocol'],
    result: SearchResult,
    candidate: Candidate,
    signal: AbortSignal,
  ): Promise<SearchResult> {
    const isSilent = result.kind === 'NOT_FOUND' && ['NO_ANSWER', 'NOT_READABLE'].includes(result.problem);
    const { line } = candidate;
    if (!isSilent || line.kind !== 'SERIAL') return result;
    const other = protocol === 'ZVT' ? 'NEO2' : 'ZVT';
    if ((await ask(other, candidate, signal)).kind !== 'FOUND') return result;
    return {
      kind: 'NOT_FOUND',
      problem: 'FOREIGN',
      words: `${line.path} answers as ${names[other]}, not as ${names[protocol]}.`,
      answeredBy: names[other],
    };
  }

  return {
    async serialPorts() {
      const { listSerialPorts } = await import('../transport/serial-ports.ts');
      return (await listSerialPorts()).map(({ path, manufacturer, serialNumber }) => {
        const description = [manufacturer, serialNumber].filter((part) => part !== undefined).join(' · ');
        return { path, ...(description === '' ? {} : { description }) };
      });
    },

    async readers() {
      try {
        const { listHidReaders } = await import('../transport/hid-readers.ts');
        const readers = await listHidReaders(deps.loadHidLibrary);
        return {
          readers: readers.map(({ line: { kind: _, ...numbers }, description }) => ({
            ...numbers,
            address: hidText(numbers),
            ...(description === undefined ? {} : { description }),
          })),
        };
      } catch (error) {
        return { readers: [], problem: error instanceof Error ? error.message : 'unknown' };
      }
    },

    async search(candidate, signal) {
      const { protocol, line } = parseTerminalUrl(urlOf(candidate));
      const result = await ask(protocol, candidate, signal);
      return withFacts(await orOther(protocol, result, candidate, signal), line);
    },

    async test(candidate, signal) {
      const terminal = await deps.createTerminal(parseTerminalUrl(urlOf(candidate)));
      terminal.start();
      try {
        await firstAnswer(terminal, clock, signal);
        signal.throwIfAborted();
        return testResultOf(terminal);
      } finally {
        await terminal.stop();
      }
    },

    urlOf,
    lineOf: (url) => lineTextOf(parseTerminalUrl(url).line),
  };
}

function testResultOf(terminal: Terminal): TestResult {
  const { state, firmwareVersion, serialNumber } = terminal.status();
  return {
    isReady: state === 'IDLE' || state === 'BUSY',
    ...(firmwareVersion === undefined ? {} : { firmwareVersion }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
  };
}

/** Resolves when the terminal has registered or said why not, when its time is over, or when `signal` aborts. */
function firstAnswer(terminal: Terminal, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      unsubscribe();
      stopTimer();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const look = () => {
      if (['IDLE', 'BUSY', 'ERROR', 'UPDATING'].includes(terminal.status().state)) end();
    };
    const unsubscribe = terminal.subscribe(look);
    const stopTimer = clock.after(TEST_TIMEOUT_MS, end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}

async function withFacts(result: SearchResult, line: LineAddress): Promise<SearchResult> {
  if (result.kind === 'FOUND' || line.kind === 'TCP') return result;
  if (result.problem === 'PORT_IN_USE' && line.kind === 'SERIAL') {
    const holder = await holderOfPort(line.path);
    return holder === undefined ? result : { ...result, holder };
  }
  if (result.problem !== 'NO_PERMISSION') return result;
  const command = line.kind === 'HID' ? udevCommand(line.vendorId) : await permissionCommand(line.path);
  return command === undefined ? result : { ...result, command };
}

function urlOf({ line, protocol = 'ZVT', password, currency }: Candidate): string {
  const money = `currency=${encodeURIComponent(currency)}`;
  if (line.kind === 'HID') return `${neo2PlaceOf(line)}?${money}`;
  if (line.kind === 'SERIAL' && protocol === 'NEO2') return `${neo2PlaceOf(line)}?baudRate=${line.baudRate}&${money}`;
  const parameters = `password=${password.reveal()}&${money}`;
  if (line.kind === 'SERIAL') return `zvt+serial://${line.path}?baudRate=${line.baudRate}&${parameters}`;
  const host = line.host.includes(':') ? `[${line.host}]` : line.host;
  return `zvt+tcp://${host}:${line.port}?${parameters}`;
}

/** Another baud rate, or another protocol, is the same port. */
function lineTextOf(line: LineAddress): string {
  switch (line.kind) {
    case 'SERIAL':
      return line.path;
    case 'TCP':
      return `${line.host.toLowerCase()}:${line.port}`;
    case 'HID':
      return hidText(line);
  }
}

function hidText({ serialNumber, ...ids }: Omit<HidLine, 'kind'>): string {
  return serialNumber === undefined ? usbIdOf(ids) : `${usbIdOf(ids)}/${serialNumber}`;
}
