import type { Secret } from '../../../app/domain/secret.ts';
import type { ZvtCharset } from './charset.ts';
import type { TlvNode } from './tlv.ts';

/** Counts and sums of one card scheme in an end-of-day total. */
export interface SchemeTotal {
  /** 0–255; ZVT has one byte for it, so a larger day wraps in the terminal */
  readonly count: number;
  readonly amountMinor: number;
}

/** BMP 60: the receipt range and the totals per scheme group of an end of day. */
export interface EndOfDayTotals {
  /** four digits */
  readonly receiptFrom: string;
  /** four digits */
  readonly receiptTo: string;
  readonly girocard: SchemeTotal;
  readonly jcb: SchemeTotal;
  readonly mastercard: SchemeTotal;
  readonly amex: SchemeTotal;
  readonly visa: SchemeTotal;
  readonly diners: SchemeTotal;
  readonly other: SchemeTotal;
}

/**
 * Everything BMPs carry that this project reads or writes. Digit fields are strings and keep their zeros; a nibble that is
 * no digit shows as A–F (a terminal may send FFFF for "none").
 */
export interface BmpFields {
  /** 27: 00 is the only approval */
  readonly resultCode?: number;
  /** 04: minor units of `currency`. In the answer to 06 03 it is the balance, to 06 50 the day's total. */
  readonly amountMinor?: number;
  /** 0B, six digits; 000000 when `longTrace` carries it */
  readonly trace?: string;
  /** 37, six digits: trace of the payment that was reversed */
  readonly originalTrace?: string;
  /** 0C, HHMMSS */
  readonly time?: string;
  /** 0D, MMDD */
  readonly date?: string;
  /** AA, YYMMDD */
  readonly fullDate?: string;
  /** 0E, YYMM; 9999 is a mask */
  readonly expiry?: string;
  /** 17, four digits */
  readonly cardSequence?: string;
  /** 19: payment type in a payment, status byte in a registration, card type in 06 C0 */
  readonly paymentType?: number;
  /** 22 as digits, `*` for a masked one */
  readonly pan?: Secret<string>;
  /** 2D, as text */
  readonly track1?: Secret<string>;
  /** 23, digits with `=` as separator and `*` for masked ones */
  readonly track2?: Secret<string>;
  /** 24, like track2 */
  readonly track3?: Secret<string>;
  /** 29, eight digits */
  readonly terminalId?: string;
  /** 2A, up to 15 characters */
  readonly vuNumber?: string;
  /** 3B, eight bytes: the authorization code, not the EMV AID */
  readonly authorizationAttribute?: Uint8Array;
  /** 3C */
  readonly additionalText?: string;
  /** 49, ISO 4217 numeric, three digits */
  readonly currency?: string;
  /** 4C: six digits each */
  readonly blockedGoods?: readonly string[];
  /** 60 */
  readonly totals?: EndOfDayTotals;
  /** 87, four digits */
  readonly receipt?: string;
  /** 88, six digits */
  readonly turnover?: string;
  /** 8A; FF means that `extendedCardType` carries it */
  readonly cardType?: number;
  /** 8B, without the closing NUL */
  readonly cardName?: string;
  /** 8C */
  readonly cardTypeId?: number;
  /** A0: the host's own code, beside 27 00 no decline */
  readonly hostResultCode?: number;
  /** 01: seconds per answer when goods are issued (nothing to do with waiting for a card) */
  readonly goodsTimeoutSeconds?: number;
  /** 02: most status messages when goods are issued */
  readonly maxStatusMessages?: number;
  /** 03: bits whose meaning depends on the command */
  readonly serviceByte?: number;
  /** FC: 01 = the terminal shows its own prompts (06 C0) */
  readonly dialogControl?: number;
}

