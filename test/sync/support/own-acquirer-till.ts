import type { Clock } from '../../../app/ports/clock.ts';
import type { HostBooks } from '../../../app/ports/host-books.ts';
import type { HostClient } from '../../../app/ports/host-client.ts';
import type { Journal } from '../../../app/ports/journal.ts';
import { createHostBooks } from '../../../app/sync/host-books.ts';
import { createHostRefusals } from '../../../app/sync/host-refusals.ts';
import { createOutbox, type Outbox } from '../../../app/sync/outbox.ts';
import { createOutboxStore } from '../../../app/sync/outbox-store.ts';
import { quietLog } from '../../support/engine-harness.ts';
import { createSeededIds } from '../../support/seeded-ids.ts';

/** The till's side of its host for terminals with acquirers of their own, on the journal of one engine. */
export interface BooksSide {
  readonly books: HostBooks;
  readonly outbox: Outbox;
}

export function startBooksSide(
  journal: Journal,
  host: HostClient,
  clock: Clock,
  clockSkewMs: () => number = () => 0,
): BooksSide {
  const ids = createSeededIds('books');
  const refusals = createHostRefusals({ journal, clock, ids });
  const outbox = createOutbox({
    store: createOutboxStore(journal),
    hostOf: () => host,
    clock,
    ids,
    log: quietLog,
    refusals,
  });
  outbox.start();
  const isReported = (terminalId: string) => terminalId === 'T1';
  return { outbox, books: createHostBooks({ outbox, clock, isReported, clockSkewMs }) };
}
