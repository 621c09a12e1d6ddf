// Puts a virtual NEO 2 reader together: book, machine, wire.
import { randomBytes } from 'node:crypto';
import { type AssembledTerminal, type AssemblyDeps, machineSettings, openLink, softwareVersion } from '../assembly.ts';
import { openBook } from '../book/book-file.ts';
import { LinkError } from '../link/byte-link.ts';
import { NEO2_FAULTS, NEO2_RULES } from '../rules.ts';
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
    link: openLink(deps).link,
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

function settingsOf(deps: AssemblyDeps): ReaderSettings {
  const { options } = deps;
  const { cardTimeoutMs, ...settings } = machineSettings(deps);
  return {
    ...settings,
    firmware: softwareVersion(deps),
    cards: READER_CARDS,
    reader: TEST_READER,
    encryption: options.encryption,
    chipMs: options.thinkMs / 2,
    entryTimeoutMs: cardTimeoutMs,
    randomBytes: (count) => randomBytes(count),
  };
}
