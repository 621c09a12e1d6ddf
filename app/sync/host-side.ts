import type { Clock } from '../ports/clock.ts';
import type { HostBooks } from '../ports/host-books.ts';
import type { HostAccess } from '../ports/host-client.ts';
import type { Ids } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import type { Terminal } from '../ports/terminal.ts';
import { createHostBooks } from './host-books.ts';
import { createHostClient } from './host-client.ts';
import { createHostRefusals } from './host-refusals.ts';
import { createHostTerminal, isReaderOnly } from './host-terminal.ts';
import { createOutbox } from './outbox.ts';
import { createOutboxStore } from './outbox-store.ts';

/** The till's side of its host: what it is owed, and the terminal that it stands behind. */
export interface HostSide {
  /**
   * The terminal with the host behind it, when it is a reader without an acquirer of its own; any other as it is. One device token is one terminal: of
   * several readers the first gets the host, the others read cards for the POS's own acquirer. Without a reader the first terminal with an acquirer of
   * its own is the one that the host is told of.
   */
  complete(terminal: Terminal): Terminal;
  /** The host as it is told of a terminal with an acquirer of its own. */
  readonly books: HostBooks;
  start(): void;
  stop(): void;
}

export interface HostSideDeps {
  readonly journal: Journal;
  readonly access: () => HostAccess | undefined;
  /** Whether there is a host, or one still to come: without, it is owed nothing. Asked at each end of a payment. */
  readonly isExpected?: () => boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export function createHostSide({ journal, access, clock, ids, log, isExpected = () => true }: HostSideDeps): HostSide {
  const host = createHostClient({ clock, access });
  const refusals = createHostRefusals({ journal, clock, ids });
  const outbox = createOutbox({ store: createOutboxStore(journal), host, clock, ids, log, refusals });
  let servedId: string | undefined;
  let ownAcquirerId: string | undefined;
  const isReported = (terminalId: string) => servedId === undefined && terminalId === ownAcquirerId && isExpected();
  return {
    complete(reader) {
      const { terminalId } = reader;
      if (!isReaderOnly(reader)) {
        ownAcquirerId ??= terminalId;
        return reader;
      }
      servedId ??= terminalId;
      if (servedId !== terminalId) {
        log.warn('The host serves another reader of this till; this one has no sales of its own.', { terminalId });
        return reader;
      }
      const openTotals = (id: string, currency: string) => journal.totals(id, journal.openBatchNumber(id), currency);
      return createHostTerminal({ reader, host, outbox, clock, log, openTotals });
    },
    books: createHostBooks({ outbox, clock, isReported }),
    start: outbox.start,
    stop: outbox.stop,
  };
}
