import type { Clock } from '../../app/ports/clock.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

export interface ManualClock extends Clock {
  /** Lets time pass: timers fire in order, and what they set off runs before the next one. */
  advance(ms: number): Promise<void>;
  pendingTimers(): number;
}

/** A clock that stands still until it is told to go on. */
export function createManualClock(startMs = Date.UTC(2026, 10, 27, 12, 0, 0)): ManualClock {
  let now = startMs;
  let order = 0;
  const timers = new Set<Timer>();
  return {
    nowMs: () => now,
    monotonicMs: () => now - startMs,
    after(delayMs, callback) {
      const timer: Timer = { at: now + delayMs, order: order++, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        await settle();
        const next = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = end;
      await settle();
    },
    pendingTimers: () => timers.size,
  };
}

/** Everything that is already under way inside the process comes to rest. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for a state, never for a time; fails when the state does not come. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** The machine's own clock, for real lines. */
export const realClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
