// Puts a virtual NEO 2 reader together: book, machine, wire.
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type AssembledTerminal, type AssemblyDeps, CARD_TIMEOUT_MS, OUTAGE_MS, SLOW_MS } from '../assembly.ts';
import { openBook } from '../book/book-file.ts';
import { LinkError } from '../link/byte-link.ts';
import { createPtyByteLink } from '../link/pty-byte-link.ts';
import { NEO2_FAULTS, NEO2_RULES } from '../rules.ts';
import { TEXTS } from '../texts.ts';
import type { ReaderEntry } from './book/entries.ts';
import { summariseReaderBook } from './book/reader-ledger.ts';
import { TEST_READER } from './card/payment.ts';
import { READER_CARDS } from './reader-cards.ts';
import { createReaderTerminal } from './reader-terminal.ts';
import type { ReaderSettings } from './state.ts';
import { createSerialReaderWire } from './wire.ts';

export function assembleNeo2Reader(deps: AssemblyDeps): AssembledTerminal {
  const { options, bookPath, clock, onFatal } = deps;
  const { terminalId, currency, listen } = options;
  if (listen.kind !== 'PTY') throw new LinkError('A reader is on a serial line.');
  const owner = { terminalId, currency, protocol: 'neo2' } as const;
  const book = openBook<ReaderEntry>(bookPath, owner, () => new Date(clock.nowMs()).toISOString());
  const terminal = createReaderTerminal({
    settings: settingsOf(deps),
    book,
    clock,
    link: createPtyByteLink({ linkPath: resolve(listen.linkPath), clock }),
    createWire: createSerialReaderWire,
    onFatal,
  });
  return {
    terminal,
    cards: READER_CARDS,
    script: { rules: NEO2_RULES, faults: NEO2_FAULTS, playsIssuer: false },
    readBook: () => summariseReaderBook(bookPath, book.read()),
    closeBook: book.close,
    tcpPort: () => null,
  };
}

function settingsOf({ options, currency, controlPort, overrides }: AssemblyDeps): ReaderSettings {
  const { slowMs = SLOW_MS, outageMs = OUTAGE_MS, cardTimeoutMs = CARD_TIMEOUT_MS } = overrides;
  return {
    firmware: `VIRTUAL 1.0 CTL ${controlPort}`,
    texts: TEXTS[options.language],
    currency: options.currency,
    currencyNumber: currency.number,
    currencyExponent: currency.digits,
    cards: READER_CARDS,
    reader: TEST_READER,
    encryption: options.encryption,
    isManual: options.isManual,
    thinkMs: options.thinkMs,
    chipMs: options.thinkMs / 2,
    entryTimeoutMs: cardTimeoutMs,
    slowMs,
    outageMs,
    randomBytes: (count) => randomBytes(count),
  };
}
