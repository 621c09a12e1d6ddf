import { externalRecordOf } from '../domain/external-record.ts';
import { isoOf } from '../domain/instant.ts';
import type { JsonObject } from '../domain/json-value.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostBooks } from '../ports/host-books.ts';
import type { JournalUnit } from '../ports/journal.ts';
import type { Outbox } from './outbox.ts';
import { type NewOutboxItem, newOutboxItem } from './outbox-item.ts';

export interface HostBooksDeps {
  readonly outbox: Pick<Outbox, 'wake' | 'report'>;
  readonly clock: Clock;
  /** Whether the host is told of what this terminal's own acquirer does. */
  isReported(terminalId: string): boolean;
  /** Milliseconds that the host's clock is ahead of the till's, as far as it is known. */
  clockSkewMs(terminalId: string): number;
}

export function createHostBooks({ outbox, clock, isReported, clockSkewMs }: HostBooksDeps): HostBooks {
  /** One that is there already stays as it is: whoever ends a payment twice says the same. */
  function add(unit: JournalUnit, item: NewOutboxItem): void {
    if (unit.findOutboxItem(item.transactionId, item.kind) !== undefined) return;
    unit.saveOutboxItem(newOutboxItem(item, isoOf(clock.nowMs())));
  }

  return {
    noteEnd(unit, record) {
      const { terminalId, targetTransactionId } = record;
      if (!isReported(terminalId)) return;
      const target = targetTransactionId === undefined ? undefined : unit.findTransaction(targetTransactionId);
      const told = externalRecordOf(record, target);
      if (told === undefined) return;
      const { transactionId, kind, body } = told;
      add(unit, { terminalId, transactionId, kind, body: { ...body } as JsonObject });
    },
    noteClose(unit, { dayCloseId, terminalId, totals, businessDate, createdAt }) {
      if (!isReported(terminalId)) return undefined;
      // Holds are the terminal's own until they are completed: the host knows of none.
      const externalTotals = { ...totals, preAuthCount: 0, preAuthAmount: 0 };
      const closedAt = isoOf(Date.parse(createdAt) + clockSkewMs(terminalId));
      const body = { externalTotals, businessDate, closedAt };
      add(unit, { terminalId, transactionId: dayCloseId, kind: 'DAY_CLOSE', body });
      return { state: 'NOT_YET' };
    },
    wake: outbox.wake,
    report: outbox.report,
  };
}
