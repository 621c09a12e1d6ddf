import type { JsonObject } from '../../app/domain/json-value.ts';
import type { StatusInformation } from './codec/message-types.ts';
import type { Turnover } from './questions.ts';

/**
 * What is known of the last payment before a new one: without it, "same amount" proves nothing after a lost answer.
 * RECEIPT: the terminal told its last receipt. NONE: it said that it has none. REFUSED: it called the question not possible (83), as one
 * without any receipt does, and one that never tells. UNKNOWN: it did not say.
 */
export type Mark = {
  readonly knowledge: 'RECEIPT' | 'NONE' | 'REFUSED' | 'UNKNOWN';
  /** 87, four digits. */
  readonly receipt?: string;
  /** 0B or 1F2B. */
  readonly trace?: string;
  /** 0D, MMDD, and 0C, HHMMSS: the terminal's clock. */
  readonly date?: string;
  readonly time?: string;
  readonly terminalId?: string;
  /** Before a day close: the batch as 06 10 told it. NOT_TOLD: the terminal falls silent at that question, so it is not asked. */
  readonly turnover?: TurnoverMark | typeof NOT_TOLD;
};

/** `paymentCount` is absent where the terminal tells a total only (no BMP 60). */
export type TurnoverMark = { readonly totalMinor: number; readonly paymentCount?: number };

export const NOT_TOLD = 'NOT_TOLD';
export const UNKNOWN_MARK: Mark = { knowledge: 'UNKNOWN' };
export const EMPTY_MARK: Mark = { knowledge: 'NONE' };
export const REFUSED_MARK: Mark = { knowledge: 'REFUSED' };

const NO_TRACE = '000000';
const NO_RECEIPT = /^(0000|F+)$/i;

/** The trace number: 0B holds zeros where 1F2B carries a longer one. */
export function traceOf(status: Pick<StatusInformation, 'trace' | 'longTrace'>): string | undefined {
  if (status.longTrace !== undefined) return status.longTrace;
  return status.trace === NO_TRACE ? undefined : status.trace;
}

export function receiptOf(status: Pick<StatusInformation, 'receipt'>): string | undefined {
  return status.receipt === undefined || NO_RECEIPT.test(status.receipt) ? undefined : status.receipt;
}

/** The mark that a payment leaves for the next one; undefined when it names neither receipt nor trace. */
export function markOf(status: StatusInformation): Mark | undefined {
  const receipt = receiptOf(status);
  const trace = traceOf(status);
  if (receipt === undefined && trace === undefined) return undefined;
  return {
    knowledge: 'RECEIPT',
    ...(receipt === undefined ? {} : { receipt }),
    ...(trace === undefined ? {} : { trace }),
    ...(status.date === undefined ? {} : { date: status.date }),
    ...(status.time === undefined ? {} : { time: status.time }),
    ...(status.terminalId === undefined ? {} : { terminalId: status.terminalId }),
  };
}

/** Undefined when the answer named no figures. */
export function turnoverMarkOf(turnover: Turnover): TurnoverMark | undefined {
  const { totalMinor, totals } = turnover;
  if (totalMinor === undefined) return undefined;
  if (totals === undefined) return { totalMinor };
  const { girocard, jcb, mastercard, amex, visa, diners, other } = totals;
  const paymentCount = [girocard, jcb, mastercard, amex, visa, diners, other].reduce(
    (sum, { count }) => sum + count,
    0,
  );
  return { totalMinor, paymentCount };
}

/** Reads a stored mark; what is not understood counts as unknown. */
export function readMark(stored: JsonObject): Mark {
  const { knowledge } = stored;
  if (knowledge !== 'RECEIPT' && knowledge !== 'NONE' && knowledge !== 'REFUSED')
    return { ...UNKNOWN_MARK, ...readTurnover(stored) };
  const text = (name: string): { readonly [key: string]: string } => {
    const value = stored[name];
    return typeof value === 'string' ? { [name]: value } : {};
  };
  return {
    knowledge,
    ...text('receipt'),
    ...text('trace'),
    ...text('date'),
    ...text('time'),
    ...text('terminalId'),
    ...readTurnover(stored),
  };
}

