import type { Secret } from '../../../app/domain/secret.ts';
import type { TlvField } from '../../framing/ascii-tlv.ts';

/** What the till asks for (CD). CANCEL is of the serial Concert format and not proved over IP: it is read, never sent by the driver. */
export type CaisseApOperation = 'SALE' | 'REFUND' | 'CANCEL';

/** What both directions carry: CZ, CJ, CA, CE, CD. */
interface CommonFields {
  /** CZ, which comes first. */
  readonly version: string;
  /** CJ, twelve characters. */
  readonly protocolId?: string;
  /** CA */
  readonly tillNumber?: string;
  /** CE, ISO 4217 number of three digits. */
  readonly currency?: string;
  /** CD */
  readonly operation?: CaisseApOperation;
  /** CB, minor units. */
  readonly amountMinor?: number;
  /** Fields that this codec does not know, and what may hold card data. */
  readonly others?: Secret<readonly TlvField[]>;
}

/** Till → terminal. */
export interface CaisseApRequest extends CommonFields {
  readonly type: 'request';
  readonly protocolId: string;
  readonly tillNumber: string;
  readonly currency: string;
  readonly operation: CaisseApOperation;
  readonly amountMinor: number;
  /** BA; a terminal that is told nothing decides by itself. */
  readonly answerMode?: 'WAIT' | 'AT_ONCE';
  /** CC; 00C is a cheque, nothing is a card. */
  readonly mode?: string;
}

/** Terminal → till. Every field but CZ may be missing: what a reply must hold to prove something is judged by `judgeReply`. */
export interface CaisseApReply extends CommonFields {
  readonly type: 'reply';
  /** AE: 10 done, 01 failed, 11 accepted; a terminal may tell others. */
  readonly status?: string;
  /** AF */
  readonly reason?: string;
  /** AC */
  readonly authorizationNumber?: string;
  /** AA: at most the first six and the last four digits, `*` for whatever hides the others (terminals write `*`, the akretion simulator `#`). */
  readonly maskedPan?: string;
  /** AI, hexadecimal digits. */
  readonly aid?: string;
  /** AB, YYMM */
  readonly expiry?: Secret<string>;
  /** CI: 1 contact, 2 contactless. */
  readonly entryCode?: string;
  /** CG */
  readonly contract?: string;
  /** CC: by what it was paid; of a card its kind (002 and 00D are American Express), of a cheque 00C. */
  readonly mode?: string;
}

/** Bytes nothing may be concluded from. */
export interface Malformed {
  readonly type: 'malformed';
  /**
   * NO_FIELDS: bytes that begin no field. CUT: the last field is not all there. NO_VERSION: CZ is not the first. MISSING, BAD_VALUE: of the tag that is
   * named. CONTRADICTION: the tag has two values.
   */
  readonly reason: 'NO_FIELDS' | 'CUT' | 'NO_VERSION' | 'MISSING' | 'BAD_VALUE' | 'CONTRADICTION';
  readonly tag?: string;
}
