import type { Clock } from '../../app/ports/clock.ts';
import type { Terminal } from '../../app/ports/terminal.ts';
import type { Candidate, SearchResult, TerminalFinder, TestResult } from '../../app/ports/terminal-finder.ts';
import { type LineAddress, parseTerminalUrl, type TerminalAddress } from '../terminal-url.ts';
import { holderOfPort, permissionCommand } from './port-facts.ts';
import { searchZvt } from './search-zvt.ts';

/** How long the registration and the status may take. */
const TEST_TIMEOUT_MS = 20_000;

export interface FinderDeps {
  readonly clock: Clock;
  createTerminal(address: TerminalAddress): Promise<Terminal>;
}

/** Finds terminals on the lines of this machine, and tries them without money. */
export function createTerminalFinder(deps: FinderDeps): TerminalFinder {
  const { clock } = deps;
  return {
    async serialPorts() {
      const { listSerialPorts } = await import('../transport/serial-ports.ts');
      return (await listSerialPorts()).map(({ path, manufacturer, serialNumber }) => {
        const description = [manufacturer, serialNumber].filter((part) => part !== undefined).join(' · ');
        return { path, ...(description === '' ? {} : { description }) };
      });
    },

    async search(candidate, signal) {
      const { line } = parseTerminalUrl(urlOf(candidate));
      const { createTransportFactory } = await import('../transport/transport-factory.ts');
      const createTransport = await createTransportFactory(line, clock);
      return withFacts(await searchZvt({ clock, createTransport }, candidate, signal), line);
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
  if (result.problem === 'PORT_IN_USE') {
    const holder = await holderOfPort(line.path);
    return holder === undefined ? result : { ...result, holder };
  }
  if (result.problem !== 'NO_PERMISSION') return result;
  const command = await permissionCommand(line.path);
  return command === undefined ? result : { ...result, command };
}

function urlOf({ line, password, currency }: Candidate): string {
  const parameters = `password=${password.reveal()}&currency=${encodeURIComponent(currency)}`;
  if (line.kind === 'SERIAL') return `zvt+serial://${line.path}?baudRate=${line.baudRate}&${parameters}`;
  const host = line.host.includes(':') ? `[${line.host}]` : line.host;
  return `zvt+tcp://${host}:${line.port}?${parameters}`;
}

/** Another baud rate is the same port. */
function lineTextOf(line: LineAddress): string {
  return line.kind === 'SERIAL' ? line.path : `${line.host.toLowerCase()}:${line.port}`;
}
