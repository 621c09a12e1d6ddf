import type { SessionDeviceEvent, SessionOperation } from '../contract/host/payment-session.ts';
import type { TransactionEvent } from '../contract/session.ts';
import type { TransactionResponse } from '../contract/transactions.ts';
import type { SessionClaim } from '../domain/transaction.ts';

/** What the host asked for, as this till has claimed it (specification: TerminalPaymentSession). */
export interface SessionOrder extends SessionClaim {
  /** The till's terminal that runs it. */
  readonly terminalId: string;
  readonly operation: SessionOperation;
  /** Minor units, without tip. */
  readonly amountMinor: number;
  readonly currency: string;
  /** The payment that a refund gives back. */
  readonly originalTransactionId?: string;
}

/**
 * A claimed session on disk.
 * CLAIMED: nothing was asked of the terminal. STARTED: the terminal may have begun. ENDED: how it ended is among the events. OVER: the host has taken
 * every event, or will take none any more.
 */
export interface ClaimedSession {
  readonly order: SessionOrder;
  readonly state: 'CLAIMED' | 'STARTED' | 'ENDED' | 'OVER';
  /** Known once its terminal told the first thing. */
  readonly transactionId?: string;
  /** What there is to report, by sequence from 1. What was delivered never changes. */
  readonly events: readonly SessionDeviceEvent[];
  readonly delivered: number;
  readonly updatedAt: string;
}

/** Claimed sessions on disk: what `save` was given is there after any crash. @throws BridgeError JOURNAL_UNAVAILABLE */
export interface SessionStore {
  save(session: ClaimedSession): void;
  /** What is not OVER, oldest first. */
  open(): readonly ClaimedSession[];
}

/** The till as a payment session needs it. */
export interface SessionTill {
  /** Whether the terminal could begin at once: it answers, and nothing runs or is open on it. */
  isFree(terminalId: string): boolean;
  /** Whether the payment of this session was begun before: then `run` gives its end and starts nothing. */
  isBegun(order: SessionOrder): boolean;
  /** Runs the payment, once however often it is called. @throws BridgeError a refusal; unless it says otherwise nothing was started */
  run(order: SessionOrder): Promise<TransactionResponse>;
  /** How a transaction stands now. @throws BridgeError NOT_FOUND */
  find(terminalId: string, transactionId: string): TransactionResponse;
  /** Every event of every terminal; those of a session bear its id as `requestId`. */
  subscribe(listener: (event: TransactionEvent) => void): () => void;
}
