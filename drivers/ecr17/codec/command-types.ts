import type { Secret } from '../../../app/domain/secret.ts';

/** What every message begins with (positions 1–8). */
export interface WithTerminalId {
  /** eight digits; 00000000 = whichever terminal hears it */
  readonly terminalId: string;
}

interface WithTillId extends WithTerminalId {
  /** eight digits */
  readonly tillId: string;
}

interface WithAdditionalData extends WithTillId {
  /** a message U follows with data for the acquirer's host */
  readonly hasAdditionalData?: true;
}

/** Which cards the terminal takes: position 23 as 0, 1, 2, 3. */
export type CardChoice = 'ANY' | 'DEBIT' | 'CREDIT' | 'OTHER';

interface WithCardChoice extends WithAdditionalData {
  /** absent = ANY: the terminal recognizes the card and lets the customer choose on a co-badged one */
  readonly cardChoice?: Exclude<CardChoice, 'ANY'>;
}

interface WithAmount {
  /** minor units; the field holds eight digits */
  readonly amountMinor: number;
  /** up to 128 characters that the terminal prints under its receipt */
  readonly receiptText?: string;
}

/** P, X, p: payment, payment with extended result (the only one whose result tells the amount), pre-authorization. */
export interface PaymentCommand extends WithCardChoice, WithAmount {
  readonly type: 'payment' | 'extended-payment' | 'pre-authorization';
  /** the card is in the terminal already */
  readonly isCardPresent?: true;
}

/** i, c: raise a pre-authorization by an amount; charge it. */
export interface PreAuthorizationCommand extends WithAdditionalData, WithAmount {
  readonly type: 'increment' | 'closure';
  /** nine digits, from the reply to p */
  readonly preAuthorizationCode: string;
}

/** S: take back the last payment; the same card must be shown. */
export interface ReversalCommand extends WithAdditionalData {
  readonly type: 'reversal';
  /** six digits: only if the last payment has this STAN; absent (000000 on the wire) = no check */
  readonly stan?: string;
}

/** H: is this card good, without an amount? */
export interface VerificationCommand extends WithCardChoice {
  readonly type: 'verification';
}

/** C, T, G: close the session (with the host's total), the terminal's total, the last saved result of any procedure. */
export interface TillCommand extends WithAdditionalData {
  readonly type: 'close-session' | 'totals' | 'last-result';
}

/** s: which terminal is there, and can it work? */
export interface StatusCommand extends WithTerminalId {
  readonly type: 'status';
}

/** E: where the receipts of the next procedure go. Acknowledged only; after each procedure the terminal prints by itself again. */
export interface ReceiptsCommand extends WithTerminalId {
  readonly type: 'receipts';
  readonly goToTill: boolean;
}

/** R: the last receipt once more. */
export interface ReprintCommand extends WithTerminalId {
  readonly type: 'reprint';
  readonly goesToTill: boolean;
  readonly ticket: 'FINANCIAL' | 'SERVICE';
}

/** K: a value-added service, as XML. */
export interface ServiceCommand extends WithTillId {
  readonly type: 'service';
  readonly xml: Secret<string>;
}

/** U: data for the acquirer's host, after a message that announced it. */
export interface AdditionalDataCommand extends WithTerminalId {
  readonly type: 'additional-data';
  /** number of the ISO 8583 field */
  readonly isoField: number;
  /** tag within that field, up to eight characters */
  readonly tag: string;
  readonly content: Secret<string>;
}

/** A sound header with a code that has no meaning here. */
export interface UnknownMessage extends WithTerminalId {
  readonly type: 'unknown';
  readonly code: string;
  /** what follows the code */
  readonly text: Secret<string>;
}

/** What a till sends. */
export type Ecr17Command =
  | PaymentCommand
  | PreAuthorizationCommand
  | ReversalCommand
  | VerificationCommand
  | TillCommand
  | StatusCommand
  | ReceiptsCommand
  | ReprintCommand
  | ServiceCommand
  | AdditionalDataCommand
  | UnknownMessage;
