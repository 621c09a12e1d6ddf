/** Wall clock, monotonic clock and timers. Everything that waits or stamps a time takes this port, so that a simulation can drive it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. May jump; never used to measure a duration. */
  nowMs(): number;
  /** Milliseconds that only rise; the origin has no meaning. */
  monotonicMs(): number;
  /** Calls `callback` once after `delayMs`; the returned function cancels it. A pending timer never keeps the process alive by itself. */
  after(delayMs: number, callback: () => void): () => void;
}