/** Everything the TLV container (BMP 06) carries that this project reads or writes. */
export interface TlvFields {
  /** 1F2B, digits */
  readonly longTrace?: string;
  /** 43 or 60/43: the EMV application id as hexadecimal digits */
  readonly aid?: string;
  /** 44 or 60/44 */
  readonly applicationName?: string;
  /** 1F10 or 2F/1F10: how the cardholder was verified; see CVM_BY_CODE */
  readonly cvm?: number;
  /** 1F12 or 2F/1F12: how the card was read; see ENTRY_TECHNOLOGY_BY_CODE */
  readonly technology?: number;
  /** 41: card type above 255 */
  readonly extendedCardType?: number;
  /** 46: EMV data for the customer's receipt */
  readonly emvReceiptCustomer?: string;
  /** 47: EMV data for the merchant's receipt */
  readonly emvReceiptMerchant?: string;
  /** 24/07: display texts in order, empty lines included */
  readonly texts?: readonly string[];
  /** 1F1F, hexadecimal */
  readonly uniqueId?: string;
  /** 1F16, hexadecimal */
  readonly extendedErrorCode?: string;
  /** 1F17 */
  readonly extendedErrorText?: string;
  /** 1F07 */
  readonly receiptType?: ReceiptType;
  /** 14 */
  readonly charset?: ZvtCharset;
  /** 12: characters per line of the printer */
  readonly printerWidth?: number;
  /** 1A: longest APDU the sender takes, in bytes */
  readonly maxApduBytes?: number;
  /** 26/0A: control fields of the terminal's commands the till allows, e.g. 0x06d3 */
  readonly permittedCommands?: readonly number[];
  /** 23/08: open pre-authorizations, four digits each */
  readonly openReceipts?: readonly string[];
  /** 1F73, six digits */
  readonly messageSequenceId?: string;
}

/** Whose copy a printed text belongs to (tag 1F07). */
export type ReceiptType = 'merchant' | 'customer' | 'administration';

/** A field that was there but could not be read as what it should be. */
export interface FieldProblem {
  /** `bmp` 04, `tlv` 43 … as two or four hexadecimal digits */
  readonly field: string;
  readonly reason: 'bad-value' | 'contradicting-repeat' | 'bad-tlv';
}

/** Where reading a BMP list stopped because the number is on no list and so its length is unknown. */
interface UnparsedRest {
  /** number of the unknown BMP */
  readonly bmp: number;
  /** from the unknown BMP to the end */
  readonly rest: Secret<Uint8Array>;
}

/** A BMP with the bytes of its value (without the digits of its own length). */
export interface BmpField {
  readonly bmp: number;
  readonly value: Uint8Array;
}

/** What a BMP list held beyond the typed fields. */
interface BmpExtras {
  /** The container as it travelled. An encoder sends this, if given, and not one built from the typed TLV fields. */
  readonly tlv?: Secret<readonly TlvNode[]>;
  /** BMPs of known length that have no typed field */
  readonly otherBmps?: Secret<readonly BmpField[]>;
  readonly unparsed?: UnparsedRest;
  /** empty or absent: everything was understood */
  readonly problems?: readonly FieldProblem[];
}

/** All a BMP list can say. */
export interface ZvtFields extends BmpFields, TlvFields, BmpExtras {}

/** Keys of 06 E1 (answer 80 00 01 key). */
export type ZvtKey =
  | 'OK'
  | 'CORRECTION'
  | 'STOP'
  | 'INFO'
  | 'UP'
  | 'DOWN'
  | 'F1'
  | 'F2'
  | 'F3'
  | 'F4'
  | 'TIMEOUT'
  | 'CARD_PRESENT';

/** 80 00, or 84 00 which means the same. */
export interface PositiveReply extends Pick<ZvtFields, 'messageSequenceId' | 'tlv'> {
  readonly type: 'positive';
  /** true when it came as 84 00 */
  readonly isErrorZero?: true;
  /** data that is no TLV container, as it came */
  readonly data?: Uint8Array;
  /** the data read as a key code (06 E1) */
  readonly key?: ZvtKey;
  /** the data read as digits (06 E2) */
  readonly digits?: string;
}

/** 84 xx, xx ≠ 00. */
export interface NegativeReply {
  readonly type: 'negative';
  /** xx: a result code; 83 unsupported, 9C busy, 1E see resultCode, CC printer not ready */
  readonly errorId: number;
  /** the cause that 84 1E carries in its data */
  readonly resultCode?: number;
  /** the currency a registration would accept (84 1E 6F) */
  readonly currency?: string;
  /** goods issued (till's 84 9D) */
  readonly amountMinor?: number;
  readonly data?: Uint8Array;
}

/** How a printed text looks (attribute of 06 D1 and tag 09 of 06 D3). */
export interface PrintStyle {
  readonly isCentred: boolean;
  readonly isDoubleWidth: boolean;
  readonly isDoubleHeight: boolean;
  /** spaces before the text, 0–15 */
  readonly indent: number;
}

