import type { StatusInformation } from './message-types.ts';

/** What a payment's result means for money. */
export type ResultKind =
  /** 27 00 and nothing contradicts it */
  | 'approved'
  /** the issuer or the terminal's rules refused this card or amount */
  | 'declined'
  /** ended by a key or by waiting too long (6C) */
  | 'cancelled'
  /** a technical cause; not approved */
  | 'failed'
  /** approved, but another amount or currency than asked: treat as unknown and tell a person */
  | 'mismatch'
  /** no conclusion possible: recover */
  | 'unknown';

/** A judgement with its cause. */
export interface Outcome {
  readonly kind: ResultKind;
  /** two decimal digits from the issuer */
  readonly responseCode?: string;
  /** UPPER_SNAKE cause, e.g. ABORTED, NO_RESULT_CODE, AMOUNT_DIFFERS */
  readonly reason: string;
  /** the cause as a sentence in English */
  readonly meaning: string;
}

/** How a terminal writes issuer codes 01–99: as a binary number (default) or as two BCD digits. */
export type HostCodeForm = 'binary' | 'bcd';

/** What was asked, to hold the answer against. */
export interface AskedPayment {
  readonly amountMinor?: number;
  /** three digits */
  readonly currency?: string;
}

/** Judges a result code alone (BMP 27, the code of 06 1E or of 84 xx). */
export function judgeResultCode(_code: number, _hostCodes: HostCodeForm = 'binary'): Outcome {
  throw new Error('not implemented');
}

/** Judges a status information of a payment against what was asked. Only this decides money. */
export function judgePayment(
  _status: StatusInformation,
  _asked: AskedPayment = {},
  _hostCodes: HostCodeForm = 'binary',
): Outcome {
  throw new Error('not implemented');
}

/** What the terminal is doing, for the screen only. */
export type ProgressKind =
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

/** Meaning of the status byte of 04 FF. */
export function progressOf(_status: number): Progress {
  throw new Error('not implemented');
}

/** What a terminal status (05 01) asks the till to do. */
export type TerminalAction =
  | 'none'
  | 'initialise'
  | 'diagnose'
  | 'wait'
  | 'ask-for-day-close'
  | 'remove-card'
  | 'printer'
  | 'service'
  | 'unknown';

export interface TerminalStatusMeaning {
  readonly isReady: boolean;
  readonly action: TerminalAction;
  readonly meaning: string;
}

/** Meaning of the status byte in the answer to 05 01. */
export function terminalStatusOf(_status: number): TerminalStatusMeaning {
  throw new Error('not implemented');
}
