import type { HostTransactionType } from '../../app/contract/host/authorize.ts';
import type { CaptureMethod } from '../../app/contract/host/payment.ts';
import type { AcquirerAnswer } from '../../app/domain/authorization-outcome.ts';
import type { CardData } from '../../app/domain/card-data.ts';

/**
 * Whoever authorizes and settles the host's payments. Implementations: the simulator's client and ISO 8583.
 *
 * No call rejects: what went wrong is a reply. A caller has the trace of a message on disk before the call, so that the message can be asked
 * for, repeated or reversed whatever happens to this process.
 */
export interface Acquirer {
  readonly capabilities: AcquirerCapabilities;
  /** Begins to keep a connection. Resolves at once: `isReady` tells when messages can be sent. */
  start(): Promise<void>;
  /** Signs off and closes. What still waits for an answer is LOST. */
  stop(): Promise<void>;
  /** Whether a message would be sent now. */
  isReady(): boolean;
  /**
   * An answer that came after its call had ended, or for a message of an earlier process. It is never dropped: it may tell of money that moved
   * while everybody believed that nothing did.
   * @returns ends the subscription
   */
  onLateAnswer(listener: (late: LateAnswer) => void): () => void;

  /** Asks for an authorization. A refund with the card in hand, or one that names its original and has no card data. */
  authorize(message: AuthorizeMessage, call: AcquirerCall): Promise<AcquirerReply>;
  /** Captures a hold, once, with `amountMinor` (tip included); the rest of the hold is released. */
  capture(message: FollowUpMessage, call: AcquirerCall): Promise<AcquirerReply>;
  /** Sets what a hold amounts to, tip included. NOT_SENT (UNSUPPORTED) without `canAdjustTips`. */
  adjustTip(message: FollowUpMessage, call: AcquirerCall): Promise<AcquirerReply>;
  /** Takes back a hold, or a capture whose batch is open. The acquirer may refuse; a reversal may not be refused for good. */
  void(message: FollowUpMessage, call: AcquirerCall): Promise<AcquirerReply>;
  /** Gives back all or part of a captured payment; needs no card. */
  refund(message: FollowUpMessage, call: AcquirerCall): Promise<AcquirerReply>;
  /** Takes back whatever the message with this trace has done, known or not. Idempotent by its own trace and by the original's. */
  reverse(message: ReversalMessage, call: AcquirerCall): Promise<ReversalReply>;
  /** What became of the message with this trace. NOT_SENT (UNSUPPORTED) without `canAsk`. */
  ask(message: AskMessage, call: AcquirerCall): Promise<AskReply>;
  /** Closes the batch of one terminal in one currency, and compares totals. */
  closeBatch(message: CloseBatchMessage, call: AcquirerCall): Promise<CloseBatchReply>;
}

export interface AcquirerCapabilities {
  readonly canAdjustTips: boolean;
  readonly canAsk: boolean;
  /** Whether it tells balances. None does: the host has no card at hand (decisions: balance-inquiry). */
  readonly canInquireBalance: boolean;
  /** True where `reverse` repeats by itself until it is confirmed; otherwise the host repeats. */
  readonly hasOwnReversalRepeats: boolean;
  /** Largest amount of one message, in minor units: what is larger is refused before anything is sent (decisions: Field widths). */
  readonly maxAmountMinor: number;
  /** Days for which a hold stands (decisions: authExpiresAt). */
  readonly authorizationValidDays: number;
  /** True where no real money can move. */
  readonly isSimulated: boolean;
}

/** How a message is recognised, on disk before the message leaves. A repeat has the same trace as the first. */
export interface MessageTrace {
  /** UUID of the message. Of the one that makes a payment always the same, also from a host that has lost the first to a restored backup. */
  readonly reference: string;
  /** System trace audit number, 1 … 999999. */
  readonly stan: number;
  /** Retrieval reference number: 12 letters or digits. */
  readonly rrn: string;
  /** When the first was sent, milliseconds since the Unix epoch. */
  readonly sentAtMs: number;
}

