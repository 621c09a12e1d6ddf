import type { ZvtCharset } from '../../zvt/codec/charset.ts';
import type { BookCard, BookEntry, BookOperation } from '../book/entries.ts';
import type { LedgerView } from '../book/ledger.ts';
import type { TestCard } from '../cards.ts';
import type { LocalTime } from '../local-time.ts';
import type { ArmedRule, ImmediateFault, Rule } from '../rules.ts';
import type { Key } from '../terminal-view.ts';
import type { TerminalTexts } from '../texts.ts';

/** What a terminal is set up with; never changes while it runs. */
export interface TerminalSettings {
  /** eight digits */
  readonly terminalId: string;
  readonly vuNumber: string;
  readonly softwareVersion: string;
  readonly merchantLines: readonly string[];
  readonly texts: TerminalTexts;
  /** ISO 4217 letters, e.g. EUR */
  readonly currency: string;
  /** ISO 4217 number, three digits */
  readonly currencyNumber: string;
  readonly currencyExponent: number;
  readonly cards: readonly TestCard[];
  /** waits for somebody to present cards and press keys */
  readonly isManual: boolean;
  /** how long a simulated customer takes for each step, when not manual */
  readonly thinkMs: number;
  /** how long the host takes */
  readonly hostMs: number;
  /** how long the till has for each answer; after that a payment is taken back */
  readonly ackTimeoutMs: number;
  /** how long a card or a PIN is waited for */
  readonly cardTimeoutMs: number;
  /** how long the host takes under the rule `slow`, and at most under `late-approval-after-abort` */
  readonly slowMs: number;
  /** how long the terminal is gone after `unplug` and `reboot` */
  readonly outageMs: number;
  /** six digits for a trace number */
  readonly authorizationCode: (trace: number) => string;
}

/** What the till asked for when it registered (06 00). */
export interface Registration {
  readonly doesTillPrintPayments: boolean;
  readonly doesTillPrintAdministration: boolean;
  readonly wantsReceiptLines: boolean;
  readonly wantsIntermediateStatus: boolean;
  readonly usesTlv: boolean;
  readonly takesTextBlocks: boolean;
  readonly charset?: ZvtCharset;
  readonly maxApduBytes?: number;
}

/** Why a message goes out, and so what its acknowledgement (or its absence) means. */
export type MessagePurpose = 'PROGRESS' | 'RESULT' | 'RECEIPT' | 'END';

interface OutgoingMessage {
  readonly apdu: Uint8Array;
  readonly purpose: MessagePurpose;
  readonly damage?: Damage;
}

/** How a message is spoilt on its way (rules half-frame, noise). */
export type Damage = 'HALF' | 'NOISE';

export interface PaymentOrder {
  readonly operation: BookOperation | 'BALANCE';
  readonly amountMinor: number;
  /** no card is asked for: the one of the original counts */
  readonly card?: BookCard;
  readonly originalId?: number;
  readonly originalTrace?: number;
  readonly extendsId?: number;
}

export type PaymentStage = 'CARD' | 'PIN' | 'HOST' | 'RESULT' | 'RECEIPTS' | 'REMOVE_CARD' | 'END';

export interface PaymentActivity {
  readonly kind: 'PAYMENT';
  readonly order: PaymentOrder;
  readonly rule: Rule | null;
  readonly stage: PaymentStage;
  readonly card?: TestCard;
  readonly pin: string;
  readonly wrongPins: number;
  /** the till that started it is gone: whatever the host says is taken back */
  readonly isOrphaned: boolean;
  /** AUTHORIZED entry of the approval, once there is one */
  readonly authorizedId?: number;
}

export type Activity =
  | { readonly kind: 'IDLE' }
  | PaymentActivity
  | { readonly kind: 'READ_CARD' }
  | { readonly kind: 'WAIT_FOR_KEY' }
  | {
      readonly kind: 'NUMBER_INPUT';
      readonly digits: string;
      readonly minLength: number;
      readonly maxLength: number;
      readonly lines: readonly string[];
      readonly isEchoed: boolean;
    }
  /** a command whose messages are all in the outbox */
  | { readonly kind: 'REPORT' };

