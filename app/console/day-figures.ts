import type { BatchDifference, CashCountView, DayReport } from '../contract/console/day.ts';
import { BridgeError } from '../contract/errors.ts';
import { amountsToFind, type ExplainedDifference, explainDifferences } from '../domain/batch-differences.ts';
import { type Breakdown, breakdownOf } from '../domain/breakdown.ts';
import { countedMinor } from '../domain/cash-count.ts';
import { lastFourOf } from '../domain/mask.ts';
import { totalMinor } from '../domain/money.ts';
import type { SettlementRecord } from '../domain/records.ts';
import { netAmountOf, type ReportedBatch, type SchemeTotals } from '../domain/totals.ts';
import type { JournalReader } from '../ports/journal.ts';
import { columnsOf, namedDifferencesOf } from '../services/day-columns.ts';
import { defined } from '../services/response.ts';

/** One batch of one terminal. */
interface Batch {
  readonly terminalId: string;
  readonly batchNumber: number;
  readonly currency: string;
}

/** The figures of X and Z reports: one calculation, whether the batch is open or closed. */
export function dayFigures(journal: JournalReader, { terminalId, batchNumber, currency }: Batch) {
  const totals = journal.totals(terminalId, batchNumber, currency);
  return {
    totals,
    netAmount: netAmountOf(totals),
    schemes: journal.schemeTotals(terminalId, batchNumber, currency),
    breakdown: mutable(breakdownOf(journal.batchGroups(terminalId, batchNumber, currency))),
  };
}

/** The report of a closed batch. @throws BridgeError NOT_FOUND */
export function reportOf(journal: JournalReader, settlementId: string): DayReport {
  const record = journal.findSettlement(settlementId);
  if (record === undefined) throw new BridgeError('NOT_FOUND', 'there is no settlement with this id');
  const { settlement, batchNumber, businessDate, journalHead, preAuthCount } = record;
  const { terminalId, currency } = settlement;
  const batch = { terminalId, batchNumber, currency };
  const close = journal.findDayCloseOfBatch(terminalId, batchNumber);
  const { schemes, breakdown } = dayFigures(journal, batch);
  const reported = close?.reported;
  return defined({
    settlement,
    number: batchNumber,
    businessDate,
    closedBy: close?.actor,
    journalHead: { ...journalHead },
    schemes: schemeFigures(schemes, reported),
    terminalTotal: reported?.totalMinor,
    isComparedByKind: reported?.totals === undefined ? undefined : true,
    differences: reported === undefined ? [] : differencesOf(journal, record, schemes, reported),
    columns: close === undefined ? undefined : columnsOf(close),
    namedDifferences: close === undefined ? [] : namedDifferencesOf(journal, close),
    ...breakdown,
    cashCount: cashCountOf(journal, batch),
    preAuthCount,
  });
}

/** The newest cash count of a batch; undefined when none was made. */
export function cashCountOf(journal: JournalReader, batch: Batch): CashCountView | undefined {
  const counts = journal.cashCounts(batch.terminalId, batch.batchNumber);
  const newest = counts.at(-1);
  if (newest === undefined) return undefined;
  const { openingFloatMinor, pieces, otherMinor, currency, countedAt, countedBy } = newest;
  const { cashbackAmount } = breakdownOf(journal.batchGroups(batch.terminalId, batch.batchNumber, batch.currency));
  const counted = countedMinor(newest);
  return {
    openingFloat: openingFloatMinor,
    pieces: pieces.map((piece) => ({ ...piece })),
    other: otherMinor,
    counted,
    cashback: cashbackAmount,
    fromCashSales: counted - openingFloatMinor + cashbackAmount,
    ...{ currency, countedAt, countedBy },
    countNumber: counts.length,
  };
}

/** Figures of schemes as the journal and, where it told them, the terminal have them. */
function schemeFigures(ours: readonly SchemeTotals[], reported: ReportedBatch | undefined): DayReport['schemes'] {
  const theirs = reported?.schemes ?? [];
  const names = [...new Set([...ours, ...theirs].map(({ scheme }) => scheme))].sort();
  return names.map((scheme) => {
    const figureIn = (rows: ReportedBatch['schemes']) => {
      const row = rows.find((one) => one.scheme === scheme);
      return { count: row?.count ?? 0, amount: row?.amountMinor ?? 0 };
    };
    return { scheme, journal: figureIn(ours), ...(theirs.length === 0 ? {} : { terminal: figureIn(theirs) }) };
  });
}

function differencesOf(
  journal: JournalReader,
  { settlement, batchNumber, preAuthCount, preAuthAmount }: SettlementRecord,
  schemes: readonly SchemeTotals[],
  reported: ReportedBatch,
): BatchDifference[] {
  const { terminalId, currency } = settlement;
  const compared = { batchNumber, totals: { ...settlement, preAuthCount, preAuthAmount }, schemes, reported };
  const evidence = journal.batchEvidence(terminalId, batchNumber, currency, amountsToFind(compared));
  return explainDifferences(compared, evidence).map(differenceView);
}

function differenceView({ kind, scheme, operation, terminalScheme, ...line }: ExplainedDifference): BatchDifference {
  const side = ({ count, amountMinor }: ExplainedDifference['journal']) => defined({ count, amount: amountMinor });
  return defined({
    kind,
    scheme,
    operation,
    terminalScheme,
    journal: side(line.journal),
    terminal: side(line.terminal),
    candidates: line.candidates.map(({ record, reason }) =>
      defined({
        transactionId: record.transactionId,
        reason,
        type: record.type,
        amount: totalMinor(record),
        createdAt: record.createdAt,
        lastFour: record.card.maskedPan === undefined ? undefined : lastFourOf(record.card.maskedPan),
        batchNumber: record.batchNumber,
      }),
    ),
  });
}

/** The wire's types know no readonly. */
function mutable({ byCashier, byType, ...sums }: Breakdown) {
  return { byCashier: byCashier.map((row) => ({ ...row })), byType: byType.map((row) => ({ ...row })), ...sums };
}
