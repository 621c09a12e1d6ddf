const hourMs = 3_600_000;
const hoursPerDay = 24;

/** How long a hold may still be completed; NONE: the bank may have let it go, and only the terminal can tell. */
export interface TimeLeft {
  readonly unit: 'DAYS' | 'HOURS' | 'NONE';
  readonly count: number;
}

/** What is left of the days for which the bank usually keeps a hold: whole days, in the last two days whole hours. */
export function timeLeft(heldAtIso: string, holdDays: number, nowMs: number): TimeLeft {
  const hours = Math.floor((Date.parse(heldAtIso) - nowMs) / hourMs) + holdDays * hoursPerDay;
  if (hours < 1) return { unit: 'NONE', count: 0 };
  if (hours < 2 * hoursPerDay) return { unit: 'HOURS', count: hours };
  return { unit: 'DAYS', count: Math.floor(hours / hoursPerDay) };
}