interface Conditions {
  readonly isOutOfPaper: boolean;
  readonly isDayCloseNeeded: boolean;
  readonly isInitialisationNeeded: boolean;
  /** an abort of nothing is not only acknowledged but completed too, as some terminals do */
  readonly isIdleAbortCompleted: boolean;
}

export interface TerminalState {
  readonly link: 'UP' | 'DOWN';
  readonly registration: Registration | null;
  readonly activity: Activity;
  readonly conditions: Conditions;
  readonly armed: ArmedRule | null;
  /** a person presents cards and types, although the terminal is not manual */
  readonly isInHand: boolean;
  /** the card in the slot, or held ready */
  readonly card: TestCard | null;
  readonly display: readonly string[];
  readonly paper: readonly string[];
  readonly outbox: readonly OutgoingMessage[];
  /** sent, and the till's answer is awaited */
  readonly awaiting: OutgoingMessage | null;
}

export type TimerName = 'ack' | 'think' | 'card' | 'host' | 'input' | 'remove' | 'display' | 'hand';

export type TerminalInput =
  | { readonly type: 'apdu'; readonly apdu: Uint8Array }
  | { readonly type: 'link-up' }
  | { readonly type: 'link-down' }
  | { readonly type: 'timer'; readonly name: TimerName }
  | { readonly type: 'card'; readonly card: TestCard }
  | { readonly type: 'card-removed' }
  | { readonly type: 'key'; readonly key: Key }
  | { readonly type: 'arm'; readonly rule: Rule; readonly times: number }
  | { readonly type: 'disarm' }
  /** a person presents cards from now on, and lets go after this time at the latest */
  | { readonly type: 'hand'; readonly forMs: number }
  | { readonly type: 'let-go' }
  | { readonly type: 'fault'; readonly fault: ImmediateFault }
  | { readonly type: 'auto-close' }
  /** power is (back) on: volatile memory is empty, what the book left open is taken back */
  | { readonly type: 'boot' };

export type TerminalOutput =
  /** must be on the medium before the outputs after it happen */
  | { readonly type: 'book'; readonly entry: BookEntry }
  | { readonly type: 'send'; readonly apdu: Uint8Array; readonly damage?: Damage }
  | { readonly type: 'send-noise' }
  /** forgets what was not sent yet (serial line: frames without ACK) */
  | { readonly type: 'flush-link' }
  | { readonly type: 'drop-link' }
  | { readonly type: 'start-timer'; readonly name: TimerName; readonly delayMs: number }
  | { readonly type: 'stop-timer'; readonly name: TimerName }
  | { readonly type: 'outage'; readonly cause: 'UNPLUG' | 'REBOOT'; readonly durationMs: number };

/** What a step may look at beside the state. */
export interface TerminalContext {
  readonly settings: TerminalSettings;
  readonly ledger: LedgerView;
  readonly now: LocalTime;
}

export const IDLE: Activity = { kind: 'IDLE' };

/** Most lines of its own paper that a terminal remembers. */
export const MAX_PAPER_LINES = 200;
/** Most messages that can wait for the till; two receipts as single lines are about 80. */
export const MAX_OUTBOX_MESSAGES = 400;

export function initialState(settings: TerminalSettings): TerminalState {
  return {
    link: 'DOWN',
    registration: null,
    activity: IDLE,
    conditions: {
      isOutOfPaper: false,
      isDayCloseNeeded: false,
      isInitialisationNeeded: false,
      isIdleAbortCompleted: false,
    },
    armed: null,
    isInHand: false,
    card: null,
    display: settings.texts.idle,
    paper: [],
    outbox: [],
    awaiting: null,
  };
}
