import type { Payment } from '../../app/contract/host/payment.ts';
import type { SessionDeviceEvent, SessionOperation, SessionStatus } from '../../app/contract/host/payment-session.ts';
import type { TerminalTipConfigRequest } from '../../app/contract/host/tip-config.ts';
import type { SettlementStatus, TransactionTotals } from '../../app/contract/settlements.ts';
import type { BusinessDayRule } from '../../app/domain/business-day.ts';
import type { Entry } from '../../app/domain/posting.ts';
import type { MessageKind } from './acquirer.ts';

/** What the host keeps. Instants are milliseconds since the Unix epoch, amounts minor units; nothing here holds card data. */

export interface MerchantRecord {
  readonly merchantId: string;
  readonly name: string;
  readonly createdAtMs: number;
}

/** UNPAIRED: nobody holds it. PAIRING: a code waits. PAIRED: a device holds its token. REVOKED: the token works no more (decisions: Provisioning). */
export type TerminalState = 'UNPAIRED' | 'PAIRING' | 'PAIRED' | 'REVOKED';

export interface TerminalRecord {
  readonly merchantId: string;
  readonly terminalId: string;
  readonly deviceId: string;
  readonly name: string;
  readonly currency: string;
  readonly state: TerminalState;
  /** The batch that takes what is funded from now on; from 1. */
  readonly batchNumber: number;
  readonly createdAtMs: number;
  /** By what its business dates are told: time zone and cut-off of the shop it stands in. */
  readonly businessDay: BusinessDayRule;
}

export type ApiKeyKind = 'SECRET' | 'PUBLISHABLE';

export interface ApiKeyRecord {
  readonly merchantId: string;
  readonly keyId: string;
  readonly kind: ApiKeyKind;
  readonly name: string;
  /** Hash of the key; the key itself is shown once and kept nowhere. */
  readonly keyHash: string;
  readonly createdAtMs: number;
  /** From when a key that was rotated works no more. */
  readonly expiresAtMs?: number;
  readonly revokedAtMs?: number;
}

/** A POS client of a merchant: one that its tills let in by its key (decisions: Credentials). */
export interface PosClientRecord {
  readonly merchantId: string;
  readonly clientId: string;
  /** One per merchant. */
  readonly name: string;
  /** Hash of the key; the key itself is shown once and kept nowhere. */
  readonly keyHash: string;
  /** The key before a rotation, and until when it works. */
  readonly earlierKey?: { readonly keyHash: string; readonly untilMs: number };
  readonly createdAtMs: number;
  readonly revokedAtMs?: number;
}

/** What makes a POS call one call, whatever the key or the address in use (decisions: Idempotency-Key). */
export interface CloudCallRef {
  readonly merchantId: string;
  readonly clientId: string;
  readonly terminalId: string;
  /** Method and path with its ids. */
  readonly route: string;
  /** Its Idempotency-Key; one of ours where it has none. */
  readonly key: string;
}

/** A POS call that moves money, as the host keeps it beside the till's own journal (decisions: Cloud POS). */
export interface CloudCallRecord extends CloudCallRef {
  readonly requestHash: string;
  /** Of the transaction that it starts, chosen by the host; a name of the call itself where it starts none. */
  readonly transactionId: string;
  /** What an answer repeats of the request, JSON: no card data. */
  readonly request: string;
  readonly createdAtMs: number;
  /** ASSIGNED: nothing was sent. SENT: committed before it is; it is never sent again. ANSWERED: with the answer, for good. */
  readonly state: 'ASSIGNED' | 'SENT' | 'ANSWERED';
  readonly answer?: StoredAnswer;
}

/** A pairing code as it is kept: its first characters find it, the hash of the whole proves it. */
export interface PairingCode {
  readonly merchantId: string;
  readonly terminalId: string;
  /** The part of the code that may be seen; unique among the codes that are kept. */
  readonly selector: string;
  readonly codeHash: string;
  readonly expiresAtMs: number;
}

