import { type CandidateReason, candidateReasons, type DifferenceKind } from '../contract/console/day-words.ts';
import type { TransactionTotals } from '../contract/settlements.ts';
import { totalMinor } from './money.ts';
import { isSignLost, netAmountOf, type ReportedBatch, type SchemeTotals, UNKNOWN_SCHEME } from './totals.ts';
import type { TransactionRecord } from './transaction.ts';

/** Payments that are listed for one difference. */
export const MAX_CANDIDATES_PER_DIFFERENCE = 8;

/** Count and net sum; `count` is absent where a side told only a sum. */
export interface BatchFigure {
  readonly count?: number;
  readonly amountMinor: number;
}

/** One line of the comparison that does not agree, and what may explain it. */
export interface ExplainedDifference {
  readonly kind: DifferenceKind;
  /** Absent for the total of all cards. */
  readonly scheme?: string;
  /** SCHEME_NAMED_DIFFERENTLY: how the terminal names it. */
  readonly terminalScheme?: string;
  readonly journal: BatchFigure;
  readonly terminal: BatchFigure;
  readonly candidates: readonly { readonly record: TransactionRecord; readonly reason: CandidateReason }[];
}

/** A payment that might explain something; a void comes with what it takes back. */
export interface BatchEvidence {
  readonly record: TransactionRecord;
  readonly target?: TransactionRecord;
}

/** One batch, as both sides have it. */
export interface ComparedBatch {
  readonly batchNumber: number;
  readonly totals: TransactionTotals;
  readonly schemes: readonly SchemeTotals[];
  readonly reported: ReportedBatch;
}

interface SchemeRow {
  readonly scheme: string;
  readonly journal: Required<BatchFigure>;
  readonly terminal: Required<BatchFigure>;
}

interface Row {
  readonly scheme?: string;
  readonly journal: BatchFigure;
  readonly terminal: BatchFigure;
}

const nothing = { count: 0, amountMinor: 0 };

/**
 * Every figure in which the terminal differs from the journal, line by line (decisions: Day close). The amounts of the lines add up to the
 * difference of the totals, so that nothing is left unexplained unseen.
 * @param evidence payments in which an explanation is looked for (`amountsToFind` says which amounts matter)
 */
export function explainDifferences(
  batch: ComparedBatch,
  evidence: readonly BatchEvidence[],
): readonly ExplainedDifference[] {
  const { renamed, rows } = pairedRows(batch);
  const explained = rows.map((row) => explainRow(row, batch.batchNumber, evidence));
  const rest = remainderOf(batch);
  if (rest === undefined) return [...renamed, ...explained];
  const total =
    batch.reported.schemes.length === 0
      ? explainRow(rest, batch.batchNumber, evidence)
      : { kind: 'TERMINAL_TOTAL' as const, ...rest, candidates: [] };
  return [...renamed, ...explained, total];
}

/** Amounts, minor units, that a payment which explains something would have; each once, above zero. */
export function amountsToFind(batch: ComparedBatch): readonly number[] {
  const rest = remainderOf(batch);
  const rows = [...pairedRows(batch).rows, ...(rest === undefined ? [] : [rest])];
  const amounts = rows.map(({ journal, terminal }) => Math.abs(terminal.amountMinor - journal.amountMinor));
  return [...new Set(amounts)].filter((amount) => amount > 0);
}

/** The rows that differ; what differs in its name only is told apart. */
function pairedRows({ schemes, reported }: ComparedBatch) {
  const theirs = new Map(reported.schemes.map((row) => [row.scheme, row]));
  const ours = new Map<string, SchemeTotals>(schemes.map((row) => [row.scheme, row]));
  const names = reported.schemes.length === 0 ? [] : [...new Set([...ours.keys(), ...theirs.keys()])].sort();
  const differing = names.flatMap((scheme): SchemeRow[] => {
    const journal = figureOf(ours.get(scheme));
    const terminal = asTold(journal, figureOf(theirs.get(scheme)));
    return agrees(journal, terminal) ? [] : [{ scheme, journal, terminal }];
  });
  const renamed: ExplainedDifference[] = [];
  const taken = new Set<string>();
  for (const row of differing) {
    if (!isNothing(row.terminal)) continue;
    const other = differing.find(
      (one) =>
        isNothing(one.journal) &&
        !taken.has(one.scheme) &&
        agrees(row.journal, asTold(row.journal, figureOf(theirs.get(one.scheme)))),
    );
    if (other === undefined) continue;
    taken.add(row.scheme).add(other.scheme);
    renamed.push({
      kind: 'SCHEME_NAMED_DIFFERENTLY',
      scheme: row.scheme,
      terminalScheme: other.scheme,
      journal: row.journal,
      terminal: row.journal,
      candidates: [],
    });
  }
  return { renamed, rows: differing.filter(({ scheme }) => !taken.has(scheme)) };
}

