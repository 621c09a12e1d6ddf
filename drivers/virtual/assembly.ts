// What the protocols put their terminals together from, and what all of them put together in the same way.
import { resolve } from 'node:path';
import type { Clock } from '../../app/ports/clock.ts';
import { type BookFile, openBook } from './book/book-file.ts';
import type { BookProtocol } from './book/entries.ts';
import { createLedger, type Ledger } from './book/ledger.ts';
import { summarise } from './book/summary.ts';
import { TEST_CARDS, type TestCard } from './cards.ts';
import type { ByteLink } from './link/byte-link.ts';
import { createPtyByteLink } from './link/pty-byte-link.ts';
import { createTcpByteLink } from './link/tcp-byte-link.ts';
import type { MachineSettings } from './machine.ts';
import type { MachineTerminal } from './machine-terminal.ts';
import type { TerminalOptions } from './options.ts';
import type { PaymentSettings } from './payment.ts';
import type { FaultScript } from './rules.ts';
import { TEXTS } from './texts.ts';

const LOOPBACK = '127.0.0.1';
const VU_NUMBER = '100000001';
const MERCHANT_LINES: readonly string[] = ['VIRTUAL TERMINAL', 'NO REAL MONEY'];

/** Times that a test changes. */
export interface TimeOverrides {
  readonly slowMs?: number;
  readonly outageMs?: number;
  /** how long a card, a PIN or a key is waited for */
  readonly cardTimeoutMs?: number;
}

/** What each protocol puts its terminal together from. */
export interface AssemblyDeps {
  readonly options: TerminalOptions;
  /** of ISO 4217: number, and digits of the minor unit */
  readonly currency: { readonly number: string; readonly digits: number };
  readonly bookPath: string;
  /** told to the till, which finds the control interface by it */
  readonly controlPort: number;
  readonly clock: Clock;
  readonly onFatal: (error: unknown) => void;
  readonly overrides: TimeOverrides;
}

/** A terminal of one protocol, with its book, on its line; nothing of it runs yet. */
export interface AssembledTerminal {
  readonly terminal: MachineTerminal;
  readonly cards: readonly TestCard[];
  readonly script: FaultScript;
  readonly readBook: () => object;
  readonly closeBook: () => void;
  /** the TCP port in use, once started */
  readonly tcpPort: () => number | null;
}

/** @throws BookError when the book cannot be used */
export type AssembleTerminal = (deps: AssemblyDeps) => AssembledTerminal;

/** How long a card is waited for. */
const CARD_TIMEOUT_MS = 60_000;
/** How long `slow` takes. */
const SLOW_MS = 3000;
/** How long a terminal is gone after `unplug` and `reboot`. */
const OUTAGE_MS = 3000;

/** By this version, told to the till, the till finds the control interface. */
export function softwareVersion({ controlPort }: AssemblyDeps): string {
  return `VIRTUAL 1.0 CTL ${controlPort}`;
}

/** Settings of every terminal. */
export function machineSettings({ options, currency, overrides }: AssemblyDeps) {
  return {
    texts: TEXTS[options.language],
    currency: options.currency,
    currencyNumber: currency.number,
    currencyExponent: currency.digits,
    isManual: options.isManual,
    thinkMs: options.thinkMs,
    cardTimeoutMs: overrides.cardTimeoutMs ?? CARD_TIMEOUT_MS,
    slowMs: overrides.slowMs ?? SLOW_MS,
    outageMs: overrides.outageMs ?? OUTAGE_MS,
  } satisfies Partial<PaymentSettings> & Omit<MachineSettings, 'cards'>;
}

/** Settings of a terminal with an acquirer of its own. */
export function paymentSettings(deps: AssemblyDeps): PaymentSettings {
  const { options } = deps;
  return {
    ...machineSettings(deps),
    cards: TEST_CARDS,
    terminalId: options.terminalId,
    vuNumber: VU_NUMBER,
    merchantLines: MERCHANT_LINES,
    hostMs: options.thinkMs / 2,
    authorizationCode,
  };
}

/** Six digits, different for neighbouring traces, the same at every start. */
function authorizationCode(trace: number): string {
  return String((trace * 7919 + 104_729) % 1_000_000).padStart(6, '0');
}

/** The book of a terminal with an acquirer of its own. A ZVT terminal's names no protocol. @throws BookError */
export function openPaymentBook({ options, bookPath, clock }: AssemblyDeps, protocol?: BookProtocol): PaymentBook {
  const { terminalId, currency } = options;
  const owner = { terminalId, currency, ...(protocol === undefined ? {} : { protocol }) };
  const book = openBook(bookPath, owner, () => new Date(clock.nowMs()).toISOString());
  const ledger = createLedger();
  for (const entry of book.initialEntries) ledger.apply(entry);
  return { book, ledger, readBook: () => summarise(bookPath, book.read()), closeBook: book.close };
}

export interface PaymentBook {
  readonly book: BookFile;
  /** what the entries of the last runs add up to */
  readonly ledger: Ledger;
  readonly readBook: () => object;
  readonly closeBook: () => void;
}

/** The link that the command line asks for. */
export function openLink({ options: { listen }, clock }: AssemblyDeps): {
  readonly link: ByteLink;
  readonly tcpPort: () => number | null;
} {
  if (listen.kind === 'PTY')
    return { link: createPtyByteLink({ linkPath: resolve(listen.linkPath), clock }), tcpPort: () => null };
  const link = createTcpByteLink({ port: listen.port, host: LOOPBACK, clock });
  return { link, tcpPort: link.port };
}
