// The pure machine of a Caisse-AP terminal with its surroundings: wire, clock, book.
import type { Clock } from '../../../app/ports/clock.ts';
import type { BookFile } from '../book/book-file.ts';
import type { Ledger } from '../book/ledger.ts';
import type { ByteLink } from '../link/byte-link.ts';
import { createMachineTerminal, type MachineTerminal } from '../machine-terminal.ts';
import { viewOfPaymentTerminal } from '../machine-view.ts';
import { step } from './machine.ts';
import { type CaisseApMachine, initialState, type TerminalSettings } from './state.ts';
import { createWire, type Wire } from './wire.ts';

export interface CaisseApTerminalDeps {
  readonly settings: TerminalSettings;
  readonly book: Pick<BookFile, 'append'>;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly link: ByteLink;
  /** the book cannot be written or the link does not come back: the terminal is of no use any more */
  readonly onFatal: (error: unknown) => void;
}

/** It has no end of day. */
export function createCaisseApTerminal(deps: CaisseApTerminalDeps): MachineTerminal {
  return createMachineTerminal<CaisseApMachine, Wire>({
    ...deps,
    initialState: initialState(deps.settings),
    step,
    viewOf: viewOfPaymentTerminal,
    createWire: (take) => createWire(deps.link, deps.clock, take),
    perform: (output, wire) => wire.send(output.bytes, output.damage),
  });
}
