import type { Secret } from '../../../app/domain/secret.ts';
import type { NeoTag } from './tlv.ts';

/** Commands that are command and sub-command alone. */
interface BareCommand {
  readonly type: /** 18-01 */
    | 'ping'
    /** 29-00 */
    | 'get-firmware'
    /** 03-02 */
    | 'get-configuration'
    /** 03-40 */
    | 'get-transaction-result'
    /** 05-02 */
    | 'stop'
    /** 2C-18: takes the power from the contact card */
    | 'card-off'
    /** 62-00: ends a PIN, key or amount entry */
    | 'cancel-entry'
    /** 62-02: waits for one function key */
    | 'get-function-key';
}

/** 01-01 */
interface SetPollMode {
  readonly type: 'set-poll-mode';
  /** the reader looks for cards only when told so, not always */
  readonly isOnDemand: boolean;
}

/** 05-01; no other command may follow before its answer */
interface CancelTransaction {
  readonly type: 'cancel';
  /** only reset the state, show nothing */
  readonly isReset?: true;
}

/** 04-00 */
interface SetConfiguration {
  readonly type: 'set-configuration';
  readonly tags: readonly NeoTag[];
}

/** 02-40: waits for a card on the chosen interfaces (DFEF37) */
interface ActivateTransaction {
  readonly type: 'activate';
  /** 0–255 */
  readonly timeoutSeconds: number;
  readonly tags: readonly NeoTag[];
}

/** 60-10 */
interface StartContact {
  readonly type: 'start-contact';
  /** whether the card may be swiped when its chip does not work */
  readonly isFallbackAllowed: boolean;
  /** for the card to be seated */
  readonly seatTimeoutSeconds: number;
  /** for the authenticate command to come */
  readonly authenticateTimeoutSeconds: number;
  readonly tags: readonly NeoTag[];
}

/** 60-11: card verification and first cryptogram */
interface Authenticate {
  readonly type: 'authenticate';
  /** 0–255; 00 leaves all decisions to card and reader */
  readonly flags: number;
  readonly timeoutSeconds: number;
  readonly tags: readonly NeoTag[];
}

/** 60-12: gives the issuer's answer to the card, or tells it that there is none */
export type ApplyResponse =
  | {
      readonly type: 'apply-response';
      readonly isHostReached: true;
      /** 8A, and 91, 71, 72 where the issuer sent them (issuerResponseTags) */
      readonly tags: readonly NeoTag[];
    }
  | {
      readonly type: 'apply-response';
      readonly isHostReached: false;
      /** 02 and 00 both say so; default 02 */
      readonly code?: number;
    };

/** 60-13 */
interface GetContactResult {
  readonly type: 'get-contact-result';
  /** DFEE1A names the tags that are wanted */
  readonly tags: readonly NeoTag[];
}

/** How a PIN is encrypted and which card number its block is bound to. */
export type PinKeyUse = 'SESSION_KEY_OWN_PAN' | 'DUKPT_OWN_PAN' | 'SESSION_KEY_GIVEN_PAN' | 'DUKPT_GIVEN_PAN';

/** 62-01 */
export interface GetEncryptedPin {
  readonly type: 'get-encrypted-pin';
  readonly keyUse: PinKeyUse;
  /** with …_GIVEN_PAN only: 12–19 digits (16 where the PIN key is a TDES key) */
  readonly pan?: Secret<string>;
  /** 4 ≤ min ≤ max ≤ 12 */
  readonly maxDigits: number;
  readonly minDigits: number;
  /** printable ASCII */
  readonly prompt: string;
}

/** 62-04 */
export interface GetAmount {
  readonly type: 'get-amount';
  /** 1 ≤ min ≤ max ≤ 15 */
  readonly maxDigits: number;
  readonly minDigits: number;
  /** 1–16 characters of printable ASCII */
  readonly prompt: string;
}

/** 2C-13 */
interface ExchangeApdu {
  readonly type: 'exchange-apdu';
  /** 20 contact card, 21–28 SAM, 00 contactless */
  readonly interface: number;
  readonly apdu: Secret<Uint8Array>;
}

/** 61-01 from the host: the answer to a menu or key question of the reader. */
interface DisplayAnswer {
  readonly type: 'display-answer';
  /** the mode of the question (DISPLAY_MODES) */
  readonly mode: number;
  /** what was chosen, as it travels */
  readonly choice: Uint8Array;
}

/** A sound frame of a command this codec has no meaning for. */
interface UnknownCommand {
  readonly type: 'unknown';
  readonly command: number;
  readonly code: number;
  readonly data: Secret<Uint8Array>;
}

/** What a host sends. */
export type NeoCommand =
  | BareCommand
  | SetPollMode
  | CancelTransaction
  | SetConfiguration
  | ActivateTransaction
  | StartContact
  | Authenticate
  | ApplyResponse
  | GetContactResult
  | GetEncryptedPin
  | GetAmount
  | ExchangeApdu
  | DisplayAnswer
  | UnknownCommand;
