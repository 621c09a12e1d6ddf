// Puts a virtual ZVT terminal together: book, machine, wire.
import {
  type AssembledTerminal,
  type AssemblyDeps,
  openLink,
  openPaymentBook,
  paymentSettings,
  softwareVersion,
} from '../assembly.ts';
import { TEST_CARDS } from '../cards.ts';
import { ZVT_FAULTS, ZVT_RULES } from '../rules.ts';
import { createSerialWire, createStreamWire } from './wire.ts';
import { createZvtTerminal } from './zvt-terminal.ts';

export function assembleZvtTerminal(deps: AssemblyDeps): AssembledTerminal {
  const { options, clock, onFatal } = deps;
  const { book, ledger, readBook, closeBook } = openPaymentBook(deps);
  const { link, tcpPort } = openLink(deps);
  const terminal = createZvtTerminal({
    settings: {
      ...paymentSettings(deps),
      softwareVersion: softwareVersion(deps),
      ackTimeoutMs: options.ackTimeoutMs,
    },
    book,
    ledger,
    clock,
    link,
    createWire:
      options.listen.kind === 'TCP'
        ? createStreamWire
        : (serialLink, wireEvents) => createSerialWire(serialLink, clock, wireEvents),
    onFatal,
  });
  return {
    terminal,
    cards: TEST_CARDS,
    script: { rules: ZVT_RULES, faults: ZVT_FAULTS, playsIssuer: true },
    readBook,
    closeBook,
    tcpPort,
  };
}
