// What is known of the terminal before a command, to tell the command's result from the one before it. Pure.
import type { JsonObject } from '../../app/domain/json-value.ts';
import { isApproval, type LastResult, readLastResult } from './last-result.ts';

/**
 * RESULT: the terminal told its last result: it always has one, so that "approved" alone proves nothing. REFUSED: it refuses the question, as one does
 * that has no result yet, or does not know the question. UNKNOWN: it did not say.
 */
export type Mark = {
  readonly knowledge: 'RESULT' | 'REFUSED' | 'UNKNOWN';
  readonly last?: LastResult;
  /** Before a day close: the terminal's total (T), minor units. */
  readonly sessionTotalMinor?: number;
};

export const UNKNOWN_MARK: Mark = { knowledge: 'UNKNOWN' };
export const REFUSED_MARK: Mark = { knowledge: 'REFUSED' };

export function markOf(last: LastResult): Mark {
  return { knowledge: 'RESULT', last };
}

/** Reads a stored mark; what is not understood counts as unknown. */
export function readMark(stored: JsonObject): Mark {
  const { sessionTotalMinor } = stored;
  const total = typeof sessionTotalMinor === 'number' ? { sessionTotalMinor } : {};
  if (stored.knowledge === 'REFUSED') return { ...REFUSED_MARK, ...total };
  const last = readLastResult(stored.last);
  return stored.knowledge === 'RESULT' && last !== undefined
    ? { ...markOf(last), ...total }
    : { ...UNKNOWN_MARK, ...total };
}

export type Relation = 'NEWER' | 'SAME' | 'UNCLEAR';

/** How a result that the terminal tells relates to the mark: newer only when nothing that both carry speaks against it. */
export function relateToMark(mark: Mark, now: LastResult): Relation {
  // A terminal that tells a result now is able to: when it refused the question before, it had none.
  if (mark.knowledge === 'REFUSED') return 'NEWER';
  const before = mark.last;
  if (mark.knowledge === 'UNKNOWN' || before === undefined) return 'UNCLEAR';
  if (before.stan !== undefined && now.stan !== undefined) return relateByStan(before, now);
  // Without a STAN two refusals in a row may read the same word for word; neither moved money.
  if (agree(before, now)) return isApproval(now) && !isOfSession(now) ? 'UNCLEAR' : 'SAME';
  // An approval has a STAN; what else is last now, and was not before, has come since.
  return (isApproval(now) && now.stan === undefined && !isOfSession(now)) || runsBack(before, now)
    ? 'UNCLEAR'
    : 'NEWER';
}

function isOfSession({ procedure }: LastResult): boolean {
  return procedure === 'SESSION' || procedure === 'TOTALS';
}

function relateByStan(before: LastResult, now: LastResult): Relation {
  if (before.stan === now.stan) return agree(before, now) ? 'SAME' : 'UNCLEAR';
  return isAhead(before.stan ?? '', now.stan ?? '') && !runsBack(before, now) ? 'NEWER' : 'UNCLEAR';
}

/** Everything that both results carry is the same. */
function agree(before: LastResult, now: LastResult): boolean {
  const names = ['stan', 'onlineId', 'amountMinor', 'hostTime', 'text', 'actionCode', 'totalMinor'] as const;
  const isSame = names.every(
    (name) => before[name] === undefined || now[name] === undefined || before[name] === now[name],
  );
  return isSame && before.procedure === now.procedure && before.result === now.result;
}

/** STANs have six digits and wrap: what is less than half the range ahead is later. */
const STAN_RANGE = 1_000_000;

function isAhead(before: string, now: string): boolean {
  const ahead = (Number(now) - Number(before) + STAN_RANGE) % STAN_RANGE;
  return ahead < STAN_RANGE / 2;
}

const DAY_MINUTES = 24 * 60;
const YEAR_MINUTES = 366 * DAY_MINUTES;
/** A change from summer time, and hosts whose clocks differ. */
const TOLERANCE_MINUTES = 120;

/** The host answered at an earlier time than the one before. No year travels: less than half a year back is earlier, more is a new year. */
function runsBack(before: LastResult, now: LastResult): boolean {
  const from = minutesOf(before.hostTime);
  const to = minutesOf(now.hostTime);
  if (from === undefined || to === undefined) return false;
  const ahead = (((to - from) % YEAR_MINUTES) + YEAR_MINUTES) % YEAR_MINUTES;
  return ahead >= YEAR_MINUTES / 2 && ahead < YEAR_MINUTES - TOLERANCE_MINUTES;
}

function minutesOf(hostTime: string | undefined): number | undefined {
  if (hostTime === undefined || !/^\d{7}$/.test(hostTime)) return undefined;
  const [day, hour, minute] = [hostTime.slice(0, 3), hostTime.slice(3, 5), hostTime.slice(5)].map(Number);
  return (day ?? 0) * DAY_MINUTES + (hour ?? 0) * 60 + (minute ?? 0);
}
