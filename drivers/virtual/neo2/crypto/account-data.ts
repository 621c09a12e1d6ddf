// How the reader hands out the card's account (NEO 2 guide, encrypted data; the C1 and A1 values of sensitive tags).
import { concatBytes, fromHex, toHex } from '../../../framing/bytes.ts';
import {
  AES_BLOCK_BYTES,
  decryptAes,
  decryptTdes,
  encryptAes,
  encryptTdes,
  padWithZeros,
  TDES_BLOCK_BYTES,
} from './ciphers.ts';

export type AccountCipher = 'TDES' | 'AES';

/** Digits of an account number that stay readable at each end. */
const CLEAR_DIGITS = 4;
const MASK_DIGIT = 'C';

/**
 * The C1 value of a tag: the whole tag (its bytes, length and value) with zeros after it, in CBC with an initial value of zeros.
 * @param dataKey the data key of the transaction (TDES DUKPT: DATA_REQUEST, used as an AES key as it is; AES DUKPT: DATA_ENCRYPTION)
 * @param value at most 127 bytes
 */
export function encryptAccountTag(
  dataKey: Uint8Array,
  cipher: AccountCipher,
  tag: Uint8Array,
  value: Uint8Array,
): Uint8Array {
  if (value.length > 0x7f) throw new RangeError(`Account data of ${value.length} bytes do not fit`);
  return encryptAccountData(dataKey, cipher, concatBytes(tag, Uint8Array.of(value.length), value));
}

/** Bytes with zeros after them, encrypted: what a swiped track is handed out as. */
export function encryptAccountData(dataKey: Uint8Array, cipher: AccountCipher, data: Uint8Array): Uint8Array {
  return cipher === 'AES'
    ? encryptAes(dataKey, padWithZeros(data, AES_BLOCK_BYTES))
    : encryptTdes(dataKey, padWithZeros(data, TDES_BLOCK_BYTES));
}

/** The acquirer's side: what was encrypted, with the zeros after it. */
export function decryptAccountData(dataKey: Uint8Array, cipher: AccountCipher, data: Uint8Array): Uint8Array {
  return cipher === 'AES' ? decryptAes(dataKey, data) : decryptTdes(dataKey, data);
}

/** The A1 value of a tag: account number or track 2 with the digits between its first and last four masked, and all after the separator. */
export function maskedAccountValue(value: Uint8Array): Uint8Array {
  const digits = toHex(value);
  const account = /^[0-9]*/.exec(digits)?.[0] ?? '';
  const rest = digits.slice(account.length);
  const hidden = Math.max(0, account.length - 2 * CLEAR_DIGITS);
  const masked = account.slice(0, CLEAR_DIGITS) + MASK_DIGIT.repeat(hidden) + account.slice(CLEAR_DIGITS + hidden);
  const separator = rest.startsWith('D') ? 'D' : rest.startsWith('F') ? 'F' : '';
  return fromHex(masked + separator + MASK_DIGIT.repeat(rest.length - separator.length));
}
