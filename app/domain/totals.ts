import type { TransactionTotals } from '../contract/settlements.ts';
import type { CardScheme } from '../contract/transactions.ts';
import { minorOfBigInt, totalMinor } from './money.ts';
import { awaitsCapture } from './tip-capture.ts';
import type { TransactionRecord } from './transaction.ts';

/** Count and sum of one card scheme in a batch, as a side reports it; net: sales minus voids and refunds. */
export interface SchemeTotals {
  readonly scheme: CardScheme;
  readonly count: number;
  readonly amountMinor: number;
}

/** What a terminal, or our host for it, told about its own batch; what it does not report is not compared. */
export interface ReportedBatch {
  readonly totalMinor?: number;
  /** What the terminal's acquirer counts of the same batch, where the terminal tells that beside its own total. */
  readonly hostTotalMinor?: number;
  /** Count and sum of each kind of payment: our host tells them. */
  readonly totals?: TransactionTotals;
  /** Of the close, as our host tells it, YYYY-MM-DD. */
  readonly businessDate?: string;
  readonly schemes: readonly { readonly scheme: string; readonly count: number; readonly amountMinor: number }[];
}

/** One figure in which a terminal's batch differs from the journal. */
export interface BatchDifference {
  /** What differs, e.g. `totalAmount`, `VISA.count` or `saleCount`. */
  readonly field: string;
  readonly ours: number;
  readonly theirs: number;
  /** Where it is not the terminal, or our host, whose figure differs. */
  readonly toldBy?: 'acquirer';
}

/** Every figure of TransactionTotals. */
export const countedFigures = [
  ...(['saleCount', 'saleAmount', 'refundCount', 'refundAmount', 'voidCount', 'voidAmount'] as const),
  ...(['preAuthCount', 'preAuthAmount'] as const),
] as const satisfies readonly (keyof TransactionTotals)[];

/** Scheme under which what has no known scheme is counted. */
export const UNKNOWN_SCHEME = 'OTHER';

interface Tally {
  count: number;
  sum: bigint;
}

/**
 * Totals of one batch of one terminal by the rules of decisions: Totals, straight from the records (all transactions of the terminal).
 * This is the reference; the store computes the same by SQL and is judged against it.
 * @throws BridgeError AMOUNT_TOO_LARGE when a sum passes 2^53 − 1.
 */
export function totalsOf(
  records: readonly TransactionRecord[],
  batchNumber: number,
  currency: string,
): TransactionTotals {
  const byId = new Map(records.map((record) => [record.transactionId, record]));
  const released = releasedSales(records, byId);
  const sales: Tally = { count: 0, sum: 0n };
  const refunds: Tally = { count: 0, sum: 0n };
  const voids: Tally = { count: 0, sum: 0n };
  for (const record of records) {
    if (!counts(record, currency) || record.batchNumber !== batchNumber) continue;
    if (isSale(record) && !released.has(record.transactionId)) add(sales, record);
    if (record.type === 'REFUND') add(refunds, record);
    if (isVoidOfSale(record, byId) && !released.has(record.targetTransactionId ?? '')) add(voids, record);
  }
  const held: Tally = { count: 0, sum: 0n };
  for (const record of openPreAuthsOf(records)) if (record.currency === currency) add(held, record);
  return {
    saleCount: sales.count,
    saleAmount: minorOfBigInt(sales.sum),
    refundCount: refunds.count,
    refundAmount: minorOfBigInt(refunds.sum),
    voidCount: voids.count,
    voidAmount: minorOfBigInt(voids.sum),
    preAuthCount: held.count,
    preAuthAmount: minorOfBigInt(held.sum),
    currency,
  };
}

/** Approved pre-authorizations that are neither completed nor released, whatever their batch; as in `records`' order. */
export function openPreAuthsOf(records: readonly TransactionRecord[]): readonly TransactionRecord[] {
  const ended = new Set<string>();
  for (const record of records) {
    const ends = record.type === 'VOID' || record.type === 'PRE_AUTH_COMPLETE';
    if (ends && record.state === 'APPROVED' && record.targetTransactionId !== undefined)
      ended.add(record.targetTransactionId);
  }
  return records.filter(
    (record) =>
      record.type === 'PRE_AUTH' &&
      record.mode === 'ORCHESTRATED' &&
      record.state === 'APPROVED' &&
      !ended.has(record.transactionId),
  );
}

/** Net count and sum of each card scheme of a batch: a void takes its sale out again, a refund counts by itself and lowers the sum. */
export function schemeTotalsOf(
  records: readonly TransactionRecord[],
  batchNumber: number,
  currency: string,
): readonly SchemeTotals[] {
  const byId = new Map(records.map((record) => [record.transactionId, record]));
  const schemes = new Map<string, Tally>();
  for (const record of records) {
    if (!counts(record, currency) || record.batchNumber !== batchNumber) continue;
    const voided = isVoidOfSale(record, byId);
    if (!isSale(record) && record.type !== 'REFUND' && !voided) continue;
    // A void belongs to the scheme of what it takes back, whether or not the terminal named it again.
    const bearer = voided ? (byId.get(record.targetTransactionId ?? '') ?? record) : record;
    const scheme = bearer.card.cardScheme ?? UNKNOWN_SCHEME;
    const tally = schemes.get(scheme) ?? { count: 0, sum: 0n };
    schemes.set(scheme, tally);
    tally.count += voided ? -1 : 1;
    tally.sum += isSale(record) ? BigInt(totalMinor(record)) : -BigInt(totalMinor(record));
  }
  return [...schemes]
    .map(([scheme, { count, sum }]) => ({ scheme, count, amountMinor: minorOfBigInt(sum) }) as SchemeTotals)
    .sort((a, b) => (a.scheme < b.scheme ? -1 : 1));
}

