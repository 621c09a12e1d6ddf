import { BridgeError } from '../contract/errors.ts';
import type { Clock } from '../ports/clock.ts';

export interface TokenBuckets {
  /** Takes one token of `name`; answers 0 when it was there, else the whole seconds until one will be. */
  take(name: string): number;
}

/** @throws BridgeError RATE_LIMITED */
export function takeToken(buckets: TokenBuckets, name: string): void {
  const retryAfterSeconds = buckets.take(name);
  if (retryAfterSeconds > 0) {
    throw new BridgeError('RATE_LIMITED', 'too many requests', { details: { retryAfterSeconds } });
  }
}

/**
 * Token buckets by name: `ratePerSecond` sustained, `burst` at once (decisions: Limits). Own, because the kept limiter for Fastify counts
 * windows, which allow twice the rate at their seam, and cannot be driven by a clock from outside.
 * @param maxBuckets that are remembered at a time; one that is forgotten was the longest untouched, and starts full again
 */
export function createTokenBuckets(
  clock: Clock,
  ratePerSecond: number,
  burst: number,
  maxBuckets = 1_024,
): TokenBuckets {
  const buckets = new Map<string, { tokens: number; atMs: number }>();

  return {
    take(name) {
      const nowMs = clock.monotonicMs();
      const before = buckets.get(name) ?? { tokens: burst, atMs: nowMs };
      const tokens = Math.min(burst, before.tokens + ((nowMs - before.atMs) / 1000) * ratePerSecond);
      // Taken out and put back, so that the map's order is the order of use.
      buckets.delete(name);
      buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: nowMs });
      if (buckets.size > maxBuckets) forgetOldest(buckets);
      return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / ratePerSecond));
    },
  };
}

function forgetOldest(buckets: Map<string, unknown>): void {
  const oldest = buckets.keys().next();
  if (oldest.done !== true) buckets.delete(oldest.value);
}
