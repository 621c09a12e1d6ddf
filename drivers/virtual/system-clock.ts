import type { Clock } from '../../app/ports/clock.ts';

/** The clock of the machine. A delay of 0 ms runs as soon as what is going on has ended. */
export function createSystemClock(): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    after(delayMs, callback) {
      if (delayMs <= 0) {
        const immediate = setImmediate(callback);
        return () => clearImmediate(immediate);
      }
      const timer = setTimeout(callback, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
