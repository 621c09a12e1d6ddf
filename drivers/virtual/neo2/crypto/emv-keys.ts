// Keys of the application cryptogram (EMV book 2, annex A1): the issuer's master key → the card's → that of one transaction.
import { createHash } from 'node:crypto';
import { concatBytes, fromHex, toHex } from '../../../framing/bytes.ts';
import { encryptTdes, xorBytes } from './ciphers.ts';

const DIGITS = 16;
const ALL_ONES = new Uint8Array(8).fill(0xff);

/** EMV book 2 A1.4.1, option A: the last sixteen digits of account number and sequence number. @param sequence two digits */
export function cardKeyOptionA(issuerKey: Uint8Array, pan: string, sequence: string): Uint8Array {
  return cardKey(issuerKey, (pan + sequence).slice(-DIGITS).padStart(DIGITS, '0'));
}

/** EMV book 2 A1.4.2, option B, for account numbers of more than sixteen digits: digits of a hash of them. Shorter ones: option A. */
export function cardKeyOptionB(issuerKey: Uint8Array, pan: string, sequence: string): Uint8Array {
  if (pan.length <= DIGITS) return cardKeyOptionA(issuerKey, pan, sequence);
  const digits = pan + sequence;
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  const hash = toHex(createHash('sha1').update(fromHex(even)).digest());
  const decimal = hash.replace(/[A-F]/g, '');
  // Too few digits in the hash: its letters follow, A as 0 to F as 5.
  const letters = hash.replace(/[0-9]/g, '').replace(/[A-F]/g, (letter) => String(letter.charCodeAt(0) - 65));
  return cardKey(issuerKey, (decimal + letters).slice(0, DIGITS));
}

/** EMV book 2 A1.3, common session key. @param diversification 8 bytes: the ATC and zeros for a cryptogram */
export function commonSessionKey(key: Uint8Array, diversification: Uint8Array): Uint8Array {
  const half = (mark: number) =>
    encryptTdes(
      key,
      diversification.map((byte, index) => (index === 2 ? mark : byte)),
    );
  return withOddParity(concatBytes(half(0xf0), half(0x0f)));
}

/** The session key of the ATC (EMV common session key derivation). @param counter two bytes */
export function counterSessionKey(key: Uint8Array, counter: Uint8Array): Uint8Array {
  return commonSessionKey(key, concatBytes(counter, new Uint8Array(6)));
}

/** Mastercard's own derivation (M/Chip 4): the terminal's unpredictable number takes part. @param unpredictable four bytes */
export function mchipSessionKey(key: Uint8Array, counter: Uint8Array, unpredictable: Uint8Array): Uint8Array {
  return commonSessionKey(key, concatBytes(counter, new Uint8Array(2), unpredictable));
}

function cardKey(issuerKey: Uint8Array, digits: string): Uint8Array {
  const left = fromHex(digits);
  return withOddParity(concatBytes(encryptTdes(issuerKey, left), encryptTdes(issuerKey, xorBytes(left, ALL_ONES))));
}

function withOddParity(key: Uint8Array): Uint8Array {
  return key.map((byte) => {
    let ones = 0;
    for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1;
    return ones % 2 === 1 ? byte : byte ^ 1;
  });
}
