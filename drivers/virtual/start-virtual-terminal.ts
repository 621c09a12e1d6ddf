// Puts a virtual ZVT terminal together: book, machine, wire, control interface.
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import currencies from 'currency-codes';
import type { Clock } from '../../app/ports/clock.ts';
import { openBook } from './book/book-file.ts';
import { createLedger } from './book/ledger.ts';
import { summarise } from './book/summary.ts';
import { TEST_CARDS } from './cards.ts';
import { createControlRoutes } from './control/control-routes.ts';
import { startControlServer } from './control/control-server.ts';
import { createEventStream } from './control/event-stream.ts';
import { createLease } from './lease.ts';
import { createPtyByteLink } from './link/pty-byte-link.ts';
import { createTcpByteLink } from './link/tcp-byte-link.ts';
import { OptionError, type TerminalOptions } from './options.ts';
import { TEXTS } from './texts.ts';
import type { TerminalSettings } from './zvt/state.ts';
import { createSerialWire, createStreamWire } from './zvt/wire.ts';
import { createZvtTerminal } from './zvt/zvt-terminal.ts';

const LOOPBACK = '127.0.0.1';
const CARD_TIMEOUT_MS = 60_000;
const SLOW_MS = 3000;
const OUTAGE_MS = 3000;
const VU_NUMBER = '100000001';
const MERCHANT_LINES: readonly string[] = ['VIRTUAL TERMINAL', 'NO REAL MONEY'];

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
  /** what a test changes */
  readonly overrides?: Partial<Pick<TerminalSettings, 'slowMs' | 'outageMs' | 'cardTimeoutMs'>>;
}

/** Starts a terminal. @throws OptionError, BookError, LinkError, ControlError: each a sentence for the person who started it */
export async function startVirtualTerminal(
  options: TerminalOptions,
  { clock, onEnd, overrides }: StartDeps,
): Promise<RunningTerminal> {
  const currency = currencies.code(options.currency);
  if (currency === undefined) throw new OptionError(`${options.currency} is no currency of ISO 4217.`);
  const bookPath = resolve(
    options.bookPath ?? join(homedir(), '.till-bridge', `virtual-terminal-${options.terminalId}.book.jsonl`),
  );
  mkdirSync(dirname(bookPath), { recursive: true });
  const now = () => new Date(clock.nowMs()).toISOString();
  const book = openBook(bookPath, { terminalId: options.terminalId, currency: options.currency }, now);
  const ledger = createLedger();
  for (const entry of book.initialEntries) ledger.apply(entry);

  const undo: (() => unknown)[] = [book.close];
  const stop = async () => {
    for (let last = undo.pop(); last !== undefined; last = undo.pop()) await last();
  };
  try {
    // The till finds the control interface by its port in the software version, so it is opened first.
    const control = await startControlServer(options.controlPort);
    undo.push(control.close);
    const settings = settingsOf(options, currency, control.port, overrides);
    const tcp =
      options.listen.kind === 'TCP'
        ? createTcpByteLink({ port: options.listen.port, host: LOOPBACK, clock })
        : undefined;
    const ptyPath = options.listen.kind === 'PTY' ? resolve(options.listen.linkPath) : undefined;
    const terminal = createZvtTerminal({
      settings,
      book,
      ledger,
      clock,
      link: tcp ?? createPtyByteLink({ linkPath: ptyPath ?? '', clock }),
      createWire:
        tcp === undefined ? (link, wireEvents) => createSerialWire(link, clock, wireEvents) : createStreamWire,
      onFatal: onEnd,
    });
    const lease = createLease(options.leaseSeconds, clock, onEnd);
    const events = createEventStream(terminal.view);
    undo.push(lease.stop, terminal.stop, terminal.subscribe(events.publish));
    const facts = {
      terminalId: options.terminalId,
      currency: options.currency,
      currencyExponent: currency.digits,
      isManual: options.isManual,
      simulated: true,
      // Lets an owner that finds an address again tell this process from another on a port used anew.
      pid: process.pid,
    };
    const readBook = () => summarise(bookPath, book.read());
    control.serve(
      createControlRoutes({
        terminal,
        cards: TEST_CARDS,
        facts,
        readBook,
        renewLease: lease.renew,
        stop: () => onEnd(),
      }),
      events,
    );
    await terminal.start();
    return {
      ready: {
        tcp: tcp?.port() ?? null,
        pty: ptyPath ?? null,
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

function settingsOf(
  options: TerminalOptions,
  currency: { readonly number: string; readonly digits: number },
  controlPort: number,
  overrides: StartDeps['overrides'],
): TerminalSettings {
  return {
    terminalId: options.terminalId,
    vuNumber: VU_NUMBER,
    softwareVersion: `VIRTUAL 1.0 CTL ${controlPort}`,
    merchantLines: MERCHANT_LINES,
    texts: TEXTS[options.language],
    currency: options.currency,
    currencyNumber: currency.number,
    currencyExponent: currency.digits,
    cards: TEST_CARDS,
    isManual: options.isManual,
    thinkMs: options.thinkMs,
    hostMs: options.thinkMs / 2,
    ackTimeoutMs: options.ackTimeoutMs,
    cardTimeoutMs: CARD_TIMEOUT_MS,
    slowMs: SLOW_MS,
    outageMs: OUTAGE_MS,
    authorizationCode,
    ...overrides,
  };
}

/** Six digits, different for neighbouring traces, the same at every start. */
function authorizationCode(trace: number): string {
  return String((trace * 7919 + 104_729) % 1_000_000).padStart(6, '0');
}