/** 06 D1: one line of a receipt. */
export interface PrintLine extends Pick<ZvtFields, 'receiptType' | 'charset' | 'tlv'> {
  readonly type: 'print-line';
  /** attribute byte as it travels; see printStyle() */
  readonly attribute?: number;
  readonly text: string;
  /** attribute FF: this many empty lines, no text */
  readonly lineFeeds?: number;
  /** the last line of this receipt: cut here */
  readonly isLastLine: boolean;
}

/** A line of a text block with the attribute that applies to it. */
export interface TextBlockLine {
  readonly attribute: number;
  readonly text: string;
}

/** 06 D3: a whole receipt or a part of it. */
export interface TextBlock extends Pick<ZvtFields, 'receiptType' | 'charset' | 'tlv'> {
  readonly type: 'text-block';
  readonly lines: readonly TextBlockLine[];
  /** the receipt ends with this block: cut here */
  readonly isLastLine: boolean;
}

/** 04 0F: the result of a payment, a read card, a balance, an end of day. */
export interface StatusInformation extends ZvtFields {
  readonly type: 'status-information';
  /** derived from `pan`: at most the first six and the last four digits */
  readonly maskedPan?: string;
}

/** 04 FF: what the terminal is doing. For display only: money is never decided from it. */
export interface IntermediateStatus extends Pick<ZvtFields, 'texts' | 'charset' | 'messageSequenceId' | 'tlv'> {
  readonly type: 'intermediate-status';
  readonly status?: number;
  /** new T4 */
  readonly timeoutMinutes?: number;
}

/** 06 0F: the command has ended. */
export interface Completion extends ZvtFields {
  readonly type: 'completion';
  /** only in the answer to 05 01; see TERMINAL_STATUS */
  readonly terminalStatus?: number;
  /** only in the answer to 05 01 */
  readonly softwareVersion?: string;
  /** BMP 19 in the answer to 06 00 */
  readonly registration?: RegistrationStatus;
}

export interface RegistrationStatus {
  readonly isInitialisationNeeded: boolean;
  readonly isDiagnosisNeeded: boolean;
  readonly isOpt: boolean;
  readonly isVendingMachine: boolean;
}

/** 06 1E: the command was aborted. After an acknowledged approval it does not undo the payment. */
export interface Abort extends ZvtFields {
  readonly type: 'abort';
  readonly resultCode?: number;
}

/** 04 01: the till should set its clock. */
export interface SetClock {
  readonly type: 'set-clock';
  /** YYMMDD */
  readonly fullDate?: string;
  /** HHMMSS */
  readonly time?: string;
}

/** 04 0D: the terminal asks the till for an input. */
interface InputRequest {
  readonly type: 'input-request';
  readonly data: Secret<Uint8Array>;
}

/** 06 D8–06 DB: the terminal wants to dial through the till. */
export interface DialUp {
  readonly type: 'dial-up';
  readonly step: 'dial' | 'disconnect' | 'send' | 'receive';
  readonly data: Secret<Uint8Array>;
}

/** A whole APDU whose control field this codec has no meaning for. */
export interface UnknownApdu {
  readonly type: 'unknown';
  /** CLASS × 256 + INSTR */
  readonly controlField: number;
  readonly data: Secret<Uint8Array>;
}

/** Bytes that are no sound APDU, or an APDU whose content contradicts its own lengths. Nothing may be concluded from it. */
export interface Malformed {
  readonly type: 'malformed';
  readonly controlField?: number;
  readonly reason: 'incomplete' | 'surplus-bytes' | 'bad-field' | 'missing-field';
  /** the field at fault as two hexadecimal digits, where there is one */
  readonly field?: string;
  readonly bytes: Secret<Uint8Array>;
}

/** What a terminal sends. */
export type ZvtMessage =
  | PositiveReply
  | NegativeReply
  | StatusInformation
  | IntermediateStatus
  | Completion
  | Abort
  | PrintLine
  | TextBlock
  | SetClock
  | InputRequest
  | DialUp
  | UnknownApdu;

/** What the till asked, as far as it changes the meaning of the answer. */
export type AnswerTo = 'REGISTRATION' | 'STATUS_ENQUIRY' | 'DISPLAY_KEY' | 'NUMERIC_INPUT' | 'OTHER';

export interface DecodeContext {
  /** default OTHER */
  readonly answerTo?: AnswerTo;
  /** agreed at registration (tag 14 of its completion); a tag 14 in the message itself wins */
  readonly charset?: ZvtCharset;
}
