// The message authentication code of EMV cryptograms and of DUKPT messages: ISO/IEC 9797-1 algorithm 3 with DES, the "retail MAC".
import { concatBytes } from '../../../framing/bytes.ts';
import { decryptTdes, encryptTdes, padWithZeros, TDES_BLOCK_BYTES } from './ciphers.ts';

/** ZEROS is padding method 1 (nothing after whole blocks); MARKED is method 2: 80, then zeros, always at least the 80. */
export type MacPadding = 'ZEROS' | 'MARKED';

/** Eight bytes. @param key 16 bytes @param data at least one byte */
export function macOf(key: Uint8Array, data: Uint8Array, padding: MacPadding): Uint8Array {
  const left = key.subarray(0, 8);
  const right = key.subarray(8, 16);
  const chained = encryptTdes(left, padded(data, padding)).slice(-TDES_BLOCK_BYTES);
  return encryptTdes(left, decryptTdes(right, chained));
}

function padded(data: Uint8Array, padding: MacPadding): Uint8Array {
  return padWithZeros(padding === 'MARKED' ? concatBytes(data, Uint8Array.of(0x80)) : data, TDES_BLOCK_BYTES);
}
