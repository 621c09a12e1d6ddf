// The pure machine of a reader with its surroundings: wire, clock, book.
import type { Clock } from '../../../app/ports/clock.ts';
import type { BookFile } from '../book/book-file.ts';
import type { ByteLink } from '../link/byte-link.ts';
import { createMachineTerminal, type MachineTerminal } from '../machine-terminal.ts';
import type { ReaderEntry } from './book/entries.ts';
import { createReaderLedger } from './book/reader-ledger.ts';
import { step } from './machine.ts';
import { initialState, type ReaderMachine, type ReaderSettings } from './state.ts';
import { viewOf } from './view.ts';
import type { CreateReaderWire, ReaderWire } from './wire.ts';

export interface ReaderTerminalDeps {
  readonly settings: ReaderSettings;
  readonly book: Pick<BookFile<ReaderEntry>, 'initialEntries' | 'append'>;
  readonly clock: Clock;
  readonly link: ByteLink;
  readonly createWire: CreateReaderWire;
  /** the book cannot be written or the link does not come back: the reader is of no use any more */
  readonly onFatal: (error: unknown) => void;
}

/** When it starts it abandons what the last run left open. It has no batch to close. */
export function createReaderTerminal({ createWire, ...deps }: ReaderTerminalDeps): MachineTerminal {
  const ledger = createReaderLedger();
  for (const entry of deps.book.initialEntries) ledger.apply(entry);
  return createMachineTerminal<ReaderMachine, ReaderWire>({
    ...deps,
    ledger,
    initialState: initialState(deps.settings),
    step,
    viewOf,
    createWire: (take) =>
      createWire(deps.link, deps.clock, {
        onFrame(frame) {
          // An event frame is a reader's: from a till it means nothing.
          if (frame.kind === 'message') take({ type: 'frame', ...frame });
        },
        onBroken: () => take({ type: 'broken-frame' }),
      }),
    perform: (output, wire) => wire.send(output.frame, output.damage),
  });
}
