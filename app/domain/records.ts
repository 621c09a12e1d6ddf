import type { ErrorCode } from '../contract/errors.ts';
import type { RecoveryReasonCode } from '../contract/recovery.ts';
import type { Settlement, TransactionTotals } from '../contract/settlements.ts';
import type { JsonObject } from './json-value.ts';
import type { ReportedBatch } from './totals.ts';
import type { Evidence } from './transaction.ts';

/** Something whose outcome is not known and that somebody must be told about (decisions: Resolve). Blocks the day close until resolved. */
export interface RecoveryTask {
  readonly taskId: string;
  readonly terminalId: string;
  /** The transaction, or the day close, whose outcome is open. */
  readonly subject: { readonly kind: 'TRANSACTION' | 'DAY_CLOSE'; readonly id: string };
  /** ASKING: the terminal is asked again. NEEDS_PERSON: nothing can answer. RESOLVED: closed, by an answer or by a person. */
  readonly state: 'ASKING' | 'NEEDS_PERSON' | 'RESOLVED';
  readonly revision: number;
  readonly reason: string;
  readonly reasonCode?: RecoveryReasonCode;
  readonly attempts: number;
  readonly openedAt: string;
  readonly updatedAt: string;
  readonly evidence: readonly Evidence[];
  readonly resolution?: {
    readonly by: string;
    readonly charged: boolean;
    readonly text: string;
    readonly at: string;
  };
}

/**
 * What our host has on record of a closed batch of a terminal with an acquirer of its own. NOT_YET: it is still owed the close. TOLD: its figures.
 * REFUSED: it does not take the close for good.
 */
export interface HostColumn {
  readonly state: 'NOT_YET' | 'TOLD' | 'REFUSED';
  readonly totals?: TransactionTotals;
  /** The host's own settlement of the batch. */
  readonly settlementId?: string;
  /** Of the close, as the host tells it, YYYY-MM-DD. */
  readonly businessDate?: string;
  /** Why it is not told, in words. */
  readonly trouble?: string;
}

/** A day close as a journaled intent with recovery (decisions: Day close). */
export interface DayCloseRecord {
  readonly dayCloseId: string;
  readonly terminalId: string;
  readonly merchantId: string;
  readonly actor: string;
  readonly clientId: string;
  readonly state: 'INTENT' | 'SUCCESS' | 'PARTIAL' | 'FAILED' | 'UNKNOWN';
  readonly revision: number;
  readonly batchNumber: number;
  readonly businessDate: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly recoveryMark: JsonObject;
  /** Totals of the journal when the intent was written; frozen into the settlement. */
  readonly totals: TransactionTotals;
  readonly differences: readonly string[];
  /** What the terminal told about its own batch; absent when it told nothing. */
  readonly reported?: ReportedBatch;
  /** Absent where the host is owed no close: there is none, or it closes the batch itself. */
  readonly host?: HostColumn;
  readonly settlementId?: string;
  readonly errorCode?: ErrorCode;
  readonly errorMessage?: string;
  /** The terminal closed by itself; nobody asked. */
  readonly startedByTerminal: boolean;
  readonly evidence: readonly Evidence[];
}

/** A settlement as stored: the specification's shape plus what the journal needs to tell it apart. */
export interface SettlementRecord {
  readonly settlement: Settlement;
  readonly batchNumber: number;
  readonly businessDate: string;
  /** Journal head when the batch was cut: printed with the close, so that a later truncation shows. */
  readonly journalHead: JournalHead;
  readonly preAuthCount: number;
  readonly preAuthAmount: number;
}

export interface JournalHead {
  readonly sequence: number;
  /** SHA-256 in lower-case hex. */
  readonly hash: string;
}

/** A POS client: who may call. Keys belong to a client and can be rotated; the client stays (decisions: Credentials). */
export interface PosClient {
  readonly clientId: string;
  readonly name: string;
  /** SHA-256 of the key, lower-case hex; the key itself is shown once and not stored. */
  readonly keyHash: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
  /** The key before a rotation, for as long as it still works. */
  readonly earlierKey?: { readonly keyHash: string /** ISO 8601 UTC. */; readonly validUntil: string };
  /** Valid only while the till runs in training mode. */
  readonly trainingOnly: boolean;
  /** The merchant whose host has made it, and changes it; absent for one of the till's own. */
  readonly merchantId?: string;
}

/** A first answer kept under its Idempotency-Key (decisions: Idempotency-Key). */
export interface IdempotencyEntry {
  /** client + terminal + method and path with its ids. */
  readonly scope: string;
  readonly key: string;
  /** Keyed hash of the canonical body, hex. */
  readonly bodyHash: string;
  readonly subjectId: string;
  readonly createdAt: string;
  /** Absent while the first call still runs or its outcome is being asked for. */
  readonly answer?: { readonly statusCode: number; readonly body: string };
}
