// Intermediate status (04 FF) and terminal status (05 01). For display and for deciding what to ask next; never for money.

/** What the terminal is doing, for the screen only. */
type ProgressKind =
  | 'waiting-for-amount-confirmation'
  | 'waiting-for-card'
  | 'card-inserted'
  | 'card-refused'
  | 'enter-pin'
  | 'wrong-pin'
  | 'processing'
  | 'waiting-for-host'
  | 'remove-card'
  | 'auto-reversal'
  | 'approved-shown'
  | 'declined-shown'
  | 'end-of-day'
  | 'select'
  | 'connecting'
  | 'text'
  | 'other';

export interface Progress {
  readonly kind: ProgressKind;
  /** 41–67: the same as 40 less, and the card should be taken out */
  readonly shouldRemoveCard: boolean;
  readonly meaning: string;
}

type ProgressRow = readonly [status: number, kind: ProgressKind, meaning: string];

const PROGRESS_ROWS: readonly ProgressRow[] = [
  [0x00, 'waiting-for-amount-confirmation', 'Waiting for the amount to be confirmed'],
  [0x01, 'enter-pin', 'Please look at the PIN pad'],
  [0x02, 'enter-pin', 'Please look at the PIN pad'],
  [0x03, 'other', 'Not accepted'],
  [0x04, 'waiting-for-host', 'Waiting for the host'],
  [0x05, 'auto-reversal', 'The terminal reverses by itself'],
  [0x06, 'waiting-for-host', 'Stored payments are sent'],
  [0x07, 'card-refused', 'Card not admitted'],
  [0x08, 'card-refused', 'Card unknown'],
  [0x09, 'card-refused', 'Card expired'],
  [0x0a, 'waiting-for-card', 'Insert card'],
  [0x0b, 'remove-card', 'Remove card'],
  [0x0c, 'card-refused', 'Card unreadable'],
  [0x0d, 'other', 'Processing error'],
  [0x0e, 'processing', 'Please wait'],
  [0x0f, 'end-of-day', 'The terminal runs its own end of day'],
  [0x10, 'card-refused', 'Invalid card'],
  [0x11, 'other', 'Balance is shown'],
  [0x12, 'other', 'Malfunction'],
  [0x13, 'other', 'Payment not possible'],
  [0x14, 'declined-shown', 'Credit too low'],
  [0x15, 'wrong-pin', 'Wrong PIN'],
  [0x16, 'card-refused', 'Limit too low'],
  [0x17, 'processing', 'Please wait'],
  [0x18, 'wrong-pin', 'No more tries for the PIN'],
  [0x19, 'card-refused', 'Card data wrong'],
  [0x1a, 'other', 'Service mode'],
  [0x1b, 'approved-shown', 'Approved, fill up'],
  [0x1c, 'approved-shown', 'Approved, take the goods'],
  [0x1d, 'declined-shown', 'Declined'],
  ...[0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c].map((status): ProgressRow => [status, 'select', 'Selection is shown']),
  [0x68, 'card-inserted', 'Card is in the reader'],
  [0x69, 'select', 'Choose the currency'],
  [0xc7, 'select', 'Mileage is asked for'],
  [0xc8, 'other', 'Waiting for the cashier'],
  [0xc9, 'processing', 'The terminal runs its own diagnosis'],
  [0xd2, 'connecting', 'Connecting'],
  [0xd3, 'connecting', 'Connecting'],
  [0xff, 'text', 'See the display texts'],
];

const PROGRESS: ReadonlyMap<number, { readonly kind: ProgressKind; readonly meaning: string }> = new Map(
  PROGRESS_ROWS.map(([status, kind, meaning]) => [status, { kind, meaning }]),
);

/** 41–67 mean the same as 01–27 with "and remove the card". */
const REMOVE_CARD_OFFSET = 0x40;
const LAST_REMOVE_CARD_STATUS = 0x67;

/** Meaning of the status byte of 04 FF. Never decides money: 1C and 1D are display texts. */
export function progressOf(status: number): Progress {
  const shouldRemoveCard = status > REMOVE_CARD_OFFSET && status <= LAST_REMOVE_CARD_STATUS;
  const row = PROGRESS.get(shouldRemoveCard ? status - REMOVE_CARD_OFFSET : status);
  const { kind, meaning } = row ?? { kind: 'other' as const, meaning: `Status ${toHexByte(status)}` };
  return { kind, shouldRemoveCard: shouldRemoveCard || kind === 'remove-card', meaning };
}

/** What a terminal status (05 01) asks the till to do. */
type TerminalAction =
  | 'none'
  | 'initialise'
  | 'diagnose'
  | 'wait'
  /** an end of day is due; only a person starts it, since it closes the batch behind the journal */
  | 'ask-for-day-close'
  | 'remove-card'
  | 'check-printer'
  | 'service'
  | 'unknown';

export interface TerminalStatusMeaning {
  readonly isReady: boolean;
  readonly action: TerminalAction;
  readonly meaning: string;
}

type StatusRow = readonly [status: number, action: TerminalAction, meaning: string];

const STATUS_ROWS: readonly StatusRow[] = [
  [0x00, 'none', 'Ready'],
  [0x51, 'initialise', 'Initialisation is needed'],
  [0x62, 'diagnose', 'Date or time is wrong'],
  [0x9c, 'wait', 'Please wait'],
  [0x9d, 'wait', 'Goods were issued in part'],
  [0xb1, 'ask-for-day-close', 'The memory is full'],
  [0xb2, 'ask-for-day-close', 'The merchant journal is full'],
  [0xc2, 'diagnose', 'A diagnosis is needed'],
  [0xcc, 'check-printer', 'The printer is not ready'],
  [0xdc, 'remove-card', 'A card is in the reader'],
  [0xdf, 'service', 'Out of order'],
  [0xe1, 'remove-card', 'The card was not removed'],
  [0xf0, 'ask-for-day-close', 'An end of day is due'],
  [0xf6, 'wait', 'The outdoor payment terminal is at work'],
];

/** Status code → what it means, for the codes the standard lists. */
export const TERMINAL_STATUS: ReadonlyMap<number, TerminalStatusMeaning> = new Map(
  STATUS_ROWS.map(([status, action, meaning]) => [status, { isReady: action === 'none', action, meaning }]),
);

/** Meaning of the status byte in the answer to 05 01. */
export function terminalStatusOf(status: number): TerminalStatusMeaning {
  return TERMINAL_STATUS.get(status) ?? { isReady: false, action: 'unknown', meaning: `Status ${toHexByte(status)}` };
}

function toHexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0').toUpperCase();
}
