import type { DeviceStatus, DisplayRequest, InputRequest, InputResult } from '../contract/device.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { RecoveryReasonCode } from '../contract/recovery.ts';
import type { TransactionTotals } from '../contract/settlements.ts';
import type { ChipData, CompleteRequest, RequestedEntryMode } from '../contract/transactions.ts';
import type { JsonObject } from '../domain/json-value.ts';
import type { Secret } from '../domain/secret.ts';
import type {
  CancelReason,
  CardFacts,
  Evidence,
  SessionClaim,
  TerminalReceipt,
  TransactionState,
} from '../domain/transaction.ts';

/** What a terminal can do through its protocol. What it cannot do is refused 400 OPERATION_NOT_SUPPORTED before a byte is sent. */
export type TerminalOperation =
  | 'SALE'
  | 'PRE_AUTH'
  | 'PRE_AUTH_COMPLETE'
  | 'REFUND'
  | 'VOID'
  | 'CARD_READ'
  | 'BALANCE_INQUIRY'
  | 'GRANULAR'
  | 'DAY_CLOSE'
  | 'DISPLAY'
  | 'INPUT'
  | 'PRINT';

export interface TerminalCapabilities {
  readonly operations: ReadonlySet<TerminalOperation>;
  readonly cashback: boolean;
  /** Largest total (amount + tip + cash-back) that the protocol's amount field holds, in minor units. */
  readonly maxAmountMinor: number;
  readonly inputTypes: ReadonlySet<InputRequest['inputType']>;
  /** Whether a running command can be told to stop; absent: it can. False: only the cashier can, with the terminal's own key. */
  readonly abort?: boolean;
}

/** A transaction that a later command acts on, in the words of the driver that made it. */
export interface TerminalOriginal {
  readonly transactionId: string;
  readonly kind: 'SALE' | 'PRE_AUTH' | 'PRE_AUTH_COMPLETE';
  readonly amountMinor: number;
  readonly reference: JsonObject;
}

/**
 * A command for the terminal. `amountMinor` is what the terminal shows and charges (amount + tip + cash-back, decisions: POS amount, tip,
 * cash-back); tip and cash-back are named beside it for terminals that want them apart. `referenceId` and `metadata` are for those that pass them on.
 */
export type TerminalCommand = {
  readonly transactionId: string;
  readonly referenceId?: string;
  readonly metadata?: { readonly [key: string]: string };
  /** Set when our host asked for it: an authorization by the host echoes it. */
  readonly paymentSession?: SessionClaim;
} & (
  | {
      readonly operation: 'SALE' | 'PRE_AUTH';
      readonly amountMinor: number;
      readonly tipAmountMinor: number;
      /** How the tip was chosen (specification: tipSource); absent when nobody was asked. */
      readonly tipSource?: string;
      readonly cashbackAmountMinor: number;
      readonly currency: string;
      readonly entryMode: RequestedEntryMode;
    }
  | {
      readonly operation: 'PRE_AUTH_COMPLETE';
      readonly amountMinor: number;
      readonly currency: string;
      readonly original: TerminalOriginal;
    }
  | {
      readonly operation: 'REFUND';
      readonly amountMinor: number;
      readonly currency: string;
      readonly original: TerminalOriginal;
    }
  | {
      readonly operation: 'VOID';
      readonly amountMinor: number;
      readonly currency: string;
      readonly original: TerminalOriginal;
    }
  | { readonly operation: 'CARD_READ'; readonly entryMode: RequestedEntryMode }
  | { readonly operation: 'BALANCE_INQUIRY'; readonly currency: string; readonly entryMode: RequestedEntryMode }
  | {
      /** Granular mode: read the card and hand out its data; the POS's acquirer decides. */
      readonly operation: 'GRANULAR';
      readonly type: 'SALE' | 'PRE_AUTH' | 'REFUND';
      readonly amountMinor: number;
      readonly tipAmountMinor: number;
      readonly cashbackAmountMinor: number;
      readonly currency: string;
      readonly entryMode: RequestedEntryMode;
    }
  | {
      readonly operation: 'DAY_CLOSE';
      readonly currency: string;
      /** For our host, which tells a business date of its own; terminals need none. */
      readonly close?: CloseMoment;
    }
);

/** The account of a card as a reader hands it out. Encrypted by the reader wherever it can; the till has no key. */
export type AccountData =
  | {
      readonly kind: 'ENCRYPTED';
      /** Account number or track as the reader encrypted it, upper-case hex. */
      readonly panEncrypted: string;
      readonly ksn: string;
      readonly keyScheme: 'TDES_DUKPT' | 'AES_DUKPT';
    }
  | { readonly kind: 'CLEAR'; readonly pan?: string; readonly track2?: string };