/** Time and end of one call. */
export interface AcquirerCall {
  /** Milliseconds to wait for the answer; then the reply is LOST. */
  readonly timeoutMs: number;
  /** Ends the wait. What has been sent is LOST, and its answer is told as late. */
  readonly signal: AbortSignal;
  /** True when a message with this trace may have been sent before. */
  readonly isRepeat?: boolean;
}

/** Where a message belongs to. */
export interface Acceptor {
  readonly merchantId: string;
  readonly terminalId: string;
}

interface MoneyMessage extends Acceptor {
  readonly trace: MessageTrace;
  /** Minor units; the whole amount, tip and cash-back included. */
  readonly amountMinor: number;
  readonly currencyCode: string;
}

export interface AuthorizeMessage extends MoneyMessage {
  readonly operation: HostTransactionType;
  /** MANUAL: an approval holds until a capture. A pre-authorization always holds, a refund never does. */
  readonly captureMethod: CaptureMethod;
  /** Part of `amountMinor`. */
  readonly tipMinor?: number;
  /** Part of `amountMinor`; purchases only. */
  readonly cashbackMinor?: number;
  readonly entryMode?: string;
  /** In memory only: opened while the message is encoded, and nowhere else. */
  readonly cardData?: CardData;
  /** EMV tag → value, upper-case hex: what the device told of the chip by name, beside the tags in `cardData`. */
  readonly chipTags?: Readonly<Record<string, string>>;
  /** The authorization that a refund gives back; required for one without card data. */
  readonly original?: OriginalMessage;
  /** Outcome or fault that the simulator is to play; others ignore it (decisions section 6). */
  readonly simulate?: string;
}

/** What kind of message an original was. */
export type MessageKind = 'AUTHORIZE' | 'CAPTURE' | 'ADJUST_TIP' | 'VOID' | 'REFUND' | 'REVERSE' | 'CLOSE_BATCH';

/** A message sent before, as much of it as a later one must repeat. */
export interface OriginalMessage {
  readonly kind: MessageKind;
  readonly trace: MessageTrace;
  /** Of the payment that the message belongs to. */
  readonly operation: HostTransactionType;
  readonly captureMethod: CaptureMethod;
  readonly amountMinor: number;
  /** Part of `amountMinor`; purchases only. */
  readonly cashbackMinor?: number;
  /** As answered; absent while the answer is unknown. */
  readonly authorizationCode?: string;
}

/** Acts on an authorization. */
export interface FollowUpMessage extends MoneyMessage {
  /** The AUTHORIZE message. */
  readonly original: OriginalMessage;
}

/** Why a message is taken back. */
export type ReversalReason =
  | 'NO_ANSWER'
  | 'WRONG_ANSWER'
  | 'PARTIAL_APPROVAL'
  | 'TERMINAL_FAILED'
  | 'CANCELLED'
  | 'LATE_APPROVAL';

export interface ReversalMessage extends Acceptor {
  readonly trace: MessageTrace;
  /** The message that is taken back, of any kind that moves money. */
  readonly original: OriginalMessage;
  readonly currencyCode: string;
  readonly reason: ReversalReason;
}

interface AskMessage extends Acceptor {
  readonly trace: MessageTrace;
  readonly original: OriginalMessage;
}

/** Totals of a batch as both sides count them: sales also when voided later, reversals by recovery in none (decisions: Totals). */
export interface BatchTotals {
  readonly saleCount: number;
  readonly saleAmountMinor: number;
  readonly refundCount: number;
  readonly refundAmountMinor: number;
  readonly voidCount: number;
  readonly voidAmountMinor: number;
}

export interface CloseBatchMessage extends Acceptor {
  readonly trace: MessageTrace;
  readonly currencyCode: string;
  readonly totals: BatchTotals;
}

/** Nothing of this message has left. Of a repeat it says nothing about what was sent before. */
export interface NotSent {
  readonly kind: 'NOT_SENT';
  readonly reason: NotSentReason;
}