/** What the totals differ by beyond the rows: all of it where the terminal tells no rows. */
function remainderOf({ totals, schemes, reported }: ComparedBatch): Row | undefined {
  if (reported.totalMinor === undefined) return undefined;
  const net = netAmountOf(totals);
  if (isSignLost(net, reported.totalMinor)) return undefined;
  if (reported.schemes.length === 0) {
    return reported.totalMinor === net
      ? undefined
      : { journal: { amountMinor: net }, terminal: { amountMinor: reported.totalMinor } };
  }
  const told = reported.schemes.reduce((sum, row) => {
    const ours = figureOf(schemes.find(({ scheme }) => scheme === row.scheme));
    return sum + asTold(ours, row).amountMinor;
  }, 0);
  return told === reported.totalMinor
    ? undefined
    : { journal: { amountMinor: told }, terminal: { amountMinor: reported.totalMinor } };
}

function explainRow(row: Row, batchNumber: number, evidence: readonly BatchEvidence[]): ExplainedDifference {
  const candidates = evidence
    .flatMap((one) => {
      const reason = reasonOf(one, row, batchNumber);
      return reason === undefined ? [] : [{ record: one.record, reason }];
    })
    .sort((a, b) => candidateReasons.indexOf(a.reason) - candidateReasons.indexOf(b.reason))
    .slice(0, MAX_CANDIDATES_PER_DIFFERENCE);
  return { kind: kindOf(row, candidates), ...row, candidates };
}

function kindOf(row: Row, candidates: ExplainedDifference['candidates']): DifferenceKind {
  const { counts, amounts } = deltasOf(row);
  const has = (reason: CandidateReason) => candidates.some((candidate) => candidate.reason === reason);
  if (amounts === 0) return 'COUNT_DIFFERS';
  if (counts === 0) return 'AMOUNT_DIFFERS';
  if (has('VOID_ACROSS_CLOSES')) return 'VOID_ACROSS_CLOSES';
  if (has('WAS_UNKNOWN')) return 'OUTCOME_WAS_UNKNOWN';
  // A refund raises the number and lowers the sum.
  const terminalHasMore = counts === undefined ? amounts > 0 : counts > 0;
  return terminalHasMore ? 'TERMINAL_ONLY' : 'JOURNAL_ONLY';
}

/** Terminal less journal. */
function deltasOf({ journal, terminal }: Row) {
  const isCounted = journal.count !== undefined && terminal.count !== undefined;
  return {
    counts: isCounted ? (terminal.count ?? 0) - (journal.count ?? 0) : undefined,
    amounts: terminal.amountMinor - journal.amountMinor,
  };
}

function reasonOf(one: BatchEvidence, row: Row, batchNumber: number): CandidateReason | undefined {
  const { record, target } = one;
  if (!isOfRow(one, row)) return undefined;
  const { counts, amounts } = deltasOf(row);
  const isHere = record.batchNumber === batchNumber;
  if (amounts === 0) return isHere && isApproved(record) && record.type === 'VOID' ? 'VOIDED' : undefined;
  if (totalMinor(record) === Math.abs(amounts)) {
    if (target !== undefined && target.batchNumber !== record.batchNumber) return 'VOID_ACROSS_CLOSES';
    const moved = movedBy(record);
    const terminalHasIt = moved === amounts;
    if (!terminalHasIt && !(isHere && isApproved(record))) return undefined;
    if (record.evidence.length > 0 || record.outcome.charged === 'UNKNOWN') return 'WAS_UNKNOWN';
    if (!terminalHasIt) return 'NOT_AT_TERMINAL';
    if (!isApproved(record)) return isHere ? 'NOT_PAID' : undefined;
    return isHere ? 'COUNTED_TWICE' : 'OTHER_BATCH';
  }
  if (counts !== undefined && counts !== 0) return undefined;
  if (!isHere || !isApproved(record)) return undefined;
  if (record.tipAmountMinor === Math.abs(amounts)) return 'TIP';
  return record.cashbackAmountMinor === Math.abs(amounts) ? 'CASHBACK' : undefined;
}

/** A void belongs to the scheme of what it takes back; an attempt of which no card is known may belong to any. */
function isOfRow({ record, target }: BatchEvidence, { scheme }: Row): boolean {
  if (scheme === undefined) return true;
  const named = (target ?? record).card.cardScheme;
  if (named === undefined && !isApproved(record)) return true;
  return (named ?? UNKNOWN_SCHEME) === scheme;
}

/** What the payment adds to the net sum, were it paid. */
function movedBy(record: TransactionRecord): number {
  const total = totalMinor(record);
  return record.type === 'REFUND' || record.type === 'VOID' ? -total : total;
}

function isApproved(record: TransactionRecord): boolean {
  return record.state === 'APPROVED';
}

function figureOf(row: { readonly count: number; readonly amountMinor: number } | undefined) {
  return row === undefined ? nothing : { count: row.count, amountMinor: row.amountMinor };
}

/** The terminal's figure, with the sign that its protocol cannot tell put back. */
function asTold(journal: Required<BatchFigure>, terminal: Required<BatchFigure>): Required<BatchFigure> {
  const amountMinor = isSignLost(journal.amountMinor, terminal.amountMinor)
    ? journal.amountMinor
    : terminal.amountMinor;
  return { count: terminal.count, amountMinor };
}

function agrees(a: BatchFigure, b: BatchFigure): boolean {
  return a.count === b.count && a.amountMinor === b.amountMinor;
}

function isNothing(figure: BatchFigure): boolean {
  return figure.count === 0 && figure.amountMinor === 0;
}
