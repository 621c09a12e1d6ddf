import type { ErrorCode } from '../contract/errors.ts';
import type { Ids } from '../ports/ids.ts';
import { OUTBOX_SPREAD } from './sync-limits.ts';

/** What the host does not take now, and may take later; every other refusal stands however often it is asked. */
export const passingRefusals: ReadonlySet<ErrorCode> = new Set([
  ...(['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED', 'HOST_UNREACHABLE', 'JOURNAL_UNAVAILABLE'] as const),
  ...(['IDEMPOTENCY_IN_PROGRESS', 'TERMINAL_NOT_READY', 'DAY_CLOSE_BLOCKED'] as const),
]);

/** Milliseconds before the next try: doubled with each up to the longest, and spread, so that many tills do not come at once. */
export function spreadWaitMs(ids: Pick<Ids, 'randomBytes'>, tries: number, firstMs: number, longestMs: number): number {
  const whole = Math.min(longestMs, firstMs * 2 ** Math.min(tries - 1, 20));
  const [random = 0] = ids.randomBytes(1);
  return Math.round(whole * (1 + OUTBOX_SPREAD * ((2 * random) / 255 - 1)));
}
