/** Doubling pauses between two bounds, in milliseconds; `jitter` in 0…1 spreads tills that lost the same network at once. */
export function backOffMs(attempt: number, minMs: number, maxMs: number, jitter = 0): number {
  const full = Math.min(maxMs, minMs * 2 ** Math.min(attempt, 30));
  return Math.round(full * (1 - jitter / 4));
}
