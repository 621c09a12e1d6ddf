import type { JournalUnit } from './journal.ts';
import type { KeptAccount } from './kept-account.ts';
import type { OutboxItem, OutboxKind } from './outbox.ts';

/** The outbox on disk: what `save` was given is there after any crash. @throws BridgeError JOURNAL_UNAVAILABLE */
export interface OutboxStore {
  /** @param alongside what is written in the same commit */
  save(item: OutboxItem, alongside?: (unit: JournalUnit) => void): void;
  /** The account that a deferred authorization was saved with; undefined once it is answered. */
  account(transactionId: string): KeptAccount | undefined;
  /** Leaves no copy of an account that is not kept any more. @returns false while something else reads: it is to be called again */
  eraseTraces(): boolean;
  find(transactionId: string, kind: OutboxKind): OutboxItem | undefined;
  /** What was set aside of a transaction has been cleared up. */
  settle(transactionId: string, nowIso: string): void;
  /** WAITING and SET_ASIDE, in the order in which they came. */
  open(): readonly OutboxItem[];
}
