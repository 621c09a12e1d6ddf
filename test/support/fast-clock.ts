import type { Clock } from '../../app/ports/clock.ts';

/** The machine's own clock, so many times as fast: every wait keeps its proportion to every other. */
export function createFastClock(times: number): Clock {
  const startMs = Date.now();
  const from = performance.now();
  const elapsedMs = () => (performance.now() - from) * times;
  return {
    nowMs: () => Math.floor(startMs + elapsedMs()),
    monotonicMs: elapsedMs,
    after(delayMs, callback) {
      if (delayMs <= 0) {
        const immediate = setImmediate(callback);
        return () => clearImmediate(immediate);
      }
      const timer = setTimeout(callback, delayMs / times);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
