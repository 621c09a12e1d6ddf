// Card numbers and tracks: digits in nibbles, E = masked, D = separator, F = padding at the end.

import { packDigits } from '../../framing/bcd.ts';
import { toHex } from '../../framing/bytes.ts';

/** Reads card digits: `*` for a masked one, `=` for the separator, padding dropped. */
export function readCardDigits(bytes: Uint8Array): string {
  return toHex(bytes).replace(/F+$/, '').replaceAll('E', '*').replaceAll('D', '=');
}

/** Packs what readCardDigits reads; an odd number of digits is padded with F. */
export function packCardDigits(digits: string): Uint8Array {
  const nibbles = digits.replaceAll('*', 'E').replaceAll('=', 'D');
  const padded = nibbles.length % 2 === 0 ? nibbles : `${nibbles}F`;
  return packDigits(padded, padded.length / 2);
}

/** Below this length first six plus last four would show most of the number. */
const MIN_LENGTH_FOR_FIRST_SIX = 13;

/** A card number fit for a record: at most the first six and the last four digits, the rest `*`. */
export function maskPan(pan: string): string {
  const shownInFront = pan.length >= MIN_LENGTH_FOR_FIRST_SIX ? 6 : 0;
  return Array.from(pan, (digit, index) => (index < shownInFront || index >= pan.length - 4 ? digit : '*')).join('');
}
