import type { CaisseApRequest } from '../../caisse-ap/codec/message-types.ts';
import type { BookEntry } from '../book/entries.ts';
import type { LedgerView } from '../book/ledger.ts';
import type { Damage, MachineInput, MachineOutput, MachineState, MachineTimer } from '../machine.ts';
import type { Payment, PaymentMachine, PaymentOrder, PaymentSettings, PaymentStep } from '../payment.ts';

/** What a terminal is set up with; never changes while it runs. */
export interface TerminalSettings extends PaymentSettings {
  /** between the parts of a reply under the rule `reply-in-pieces` */
  readonly pieceGapMs: number;
}

export interface CaisseApOrder extends PaymentOrder {
  readonly operation: 'SALE' | 'REFUND';
  /** its fields go back with the reply */
  readonly request: CaisseApRequest;
}

export interface PaymentActivity extends Payment {
  readonly order: CaisseApOrder;
  readonly stage: PaymentStep;
  /** The connection that the request came on is open, and its till waits for the end. False after an answer at once (BA 1): how it ends is never told. */
  readonly isAwaited: boolean;
}

export type Activity =
  | { readonly kind: 'IDLE' }
  | PaymentActivity
  /** the reply goes out in parts */
  | { readonly kind: 'REPLYING'; readonly rest: readonly Uint8Array[]; readonly authorizedId?: number };

export interface TerminalState extends MachineState {
  readonly activity: Activity;
  readonly paper: readonly string[];
}

export interface CaisseApMachine extends PaymentMachine {
  readonly settings: TerminalSettings;
  readonly state: TerminalState;
  readonly ledger: LedgerView;
  readonly entry: BookEntry;
  readonly timer: 'piece';
  /** everything that came before the line fell silent */
  readonly input: { readonly type: 'request'; readonly bytes: Uint8Array };
  readonly output: { readonly type: 'send'; readonly bytes: Uint8Array; readonly damage?: Damage };
}

export type TimerName = MachineTimer<CaisseApMachine>;
export type TerminalInput = MachineInput<CaisseApMachine>;
export type TerminalOutput = MachineOutput<CaisseApMachine>;

export const IDLE: Activity = { kind: 'IDLE' };

export function initialState(settings: TerminalSettings): TerminalState {
  return {
    link: 'DOWN',
    activity: IDLE,
    armed: null,
    isInHand: false,
    card: null,
    display: settings.texts.idle,
    paper: [],
  };
}
