// Application cryptograms and the issuer's answer to them (EMV book 2, chapter 8).
import { concatBytes } from '../../../framing/bytes.ts';
import { encryptTdes, padWithZeros, TDES_BLOCK_BYTES, xorBytes } from './ciphers.ts';
import { type MacPadding, macOf } from './mac.ts';

/** ARQC, TC or AAC: the MAC over the transaction's data. */
export function applicationCryptogram(key: Uint8Array, data: Uint8Array, padding: MacPadding): Uint8Array {
  return macOf(key, data, padding);
}

/** ARPC of method 1, 8 bytes (EMV book 2, 8.2.1). @param responseCode two bytes */
export function arpcMethod1(key: Uint8Array, arqc: Uint8Array, responseCode: Uint8Array): Uint8Array {
  return encryptTdes(key, xorBytes(arqc, padWithZeros(responseCode, TDES_BLOCK_BYTES)));
}

/** ARPC of method 2, 4 bytes (EMV book 2, 8.2.2). @param statusUpdate four bytes (CSU) @param proprietary up to 8 bytes */
export function arpcMethod2(
  key: Uint8Array,
  arqc: Uint8Array,
  statusUpdate: Uint8Array,
  proprietary: Uint8Array = new Uint8Array(),
): Uint8Array {
  return macOf(key, concatBytes(arqc, statusUpdate, proprietary), 'MARKED').slice(0, 4);
}
