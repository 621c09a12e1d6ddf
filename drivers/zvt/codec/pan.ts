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
