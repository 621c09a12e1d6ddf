// Puts a virtual Caisse-AP terminal together: book, machine, wire.
import { type AssembledTerminal, type AssemblyDeps, openLink, openPaymentBook, paymentSettings } from '../assembly.ts';
import { TEST_CARDS } from '../cards.ts';
import { LinkError } from '../link/byte-link.ts';
import { CAISSE_AP_FAULTS, CAISSE_AP_RULES } from '../rules.ts';
import { createCaisseApTerminal } from './caisse-ap-terminal.ts';

/** Much shorter than any till waits for the rest of a reply. */
const PIECE_GAP_MS = 20;

export function assembleCaisseApTerminal(deps: AssemblyDeps): AssembledTerminal {
  const { options, clock, onFatal } = deps;
  if (options.listen.kind !== 'TCP') throw new LinkError('A Caisse-AP terminal is on a network.');
  const { book, ledger, readBook, closeBook } = openPaymentBook(deps, 'caisse-ap');
  const { link, tcpPort } = openLink(deps);
  const settings = { ...paymentSettings(deps), pieceGapMs: PIECE_GAP_MS };
  return {
    terminal: createCaisseApTerminal({ settings, book, ledger, clock, link, onFatal }),
    cards: TEST_CARDS,
    script: { rules: CAISSE_AP_RULES, faults: CAISSE_AP_FAULTS, playsIssuer: true },
    readBook,
    closeBook,
    tcpPort,
  };
}
