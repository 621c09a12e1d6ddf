// Starts a virtual terminal: what its protocol puts together, with a control interface and a lease.
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import currencies from 'currency-codes';
import type { Clock } from '../../app/ports/clock.ts';
import type { AssembleTerminal, TimeOverrides } from './assembly.ts';
import { assembleCaisseApTerminal } from './caisse-ap/assemble.ts';
import { createControlRoutes } from './control/control-routes.ts';
import { startControlServer } from './control/control-server.ts';
import { createEventStream } from './control/event-stream.ts';
import { assembleEcr17Terminal } from './ecr17/assemble.ts';
import { createLease } from './lease.ts';
import { assembleNeo2Reader } from './neo2/assemble.ts';
import { OptionError, type TerminalOptions, type VirtualProtocol } from './options.ts';
import { assembleZvtTerminal } from './zvt/assemble.ts';

interface ProtocolParts {
  readonly assemble: AssembleTerminal;
  /** of the book in the home folder */
  readonly bookName: string;
}

const PROTOCOLS: Readonly<Record<VirtualProtocol, ProtocolParts>> = {
  zvt: { assemble: assembleZvtTerminal, bookName: 'virtual-terminal' },
  neo2: { assemble: assembleNeo2Reader, bookName: 'virtual-reader' },
  'caisse-ap': { assemble: assembleCaisseApTerminal, bookName: 'virtual-caisse-ap' },
  ecr17: { assemble: assembleEcr17Terminal, bookName: 'virtual-ecr17' },
};

/** The line that a starter waits for. */
interface ReadyLine {
  readonly tcp: number | null;
  readonly pty: string | null;
  readonly controlUrl: string;
  readonly book: string;
  readonly pid: number;
}

export interface RunningTerminal {
  readonly ready: ReadyLine;
  /** Ends cleanly: what the till has not acknowledged is taken back, the book is closed. */
  stop(): Promise<void>;
}

export interface StartDeps {
  readonly clock: Clock;
  /** the lease ran out, POST /stop came, or something broke for good */
  readonly onEnd: (error?: unknown) => void;
  readonly overrides?: TimeOverrides;
}

/** Starts a terminal. @throws OptionError, BookError, LinkError, ControlError: each a sentence for the person who started it */
export async function startVirtualTerminal(
  options: TerminalOptions,
  { clock, onEnd, overrides = {} }: StartDeps,
): Promise<RunningTerminal> {
  const currency = currencies.code(options.currency);
  if (currency === undefined) throw new OptionError(`${options.currency} is no currency of ISO 4217.`);
  const bookPath = bookPathOf(options);
  mkdirSync(dirname(bookPath), { recursive: true });

  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (let last = undo.pop(); last !== undefined; last = undo.pop()) await last();
  };
  try {
    // The till finds the control interface by its port in the version that the terminal tells, so it is opened first.
    const control = await startControlServer(options.controlPort);
    undo.push(control.close);
    const { terminal, cards, script, readBook, closeBook, tcpPort } = PROTOCOLS[options.protocol].assemble({
      options,
      currency,
      bookPath,
      controlPort: control.port,
      clock,
      onFatal: onEnd,
      overrides,
    });
    undo.push(closeBook);
    const lease = createLease(options.leaseSeconds, clock, onEnd);
    const events = createEventStream(terminal.view);
    undo.push(lease.stop, terminal.stop, terminal.subscribe(events.publish));
    const facts = {
      terminalId: options.terminalId,
      protocol: options.protocol,
      currency: options.currency,
      currencyExponent: currency.digits,
      isManual: options.isManual,
      simulated: true,
      // Lets an owner that finds an address again tell this process from another on a port used anew.
      pid: process.pid,
    };
    const routes = { terminal, cards, facts, script, readBook, renewLease: lease.renew, stop: () => onEnd() };
    control.serve(createControlRoutes(routes), events);
    await terminal.start();
    return {
      ready: {
        tcp: tcpPort(),
        pty: options.listen.kind === 'PTY' ? resolve(options.listen.linkPath) : null,
        controlUrl: control.url,
        book: bookPath,
        pid: process.pid,
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function bookPathOf({ bookPath, protocol, terminalId }: TerminalOptions): string {
  const { bookName } = PROTOCOLS[protocol];
  return resolve(bookPath ?? join(homedir(), '.till-bridge', `${bookName}-${terminalId}.book.jsonl`));
}
