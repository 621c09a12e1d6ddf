import type { Secret } from '../../../app/domain/secret.ts';
import type { NegativeReply, PositiveReply, PrintLine, TextBlock, UnknownApdu, ZvtFields } from './message-types.ts';

/** Config byte of a registration. */
export interface RegistrationConfig {
  /** 02 */
  readonly doesTillPrintPayments: boolean;
  /** 04 */
  readonly doesTillPrintAdministration: boolean;
  /** 08: the till wants 04 FF */
  readonly wantsIntermediateStatus: boolean;
  /** 10: payments can be started only at the till */
  readonly doesTillControlPayments: boolean;
  /** 20: administration can be started only at the till */
  readonly doesTillControlAdministration: boolean;
  /** 80: receipts as 06 D1 / 06 D3 */
  readonly wantsReceiptLines: boolean;
  /** 01 and 40, kept as they came; 0 when absent */
  readonly reservedBits?: number;
}

/** Six digits; printed as a mask everywhere. */
interface WithPassword {
  readonly password: Secret<string>;
}

type Extras = 'tlv' | 'otherBmps' | 'unparsed' | 'problems' | 'messageSequenceId';

/** 06 00 */
export interface RegistrationCommand
  extends WithPassword,
    Pick<
      ZvtFields,
      'currency' | 'serviceByte' | 'charset' | 'printerWidth' | 'maxApduBytes' | 'permittedCommands' | Extras
    > {
  readonly type: 'registration';
  readonly config: RegistrationConfig;
  /** send a TLV container (BMP 06) even if it is empty: without it the terminal uses no TLV at all */
  readonly usesTlv: boolean;
}

type PaymentOptions = Pick<
  ZvtFields,
  'currency' | 'paymentType' | 'expiry' | 'pan' | 'track2' | 'additionalText' | Extras
>;
type GoodsOptions = Pick<ZvtFields, 'goodsTimeoutSeconds' | 'maxStatusMessages'>;
type ReservationReference = Pick<ZvtFields, 'trace' | 'authorizationAttribute'>;

/** 06 01: sale */
export interface AuthorizationCommand extends PaymentOptions, GoodsOptions {
  readonly type: 'authorization';
  readonly amountMinor: number;
}

/** 06 22: pre-authorization; with `trace` and `authorizationAttribute` an extension of an earlier one */
export interface PreAuthorizationCommand extends PaymentOptions, GoodsOptions, ReservationReference {
  readonly type: 'pre-authorization';
  readonly amountMinor: number;
}

/** 06 24: book a pre-authorization; the amount is what was USED */
export interface BookTotalCommand extends PaymentOptions, ReservationReference {
  readonly type: 'book-total';
  readonly receipt: string;
  /** the amount USED; absent = all */
  readonly amountMinor?: number;
}

/** 06 23: partial reversal of a pre-authorization; the amount is what was NOT USED (the opposite of 06 24) */
export interface PartialReversalCommand extends PaymentOptions, ReservationReference {
  readonly type: 'partial-reversal';
  readonly receipt?: string;
  /** the amount NOT USED; absent = nothing unused */
  readonly unusedAmountMinor?: number;
}

/** 06 23 with receipt FFFF: which pre-authorizations are open? Answered by 06 1E B8. */
export interface OpenPreAuthorizationsQuery extends Pick<ZvtFields, Extras> {
  readonly type: 'open-pre-authorizations';
}

/** 06 25: cancel a pre-authorization */
export interface PreAuthorizationReversalCommand extends PaymentOptions {
  readonly type: 'pre-authorization-reversal';
  readonly receipt: string;
  readonly amountMinor?: number;
}

/** 06 30: cancel a payment; a given amount must match the payment's */
export interface ReversalCommand extends WithPassword, PaymentOptions {
  readonly type: 'reversal';
  readonly receipt: string;
  readonly amountMinor?: number;
}

/** 06 31 */
export interface RefundCommand extends WithPassword, PaymentOptions {
  readonly type: 'refund';
  readonly amountMinor: number;
}

/** 06 03 */
export interface BalanceCommand extends PaymentOptions {
  readonly type: 'balance';
}

/** Commands that are a password and, rarely, a TLV container: 06 50, 06 10, 06 93 */
export interface PasswordCommand extends WithPassword, Pick<ZvtFields, Extras> {
  readonly type: 'end-of-day' | 'turnover-totals' | 'initialisation';
}

/** 06 20: the recovery command; service byte bit 0 = send status information, bit 1 = do not print */
export interface RepeatReceiptCommand extends WithPassword, Pick<ZvtFields, 'serviceByte' | Extras> {
  readonly type: 'repeat-receipt';
}

/** 06 12 */
export interface ReprintRangeCommand extends WithPassword, Pick<ZvtFields, Extras> {
  readonly type: 'reprint-range';
  readonly receiptFrom: string;
  readonly receiptTo?: string;
}

/** 06 70 */
interface DiagnosisCommand extends Pick<ZvtFields, Extras> {
  readonly type: 'diagnosis';
}

/** 05 01 */
export interface StatusEnquiryCommand extends Pick<ZvtFields, 'serviceByte' | Extras> {
  readonly type: 'status-enquiry';
  readonly password?: Secret<string>;
}

/** 06 C0 */
export interface ReadCardCommand extends Pick<ZvtFields, 'paymentType' | 'dialogControl' | Extras> {
  readonly type: 'read-card';
  /** 0 = for ever; do not use */
  readonly timeoutSeconds?: number;
}

/** 06 B0 */
interface AbortCommand extends Pick<ZvtFields, Extras> {
  readonly type: 'abort-command';
}

/** 06 02 */
interface LogOffCommand {
  readonly type: 'log-off';
}

/** Text on the terminal's display: 06 E0 shows it, 06 E1 waits for a key, 06 E2 reads a number. */
export interface DisplayCommand extends Pick<ZvtFields, Extras> {
  readonly type: 'display' | 'display-key' | 'numeric-input';
  /** F0; 0 = for ever */
  readonly durationSeconds?: number;
  /** F1–F8 */
  readonly lines: readonly string[];
  /** F9 */
  readonly beepCount?: number;
  /** 06 E2 only */
  readonly input?: NumericInputOptions;
}

export interface NumericInputOptions {
  /** FB: 1 = the input ends with OK */
  readonly confirm?: number;
  /** E0 */
  readonly minLength?: number;
  /** E9 */
  readonly maxLength?: number;
  /** EA: FF = show the digits */
  readonly echo?: number;
  /** E1–E8: second text */
  readonly secondLines?: readonly string[];
  /** EB: MAC over the text, 8 bytes, issued by the network operator */
  readonly mac?: Uint8Array;
}

/** What a till sends. */
export type ZvtCommand =
  | RegistrationCommand
  | AuthorizationCommand
  | PreAuthorizationCommand
  | BookTotalCommand
  | PartialReversalCommand
  | OpenPreAuthorizationsQuery
  | PreAuthorizationReversalCommand
  | ReversalCommand
  | RefundCommand
  | BalanceCommand
  | PasswordCommand
  | RepeatReceiptCommand
  | ReprintRangeCommand
  | DiagnosisCommand
  | StatusEnquiryCommand
  | ReadCardCommand
  | AbortCommand
  | LogOffCommand
  | DisplayCommand
  | PrintLine
  | TextBlock
  | PositiveReply
  | NegativeReply
  | UnknownApdu;
