import type { HostReply } from '../ports/host-client.ts';
import type { JournalUnit } from '../ports/journal.ts';
import type { OutboxItem } from '../ports/outbox.ts';
import { passingRefusals } from './retry.ts';

/**
 * Where an item stands after a try. TAKEN: the host has it on its own books and does not know its end yet (a reversal, which it repeats); it is asked
 * again. WAITING: not taken, it is tried again. SET_ASIDE: refused for good. SETTLED: that has been cleared up.
 */
export type Standing = OutboxItem['state'] | 'TAKEN';

/** What came of one try. */
export interface Try {
  readonly standing: Standing;
  readonly trouble?: string;
  /** There was no connection: whatever else is owed cannot leave now either. */
  readonly isUnreached?: boolean;
  /** What the host told, to be written in the commit that ends the item. */
  readonly alongside?: (unit: JournalUnit) => void;
}

/** The try of a call that the host has not done. */
export function notTaken(reply: Exclude<HostReply<unknown>, { kind: 'ANSWERED' }>): Try {
  if (reply.kind !== 'REFUSED') {
    return { standing: 'WAITING', trouble: reply.reason, isUnreached: reply.kind === 'NOT_SENT' };
  }
  const trouble = `${reply.errorCode}: ${reply.message}`;
  return { standing: passingRefusals.has(reply.errorCode) ? 'WAITING' : 'SET_ASIDE', trouble };
}