/** What the acquirer is being asked about a payment that stands otherwise: one at a time. */
export type PaymentOperation = 'CAPTURE' | 'VOID' | 'ADJUST_TIP';

/** A payment with what only the host knows of it. */
export interface PaymentRecord {
  readonly payment: Payment;
  readonly terminalId: string;
  /** The till's name for it; its id where the till gave none. */
  readonly transactionId: string;
  readonly paymentSessionId?: string;
  /** The batch it is funded in; absent until then. Its settlementId is that of the batch. */
  readonly batchNumber?: number;
  readonly operation?: PaymentOperation;
  /** Sum and number of its refunds that are approved or of unknown outcome (decisions: Refund ceiling). */
  readonly refundedMinor: number;
  readonly refundCount: number;
  /** Rises by one with every change. */
  readonly revision: number;
}

/** A payment that is not stored yet. Its settlementId is not written: it follows from the batch. */
export type NewPayment = Pick<PaymentRecord, 'payment' | 'terminalId' | 'transactionId' | 'paymentSessionId'>;

/** One message to an acquirer, stored before it is sent, so that recovery can name it. */
export interface AcquirerMessage {
  readonly merchantId: string;
  readonly messageId: string;
  readonly paymentId: string;
  readonly terminalId: string;
  readonly acquirer: string;
  readonly kind: MessageKind;
  /** From 1; a repeat is a message of its own. */
  readonly attempt: number;
  /** System trace audit number. */
  readonly stan?: number;
  /** Retrieval reference number. */
  readonly rrn?: string;
  /** The key that the acquirer tells repeats by; fixed before the first try. */
  readonly reference?: string;
  readonly amountMinor: number;
  readonly sentAtMs: number;
}

/** What came back for a message, without card data. */
export interface AcquirerAnswerRecord {
  readonly responseCode?: string;
  readonly authorizationCode?: string;
  readonly rrn?: string;
  readonly note?: string;
}

export interface StoredAcquirerMessage extends AcquirerMessage {
  readonly answeredAtMs?: number;
  readonly answer?: AcquirerAnswerRecord;
}

/** An Idempotency-Key of a merchant within its scope (app/domain/idempotency.ts). */
export interface IdempotencyRef {
  readonly merchantId: string;
  readonly scope: string;
  readonly key: string;
}

export interface NewIdempotency extends IdempotencyRef {
  /** Keyed hash of the canonical body without card data. */
  readonly requestHash: string;
  /** What it is about: the id of a payment, a session, a settlement. */
  readonly subjectId: string;
  readonly createdAtMs: number;
  /** Until when the caller is taken to be at work; afterwards another may take over. */
  readonly leaseUntilMs: number;
}

export interface StoredAnswer {
  readonly statusCode: number;
  readonly body: string;
}

export interface IdempotencyRecord extends NewIdempotency {
  /** Rises by one each time another takes over. */
  readonly fence: number;
  readonly answer?: StoredAnswer;
}

