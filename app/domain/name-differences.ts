import type { ComparedType } from '../contract/console/day-words.ts';
import type { DifferenceCause, DifferingSide } from '../contract/settlements.ts';
import { type ComparedBatch, type ExplainedDifference, explainDifferences } from './batch-differences.ts';
import { type Explanation, ownerOf } from './day-suspects.ts';

/** One difference of a day close, with its kind and who clears it up. */
export interface NamedDifference {
  readonly side: DifferingSide;
  readonly cause: DifferenceCause;
  readonly owner: Explanation['owner'];
  readonly scheme?: string;
  readonly operation?: ComparedType;
  readonly transactionId?: string;
  /** What that side has more than the journal; absent where it tells sums only. */
  readonly count?: number;
  readonly amountMinor: number;
}

/** Explanations that are tried together for one line, and how many may stand for it at most: what is beyond stays one difference. */
const MAX_TRIED = 24;
const MAX_TOGETHER = 6;

/** What a side has more than the journal in one line. */
interface Delta {
  readonly scheme?: string;
  readonly operation?: ComparedType;
  readonly count?: number;
  readonly amountMinor: number;
}

/**
 * Every difference between the journal and one side of a day close, named (decisions: Day close): each line is taken apart into the fewest payments
 * that explain it together; what nothing explains stays one difference.
 * @param certain what is known to be missing on that side. @param possible what often explains a line
 */
export function nameDifferences(
  side: DifferingSide,
  batch: ComparedBatch,
  certain: readonly Explanation[],
  possible: readonly Explanation[],
): readonly NamedDifference[] {
  return explainDifferences(batch, []).flatMap((line) => {
    const delta = deltaOf(line);
    const known = certain.filter((one) => isOfLine(one, delta));
    const rest = known.reduce(without, delta);
    return [...known.map((one) => named(side, one)), ...explainRest(side, rest, possible)];
  });
}

function deltaOf({ scheme, operation, journal, terminal }: ExplainedDifference): Delta {
  const isCounted = journal.count !== undefined && terminal.count !== undefined;
  return {
    ...(scheme === undefined ? {} : { scheme }),
    ...(operation === undefined ? {} : { operation }),
    ...(isCounted ? { count: (terminal.count ?? 0) - (journal.count ?? 0) } : {}),
    amountMinor: terminal.amountMinor - journal.amountMinor,
  };
}

function isOfLine({ scheme, operation }: Explanation, line: Delta): boolean {
  if (line.operation !== undefined) return operation === line.operation;
  return operation === undefined && (line.scheme === undefined || line.scheme === scheme);
}

function without(delta: Delta, { count, amountMinor }: Pick<Explanation, 'count' | 'amountMinor'>): Delta {
  return {
    ...delta,
    ...(delta.count === undefined ? {} : { count: delta.count - count }),
    amountMinor: delta.amountMinor - amountMinor,
  };
}

function explainRest(side: DifferingSide, rest: Delta, possible: readonly Explanation[]): readonly NamedDifference[] {
  if (isNothing(rest)) return [];
  const tried = possible.filter((one) => isOfLine(one, rest)).slice(0, MAX_TRIED);
  for (let size = 1; size <= Math.min(MAX_TOGETHER, tried.length); size += 1) {
    const found = together(rest, tried, size);
    if (found !== undefined) return found.map((one) => named(side, one));
  }
  const cause = causeOf(side, rest);
  return [{ side, cause, owner: ownerOf(cause, side), ...rest }];
}

/**
 * So many of them, each payment once, whose figures are those of the line. Looked for by place, without copies: some hundred thousand choices are
 * tried at most.
 */
function together(line: Delta, tried: readonly Explanation[], size: number): readonly Explanation[] | undefined {
  const chosen: Explanation[] = [];
  function choose(from: number, count: number, amountMinor: number): boolean {
    if (chosen.length === size) return amountMinor === 0 && (line.count === undefined || count === 0);
    for (let at = from; at < tried.length; at += 1) {
      const one = tried[at];
      if (one === undefined || chosen.some(({ transactionId }) => transactionId === one.transactionId)) continue;
      chosen.push(one);
      if (choose(at + 1, count - one.count, amountMinor - one.amountMinor)) return true;
      chosen.pop();
    }
    return false;
  }
  return choose(0, line.count ?? 0, line.amountMinor) ? chosen : undefined;
}

function isNothing({ count, amountMinor }: Delta): boolean {
  return (count ?? 0) === 0 && amountMinor === 0;
}

/** What no payment of the journal explains: the terminal alone has it, or has more for the same payments. */
function causeOf(side: DifferingSide, { count, amountMinor }: Delta): DifferenceCause {
  if (side === 'HOST') return 'UNKNOWN';
  if (count === 0) return amountMinor > 0 ? 'TIP_LATE' : 'UNKNOWN';
  return (count ?? amountMinor) > 0 ? 'TERMINAL_ONLY' : 'UNKNOWN';
}

function named(side: DifferingSide, { scheme, operation, ...one }: Explanation): NamedDifference {
  return {
    side,
    ...one,
    ...(operation === undefined ? { ...(scheme === undefined ? {} : { scheme }) } : { operation }),
  };
}
