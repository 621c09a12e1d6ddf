import type { ScheduledCloseTime } from '../contract/close-schedule.ts';
import type { DayCloseBlocker, ErrorCode } from '../contract/errors.ts';
import type { BusinessDayOf } from './business-day.ts';

/**
 * How far the scheduled close of a day has come.
 * SKIPPED: it was not due (the schedule is newer, or the clock was wrong). NOTHING: nothing had been paid. DUE: it is being tried. BLOCKED: it could
 * not be done yet. CLOSED: the batch is closed, by whomever.
 */
type ScheduledCloseState = 'SKIPPED' | 'NOTHING' | 'DUE' | 'BLOCKED' | 'CLOSED';

/** The newest scheduled close of a terminal. */
export interface ScheduledCloseRecord {
  readonly terminalId: string;
  /** The schedule's time that it belongs to, HH:MM. */
  readonly time: string;
  /** Local date on which it was due, YYYY-MM-DD. */
  readonly day: string;
  readonly state: ScheduledCloseState;
  readonly batchNumber: number;
  readonly attempts: number;
  readonly lastAttemptAt?: string;
  readonly errorCode?: ErrorCode;
  readonly message?: string;
  readonly blockers: readonly DayCloseBlocker[];
}

const dayMs = 86_400_000;
const daysPerWeek = 7;
/** Longer than the longest day, a clock that is set back by an hour included. */
const longestDayMs = 26 * 3_600_000;

/**
 * The newest day whose close is due at an instant. A business day that begins at the schedule's time is the day on which that time was last reached,
 * in nights of 23 and 25 hours too.
 * @param dayOf `createBusinessDay` with the schedule's time as the cut-off
 */
export function dueDayOf(schedule: ScheduledCloseTime, dayOf: BusinessDayOf, instantMs: number): string {
  const reached = dayOf(instantMs);
  for (let back = 0; back < daysPerWeek; back += 1) {
    const day = addDays(reached, -back);
    if (isOnDay(schedule, day)) return day;
  }
  return reached;
}

/** When the next close is due, milliseconds since the epoch. */
export function nextDueMs(schedule: ScheduledCloseTime, dayOf: BusinessDayOf, instantMs: number): number {
  let from = instantMs;
  for (let day = 0; day < daysPerWeek; day += 1) {
    const next = startOfNextDay(dayOf, from);
    if (isOnDay(schedule, dayOf(next))) return next;
    from = next;
  }
  return from;
}

export function isOnDay({ days }: ScheduledCloseTime, day: string): boolean {
  if (days === undefined) return true;
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return days.includes(weekday === 0 ? daysPerWeek : weekday);
}

/** @param day YYYY-MM-DD */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);
}

function startOfNextDay(dayOf: BusinessDayOf, instantMs: number): number {
  const today = dayOf(instantMs);
  let before = instantMs;
  let after = instantMs + longestDayMs;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(middle) > today) after = middle;
    else before = middle;
  }
  return after;
}
