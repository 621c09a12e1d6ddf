import type { Secret } from '../../../app/domain/secret.ts';
import type { Attribution } from './attribution.ts';
import type { NeoCommand } from './command-types.ts';
import type { NeoTag } from './tlv.ts';
import type { CryptogramType } from './transaction-results.ts';

/** What every reply says: the command it belongs to and how it went (NEO_STATUS_CODES). */
export interface ReplyHead {
  readonly command: number;
  readonly status: number;
}

/** A status and nothing else that counts: done, refused, or an answer this codec has no layout for. */
export interface PlainReply extends ReplyHead {
  readonly type: 'reply';
  readonly data?: Secret<Uint8Array>;
}

/** The reader took the command; the answer that counts follows (status 63, or the first answer to 62-01, 62-02 and 62-04). */
interface FirstResponse extends ReplyHead {
  readonly type: 'first-response';
}

/** Status 0E: what happens at the reader while it works; the answer that counts follows. */
interface ProgressReply extends ReplyHead {
  readonly type: 'progress';
  /** 01: a card was seen */
  readonly transactionStatus?: number;
}

/** The answer to 29-00. */
interface FirmwareReply extends ReplyHead {
  readonly type: 'firmware';
  readonly text: string;
}

/** The answer to 03-02. */
interface ConfigurationReply extends ReplyHead {
  readonly type: 'configuration';
  readonly tags: readonly NeoTag[];
}

/** What the reader tells about a contactless transaction that failed (FFEE1F). */
export interface ContactlessFault {
  readonly errorCode: number;
  /** 0000 when the card gave none */
  readonly statusWord: number;
  readonly rfState: number;
}

/** An account number or track as it may leave the reader: under its key, to be read by the acquirer only. */
interface EncryptedTag {
  readonly tag: string;
  readonly value: Uint8Array;
}

/** Data of a card and of what it decided: the answer to 60-10, 60-11, 60-12, 60-13, 02-40 and 03-40. */
export interface TransactionReply extends ReplyHead {
  readonly type: 'transaction';
  readonly attribution: Attribution;
  /** every tag in the order it came; an encoder sends these */
  readonly tags: Secret<readonly NeoTag[]>;
  /** DFEE25 as four hexadecimal digits; see TRANSACTION_RESULTS */
  readonly resultCode?: string;
  /** 9F27 */
  readonly cryptogram?: CryptogramType;
  /** the first masked 5A that shows no more than it may */
  readonly maskedPan?: string;
  /** key serial number of the account data (DFEE12, FFEE12, DF4A), upper-case hex */
  readonly ksn?: Secret<string>;
  /** key serial number of a PIN block (DFEE51) */
  readonly pinKsn?: Secret<string>;
  /** absent when there are none */
  readonly encrypted?: Secret<readonly EncryptedTag[]>;
  /** DFEE23, a swiped card as the reader packs it */
  readonly stripe?: Secret<Uint8Array>;
  readonly contactlessFault?: ContactlessFault;
}

/** Card data came in the clear where they must not: nothing of the message may be used. */
export interface ClearCardData extends ReplyHead {
  readonly type: 'refused';
  readonly reason: 'CLEAR_CARD_DATA';
  /** the tag that held them */
  readonly tag: string;
}

/** State byte of a PIN, key or amount entry (ENTRY_STATES); 00 = entered, and only then anything follows. */
interface EntryHead extends ReplyHead {
  readonly state: number;
}

/** The answer to 62-01. */
export interface PinReply extends EntryHead {
  readonly type: 'pin';
  readonly pin?: {
    readonly keyScheme: 'TDES_DUKPT' | 'AES_DUKPT' | 'SESSION_KEY';
    /** ISO 9564 format of the block: 0 under a TDES key, 4 under an AES key */
    readonly format: 0 | 4;
    /** upper-case hex; absent under a session key */
    readonly ksn?: Secret<string>;
    readonly pinBlock: Secret<string>;
  };
}

export type NeoFunctionKey = 'BACKSPACE' | 'CANCEL' | 'ENTER' | 'STAR' | 'HASH' | 'F1' | 'F2' | 'F3' | 'F4';

/** The answer to 62-02. */
export interface FunctionKeyReply extends EntryHead {
  readonly type: 'function-key';
  readonly key?: NeoFunctionKey;
}

