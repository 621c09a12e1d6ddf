// Keys and codes of EMV payment chips as their issuer computes them (EMV book 2, chapter 8 and annexes A1.3, A1.4). DES takes no notice of parity.
import { createCipheriv, createHash } from 'node:crypto';

const BLOCK_BYTES = 8;
const KEY_DIGITS = 16;
const zeros = Buffer.alloc(BLOCK_BYTES);

/** ZEROS: filled up with zeros where it is not whole blocks; MARKED: 80 first, always. */
export type Padding = 'ZEROS' | 'MARKED';

/** The key of one card. @param issuerKey 16 bytes @param sequence two digits (5F34) */
export function cardKey(issuerKey: Buffer, pan: string, sequence: string): Buffer {
  const digits = pan.length > KEY_DIGITS ? hashedDigits(pan + sequence) : (pan + sequence).slice(-KEY_DIGITS);
  const left = Buffer.from(digits.padStart(KEY_DIGITS, '0'), 'hex');
  return tdes(issuerKey, Buffer.concat([left, left.map((byte) => byte ^ 0xff)]));
}

/** Option B, for account numbers of more than sixteen digits: the decimal digits of their hash, then its letters as digits. */
function hashedDigits(text: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(text.length % 2 === 0 ? text : `0${text}`, 'hex'))
    .digest('hex');
  const letters = hash.replace(/[0-9]/g, '').replace(/./g, (letter) => String(Number.parseInt(letter, 16) - 10));
  return (hash.replace(/[a-f]/g, '') + letters).slice(0, KEY_DIGITS);
}

/** The key of one payment. @param diversification the ATC, and what the scheme puts behind it; up to 8 bytes */
export function sessionKey(key: Buffer, diversification: Buffer): Buffer {
  const seed = Buffer.concat([diversification, zeros]).subarray(0, BLOCK_BYTES);
  return tdes(key, Buffer.concat([withMark(seed, 0xf0), withMark(seed, 0x0f)]));
}

function withMark(seed: Buffer, mark: number): Buffer {
  return seed.map((byte, index) => (index === 2 ? mark : byte)) as Buffer;
}

/** The message authentication code of cryptograms, 8 bytes: single DES over all blocks but the last, which is under the whole key. */
export function macOf(key: Buffer, data: Buffer, padding: Padding): Buffer {
  const blocks = padded(data, padding);
  const left = key.subarray(0, BLOCK_BYTES);
  const before = blocks.subarray(0, -BLOCK_BYTES);
  const chained = before.length === 0 ? zeros : cbc(Buffer.concat([left, left, left]), before, zeros);
  return cbc(threeKeys(key), blocks.subarray(-BLOCK_BYTES), chained.subarray(-BLOCK_BYTES));
}

/** The issuer's code by method 1, 8 bytes. @param responseCode two characters */
export function answerCodeOfMethod1(key: Buffer, cryptogram: Buffer, responseCode: Buffer): Buffer {
  return tdes(key, cryptogram.map((byte, index) => byte ^ (responseCode[index] ?? 0)) as Buffer);
}

/** The issuer's code by method 2, 4 bytes. @param statusUpdate four bytes (annex C10) */
export function answerCodeOfMethod2(key: Buffer, cryptogram: Buffer, statusUpdate: Buffer): Buffer {
  return macOf(key, Buffer.concat([cryptogram, statusUpdate]), 'MARKED').subarray(0, 4);
}

function padded(data: Buffer, padding: Padding): Buffer {
  const marked = padding === 'MARKED' ? Buffer.concat([data, Buffer.of(0x80)]) : data;
  return Buffer.concat([marked, Buffer.alloc((BLOCK_BYTES - (marked.length % BLOCK_BYTES)) % BLOCK_BYTES)]);
}

/** Each block by itself. */
function tdes(key: Buffer, blocks: Buffer): Buffer {
  const encrypted: Buffer[] = [];
  for (let at = 0; at < blocks.length; at += BLOCK_BYTES) {
    encrypted.push(cbc(threeKeys(key), blocks.subarray(at, at + BLOCK_BYTES), zeros));
  }
  return Buffer.concat(encrypted);
}

function threeKeys(key: Buffer): Buffer {
  return Buffer.concat([key, key.subarray(0, BLOCK_BYTES)]);
}

function cbc(key: Buffer, blocks: Buffer, initialValue: Buffer): Buffer {
  const cipher = createCipheriv('des-ede3-cbc', key, initialValue).setAutoPadding(false);
  return Buffer.concat([cipher.update(blocks), cipher.final()]);
}