function readTurnover(stored: JsonObject): Pick<Mark, 'turnover'> {
  const turnover = stored.turnover;
  if (turnover === NOT_TOLD) return { turnover };
  if (typeof turnover !== 'object' || turnover === null || !('totalMinor' in turnover)) return {};
  const { totalMinor } = turnover;
  if (typeof totalMinor !== 'number') return {};
  const paymentCount = 'paymentCount' in turnover ? turnover.paymentCount : undefined;
  return { turnover: { totalMinor, ...(typeof paymentCount === 'number' ? { paymentCount } : {}) } };
}

export type Relation = 'NEWER' | 'SAME' | 'UNCLEAR';

/**
 * How a payment that the terminal tells relates to the mark: only numbers that agree with each other count.
 * @param originalReceipt of the payment that the command acts on (void, completion)
 */
export function relateToMark(mark: Mark, status: StatusInformation, originalReceipt?: string): Relation {
  // A terminal that tells a receipt now is able to: when it called that not possible before, it had none.
  if (mark.knowledge === 'NONE' || mark.knowledge === 'REFUSED') return 'NEWER';
  if (mark.knowledge === 'UNKNOWN') return 'UNCLEAR';
  if (mark.terminalId !== undefined && status.terminalId !== undefined && mark.terminalId !== status.terminalId)
    return 'UNCLEAR';
  const byTrace = compareNumbers(mark.trace, traceOf(status));
  const byReceipt = compareNumbers(mark.receipt, receiptOf(status));
  const isReceiptOfOriginal = compareNumbers(originalReceipt, receiptOf(status)) === 'SAME';
  const relation = combine(byTrace, byReceipt, isReceiptOfOriginal);
  return relation === 'UNCLEAR' || !agreesWithClock(relation, mark, status) ? 'UNCLEAR' : relation;
}

type Order = 'NEWER' | 'SAME' | 'OLDER' | undefined;

function combine(byTrace: Order, byReceipt: Order, isReceiptOfOriginal: boolean): Relation {
  if (byTrace === undefined || byReceipt === undefined || byTrace === byReceipt) {
    const order = byTrace ?? byReceipt;
    return order === 'NEWER' || order === 'SAME' ? order : 'UNCLEAR';
  }
  // Some terminals give a reversal the receipt number of what it reverses; the trace always rises.
  return byTrace === 'NEWER' && (byReceipt === 'SAME' || isReceiptOfOriginal) ? 'NEWER' : 'UNCLEAR';
}

/** Counters of a fixed width wrap: what is less than half the range ahead is newer. */
function compareNumbers(before: string | undefined, after: string | undefined): Order {
  if (before === undefined || after === undefined) return undefined;
  if (!/^\d+$/.test(before) || !/^\d+$/.test(after)) return undefined;
  const range = 10n ** BigInt(Math.max(before.length, after.length));
  const ahead = (((BigInt(after) - BigInt(before)) % range) + range) % range;
  if (ahead === 0n) return 'SAME';
  return ahead < range / 2n ? 'NEWER' : 'OLDER';
}

const HOUR_MS = 3_600_000;
const YEAR_MS = 366 * 24 * HOUR_MS;
/** A change from summer time, and a clock that is set right. */
const CLOCK_TOLERANCE_MS = 2 * HOUR_MS;

function agreesWithClock(relation: 'NEWER' | 'SAME', mark: Mark, status: StatusInformation): boolean {
  const before = clockMs(mark.date, mark.time);
  const after = clockMs(status.date, status.time);
  if (before === undefined || after === undefined) return true;
  if (relation === 'SAME') return before === after;
  // No year travels: less than half a year back is earlier, more is a new year.
  const ahead = (((after - before) % YEAR_MS) + YEAR_MS) % YEAR_MS;
  return ahead < YEAR_MS / 2 || ahead >= YEAR_MS - CLOCK_TOLERANCE_MS;
}

/** MMDD and HHMMSS as milliseconds of a leap year. */
function clockMs(date: string | undefined, time: string | undefined): number | undefined {
  if (date === undefined || time === undefined || !/^\d{4}$/.test(date) || !/^\d{6}$/.test(time)) return undefined;
  const part = (text: string, from: number): number => Number(text.slice(from, from + 2));
  return Date.UTC(2000, part(date, 0) - 1, part(date, 2), part(time, 0), part(time, 2), part(time, 4));
}
