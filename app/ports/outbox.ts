import type { JsonObject } from '../domain/json-value.ts';

/**
 * What the till owes its host. An authorization is among it only where the sale was taken while the host could not be reached: DEFERRED_AUTHORIZATION,
 * whose account is kept apart, encrypted by the reader, until it is answered (decisions section 7). EXTERNAL_RECORD, EXTERNAL_VOID and DAY_CLOSE tell of a terminal
 * with an acquirer of its own: a payment that has ended, that it was taken back, and that the batch was closed (`transactionId` is the close's then).
 */
export type OutboxKind =
  | 'REVERSAL'
  | 'OFFLINE_COMPLETION'
  | 'CAPTURE'
  | 'TIP_ADJUST'
  | 'EXTERNAL_RECORD'
  | 'EXTERNAL_VOID'
  | 'DAY_CLOSE'
  | 'DEFERRED_AUTHORIZATION';

/** One call that the host is owed; at most one of a kind per transaction. */
export interface OutboxItem {
  readonly terminalId: string;
  readonly transactionId: string;
  readonly kind: OutboxKind;
  /** The key that it was created with; each try bears it. */
  readonly idempotencyKey: string;
  /** The request, without card data. */
  readonly body: JsonObject;
  /** SET_ASIDE: the host will never take it as it is; a person must look. SETTLED: that has been cleared up. */
  readonly state: 'WAITING' | 'DONE' | 'SET_ASIDE' | 'SETTLED';
  readonly attempts: number;
  /** When it is tried next, ISO 8601. */
  readonly nextAt: string;
  /** Why it has not been taken yet, in words. */
  readonly trouble?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}
