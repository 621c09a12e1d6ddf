import type { DeviceStatus } from '../../app/contract/device.ts';
import type { CompleteRequest } from '../../app/contract/transactions.ts';
import type {
  ExchangeHooks,
  PreparedExchange,
  Terminal,
  TerminalCommand,
  TerminalOperation,
  TerminalOutcome,
} from '../../app/ports/terminal.ts';
import type { ImmediateFault, Rule } from '../../drivers/virtual/rules.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import type { TestLine } from './meddled-wire.ts';

/** What the terminal itself (with a reader: its card) holds of something that it approved. Its own book, never an echo of the driver. */
export interface Approval {
  readonly operation: TerminalOperation;
  readonly amountMinor: number;
  /** The terminal relies on the till: it was acknowledged. */
  readonly isFinal: boolean;
  /** Neither taken back by the terminal nor ended by a later one. */
  readonly stands: boolean;
  /** A chip approved without its issuer: no money moves unless the till was told. */
  readonly isOfChipAlone?: true;
}

/** The issuer of a reader's cards, behind the till. */
export interface BenchIssuer {
  /** His answer to what a card has signed. @throws Error when the card has not signed it: nothing else may reach him */
  answer(pending: TerminalOutcome & { readonly kind: 'PENDING_ONLINE' }): CompleteRequest;
  /** Payments that he approved and whose card, still in its reader, has not confirmed it: nobody knows but a till that says so. */
  unconfirmed(): number;
}

/** A driver and its virtual terminal with a line between them that a test can meddle with; its clock stands still until it is moved. */
export interface Bench {
  readonly clock: ManualClock;
  readonly line: TestLine;
  /** A driver as after a start of the till; an earlier one is dead from now on, in the middle of whatever it did. */
  startTill(): Terminal;
  /** All that the terminal approved, in its order. */
  approvals(): readonly Approval[];
  /** Calls back each time an approval becomes final, before the terminal does anything else. */
  onFinal(listener: () => void): void;
  /**
   * Commands that move money as the terminal took them: what its link layer knows for a repeat is not among them. Where a terminal refuses the second
   * one of a payment (a reader does), as the driver gave them to its line.
   */
  moneyCommands(): number;
  /** What the next payment meets. */
  arm(rule: Rule): void;
  causeFault(fault: ImmediateFault): void;
  /** A reader: the card that the next payment finds. */
  presentCard?(id: string): void;
  /** A reader: who answers for its cards. */
  readonly issuer?: BenchIssuer;
  stop(): Promise<void>;
}

/** A way in which money (or a day's batch) moves through a driver. */
export interface MoneyCase {
  readonly name: string;
  readonly operation: TerminalOperation;
  /** Gives the command, after whatever has to be there first (a refund's sale). */
  prepare(bench: Bench, terminal: Terminal): Promise<TerminalCommand>;
  /** From the prepared command to its end: on a reader `complete` too. */
  pay(exchange: PreparedExchange, hooks: ExchangeHooks, bench: Bench): Promise<TerminalOutcome>;
  /** Its result names no amount, so that no driver can see that another one was approved. */
  readonly tellsNoAmount?: true;
  /** How it ends when nothing disturbs it; APPROVED unless told otherwise. */
  readonly end?: TerminalOutcome['kind'];
}

/** What a battery is run on: a protocol on a kind of line. */
export interface BenchKind {
  readonly name: string;
  readonly method: NonNullable<DeviceStatus['connectivity']>['method'];
  readonly currency: string;
  create(): Promise<Bench>;
  /** Every byte of it is tried. */
  readonly sale: MoneyCase;
  /** Every write of them is tried. */
  readonly others: readonly MoneyCase[];
  /**
   * STREAM: bytes come in any fragmentation. REPORTS: the line keeps the limits of writes (HID), so that nothing is split or joined.
   */
  readonly fragments: 'STREAM' | 'REPORTS';
  /**
   * REPAIRED: the line repeats what was damaged or lost, so that a single fault of bytes ends in an approval all the same. DETECTED: damage is seen
   * and the payment ends somehow. UNSEEN: nothing but a layer below could see it (TCP does), so that it is not tried.
   */
  readonly damage: 'REPAIRED' | 'DETECTED' | 'UNSEEN';
  /** Results become final by an acknowledgement (a reader's card decides at once). */
  readonly acknowledges: boolean;
  /** The terminal can be asked afterwards what became of a payment (a reader keeps nothing). */
  readonly remembers: boolean;
  /** The protocol has no abort: a running payment ends as the terminal says. */
  readonly abortsNothing?: true;
  /** A payment is one request and one reply: there is less that can go wrong than elsewhere. */
  readonly isBrief?: true;
  /** What a till is told of an issuer who declines with 05, where his code does not travel. */
  readonly declined?: Readonly<Record<string, unknown>>;
  /** Faults that its virtual terminal has. */
  readonly rules: readonly Rule[];
  /** How a sale may end at the till under a rule, where it is not as with other terminals. */
  readonly ends?: Readonly<Record<string, readonly TerminalOutcome['kind'][]>>;
  /** A delay within every time-out of the line and of the driver. */
  readonly soonMs: number;
  /** Noise that no frame begins with, and noise that begins as a frame does. */
  readonly noises: readonly Uint8Array[];
  /** Longest time within which the driver gives a silent terminal up. */
  readonly patienceMs: number;
}
