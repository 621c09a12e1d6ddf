// What the machines of all virtual terminals have in common, whatever protocol they speak: (state, input) → (state, outputs).
import type { TestCard } from './cards.ts';
import type { LocalTime } from './local-time.ts';
import type { ArmedRule, ImmediateFault, Rule } from './rules.ts';
import type { Key } from './terminal-view.ts';
import type { TerminalTexts } from './texts.ts';

/** What every terminal is set up with; never changes while it runs. */
export interface MachineSettings {
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
  /** how long the rule `slow` takes, and at most `late-approval-after-abort` */
  readonly slowMs: number;
  /** how long the terminal is gone after `unplug` and `reboot` */
  readonly outageMs: number;
}

/** The part of its state that every terminal has. */
export interface MachineState {
  readonly link: 'UP' | 'DOWN';
  readonly activity: { readonly kind: string };
  readonly armed: ArmedRule | null;
  /** a person presents cards and types, although the terminal is not manual */
  readonly isInHand: boolean;
  /** the card in the slot, or held ready */
  readonly card: TestCard | null;
  readonly display: readonly string[];
}

/** The types of one protocol's machine, by name. */
export interface MachineTypes {
  readonly settings: MachineSettings;
  readonly state: MachineState;
  /** what a step may ask the book */
  readonly ledger: { nextSequence(): number };
  /** what it writes into its book */
  readonly entry: object;
  /** timers that only this protocol has */
  readonly timer: string;
  /** inputs that only this protocol has: what a till sends */
  readonly input: { readonly type: string };
  /** outputs that only this protocol has: what goes to the till */
  readonly output: { readonly type: string };
}

/**
 * Timers of all terminals. `think`: the simulated customer; `card`: a card or a PIN is waited for; `host`: the acquirer answers; `display`: what was
 * shown briefly goes; `hand`: a person lets go.
 */
type CommonTimer = 'think' | 'card' | 'host' | 'display' | 'hand';
export type MachineTimer<T extends MachineTypes> = CommonTimer | T['timer'];

export type CommonInput<Timer extends string = CommonTimer> =
  | { readonly type: 'link-up' }
  | { readonly type: 'link-down' }
  | { readonly type: 'timer'; readonly name: Timer }
  | { readonly type: 'card'; readonly card: TestCard }
  | { readonly type: 'card-removed' }
  | { readonly type: 'key'; readonly key: Key }
  | { readonly type: 'arm'; readonly rule: Rule; readonly times: number }
  | { readonly type: 'disarm' }
  /** a person presents cards from now on, and lets go after this time at the latest */
  | { readonly type: 'hand'; readonly forMs: number }
  | { readonly type: 'let-go' }
  | { readonly type: 'fault'; readonly fault: ImmediateFault }
  /** power is (back) on: volatile memory is empty */
  | { readonly type: 'boot' };

export type MachineInput<T extends MachineTypes> = CommonInput<MachineTimer<T>> | T['input'];

/** UNPLUG: only the line is gone. REBOOT: so is the memory, and nothing happens until the start after it. */
export type OutageCause = 'UNPLUG' | 'REBOOT';

export type CommonOutput<Entry = object, Timer extends string = CommonTimer> =
  /** must be on the medium before the outputs after it happen */
  | { readonly type: 'book'; readonly entry: Entry }
  | { readonly type: 'send-noise' }
  | { readonly type: 'drop-link' }
  | { readonly type: 'start-timer'; readonly name: Timer; readonly delayMs: number }
  | { readonly type: 'stop-timer'; readonly name: Timer }
  | { readonly type: 'outage'; readonly cause: OutageCause; readonly durationMs: number };

export type MachineOutput<T extends MachineTypes> = CommonOutput<T['entry'], MachineTimer<T>> | T['output'];

/** How a message is spoilt on its way (rules half-frame, noise, wrong-lrc). */
export type Damage = 'HALF' | 'NOISE' | 'CHECKSUM';

/** What a step may look at beside the state. */
export interface MachineContext<T extends MachineTypes> {
  readonly settings: T['settings'];
  readonly ledger: T['ledger'];
  readonly now: LocalTime;
}

interface StepResult<T extends MachineTypes> {
  readonly state: T['state'];
  /** to be carried out in this order: a book entry is on the medium before the next output happens */
  readonly outputs: readonly MachineOutput<T>[];
}

/** What a terminal does about one input. Never throws for anything that a till can send. */
export type Step<T extends MachineTypes> = (
  context: MachineContext<T>,
  state: T['state'],
  input: MachineInput<T>,
) => StepResult<T>;

/** What one protocol does about the inputs; what is the same for all, createMachine does. */
export interface MachineHandlers<T extends MachineTypes, Turn> {
  /** something that only this protocol has: the till has sent something */
  takeOwn(turn: Turn, input: T['input']): void;
  /** a timer other than `display` and `hand` has run out */
  timerExpired(turn: Turn, name: MachineTimer<T>): void;
  /** the card is in the state already */
  cardPresented(turn: Turn, card: TestCard): void;
  /** it is out of the state already */
  cardRemoved(turn: Turn): void;
  keyPressed(turn: Turn, key: Key): void;
  /** a person has taken the terminal over from the simulated customer */
  takenInHand?(turn: Turn): void;
  /** nobody is there any more: the simulated customer goes on with whatever is waited for */
  customerGoesOn(turn: Turn): void;
  /** a fault other than those of the line and of the power */
  faultHappens?(turn: Turn, fault: ImmediateFault): void;
  /** the memory is lost when the cable is pulled, since the power comes from it */
  readonly isPoweredByCable?: boolean;
  linkDown?(turn: Turn): void;
  /** starts from an empty memory, and sets right what the book left open */
  boot(turn: Turn): void;
  /** the idle display may come back */
  isIdle(state: T['state']): boolean;
}