type NotSentReason =
  /** No connection, or not signed on. */
  | 'LINE_DOWN'
  /** Too many messages wait for their answers, or one with the same trace number does. */
  | 'BUSY'
  /** The caller had given up before. */
  | 'ABORTED'
  /** The acquirer does not offer this. */
  | 'UNSUPPORTED'
  /** Something of the message does not fit into a field of the acquirer's. */
  | 'DOES_NOT_FIT';

/** The message may have arrived, and nobody knows what became of it. */
export interface Lost {
  readonly kind: 'LOST';
  readonly reason: LostReason;
}

export type LostReason =
  | 'TIMEOUT'
  | 'ABORTED'
  /** The connection broke, or was closed, while the answer was awaited. */
  | 'LINE_LOST'
  /** An answer came that cannot be read, or that repeats something else than what was asked. */
  | 'UNREADABLE_ANSWER'
  /** The acquirer said that it does not know either (09, 68, 94), where only a certain answer counts. */
  | 'UNCERTAIN_ANSWER';

/** What an acquirer answered. What the answer does to the payment is a rule of the domain: authorization-outcome.ts. */
export interface MessageAnswer extends AcquirerAnswer {
  readonly authorizationCode?: string;
  readonly rrn?: string;
  /** Of a partial approval (10): what was approved, which is not what was asked. `echo` then has no amount. */
  readonly approvedAmountMinor?: number;
  /** For the chip, upper-case hex: EMV tags 91, 71 and 72. Passed on as they are. */
  readonly issuerAuthData?: string;
  readonly issuerScript71?: string;
  readonly issuerScript72?: string;
  /** The sandbox rule that chose the answer; absent where real money can move, and for a plain approval. */
  readonly simulatedRule?: string;
}

interface Answered {
  readonly kind: 'ANSWERED';
  readonly answer: MessageAnswer;
}

export type AcquirerReply = Answered | NotSent | Lost;

export type ReversalReply =
  /** Nothing of the original stands, whether it stood before or not. */
  | { readonly kind: 'CONFIRMED' }
  /** The acquirer knows no such message: it has not arrived. */
  | { readonly kind: 'UNKNOWN_ORIGINAL' }
  /** The acquirer will not take it back, for instance because its batch is closed. The money stands. */
  | { readonly kind: 'REFUSED'; readonly responseCode: string }
  | NotSent
  | Lost;

/** How an acquirer's book has a message now. */
type FoundStanding = 'HELD' | 'CAPTURED' | 'DECLINED' | 'TAKEN_BACK';

type AskReply =
  /** The answer as it was first given, and what stands of it now. */
  | { readonly kind: 'FOUND'; readonly answer: MessageAnswer; readonly standing: FoundStanding }
  /** Not there; it may still be under way. A reversal settles that: a message that comes after its reversal is refused. */
  | { readonly kind: 'NOT_FOUND' }
  | NotSent
  | Lost;

export type CloseBatchReply =
  | {
      readonly kind: 'CLOSED';
      /** Whether both sides have the same totals. The batch is closed either way. */
      readonly isAgreed: boolean;
      /** As the acquirer counts them, where it tells. */
      readonly totals?: BatchTotals;
      readonly batchReference?: string;
      /** When the money is expected at the merchant's bank, YYYY-MM-DD. */
      readonly fundingDate?: string;
    }
  | { readonly kind: 'REFUSED'; readonly responseCode: string }
  | NotSent
  | Lost;

/** An answer that nobody waits for any more. */
export interface LateAnswer {
  /** Of the message; absent when this process has not sent it: then the trace number and the terminal name it. */
  readonly reference?: string;
  readonly stan: number;
  /** The host's name of the terminal; without `reference` the acquirer's. */
  readonly terminalId: string;
  /** Absent with `reference`. */
  readonly kind?: MessageKind;
  readonly answer: MessageAnswer;
}
