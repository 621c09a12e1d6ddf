import type { Secret } from '../../../app/domain/secret.ts';
import type { UnknownMessage, WithTerminalId } from './command-types.ts';

/** How the card was read: chip, stripe, typed, contactless stripe, contactless chip. */
export type EntryCode = 'ICC' | 'MAG' | 'MAN' | 'CLM' | 'CLI';

/** When the host answered. The protocol has no year. */
export interface HostTime {
  /** 1–366 */
  readonly dayOfYear: number;
  /** 0–23 */
  readonly hour: number;
  readonly minute: number;
}

/** What every result of a procedure with a card has. */
export interface WithResult extends WithTerminalId {
  /** two digits; 00 is the only approval; 01 refused, 05 card not present, 09 the host sent an unknown tag */
  readonly result: string;
  /** the terminal's words for a refusal */
  readonly text?: string;
  /** three digits of the host; 000 = approved */
  readonly actionCode?: string;
}

export interface WithCard {
  /** as it came, zeros in front removed; most terminals mask it */
  readonly pan?: Secret<string>;
  /** at most the first six and the last four digits */
  readonly maskedPan?: string;
  readonly entry?: EntryCode;
  /** absent where the host gave none (zeros or blanks) */
  readonly authorizationCode?: string;
  readonly hostTime?: HostTime;
  readonly acquirerId?: string;
  /** six digits */
  readonly stan?: string;
  /** six digits: number of the online dialogue */
  readonly onlineId?: string;
}

/** What a payment was in the customer's currency. */
export interface CurrencyExchange {
  /** eight digits, four of them decimals */
  readonly rate: string;
  /** ISO 4217 letters */
  readonly currency: string;
  /** minor units of `currency` */
  readonly amountMinor: number;
  /** decimals of `currency` */
  readonly decimals: number;
}

/** Position 48: 1, 2, 3. */
export type CardType = 'DEBIT' | 'CREDIT' | 'OTHER';

/**
 * E, V (with currency exchange): the reply to P, X, S and H, and what G repeats of them. c, v (with currency exchange): the reply to c.
 * Nothing in it tells which of these was asked; only the reply to X, and V, have `amountMinor`.
 */
export interface PaymentReply extends WithResult, WithCard {
  readonly type: 'payment-reply';
  readonly code: 'E' | 'V' | 'c' | 'v';
  readonly cardType?: CardType;
  /** minor units */
  readonly amountMinor?: number;
  readonly exchange?: CurrencyExchange;
}

/** e: the reply to p. */
export interface PreAuthorizationReply extends WithResult, WithCard {
  readonly type: 'pre-authorization-reply';
  /** minor units; approved only */
  readonly amountMinor?: number;
  /** nine digits, what i and c refer to; approved only */
  readonly preAuthorizationCode?: string;
}

/** i: the reply to i. */
export interface IncrementReply extends WithResult, WithCard {
  readonly type: 'increment-reply';
}

/** s: the reply to s. */
export interface StatusReply extends WithTerminalId {
  readonly type: 'status-reply';
  /** the terminal's clock, YYYY-MM-DD hh:mm; absent when it is no time */
  readonly localTime?: string;
  /** one digit; see TERMINAL_STATES */
  readonly state: string;
  readonly software: string;
}

/** T: the terminal's total. There is no total of the host. */
export interface TotalsReply extends WithResult {
  readonly type: 'totals-reply';
  /** minor units; result 00 only */
  readonly terminalTotalMinor?: number;
}

/** C: the session is closed, whether or not the two totals agree. */
export interface CloseReply extends WithResult {
  readonly type: 'close-reply';
  /** minor units; result 00 only */
  readonly terminalTotalMinor?: number;
  /** minor units; result 00 only */
  readonly hostTotalMinor?: number;
}

/** S from the terminal: a piece of a receipt, to be joined until `isLast`; see receiptLines. */
export interface ReceiptPart extends WithTerminalId {
  readonly type: 'receipt-part';
  /** up to 200 characters with the marks of new lines and print styles, without the end mark */
  readonly text: string;
  /** the end mark came with it */
  readonly isLast: boolean;
}

/** K: a part of the answer to a value-added service. */
export interface ServiceReply extends WithTerminalId {
  readonly type: 'service-reply';
  readonly hasMore: boolean;
  /** three digits */
  readonly part: string;
  /** characters of XML as the terminal counts them */
  readonly xmlLength: number;
  readonly xml: Secret<string>;
}

/** U: data of the acquirer's host. */
export interface AdditionalDataReply extends WithTerminalId {
  readonly type: 'additional-data-reply';
  readonly content: Secret<string>;
}

/** Text that is no sound message. Nothing may be concluded from it. */
export interface Malformed {
  readonly type: 'malformed';
  /** the message code, where there is a header */
  readonly code?: string;
  readonly reason: 'no-header' | 'too-short' | 'bad-field';
  /** the field at fault */
  readonly field?: string;
  readonly text: Secret<string>;
}

/** What a terminal sends. Progress (01 … 04) is no message: the framing has it as an item of its own. */
export type Ecr17Message =
  | PaymentReply
  | PreAuthorizationReply
  | IncrementReply
  | StatusReply
  | TotalsReply
  | CloseReply
  | ReceiptPart
  | ServiceReply
  | AdditionalDataReply
  | UnknownMessage;
