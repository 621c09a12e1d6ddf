import type { DayColumns, DayDifference, ReconciliationResponse } from '../contract/settlements.ts';
import type { ComparedBatch } from '../domain/batch-differences.ts';
import { hostExplanations, ownerOf, terminalExplanations } from '../domain/day-suspects.ts';
import { type NamedDifference, nameDifferences } from '../domain/name-differences.ts';
import type { DayCloseRecord } from '../domain/records.ts';
import { compareBatch, differenceText, type ReportedBatch } from '../domain/totals.ts';
import type { JournalReader } from '../ports/journal.ts';
import { defined } from './response.ts';

/** What the answer of a day close says of the other two columns (decisions: Day close). */
type OtherColumns = Pick<ReconciliationResponse, 'columns' | 'namedDifferences'>;

/** Columns and named differences of a close as it stands; empty where no other side has figures. */
export function otherColumns(reader: JournalReader, close: DayCloseRecord): OtherColumns {
  const columns = columnsOf(close);
  const named = namedDifferencesOf(reader, close);
  return {
    ...(columns === undefined ? {} : { columns }),
    ...(named.length === 0 ? {} : { namedDifferences: named }),
  };
}

export function columnsOf({ reported, host }: DayCloseRecord): DayColumns | undefined {
  if (reported === undefined && host === undefined) return undefined;
  const terminal = reported === undefined || reported.totals !== undefined ? undefined : terminalColumn(reported);
  return defined({ terminal, host: hostColumn(reported, host) });
}

function terminalColumn({ totalMinor, schemes }: ReportedBatch): NonNullable<DayColumns['terminal']> {
  const rows = schemes.map(({ scheme, count, amountMinor }) => ({ scheme, count, amount: amountMinor }));
  return defined({ netAmount: totalMinor, schemes: rows });
}

/** Of a terminal that our host authorizes, what was reported is the host's. */
function hostColumn(reported: ReportedBatch | undefined, host: DayCloseRecord['host']): DayColumns['host'] {
  if (host === undefined) {
    if (reported?.totals === undefined) return undefined;
    return defined({ state: 'TOLD' as const, totals: reported.totals, businessDate: reported.businessDate });
  }
  const { state, totals, settlementId, businessDate, trouble: message } = host;
  return defined({ state, totals, settlementId, businessDate, message });
}

/** Each figure in which the host counts otherwise, in words; the holds are the terminal's own. */
export function hostDifferenceTexts(close: DayCloseRecord): readonly string[] {
  const reported = reportedByHost(close);
  if (reported === undefined) return [];
  return compareBatch(close.totals, [], reported).map((difference) => differenceText(difference, 'host'));
}

function reportedByHost({ host, totals }: DayCloseRecord): ReportedBatch | undefined {
  if (host?.totals === undefined) return undefined;
  const { preAuthCount, preAuthAmount } = totals;
  return { schemes: [], totals: { ...host.totals, preAuthCount, preAuthAmount } };
}

/** Each difference of both sides, named: looked for only where a figure differs. */
export function namedDifferencesOf(reader: JournalReader, close: DayCloseRecord): DayDifference[] {
  const { terminalId, batchNumber, totals, reported } = close;
  const batch = [terminalId, batchNumber, totals.currency] as const;
  const compared = (told: ReportedBatch): ComparedBatch => {
    return { batchNumber, totals, schemes: reader.schemeTotals(...batch), reported: told };
  };
  const found: NamedDifference[] = [];
  if (reported !== undefined && compareBatch(totals, reader.schemeTotals(...batch), reported).length > 0) {
    const side = reported.totals === undefined ? 'TERMINAL' : 'HOST';
    const possible = terminalExplanations(reader.daySuspects(...batch), batchNumber);
    found.push(...nameDifferences(side, compared(reported), [], possible));
  }
  const byHost = reportedByHost(close);
  if (byHost !== undefined && compareBatch(totals, [], byHost).length > 0) {
    found.push(...nameDifferences('HOST', compared(byHost), hostExplanations(reader.untoldPayments(...batch)), []));
  }
  found.push(...dateDifference(close));
  return found.map(({ amountMinor, ...difference }) => defined({ ...difference, amount: amountMinor }));
}

/** Host and till may tell the date by different zones, cut-offs or clocks; their totals are compared all the same. */
function dateDifference({ businessDate, host, reported }: DayCloseRecord): readonly NamedDifference[] {
  const told = host?.businessDate ?? reported?.businessDate;
  if (told === undefined || told === businessDate) return [];
  const cause = 'BUSINESS_DATE';
  return [{ side: 'HOST', cause, owner: ownerOf(cause, 'HOST'), amountMinor: 0 }];
}
