import type { TransactionRecord } from '../domain/transaction.ts';
import type { JournalUnit } from './journal.ts';

/** Our host as it captures the sales that it holds until their tip is known (decisions: Tip after authorization). */
export interface TipCaptures {
  /**
   * Whether the host would take this tip, as far as its configuration is known here; the host itself decides.
   * @param tipAmountMinor the whole tip, minor units
   * @throws BridgeError TIP_ADJUST_NOT_SUPPORTED; INVALID_REQUEST naming `tipAmount`
   */
  check(record: TransactionRecord, tipAmountMinor: number): void;
  /** Writes what the host is owed for a capture that has begun, in the commit of its intent. */
  noteBegun(unit: JournalUnit, record: TransactionRecord): void;
  /**
   * Has the host do what it is owed for the sale, once now; it is repeated by itself until it is known. Never rejects.
   * @returns false when the host cannot be reached now: waiting for it helps nobody
   */
  send(transactionId: string): Promise<boolean>;
  /** Told after each change of how far a capture is. */
  subscribe(listener: (transactionId: string) => void): void;
}
