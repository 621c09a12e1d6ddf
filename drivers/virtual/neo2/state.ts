import type { NeoTag } from '../../neo2/codec/tlv.ts';
import type { TransactionFacts } from '../../neo2/codec/transaction-tags.ts';
import type { TestCard } from '../cards.ts';
import type {
  Damage,
  MachineInput,
  MachineOutput,
  MachineSettings,
  MachineState,
  MachineTimer,
  MachineTypes,
} from '../machine.ts';
import type { Rule } from '../rules.ts';
import type { ReaderEntry, ReaderOrder } from './book/entries.ts';
import type { ReaderLedgerView } from './book/reader-ledger.ts';
import type { ChipAuthorization, ChipPaymentInput, IssuerReply } from './card/chip-payment.ts';
import type { ReaderProfile } from './card/payment.ts';

/** What a reader is set up with; never changes while it runs. */
export interface ReaderSettings extends MachineSettings {
  /** answer to 29-00 */
  readonly firmware: string;
  readonly reader: ReaderProfile;
  /** cipher of account data and kind of PIN key: TDES gives PIN blocks of format 0, AES of format 4 */
  readonly encryption: 'TDES' | 'AES';
  /** how long a chip takes for a cryptogram */
  readonly chipMs: number;
  /** how long a PIN, a key or an amount is waited for, and everything that the till names no time for */
  readonly entryTimeoutMs: number;
  readonly randomBytes: (count: number) => Uint8Array;
}

export type Presentation = NonNullable<TransactionFacts['presentations']>[number];

/** 60: contact only. 02: any interface. */
type CardCommand = 0x60 | 0x02;

/** What a card is asked to do, from the command that started it to the card's last word. */
export interface Transaction {
  /** the command that started it */
  readonly command: CardCommand;
  readonly order: ReaderOrder;
  readonly rule: Rule | null;
  readonly isFallbackAllowed: boolean;
  /** how long the reader waits for each next command */
  readonly nextTimeoutMs: number;
}

/** An inserted card that waits for its issuer's answer. */
interface OnlineCard {
  readonly transaction: Transaction;
  readonly input: ChipPaymentInput;
  readonly authorization: ChipAuthorization;
  /** its CARD_READ entry */
  readonly id: number;
}

export type Activity =
  | { readonly kind: 'IDLE' }
  | { readonly kind: 'WAIT_CARD'; readonly transaction: Transaction; readonly presentations: readonly Presentation[] }
  /** 0010 was told; 60-11 must come */
  | { readonly kind: 'STARTED'; readonly transaction: Transaction; readonly card: TestCard }
  /** the first cryptogram is being made; `command` waits for it */
  | {
      readonly kind: 'READING';
      readonly transaction: Transaction;
      readonly card: TestCard;
      readonly command: CardCommand;
    }
  /** 60-12 must come */
  | ({ readonly kind: 'ONLINE' } & OnlineCard)
  /** the second cryptogram is being made */
  | ({ readonly kind: 'APPLYING'; readonly reply: IssuerReply } & OnlineCard)
  /** the card was taken out too early: the next step is told so */
  | { readonly kind: 'CARD_GONE' };

/** 62-xx: somebody types. Between the steps of a transaction, or without one. */
export type KeyEntry =
  | { readonly kind: 'KEY' }
  | {
      readonly kind: 'PIN' | 'AMOUNT';
      readonly digits: string;
      readonly minDigits: number;
      readonly maxDigits: number;
      readonly prompt: string;
      /** account number that the PIN block is bound to */
      readonly pan: string;
    };

export interface ReaderState extends MachineState {
  /** the till has configured it since it was switched on */
  readonly isConfigured: boolean;
  /** 63 goes before the answers to 60-xx (DFED59 = 00) */
  readonly tellsWorking: boolean;
  /** tags of 04-00 by name, told by 03-02 */
  readonly configuration: readonly NeoTag[];
  readonly activity: Activity;
  readonly entry: KeyEntry | null;
  /** the card whose data were told last, for a PIN under its own number */
  readonly read: TestCard | null;
  /** data of the last answer about a card (60-13, 03-40) */
  readonly lastResult: { readonly attribution: number; readonly tags: readonly NeoTag[] } | null;
}

export interface ReaderMachine extends MachineTypes {
  readonly settings: ReaderSettings;
  readonly state: ReaderState;
  readonly ledger: ReaderLedgerView;
  readonly entry: ReaderEntry;
  readonly timer: 'next' | 'chip' | 'entry';
  readonly input:
    | { readonly type: 'frame'; readonly command: number; readonly code: number; readonly data: Uint8Array }
    /** a frame whose checksum or length is wrong */
    | { readonly type: 'broken-frame' };
  readonly output: { readonly type: 'send'; readonly frame: Uint8Array; readonly damage?: Damage };
}

export type TimerName = MachineTimer<ReaderMachine>;
export type ReaderInput = MachineInput<ReaderMachine>;
export type ReaderOutput = MachineOutput<ReaderMachine>;

export const IDLE: Activity = { kind: 'IDLE' };

export function initialState(settings: ReaderSettings): ReaderState {
  return {
    link: 'DOWN',
    isConfigured: false,
    tellsWorking: true,
    configuration: [],
    activity: IDLE,
    entry: null,
    armed: null,
    isInHand: false,
    card: null,
    read: null,
    lastResult: null,
    display: settings.texts.idle,
  };
}
