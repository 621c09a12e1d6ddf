// Puts a virtual ZVT terminal together: book, machine, wire.
import { resolve } from 'node:path';
import { type AssembledTerminal, type AssemblyDeps, CARD_TIMEOUT_MS, OUTAGE_MS, SLOW_MS } from '../assembly.ts';
import { openBook } from '../book/book-file.ts';
import { createLedger } from '../book/ledger.ts';
import { summarise } from '../book/summary.ts';
import { TEST_CARDS } from '../cards.ts';
import { createPtyByteLink } from '../link/pty-byte-link.ts';
import { createTcpByteLink } from '../link/tcp-byte-link.ts';
import { ZVT_FAULTS, ZVT_RULES } from '../rules.ts';
import { TEXTS } from '../texts.ts';
import type { TerminalSettings } from './state.ts';
import { createSerialWire, createStreamWire } from './wire.ts';
import { createZvtTerminal } from './zvt-terminal.ts';

const LOOPBACK = '127.0.0.1';
const VU_NUMBER = '100000001';
const MERCHANT_LINES: readonly string[] = ['VIRTUAL TERMINAL', 'NO REAL MONEY'];

export function assembleZvtTerminal(deps: AssemblyDeps): AssembledTerminal {
  const { options, bookPath, clock, onFatal } = deps;
  const { terminalId, currency, listen } = options;
  const book = openBook(bookPath, { terminalId, currency }, () => new Date(clock.nowMs()).toISOString());
  const ledger = createLedger();
  for (const entry of book.initialEntries) ledger.apply(entry);
  const tcp = listen.kind === 'TCP' ? createTcpByteLink({ port: listen.port, host: LOOPBACK, clock }) : undefined;
  const linkPath = listen.kind === 'PTY' ? resolve(listen.linkPath) : '';
  const terminal = createZvtTerminal({
    settings: settingsOf(deps),
    book,
    ledger,
    clock,
    link: tcp ?? createPtyByteLink({ linkPath, clock }),
    createWire: tcp === undefined ? (link, wireEvents) => createSerialWire(link, clock, wireEvents) : createStreamWire,
    onFatal,
  });
  return {
    terminal,
    cards: TEST_CARDS,
    script: { rules: ZVT_RULES, faults: ZVT_FAULTS, playsIssuer: true },
    readBook: () => summarise(bookPath, book.read()),
    closeBook: book.close,
    tcpPort: () => tcp?.port() ?? null,
  };
}

function settingsOf({ options, currency, controlPort, overrides }: AssemblyDeps): TerminalSettings {
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