/** A payment session as it is stored: the claim token is that of the claim that holds. */
export interface SessionRecord {
  readonly merchantId: string;
  readonly id: string;
  readonly terminalId: string;
  readonly deviceId: string;
  readonly idempotencyKey: string;
  readonly claimToken: string;
  /** Rises by one with a claim, a cancel and an expiry. */
  readonly fence: number;
  readonly operation: SessionOperation;
  readonly originalTransactionId?: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: SessionStatus;
  readonly paymentId?: string;
  readonly failureCode?: string;
  readonly finalAmountMinor?: number;
  readonly tipAmountMinor?: number;
  readonly lastEventSequence: number;
  readonly expiresAtMs: number;
  readonly claimedAtMs?: number;
  readonly processingExpiresAtMs?: number;
  readonly authorizationStartedAtMs?: number;
  readonly completedAtMs?: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface SessionEventRecord {
  readonly event: SessionDeviceEvent;
  readonly receivedAtMs: number;
}

/** Tries of a reversal or a recovery task after which a person is asked (decisions: recovery/reverse). */
export const TRIES_BEFORE_PERSON = 6;

/** PENDING: repeated until it is confirmed. FOR_PERSON: repeated still, and listed for a person (decisions: recovery/reverse). */
export type ReversalState = 'PENDING' | 'FOR_PERSON' | 'CONFIRMED';

export interface ReversalRecord {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly terminalId: string;
  readonly reason: string;
  readonly state: ReversalState;
  readonly attempts: number;
  readonly nextAtMs: number;
  readonly createdAtMs: number;
  readonly confirmedAtMs?: number;
}

export interface TipConfigRecord {
  readonly merchantId: string;
  readonly configVersion: number;
  readonly config: TerminalTipConfigRequest;
  readonly updatedAtMs: number;
}

/** Totals of a batch, funded and external (decisions: Totals, EXTERNAL_RAIL). */
export interface BatchTotals {
  readonly funded: TransactionTotals;
  readonly external: TransactionTotals;
}

/** A double entry as it was written: what posting.ts made of a change of a payment, and where it counts. */
export interface EntryRecord extends Entry {
  readonly merchantId: string;
  readonly terminalId: string;
  readonly batchNumber: number;
  readonly paymentId: string;
  /** Revision of the payment that it belongs to. */
  readonly revision: number;
  readonly currency: string;
  readonly atMs: number;
}

/** A closed batch; its totals never change. */
export interface SettlementRecord {
  readonly merchantId: string;
  readonly terminalId: string;
  readonly batchNumber: number;
  readonly id: string;
  readonly status: SettlementStatus;
  readonly closedAtMs: number;
  readonly totals: BatchTotals;
  /** From what the device counts, found at the close; and from what the acquirer counts, found when it has answered. */
  readonly differences: readonly string[];
  readonly acquirerBatchRef?: string;
  readonly fundingDateMs?: number;
  /** YYYY-MM-DD; absent in what was closed before the host told any. */
  readonly businessDate?: string;
  /** Of the close at the terminal's till, where that is another one. */
  readonly terminalBusinessDate?: string;
}

/** The message that tells an acquirer of a closed batch: on disk before it leaves, and repeated under the same trace until it is answered. */
export interface BatchCloseRecord {
  readonly merchantId: string;
  readonly settlementId: string;
  readonly terminalId: string;
  readonly acquirer: string;
  /** Its trace: the key that the acquirer tells repeats by, system trace audit number, retrieval reference number. */
  readonly reference: string;
  readonly stan: number;
  readonly rrn: string;
  readonly sentAtMs: number;
  /** Tries so far, from 1. */
  readonly attempts: number;
  readonly nextAtMs: number;
  readonly answeredAtMs?: number;
}

/** Something of unknown outcome that is being asked for, or waits for a person. */
export interface RecoveryTaskRecord {
  readonly merchantId: string;
  readonly taskId: string;
  readonly paymentId: string;
  readonly terminalId: string;
  /** Why, in one upper-case word. */
  readonly reason: string;
  readonly state: 'OPEN' | 'RESOLVED';
  /** How often it was tried; from TRIES_BEFORE_PERSON on a person is asked, and it is tried on. */
  readonly attempts: number;
  readonly nextAtMs: number;
  readonly createdAtMs: number;
  readonly resolvedAtMs?: number;
  /** What was found, in words. */
  readonly resolution?: string;
}

/** That a node holds the link of a terminal. Of two leases of a terminal the one with the higher fence counts. */
export interface LinkLease {
  readonly merchantId: string;
  readonly terminalId: string;
  readonly node: string;
  readonly fence: number;
}

/** A one-time ticket of a WebSocket session, and the key that drew it; neither can be read from it. */
export interface SessionTicketRecord {
  readonly ticketHash: string;
  readonly merchantId: string;
  readonly clientId: string;
  readonly keyHash: string;
}

/** A named job that one process runs at a time. */
export interface Lease {
  readonly name: string;
  readonly owner: string;
  /** Rises by one with each new holder: what a holder of an older fence does is refused. */
  readonly fence: number;
  readonly untilMs: number;
}
