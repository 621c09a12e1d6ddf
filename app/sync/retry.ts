import type { ErrorCode } from '../contract/errors.ts';
import type { HostReply } from '../ports/host-client.ts';
import type { Ids } from '../ports/ids.ts';
import type { JournalUnit } from '../ports/journal.ts';
import type { OutboxItem } from '../ports/outbox.ts';
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

/**
 * Where an item stands after a try. TAKEN: the host has a reversal on its own books and repeats it; until the acquirer confirms, it is asked again.
 * WAITING: not taken, it is tried again. SET_ASIDE: refused for good. SETTLED: that has been cleared up.
 */
export type Standing = OutboxItem['state'] | 'TAKEN';

/** What came of one try. */
export interface Try {
  readonly standing: Standing;
  readonly trouble?: string;
  /** The code of what the host has refused. */
  readonly errorCode?: ErrorCode;
  /** There was no connection: whatever else is owed cannot leave now either. */
  readonly isUnreached?: boolean;
  /** What the host told, to be written in the commit that ends the item. */
  readonly alongside?: (unit: JournalUnit) => void;
}

/** What a call that the host has not done makes of its item. */
export function notTaken(reply: Exclude<HostReply<unknown>, { kind: 'ANSWERED' }>): Try {
  if (reply.kind !== 'REFUSED') {
    return { standing: 'WAITING', trouble: reply.reason, isUnreached: reply.kind === 'NOT_SENT' };
  }
  const { errorCode, message } = reply;
  const standing = passingRefusals.has(errorCode) ? 'WAITING' : 'SET_ASIDE';
  return { standing, errorCode, trouble: `${errorCode}: ${message}` };
}
