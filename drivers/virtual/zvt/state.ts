import type { ZvtCharset } from '../../zvt/codec/charset.ts';
import type { BookEntry, BookOperation } from '../book/entries.ts';
import type { LedgerView } from '../book/ledger.ts';
import type { Damage, MachineInput, MachineOutput, MachineState, MachineTimer } from '../machine.ts';
import type { Payment, PaymentMachine, PaymentOrder, PaymentSettings } from '../payment.ts';

/** What a terminal is set up with; never changes while it runs. */
export interface TerminalSettings extends PaymentSettings {
  readonly softwareVersion: string;
  /** how long the till has for each answer; after that a payment is taken back */
  readonly ackTimeoutMs: number;
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

/** An order with the trace number of the payment that it ends, for the till. */
export interface ZvtOrder extends PaymentOrder {
  readonly operation: BookOperation | 'BALANCE';
  readonly originalTrace?: number;
}

export type PaymentStage = 'CARD' | 'PIN' | 'HOST' | 'RESULT' | 'RECEIPTS' | 'REMOVE_CARD' | 'END';

export interface PaymentActivity extends Payment {
  readonly order: ZvtOrder;
  readonly stage: PaymentStage;
  /** the till that started it is gone: whatever the host says is taken back */
  readonly isOrphaned: boolean;
  /** AUTHORIZED entry of the approval, once there is one */
  readonly authorizedId?: number;
}

export type Activity =
  | { readonly kind: 'IDLE' }
  | PaymentActivity
  | { readonly kind: 'READ_CARD' }
  /** `ownKey`: what the simulated customer presses */
  | { readonly kind: 'WAIT_FOR_KEY'; readonly ownKey: 'OK' | 'F1' }
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

export interface TerminalState extends MachineState {
  readonly registration: Registration | null;
  readonly activity: Activity;
  readonly conditions: Conditions;
  readonly paper: readonly string[];
  readonly outbox: readonly OutgoingMessage[];
  /** sent, and the till's answer is awaited */
  readonly awaiting: OutgoingMessage | null;
}

export interface ZvtMachine extends PaymentMachine {
  readonly settings: TerminalSettings;
  readonly state: TerminalState;
  readonly ledger: LedgerView;
  readonly entry: BookEntry;
  readonly timer: 'ack' | 'input' | 'remove';
  readonly input: { readonly type: 'apdu'; readonly apdu: Uint8Array } | { readonly type: 'auto-close' };
  readonly output:
    | { readonly type: 'send'; readonly apdu: Uint8Array; readonly damage?: Damage }
    /** forgets what was not sent yet (serial line: frames without ACK) */
    | { readonly type: 'flush-link' };
}

export type TimerName = MachineTimer<ZvtMachine>;
export type TerminalInput = MachineInput<ZvtMachine>;
export type TerminalOutput = MachineOutput<ZvtMachine>;

export const IDLE: Activity = { kind: 'IDLE' };

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
