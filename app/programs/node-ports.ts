import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';

/** The clock of this machine. */
export const nodeClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Identifiers and random bytes from the system's cryptographic source. */
export const nodeIds: Ids = {
  next: () => randomUUID(),
  randomBytes: (byteCount) => randomBytes(byteCount),
};
