import type { Clock } from '../../app/ports/clock.ts';

export interface ManualClock extends Clock {
  /** Moves time on, running what is due in its order and letting everything asynchronous settle between. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock forward or back; measured time does not notice (promise P14). */
  jumpWall(ms: number): void;
  setWall(isoTime: string): void;
  /** Timers that wait. */
  readonly waiting: number;
}

/** Lets everything asynchronous that needs no timer settle. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that stands still until it is moved. */
export function createManualClock(startIso = '2026-11-27T10:00:00.000Z'): ManualClock {
  let wallOffsetMs = Date.parse(startIso);
  let elapsedMs = 0;
  const timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>();

  function nextDue(untilMs: number) {
    return [...timers].filter((timer) => timer.dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
  }

  return {
    nowMs: () => wallOffsetMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    after(delayMs, callback) {
      const timer = { dueMs: elapsedMs + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const endMs = elapsedMs + ms;
      await settle();
      for (let timer = nextDue(endMs); timer !== undefined; timer = nextDue(endMs)) {
        timers.delete(timer);
        elapsedMs = Math.max(elapsedMs, timer.dueMs);
        timer.callback();
        await settle();
      }
      elapsedMs = endMs;
    },
    jumpWall(ms) {
      wallOffsetMs += ms;
    },
    setWall(isoTime) {
      wallOffsetMs = Date.parse(isoTime) - elapsedMs;
    },
    get waiting() {
      return timers.size;
    },
  };
}
