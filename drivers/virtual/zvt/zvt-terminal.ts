// The pure machine of a ZVT terminal with its surroundings: wire, clock, book.
import type { Clock } from '../../../app/ports/clock.ts';
import type { BookFile } from '../book/book-file.ts';
import type { Ledger } from '../book/ledger.ts';
import type { ByteLink } from '../link/byte-link.ts';
import { createMachineTerminal, type MachineTerminal } from '../machine-terminal.ts';
import { step } from './machine.ts';
import { initialState, type TerminalSettings, type ZvtMachine } from './state.ts';
import { viewOf } from './view.ts';
import type { Wire, WireEvents } from './wire.ts';

export interface ZvtTerminalDeps {
  readonly settings: TerminalSettings;
  readonly book: BookFile;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly link: ByteLink;
  readonly createWire: (link: ByteLink, events: WireEvents) => Wire;
  /** the book cannot be written or the link does not come back: the terminal is of no use any more */
  readonly onFatal: (error: unknown) => void;
}

/** When it starts it takes back what the last run left open. */
export function createZvtTerminal({ createWire, ...deps }: ZvtTerminalDeps): MachineTerminal {
  return createMachineTerminal<ZvtMachine, Wire>({
    ...deps,
    initialState: initialState(deps.settings),
    step,
    viewOf,
    createWire: (take) =>
      createWire(deps.link, {
        onApdu: (apdu) => take({ type: 'apdu', apdu }),
        onFailed: () => {
          take({ type: 'link-down' });
          take({ type: 'link-up' });
        },
      }),
    perform(output, wire) {
      if (output.type === 'send') wire.send(output.apdu, output.damage);
      else wire.flush();
    },
    dayClose: { type: 'auto-close' },
  });
}
