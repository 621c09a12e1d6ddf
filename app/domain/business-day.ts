/** The business date (YYYY-MM-DD) of an instant in milliseconds since the Unix epoch. */
export type BusinessDayOf = (instantMs: number) => string;

/** What business days of a shop go by. */
export interface BusinessDayRule {
  /** IANA name. */
  readonly timeZone: string;
  /** Wall time HH:MM; 00:00 is the calendar day. */
  readonly cutOff: string;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/**
 * Business days of a shop: a day starts when the wall clock of `timeZone` first reaches `cutOff`, and lasts until the next day starts, so every
 * instant is in exactly one day and later instants are never in an earlier one, in nights of 23 and 25 hours too (decisions: Business day).
 * A cut-off that the clock skips starts the day at the first instant after the skip; one that it shows twice starts it the first time.
 * @throws RangeError for an unknown time zone or a malformed cut-off.
 */
export function createBusinessDay({ timeZone, cutOff }: BusinessDayRule): BusinessDayOf {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(cutOff)) throw new RangeError('cutOff must be HH:MM');
  const wallClock = createWallClock(timeZone);
  const cutOffMs = Number(cutOff.slice(0, 2)) * 3_600_000 + Number(cutOff.slice(3)) * 60_000;

  const dayOf = (instantMs: number) => {
    const wallMs = wallClock(instantMs);
    const date = Math.floor(wallMs / dayMs) * dayMs;
    const started = wallMs >= date + cutOffMs || hasShown(wallClock, date + cutOffMs, instantMs);
    return new Date(started ? date : date - dayMs).toISOString().slice(0, 10);
  };
  // Days change with whole minutes, as cut-offs and today's time zones do; asking the calendar costs more than the rest of a record.
  let known = { minute: Number.NaN, day: '' };
  return (instantMs) => {
    const minute = Math.floor(instantMs / minuteMs);
    if (minute !== known.minute) known = { minute, day: dayOf(instantMs) };
    return known.day;
  };
}

/** The business date (YYYY-MM-DD) of an instant for each of many shops. */
export type BusinessDateOf = (rule: BusinessDayRule, instantMs: number) => string;

/** Keeps what it has made for each rule: making it costs far more than asking it. @throws RangeError as createBusinessDay */
export function createBusinessDates(): BusinessDateOf {
  const made = new Map<string, BusinessDayOf>();
  return ({ timeZone, cutOff }, instantMs) => {
    const key = `${timeZone} ${cutOff}`;
    const dayOf = made.get(key) ?? createBusinessDay({ timeZone, cutOff });
    made.set(key, dayOf);
    return dayOf(instantMs);
  };
}

/** Wall time of an instant, as the milliseconds that the same wall time would be in UTC. */
type WallClock = (instantMs: number) => number;

function createWallClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return (instantMs) => {
    const parts = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
    for (const { type, value } of format.formatToParts(instantMs))
      if (type in parts) Object.assign(parts, { [type]: Number(value) });
    return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
  };
}

/** Whether the wall clock had already shown `wallMs` before it was set back, within the day before `instantMs`. */
function hasShown(wallClock: WallClock, wallMs: number, instantMs: number): boolean {
  const offset = (at: number) => wallClock(at) - Math.floor(at / 1000) * 1000;
  let before = instantMs - dayMs;
  let after = instantMs;
  if (offset(before) <= offset(after)) return false;
  // The clock was set back between the two: find the last instant of the old offset.
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offset(middle) > offset(instantMs)) before = middle;
    else after = middle;
  }
  return wallClock(before) >= wallMs;
}
