import type { Lrc } from '../../framing/ecr17-framing.ts';
import type { BookEntry } from '../book/entries.ts';
import type { LedgerView } from '../book/ledger.ts';
import type { Damage, MachineInput, MachineOutput, MachineState, MachineTimer } from '../machine.ts';
import type { Payment, PaymentMachine, PaymentOrder, PaymentSettings, PaymentStep } from '../payment.ts';

/** What a terminal is set up with; never changes while it runs. */
export interface TerminalSettings extends PaymentSettings {
  readonly softwareVersion: string;
  /** which bytes its checksums cover */
  readonly lrc: Lrc;
  /** how long the till has for each acknowledgement; after that a message is sent again */
  readonly ackTimeoutMs: number;
  /** closes the connection after each procedure */
  readonly closesBetween: boolean;
}

/** The command that a procedure answers, by its code: it gives the result its layout. */
export type Procedure = 'P' | 'X' | 'p' | 'i' | 'c' | 'S' | 'H';

export interface Ecr17Order extends PaymentOrder {
  readonly procedure: Procedure;
  /** only this card will do: a reversal wants the card of its payment */
  readonly cardId?: string;
  /** the card is in the slot already, or the payment does not begin */
  readonly isCardPresent?: true;
  /** the till's own text under the receipt */
  readonly receiptText?: string;
}

export interface PaymentActivity extends Payment {
  readonly order: Ecr17Order;
  readonly stage: PaymentStep;
  /** the till that asked is gone: it is not told, but may ask for the last result */
  readonly isOrphaned: boolean;
}

/** A message that the till must acknowledge. */
export interface OutgoingMessage {
  readonly text: string;
  /** on its first transmission only */
  readonly damage?: Damage;
}

export type Activity =
  | { readonly kind: 'IDLE' }
  | PaymentActivity
  /** all there is to say is in the outbox */
  | { readonly kind: 'TELLING'; readonly isProcedure: boolean; readonly dropsLink: boolean };

/** A payment command that the terminal does not take, in all its transmissions. */
interface Turned {
  readonly text: string;
  readonly answer: 'NAK' | 'SILENCE';
  readonly transmissionsLeft: number;
}

export interface TerminalState extends MachineState {
  readonly activity: Activity;
  /** the command that the activity came from, to know a repeat of it; null when it came from nowhere */
  readonly running: { readonly text: string; readonly isAcknowledged: boolean } | null;
  readonly turned: Turned | null;
  /** E: the receipts of the next procedure go to the till */
  readonly sendsReceipts: boolean;
  readonly paper: readonly string[];
  readonly outbox: readonly OutgoingMessage[];
  /** sent, and the till's acknowledgement is awaited */
  readonly awaiting: { readonly message: OutgoingMessage; readonly sends: number } | null;
}

export interface Ecr17Machine extends PaymentMachine {
  readonly settings: TerminalSettings;
  readonly state: TerminalState;
  readonly ledger: LedgerView;
  readonly entry: BookEntry;
  readonly timer: 'ack';
  readonly input:
    | { readonly type: 'message'; readonly text: string }
    | { readonly type: 'acknowledged' }
    | { readonly type: 'refused' }
    /** a frame that cannot be read */
    | { readonly type: 'damaged' }
    | { readonly type: 'auto-close' };
  readonly output:
    | { readonly type: 'send'; readonly text: string; readonly damage?: Damage }
    | { readonly type: 'acknowledge' }
    | { readonly type: 'refuse' }
    | { readonly type: 'progress'; readonly text: string };
}

export type TimerName = MachineTimer<Ecr17Machine>;
export type TerminalInput = MachineInput<Ecr17Machine>;
export type TerminalOutput = MachineOutput<Ecr17Machine>;

export const IDLE: Activity = { kind: 'IDLE' };

/** Times that a message is sent at most. */
export const MAX_SENDS = 3;

export function initialState(settings: TerminalSettings): TerminalState {
  return {
    link: 'DOWN',
    activity: IDLE,
    running: null,
    turned: null,
    armed: null,
    isInHand: false,
    card: null,
    display: settings.texts.idle,
    sendsReceipts: false,
    paper: [],
    outbox: [],
    awaiting: null,
  };
}