/** What an authorization of a read card needs beside its chip data. In memory until it is answered: it has no storage path. */
export interface CardReading {
  readonly account: Secret<AccountData>;
  /** How the key of the PIN block is derived; absent without a PIN. */
  readonly pinKeyScheme?: 'TDES_DUKPT' | 'AES_DUKPT';
}

/** What happens at the terminal while a command runs; becomes the events of the WebSocket session. */
export type TerminalProgress =
  | { readonly step: 'WAITING_FOR_CARD'; readonly message: string }
  | { readonly step: 'CARD_DETECTED'; readonly card: CardFacts }
  | { readonly step: 'PIN_REQUIRED' }
  | { readonly step: 'PROCESSING'; readonly message: string };

/** What a terminal's own batch holds, as far as it tells (ZVT: a total, and count and sum per scheme; our host: count and sum per kind of payment). */
export interface TerminalBatchTotals {
  readonly totalMinor?: number;
  /** What the terminal's acquirer counted of the same batch, where the terminal tells that beside its own total (ECR17). */
  readonly hostTotalMinor?: number;
  readonly totals?: TransactionTotals;
  /** Of the close, as our host tells it, YYYY-MM-DD. */
  readonly businessDate?: string;
  readonly schemes: readonly { readonly scheme: string; readonly count: number; readonly amountMinor: number }[];
  readonly batchReference?: string;
}

/**
 * How a command ended.
 * NOT_STARTED: the terminal refused before it did anything (nothing charged; the POS gets the status of `errorCode`, 503).
 * UNKNOWN: the answer was lost after the command may have left. It is never a failure: the engine asks through `recover`.
 */
export type TerminalOutcome =
  | {
      readonly kind: 'APPROVED';
      readonly card: CardFacts;
      /** What the terminal says it charged, where it says so; the engine compares it with what was asked. */
      readonly chargedMinor?: number;
      readonly balanceMinor?: number;
      /** No issuer was asked: it is accepted at the shop's risk, and its authorization is owed (decisions section 7). */
      readonly isDeferred?: true;
      readonly reference: JsonObject;
      readonly receipts: readonly TerminalReceipt[];
      readonly batch?: TerminalBatchTotals;
      /** The sale is held, and waits for its tip and its capture (decisions: Tip after authorization). */
      readonly awaitsCapture?: true;
    }
  | {
      readonly kind: 'DECLINED';
      readonly card: CardFacts;
      /** Set when no issuer code exists: the terminal's own reason in words. */
      readonly reason?: string;
      readonly receipts: readonly TerminalReceipt[];
    }
  | { readonly kind: 'CANCELLED'; readonly reason: CancelReason; readonly receipts: readonly TerminalReceipt[] }
  | {
      readonly kind: 'FAILED';
      readonly errorCode: 'CARD_READ_FAILED' | 'TERMINAL_ERROR';
      readonly message: string;
      readonly receipts: readonly TerminalReceipt[];
    }
  | { readonly kind: 'NOT_STARTED'; readonly errorCode: TerminalRefusalCode; readonly message: string }
  /** GRANULAR only: the card asks for its issuer; `complete` gives it the answer. */
  | {
      readonly kind: 'PENDING_ONLINE';
      readonly chipData: ChipData;
      readonly card: CardFacts;
      /** Absent where the terminal gives nothing but chipData. */
      readonly reading?: CardReading;
    }
  /** GRANULAR only: the chip approved without its issuer. No acquirer knows of it yet, so that it is no payment by itself. */
  | { readonly kind: 'CHIP_APPROVED'; readonly chipData: ChipData; readonly card: CardFacts }
  | {
      readonly kind: 'UNKNOWN';
      readonly message: string;
      readonly reasonCode?: RecoveryReasonCode;
      readonly evidence: readonly Evidence[];
    };

/** An outcome that ends a transaction. */
export type DefiniteOutcome = Exclude<TerminalOutcome, { kind: 'UNKNOWN' | 'PENDING_ONLINE' | 'CHIP_APPROVED' }>;

export type TerminalRefusalCode = Extract<
  ErrorCode,
  'TERMINAL_NOT_READY' | 'TERMINAL_UNREACHABLE' | 'TERMINAL_BUSY' | 'OPERATION_NOT_SUPPORTED'
>;

export interface ExchangeHooks {
  onProgress(progress: TerminalProgress): void;
  /**
   * Called when the terminal has told a result and waits for the acknowledgement that makes it final. The driver awaits this promise before it
   * acknowledges; when it rejects, the driver must not acknowledge (the terminal then reverses by itself) and ends with UNKNOWN.
   */
  onProvisional(outcome: TerminalOutcome): Promise<void>;
}