/** Sales − refunds − voids; may be negative (decisions: Totals). @throws BridgeError AMOUNT_TOO_LARGE */
export function netAmountOf(totals: Pick<TransactionTotals, 'saleAmount' | 'refundAmount' | 'voidAmount'>): number {
  return minorOfBigInt(BigInt(totals.saleAmount) - BigInt(totals.refundAmount) - BigInt(totals.voidAmount));
}

/**
 * Where a terminal's own batch differs from the journal, in what the terminal reports (decisions: Day close): count and sum per kind of payment,
 * or the total of all; count and sum per scheme. A scheme that only one side has is a difference unless its figures are zero.
 */
export function compareBatch(
  totals: TransactionTotals,
  schemes: readonly SchemeTotals[],
  reported: ReportedBatch,
): readonly BatchDifference[] {
  const differences: BatchDifference[] = [];
  const compare = (field: string, ours: number, theirs: number) => {
    if (ours !== theirs) differences.push({ field, ours, theirs });
  };
  const compareSum = (field: string, ours: number, theirs: number) => {
    if (!isSignLost(ours, theirs)) compare(field, ours, theirs);
  };
  if (reported.totals !== undefined) {
    for (const figure of countedFigures) compare(figure, totals[figure], reported.totals[figure]);
  } else if (reported.totalMinor !== undefined) compareSum('totalAmount', netAmountOf(totals), reported.totalMinor);
  if (reported.hostTotalMinor !== undefined) {
    const [ours, theirs] = [netAmountOf(totals), reported.hostTotalMinor];
    if (ours !== theirs && !isSignLost(ours, theirs))
      differences.push({ field: 'acquirerTotalAmount', ours, theirs, toldBy: 'acquirer' });
  }
  // A terminal that reports no scheme at all reports only its total.
  if (reported.schemes.length === 0) return differences;
  const ours = new Map<string, { count: number; amountMinor: number }>(schemes.map((row) => [row.scheme, row]));
  const theirs = new Map(reported.schemes.map((row) => [row.scheme, row]));
  const nothing = { count: 0, amountMinor: 0 };
  for (const scheme of [...new Set([...ours.keys(), ...theirs.keys()])].sort()) {
    compare(`${scheme}.count`, (ours.get(scheme) ?? nothing).count, (theirs.get(scheme) ?? nothing).count);
    compareSum(
      `${scheme}.amount`,
      (ours.get(scheme) ?? nothing).amountMinor,
      (theirs.get(scheme) ?? nothing).amountMinor,
    );
  }
  return differences;
}

/** A terminal whose sums carry no sign (ZVT: BMP 04 and 60) cannot tell one below zero: it tells none, or how far below. */
export function isSignLost(ours: number, theirs: number): boolean {
  return ours < 0 && (theirs === 0 || theirs === -ours);
}

/** Who told the figures of a batch: a terminal tells none per kind of payment. */
export function sideOf({ totals }: ReportedBatch): 'host' | 'terminal' {
  return totals === undefined ? 'terminal' : 'host';
}

/** A difference in words, as the answer of a day close lists it. */
export function differenceText({ field, ours, theirs, toldBy }: BatchDifference, side: 'host' | 'terminal'): string {
  return `${field}: journal ${ours}, ${toldBy ?? side} ${theirs}`;
}

/** Whether a record is in any totals: approved, by the terminal's own acquirer, in the terminal's currency (decisions: Granular payments). */
function counts(record: TransactionRecord, currency: string): boolean {
  return record.state === 'APPROVED' && record.mode === 'ORCHESTRATED' && record.currency === currency;
}

function isSale(record: TransactionRecord): boolean {
  return record.type === 'SALE' || record.type === 'PRE_AUTH_COMPLETE';
}

/** A released open pre-authorization was never in the sales, so its void is in no total either. */
function isVoidOfSale(record: TransactionRecord, byId: ReadonlyMap<string, TransactionRecord>): boolean {
  if (record.type !== 'VOID') return false;
  const target = byId.get(record.targetTransactionId ?? '');
  return target !== undefined && isSale(target);
}

/** Sales that were void before they were captured: like released holds they are in no total. */
function releasedSales(
  records: readonly TransactionRecord[],
  byId: ReadonlyMap<string, TransactionRecord>,
): ReadonlySet<string> {
  const targets = records.flatMap(({ type, state, targetTransactionId }) => {
    const target = type === 'VOID' && state === 'APPROVED' ? byId.get(targetTransactionId ?? '') : undefined;
    return target !== undefined && awaitsCapture(target) ? [target.transactionId] : [];
  });
  return new Set(targets);
}

function add(tally: Tally, record: TransactionRecord): void {
  tally.count += 1;
  tally.sum += BigInt(totalMinor(record));
}
