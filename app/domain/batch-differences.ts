import {
  type CandidateReason,
  type ComparedType,
  candidateReasons,
  comparedTypes,
  type DifferenceKind,
} from '../contract/console/day-words.ts';
import type { TransactionTotals } from '../contract/settlements.ts';
import { totalMinor } from './money.ts';
import { isSignLost, netAmountOf, type ReportedBatch, type SchemeTotals, UNKNOWN_SCHEME } from './totals.ts';
import type { TransactionRecord } from './transaction.ts';

/** Payments that are listed for one difference. */
const MAX_CANDIDATES_PER_DIFFERENCE = 8;

/** Count and net sum; `count` is absent where a side told only a sum. */
interface BatchFigure {
  readonly count?: number;
  readonly amountMinor: number;
}

/** One line of the comparison that does not agree, and what may explain it. */
export interface ExplainedDifference {
  readonly kind: DifferenceKind;
  /** Absent for all cards of a kind of payment, and for the total of all. */
  readonly scheme?: string;
  /** The kind of payment, where the other side counts by it. */
  readonly operation?: ComparedType;
  /** SCHEME_NAMED_DIFFERENTLY: how the terminal names it. */
  readonly terminalScheme?: string;
  readonly journal: BatchFigure;
  /** Of the terminal; ACQUIRER_TOTAL: of its acquirer. */
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
  readonly operation?: ComparedType;
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
  const byKind = kindRows(batch).map((row) => withoutSign(explainRow(row, batch.batchNumber, evidence)));
  const acquirer = acquirerRows(batch);
  const rest = remainderOf(batch);
  if (rest === undefined) return [...renamed, ...explained, ...byKind, ...acquirer];
  const total =
    batch.reported.schemes.length === 0
      ? explainRow(rest, batch.batchNumber, evidence)
      : { kind: 'TERMINAL_TOTAL' as const, ...rest, candidates: [] };
  return [...renamed, ...explained, total, ...acquirer];
}

/** What the terminal's acquirer counts otherwise than the journal, whether or not the terminal agrees with either. */
function acquirerRows({ totals, reported }: ComparedBatch): readonly ExplainedDifference[] {
  const { hostTotalMinor } = reported;
  const net = netAmountOf(totals);
  if (hostTotalMinor === undefined || hostTotalMinor === net || isSignLost(net, hostTotalMinor)) return [];
  const [journal, terminal] = [{ amountMinor: net }, { amountMinor: hostTotalMinor }];
  return [{ kind: 'ACQUIRER_TOTAL', journal, terminal, candidates: [] }];
}

/** Amounts, minor units, that a payment which explains something would have; each once, above zero. */
export function amountsToFind(batch: ComparedBatch): readonly number[] {
  const rest = remainderOf(batch);
  const rows = [...pairedRows(batch).rows, ...kindRows(batch), ...(rest === undefined ? [] : [rest])];
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

/** The kinds of payment that differ, as they move the net sum: what is given back lowers it. */
function kindRows({ totals, reported }: ComparedBatch): readonly Row[] {
  const { totals: theirs } = reported;
  if (theirs === undefined) return [];
  return comparedTypes.flatMap((operation): Row[] => {
    const [journal, terminal] = [kindFigureOf(totals, operation), kindFigureOf(theirs, operation)];
    return agrees(journal, terminal) ? [] : [{ operation, journal, terminal }];
  });
}

function kindFigureOf(totals: TransactionTotals, operation: ComparedType): Required<BatchFigure> {
  switch (operation) {
    case 'SALE':
      return { count: totals.saleCount, amountMinor: totals.saleAmount };
    case 'REFUND':
      return { count: totals.refundCount, amountMinor: -totals.refundAmount };
    case 'VOID':
      return { count: totals.voidCount, amountMinor: -totals.voidAmount };
    case 'PRE_AUTH':
      return { count: totals.preAuthCount, amountMinor: totals.preAuthAmount };
  }
}

/** The sums of one kind of payment, as a person reads them. */
function withoutSign(difference: ExplainedDifference): ExplainedDifference {
  const figure = ({ amountMinor, ...rest }: BatchFigure) => ({ ...rest, amountMinor: Math.abs(amountMinor) });
  return { ...difference, journal: figure(difference.journal), terminal: figure(difference.terminal) };
}

/** What the totals differ by beyond the rows: all of it where the terminal tells no rows. */
function remainderOf({ totals, schemes, reported }: ComparedBatch): Row | undefined {
  if (reported.totalMinor === undefined || reported.totals !== undefined) return undefined;
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
function isOfRow({ record, target }: BatchEvidence, { scheme, operation }: Row): boolean {
  if (operation !== undefined) return kindOfPayment(record) === operation;
  if (scheme === undefined) return true;
  const named = (target ?? record).card.cardScheme;
  if (named === undefined && !isApproved(record)) return true;
  return (named ?? UNKNOWN_SCHEME) === scheme;
}

/** What it counts as; a completion is a sale. */
function kindOfPayment({ type }: TransactionRecord): TransactionRecord['type'] {
  return type === 'PRE_AUTH_COMPLETE' ? 'SALE' : type;
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
