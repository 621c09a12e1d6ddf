// What the reader tells a chip about the payment and about itself.
import { fromHex } from '../../../framing/bytes.ts';
import { digitBytes, type EmvTags, tagsOf } from './emv-tags.ts';

/** What a reader is and can do; set when it is installed. */
export interface ReaderProfile {
  /** ISO 3166 numeric, four digits (9F1A) */
  readonly country: string;
  readonly hasPinPad: boolean;
  readonly takesSignature: boolean;
  /** above this amount an inserted card goes online, in minor units */
  readonly floorLimitMinor: number;
  /** above this amount a tapped card needs its holder's PIN, in minor units */
  readonly contactlessLimitMinor: number;
}

/** Every payment goes online unless the card decides by itself. */
export const TEST_READER: ReaderProfile = {
  country: '0276',
  hasPinPad: true,
  takesSignature: true,
  floorLimitMinor: 0,
  contactlessLimitMinor: 5000,
};

export interface ChipPayment {
  /** the whole sum (9F02), cash-back included */
  readonly amountMinor: number;
  /** the cash-back in it (9F03) */
  readonly cashbackMinor: number;
  /** ISO 4217 numeric, four digits (5F2A) */
  readonly currency: string;
  /** 9C: 00 purchase, 09 with cash-back, 20 refund */
  readonly transactionType: string;
  /** YYMMDD (9A) */
  readonly date: string;
  /** HHMMSS (9F21) */
  readonly time: string;
  /** four random bytes (9F37) */
  readonly unpredictable: Uint8Array;
}

/** Attended, online only or with offline capability, merchant's. */
const TERMINAL_TYPE = '22';
const CAPABILITIES = { withPinPad: '60F8C8', withoutPinPad: '6028C8' } as const;

/** The terminal's tags of a payment. @throws RangeError when an amount does not fit in twelve digits */
export function paymentTags(payment: ChipPayment, reader: ReaderProfile): EmvTags {
  return new Map([
    ...tagsOf({
      '9C': payment.transactionType,
      '5F2A': payment.currency,
      '9A': payment.date,
      '9F21': payment.time,
      '9F1A': reader.country,
      '9F33': reader.hasPinPad ? CAPABILITIES.withPinPad : CAPABILITIES.withoutPinPad,
      '9F35': TERMINAL_TYPE,
    }),
    ['9F02', digitBytes(payment.amountMinor, 6)],
    ['9F03', digitBytes(payment.cashbackMinor, 6)],
    ['9F37', fourBytes(payment.unpredictable)],
  ]);
}

/** The day as the card compares it: true when the card has expired on the day of the payment. @param expiry YYMM, valid to its end */
export function isExpired(expiry: string, date: string): boolean {
  return date.slice(0, 4) > expiry;
}

/** Tag 5F24: the last day of the month on the card. @param expiry YYMM */
export function expiryDate(expiry: string): Uint8Array {
  const [year, month] = [2000 + Number(expiry.slice(0, 2)), Number(expiry.slice(2))];
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return fromHex(`${expiry}${lastDay}`);
}

function fourBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== 4) throw new RangeError(`An unpredictable number has 4 bytes, not ${bytes.length}`);
  return bytes;
}