/** The answer to 62-04. */
export interface AmountReply extends EntryHead {
  readonly type: 'amount';
  /** the digits as keyed in; the reader shows the last two behind its decimal point */
  readonly digits?: string;
}

/** The answer to 2C-13. */
interface ApduReply extends ReplyHead {
  readonly type: 'apdu';
  readonly apdu: Secret<Uint8Array>;
}

/** One line of what the reader wants shown: a text or the number of one (DISPLAY_TEXTS). */
export interface DisplayLine {
  /** 1–16 */
  readonly line: number;
  readonly text?: string;
  readonly messageId?: number;
}

/** 61-01: the reader asks the host to show something. For display only: money is never decided from it. */
export interface DisplayRequest {
  readonly type: 'display';
  /** DISPLAY_MODES */
  readonly mode: number;
  readonly content: DisplayContent;
}

export type DisplayContent =
  | {
      readonly kind: 'LINES';
      readonly timeoutSeconds: number;
      /** two letters */
      readonly language: string;
      readonly lines: readonly DisplayLine[];
      /** FFFF = always on; undefined when the reader leaves it out */
      readonly backlightSeconds?: number;
    }
  /** mode, language and text number alone, as in published logs */
  | { readonly kind: 'SHORT'; readonly language: string; readonly messageId: number }
  | { readonly kind: 'TOUCH'; readonly event: number; readonly x: number; readonly y: number }
  | { readonly kind: 'LAMP'; readonly lamp: number; readonly isOn: boolean }
  | { readonly kind: 'NOTHING' }
  /** a layout this codec does not know */
  | { readonly kind: 'UNREAD'; readonly bytes: Secret<Uint8Array> };

/** 61-03: the reader has no stripe reader of its own and asks the host for a swipe. */
export interface SwipeRequest {
  readonly type: 'swipe-request';
  readonly timeoutSeconds: number;
  readonly language: string;
  /** what follows the two known fields */
  readonly rest?: Uint8Array;
}

/** 61-xx of another number. */
interface UnknownRequest {
  readonly type: 'unknown';
  readonly command: number;
  readonly code: number;
  readonly data: Secret<Uint8Array>;
}

/** One thing a reader in event mode did. `extra`: two bytes no document explains. */
export type UserInterfaceEvent = { readonly extra: readonly [number, number] } & (
  | { readonly component: 'LAMP'; readonly lamp: number; readonly state: number }
  /** `pattern` 1: that many short beeps; 2: one long beep of 200, 400, 600 ms for 0, 1, 2 */
  | { readonly component: 'BUZZER'; readonly pattern: number; readonly value: number }
  | { readonly component: 'DISPLAY'; readonly messageIndex: number }
  | { readonly component: 'OTHER'; readonly code: number; readonly status: number }
);

/** 45 00 55 00: what the reader shows and sounds by itself. A driver skips it. */
export interface UserInterfaceEvents {
  readonly type: 'user-interface';
  readonly events: readonly UserInterfaceEvent[];
}

/** A frame whose content contradicts itself. Nothing may be concluded from it. */
export interface Malformed {
  readonly type: 'malformed';
  /** absent for an event frame */
  readonly command?: number;
  readonly code?: number;
  readonly reason: 'bad-field' | 'bad-tlv' | 'missing-field' | 'contradicting-repeat';
  /** the tag or field at fault, where there is one */
  readonly field?: string;
  readonly data: Secret<Uint8Array>;
}

/** What a reader sends. */
export type NeoMessage =
  | PlainReply
  | FirstResponse
  | ProgressReply
  | FirmwareReply
  | ConfigurationReply
  | TransactionReply
  | PinReply
  | FunctionKeyReply
  | AmountReply
  | ApduReply
  | DisplayRequest
  | SwipeRequest
  | UnknownRequest
  | UserInterfaceEvents;

/** What is known of the exchange a reply belongs to; a reply names its command but not its sub-command. */
export interface ReplyContext {
  /** the command that waits for an answer; without it only 60-xx, 02-xx and 61-xx are read further than their status */
  readonly answerTo?: NeoCommand['type'];
  /**
   * ALWAYS: card data in the clear are refused whatever the reader says. AS_ATTRIBUTED (default): they are refused where the reader says that it
   * encrypts (attribution byte, DFEE26).
   */
  readonly encryptionExpected?: 'ALWAYS' | 'AS_ATTRIBUTED';
}
