import type { ReconciliationResponse } from '../contract/settlements.ts';
import { emptyTotals } from '../domain/close-differences.ts';
import type { HostColumn } from '../domain/records.ts';
import type { HostReply } from '../ports/host-client.ts';
import type { JournalUnit } from '../ports/journal.ts';

/** The host's column of a day close, as far as it is known after a try (decisions: EXTERNAL_RAIL, Day close). */
export function columnOf(
  reply: HostReply<ReconciliationResponse>,
  { standing, trouble }: { readonly standing: string; readonly trouble?: string },
  currency: string,
): HostColumn {
  if (reply.kind === 'ANSWERED' && reply.body.status !== 'FAILED') {
    const { externalTotals, settlementId, businessDate } = reply.body;
    // A host that has none of them on record leaves the figures out.
    return {
      state: 'TOLD',
      totals: externalTotals ?? emptyTotals(currency),
      ...(settlementId === undefined ? {} : { settlementId }),
      ...(businessDate === undefined ? {} : { businessDate }),
    };
  }
  return {
    state: standing === 'SET_ASIDE' ? 'REFUSED' : 'NOT_YET',
    ...(trouble === undefined ? {} : { trouble }),
  };
}

/** Writes the column into the close; one that says what is there already is not written again. */
export function noteHostColumn(unit: JournalUnit, dayCloseId: string, column: HostColumn): void {
  const close = unit.findDayClose(dayCloseId);
  if (close === undefined || close.host?.state === 'TOLD' || isSame(close.host, column)) return;
  unit.saveDayClose({ ...close, revision: close.revision + 1, host: column });
}

function isSame(before: HostColumn | undefined, now: HostColumn): boolean {
  return before?.state === now.state && now.state !== 'TOLD';
}
