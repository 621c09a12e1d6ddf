// The block ciphers of the test keys, all of them Node's own. Only CBC is asked of it: a single block under an initial value of zeros is
// what ECB would give, and des-ede3 with one key three times is single DES, which Node's OpenSSL no longer has by name.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { concatBytes } from '../../../framing/bytes.ts';

export const TDES_BLOCK_BYTES = 8;
export const AES_BLOCK_BYTES = 16;

/** TDES-CBC with an initial value of zeros. @param key 8 (single DES), 16 or 24 bytes @param data whole blocks */
export function encryptTdes(key: Uint8Array, data: Uint8Array): Uint8Array {
  const cipher = createCipheriv('des-ede3-cbc', threeKeys(key), new Uint8Array(TDES_BLOCK_BYTES)).setAutoPadding(false);
  return concatBytes(cipher.update(data), cipher.final());
}

/** The opposite of encryptTdes. */
export function decryptTdes(key: Uint8Array, data: Uint8Array): Uint8Array {
  const decipher = createDecipheriv('des-ede3-cbc', threeKeys(key), new Uint8Array(TDES_BLOCK_BYTES));
  decipher.setAutoPadding(false);
  return concatBytes(decipher.update(data), decipher.final());
}

/** AES-CBC with an initial value of zeros. @param key 16, 24 or 32 bytes @param data whole blocks */
export function encryptAes(key: Uint8Array, data: Uint8Array): Uint8Array {
  const cipher = createCipheriv(aesName(key), key, new Uint8Array(AES_BLOCK_BYTES)).setAutoPadding(false);
  return concatBytes(cipher.update(data), cipher.final());
}

/** The opposite of encryptAes. */
export function decryptAes(key: Uint8Array, data: Uint8Array): Uint8Array {
  const decipher = createDecipheriv(aesName(key), key, new Uint8Array(AES_BLOCK_BYTES)).setAutoPadding(false);
  return concatBytes(decipher.update(data), decipher.final());
}

/** Both arrays, byte by byte, in exclusive or. @throws RangeError when they differ in length */
export function xorBytes(left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length !== right.length) throw new RangeError(`${left.length} bytes do not go with ${right.length}`);
  return left.map((byte, index) => byte ^ (right[index] ?? 0));
}

/** Zeros after `data` until it is whole blocks; nothing when it already is. */
export function padWithZeros(data: Uint8Array, blockBytes: number): Uint8Array {
  const padded = new Uint8Array(Math.ceil(data.length / blockBytes) * blockBytes);
  padded.set(data);
  return padded;
}

function threeKeys(key: Uint8Array): Uint8Array {
  if (key.length === 8) return concatBytes(key, key, key);
  if (key.length === 16) return concatBytes(key, key.subarray(0, 8));
  if (key.length === 24) return key;
  throw new RangeError(`A DES key has 8, 16 or 24 bytes, not ${key.length}`);
}

function aesName(key: Uint8Array): string {
  if (key.length !== 16 && key.length !== 24 && key.length !== 32) {
    throw new RangeError(`An AES key has 16, 24 or 32 bytes, not ${key.length}`);
  }
  return `aes-${key.length * 8}-cbc`;
}