/**
 * A command that the terminal is ready to take. The engine commits the intent, with `mark`, and then calls `run` exactly once; a money command
 * leaves at most once. Every PreparedExchange ends by `run` or by `discard`; until then the terminal is held.
 */
export interface PreparedExchange {
  readonly mark: JsonObject;
  run(hooks: ExchangeHooks): Promise<TerminalOutcome>;
  /**
   * Asks the terminal to stop. REQUESTED: it took the request (the end still comes through `run`: an approval may win). TOO_LATE: the card is
   * being authorized and the exchange runs on.
   */
  requestAbort(): Promise<'REQUESTED' | 'TOO_LATE'>;
  /** Granular mode, after `run` ended PENDING_ONLINE: gives the issuer's answer to the card. */
  complete?(answer: CompleteRequest): Promise<TerminalOutcome>;
  discard(): void;
}

/** When a day was closed, by the till's clock (ISO 8601), and the business date of that (YYYY-MM-DD). */
export interface CloseMoment {
  readonly closedAt: string;
  readonly businessDate: string;
}

/** What was going on when the answer was lost. */
export interface RecoveryQuestion {
  readonly command: TerminalCommand;
  readonly mark: JsonObject;
  /** PROVISIONAL: a result had been committed but perhaps not acknowledged. */
  readonly state: Extract<TransactionState, 'INTENT' | 'PROVISIONAL'>;
  /** The committed result of a PROVISIONAL row. */
  readonly provisional?: TerminalOutcome;
  readonly startedAt: string;
}

/**
 * SETTLED: the terminal's answer decides (`outcome` is never UNKNOWN). UNDECIDED: it answered, but its answer cannot decide: a person must.
 * UNREACHABLE or BUSY: ask again later.
 */
export type RecoveryAnswer = { readonly evidence: readonly Evidence[] } & (
  | { readonly kind: 'SETTLED'; readonly outcome: DefiniteOutcome }
  | { readonly kind: 'UNDECIDED'; readonly reason: string; readonly reasonCode?: RecoveryReasonCode }
  | { readonly kind: 'ASK_AGAIN'; readonly reason: string; readonly reasonCode?: RecoveryReasonCode }
);

/** The driver's view of its terminal; the engine adds what it knows itself (current and last transaction). */
export type TerminalStatus = Omit<DeviceStatus, 'terminalId' | 'currentTransactionId' | 'lastTransactionTime'>;

export type TerminalNotice =
  | { readonly kind: 'STATUS'; readonly status: TerminalStatus }
  /** The terminal closed its own batch without being asked (ZVT automatic end of day); the engine records it. */
  | { readonly kind: 'BATCH_CLOSED_BY_TERMINAL'; readonly batch: TerminalBatchTotals };

/** One attached terminal. Created by a driver from drivers/registry; connects and reconnects by itself between start and stop. */
export interface Terminal {
  readonly terminalId: string;
  readonly protocol: string;
  readonly capabilities: TerminalCapabilities;
  start(): void;
  /** Ends the link. A running exchange is given up and ends UNKNOWN. */
  stop(): Promise<void>;
  /** What is known now, without asking. */
  status(): TerminalStatus;
  /**
   * Asks the terminal, with a deadline; never rejects for a silent terminal: the answer says so.
   * @param opensLine true for a person who waits: a line that is down is tried at once, not when its pause is over. Whoever asks by himself leaves
   * it out, or each look would be a try
   */
  probe(signal: AbortSignal, opensLine?: boolean): Promise<TerminalStatus>;
  subscribe(listener: (notice: TerminalNotice) => void): () => void;
  /**
   * Makes sure that the terminal is connected, registered and idle, and learns the recovery mark. Nothing that moves money is sent.
   * @throws BridgeError TERMINAL_UNREACHABLE at once when there is no link; TERMINAL_NOT_READY, TERMINAL_BUSY; OPERATION_NOT_SUPPORTED or
   * AMOUNT_TOO_LARGE before anything is sent.
   */
  prepare(command: TerminalCommand, signal: AbortSignal): Promise<PreparedExchange>;
  /** Whether the terminal can still void this payment (ECR17: only its last one); absent where it can void any. Nothing is sent. */
  canVoid?(original: TerminalOriginal): boolean;
  /** Asks the terminal what became of a command; never sends the command again. Resolves, never rejects, for a terminal that does not answer. */
  recover(question: RecoveryQuestion, signal: AbortSignal): Promise<RecoveryAnswer>;
  display(request: DisplayRequest, signal: AbortSignal): Promise<void>;
  input(request: InputRequest, signal: AbortSignal): Promise<InputResult>;
  print(lines: readonly string[], signal: AbortSignal): Promise<void>;
}
