import type { Clock } from '../../app/ports/clock.ts';

export interface SteppedClock extends Clock {
  /** Moves both clocks on and runs what has become due, in the order of its time. */
  advance(ms: number): void;
  /** Timers that are waiting. */
  pendingCount(): number;
}

/** A clock that stands still until it is moved. */
export function createManualClock(startMs = Date.parse('2026-11-27T10:00:00.000Z')): SteppedClock {
  let elapsedMs = 0;
  let timers: { readonly dueMs: number; readonly callback: () => void }[] = [];

  return {
    nowMs: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    after(delayMs, callback) {
      const timer = { dueMs: elapsedMs + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const endMs = elapsedMs + ms;
      for (;;) {
        const next = timers.filter((timer) => timer.dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0];
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        elapsedMs = next.dueMs;
        next.callback();
      }
      elapsedMs = endMs;
    },
    pendingCount: () => timers.length,
  };
}
