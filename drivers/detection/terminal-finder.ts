import { type TerminalProtocol, terminalProtocolNames } from '../../app/contract/console/terminals.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Terminal, TerminalStatus } from '../../app/ports/terminal.ts';
import type { Candidate, SearchResult, TerminalFinder, TestResult } from '../../app/ports/terminal-finder.ts';
import { type HidLine, type LineAddress, usbIdOf } from '../line-address.ts';
import { createNeo2Links } from '../session/neo2-links.ts';
import { parseTerminalUrl, type TerminalAddress } from '../terminal-url.ts';
import type { LoadHidLibrary } from '../transport/load-hid-library.ts';
import { candidateUrl } from './candidate-url.ts';
import type { NotFound } from './not-opened.ts';
import { holderOfPort, permissionCommand, udevCommand } from './port-facts.ts';
import { searchCaisseAp } from './search-caisse-ap.ts';
import { searchEcr17 } from './search-ecr17.ts';
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

/** What may be on a line and has a harmless question, in the order in which it is asked: what answers others' questions fastest comes first. */
const askable = {
  TCP: ['ZVT', 'ECR17'],
  SERIAL: ['NEO2', 'ECR17', 'ZVT'],
  HID: ['NEO2'],
} as const satisfies Record<LineAddress['kind'], readonly TerminalProtocol[]>;

/** How telling a search without a find is, by its problem; everything else is about a line that does not open. */
const silence: readonly NotFound['problem'][] = ['NO_ANSWER', 'NOT_READABLE'];
const foreign: readonly NotFound['problem'][] = ['FOREIGN', 'REFUSES'];
const tellingOrder = [...silence, ...foreign];

/** Finds terminals on the lines of this machine, and tries them without money. */
export function createTerminalFinder(deps: FinderDeps): TerminalFinder {
  const { clock, loadHidLibrary } = deps;

  async function ask(protocol: TerminalProtocol, candidate: Candidate, signal: AbortSignal): Promise<SearchResult> {
    const address = parseTerminalUrl(candidateUrl({ ...candidate, protocol }));
    if (address.protocol === 'NEO2')
      return searchNeo2({ clock, createLink: await createNeo2Links(address.line, clock, loadHidLibrary) }, signal);
    const { createTransportFactory } = await import('../transport/transport-factory.ts');
    // ZVT's two stop bits are heard as one and a pause.
    const createTransport = await createTransportFactory(
      address.line,
      clock,
      address.protocol === 'ZVT' ? {} : { stopBits: 1 },
    );
    if (address.protocol === 'ZVT') return searchZvt({ clock, createTransport }, candidate, signal);
    if (address.protocol === 'ECR17') return searchEcr17({ clock, createTransport }, signal);
    return searchCaisseAp({ clock, createTransport }, signal);
  }

  /** Asks for each that may be on the line, until one is found or the line does not open. */
  async function findOut(candidate: Candidate, signal: AbortSignal): Promise<SearchResult> {
    let said: NotFound | undefined;
    for (const protocol of askable[candidate.line.kind]) {
      const result = await ask(protocol, candidate, signal);
      if (result.kind === 'FOUND') return result;
      // A terminal may be slow to take the next connection: what the first one told stands.
      if (!tellingOrder.includes(result.problem)) return said ?? result;
      said = moreTelling(said, result);
      // A greeting in words is no terminal that only speaks otherwise.
      if (result.problem === 'FOREIGN' && !isProtocolName(result.answeredBy)) break;
    }
    return said ?? { kind: 'NOT_FOUND', problem: 'OTHER', words: 'Nothing can be asked on such a line.' };
  }

  /** Where the one that was named does not answer, the others are asked for, so that what is there can be named. */
  async function orOther(
    protocol: TerminalProtocol,
    result: SearchResult,
    candidate: Candidate,
    signal: AbortSignal,
  ): Promise<SearchResult> {
    if (result.kind === 'FOUND' || !silence.includes(result.problem)) return result;
    for (const other of askable[candidate.line.kind]) {
      if (other === protocol || protocol === 'CAISSE_AP') continue;
      const answer = await ask(other, candidate, signal);
      if (answer.kind !== 'FOUND' && answer.problem !== 'REFUSES') continue;
      const names = terminalProtocolNames;
      return {
        kind: 'NOT_FOUND',
        problem: 'FOREIGN',
        words: `${lineTextOf(candidate.line)} answers as ${names[other]}, not as ${names[protocol]}.`,
        answeredBy: names[other],
      };
    }
    return result;
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
      const { line, protocol } = candidate;
      if (protocol === undefined || line.kind === 'HID') return withFacts(await findOut(candidate, signal), line);
      const result = await ask(protocol, candidate, signal);
      return withFacts(await orOther(protocol, result, candidate, signal), line);
    },

    async test(candidate, signal) {
      const terminal = await deps.createTerminal(parseTerminalUrl(candidateUrl(candidate)));
      terminal.start();
      try {
        const status = await firstAnswer(terminal, clock, signal);
        signal.throwIfAborted();
        return testResultOf(status);
      } finally {
        await terminal.stop();
      }
    },

    urlOf: candidateUrl,
    lineOf: (url) => lineTextOf(parseTerminalUrl(url).line),
  };
}

function testResultOf({ state, firmwareVersion, serialNumber }: TerminalStatus): TestResult {
  return {
    isReady: state === 'IDLE' || state === 'BUSY',
    ...(firmwareVersion === undefined ? {} : { firmwareVersion }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
  };
}

/**
 * How the terminal is when it has registered or said why not, when its time is over, or when `signal` aborts. A moment later it may be between two
 * connections again.
 */
function firstAnswer(terminal: Terminal, clock: Clock, signal: AbortSignal): Promise<TerminalStatus> {
  return new Promise((resolve) => {
    const end = () => {
      unsubscribe();
      stopTimer();
      signal.removeEventListener('abort', end);
      resolve(terminal.status());
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

/** Bytes say more than silence, and a name says more than bytes. */
function moreTelling(before: NotFound | undefined, next: NotFound): NotFound {
  if (before === undefined) return next;
  return tellingOrder.indexOf(next.problem) > tellingOrder.indexOf(before.problem) ? next : before;
}

function isProtocolName(text: string | undefined): boolean {
  return Object.values<string | undefined>(terminalProtocolNames).includes(text);
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
