import type { ErrorCode } from '../contract/errors.ts';
import type { EvidenceAnswerCode, EvidenceQuestionCode } from '../contract/recovery.ts';
import type {
  CardScheme,
  CryptogramType,
  CvmResult,
  Decline,
  EntryMode,
  Outcome,
  RequestedEntryMode,
  TransactionType,
} from '../contract/transactions.ts';
import type { JsonObject } from './json-value.ts';

/**
 * Where a journaled transaction stands.
 * INTENT: committed; the command may have left. PROVISIONAL: the result is on disk but the terminal has not completed yet and may still reverse.
 * PENDING_ONLINE: granular, waiting for the POS's issuer answer. The rest are the final states of the specification ("POS transaction status").
 */
export type TransactionState =
  | 'INTENT'
  | 'PROVISIONAL'
  | 'PENDING_ONLINE'
  | 'APPROVED'
  | 'DECLINED'
  | 'CANCELLED'
  | 'ERROR';

/** What the terminal told about card and authorization. What a protocol does not carry is absent. */
export interface CardFacts {
  readonly authorizationCode?: string;
  /** Two-character host response code; a terminal's own codes never appear here (decisions: Response fields). */
  readonly responseCode?: string;
  readonly cardScheme?: CardScheme;
  /** At most first six and last four digits (decisions: maskedPan). */
  readonly maskedPan?: string;
  readonly entryMode?: EntryMode;
  readonly aid?: string;
  readonly applicationLabel?: string;
  readonly cryptogramType?: CryptogramType;
  readonly tvr?: string;
  readonly cvmResult?: CvmResult;
  readonly rrn?: string;
  readonly cardToken?: string;
}

/** One receipt that a terminal had the till print; lines are kept exactly, for exact reprints. */
export interface TerminalReceipt {
  readonly kind: 'MERCHANT' | 'CUSTOMER' | 'ADMIN';
  readonly lines: readonly TerminalReceiptLine[];
}

export interface TerminalReceiptLine {
  readonly text: string;
  readonly centred?: boolean;
  readonly doubleWidth?: boolean;
  readonly doubleHeight?: boolean;
}

/** One question put to a terminal after something was lost, and what it answered: the evidence of a recovery. */
export interface Evidence {
  readonly at: string;
  readonly question: string;
  readonly answer: string;
  /** The same in kind, for languages that these words are not in. */
  readonly questionCode?: EvidenceQuestionCode;
  readonly answerCode?: EvidenceAnswerCode;
}

/** The claim of a payment session of our host that a transaction is made for (decisions: Sessions). */
export interface SessionClaim {
  readonly sessionId: string;
  /** Fencing token: every event of the session and its one authorization echo it. */
  readonly claimToken: string;
  /** Idempotency-Key that the authorization of the session must bear. */
  readonly authorizationKey: string;
}

/** How a tip was chosen, by which version of the merchant's configuration. */
export interface TipChoice {
  /** preset:<basis points>, fixed:<minor units>, custom, or none (specification: tipSource). */
  readonly source: string;
  readonly configVersion: number;
}

export type CancelReason = 'OPERATOR' | 'CARDHOLDER' | 'TIMEOUT' | 'POS_REQUEST' | 'CARD_REMOVED';

/** Which result a terminal told before the acknowledgement; its card facts, reference and receipts stand in the record itself. */
export interface ProvisionalResult {
  readonly kind: 'APPROVED' | 'DECLINED' | 'CANCELLED' | 'FAILED';
  /** What the terminal said it charged. */
  readonly chargedMinor?: number;
  /** Accepted without its issuer. */
  readonly isDeferred?: true;
}

/**
 * How far the capture of a sale is that our host holds until its tip is known (decisions: Tip after authorization).
 * WAITING: nobody has asked for it. OWED: it is on disk and the host is told until it takes it. CAPTURED: the host has captured it.
 */
export interface TipCapture {
  readonly state: 'WAITING' | 'OWED' | 'CAPTURED';
  /** The call that asked for it last. */
  readonly captureId?: string;
  /** The tip that was asked for last, minor units. */
  readonly tipAmountMinor?: number;
  /** Why the host has refused what was asked for last. WAITING: another tip may be asked for. OWED: a person must look. */
  readonly refusal?: CaptureRefusal;
}

export interface CaptureRefusal {
  readonly errorCode: ErrorCode;
  readonly message: string;
}

/** How a sale stands that was accepted while its issuer could not be asked (decisions section 7). */
type DeferredState = 'WAITING' | 'AUTHORIZED' | 'DECLINED';

/** The journaled record of one transaction. Every change is a new journal row with the whole record. */
export interface TransactionRecord {
  readonly transactionId: string;
  readonly terminalId: string;
  readonly merchantId: string;
  /** Who asked: `pos:<client name>`, `console:<user>`, `system`. */
  readonly actor: string;
  readonly clientId: string;
  readonly type: TransactionType;
  readonly mode: 'ORCHESTRATED' | 'GRANULAR';
  readonly state: TransactionState;
  /** Rises by one with each journal row of this transaction. */
  readonly revision: number;
  /** The POS amount: without tip and cash-back (decisions: POS amount, tip, cash-back). A void carries the three amounts of what it reverses. A refund's amount is its total. */
  readonly amountMinor: number;
  readonly tipAmountMinor: number;
  readonly cashbackAmountMinor: number;
  /** Absent when nobody was asked: what tip there is then, the POS has named. */
  readonly tipChoice?: TipChoice;
  readonly currency: string;
  readonly requestedEntryMode?: RequestedEntryMode;
  readonly referenceId?: string;
  readonly metadata?: { readonly [key: string]: string };
  /** Set when our host asked for it. */
  readonly paymentSession?: SessionClaim;
  /** The id the POS named. */
  readonly originalTransactionId?: string;
  /** The journaled transaction that the operation acts on (a completion's refund and void act on the completion). */
  readonly targetTransactionId?: string;
  readonly businessDate: string;
  /** Number of the terminal's open batch when the intent was written; a closed batch is a settlement. */
  readonly batchNumber: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** What the driver must know to recognise this transaction after a crash (for ZVT the last receipt number before it). Opaque to everybody else. */
  readonly recoveryMark: JsonObject;
  /** What the driver must know to void, complete or refund it (receipt, trace …). Opaque to everybody else. */
  readonly terminalReference?: JsonObject;
  readonly card: CardFacts;
  /** BALANCE_INQUIRY only. */
  readonly balanceMinor?: number;
  readonly receipts: readonly TerminalReceipt[];
  /** The result that the terminal told and that was committed before it was acknowledged; kept until the outcome is known. */
  readonly provisional?: ProvisionalResult;
  /** Of a sale that was accepted without its issuer. WAITING: it counts as paid until the issuer says otherwise. */
  readonly deferred?: DeferredState;
  readonly decline?: Decline;
  readonly errorCode?: ErrorCode;
  readonly errorMessage?: string;
  readonly cancelReason?: CancelReason;
  readonly outcome: Outcome;
  readonly evidence: readonly Evidence[];
  /** Who has corrected an end that was believed to be final. */
  readonly correctedBy?: string;
  readonly possibleDuplicateOf?: string;
  /** Set on a sale that our host holds until its tip is known. */
  readonly tipCapture?: TipCapture;
  readonly simulated: boolean;
  readonly simulatedRule?: string;
}
