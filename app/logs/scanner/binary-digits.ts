import { holdsCardNumber } from './card-digits.ts';
import type { Report } from './finding.ts';

/** Fewest bytes of a card number of 13 digits, most of a track 2 of 40. */
const minBytes = 7;
const maxAloneBytes = 20;
/** Control characters in a run before it counts as packed digits: text of letters and digits would look the same. */
const minControls = 3;

/** Card numbers and tracks packed two digits to a byte, as terminals and chips carry them. */
export function detectPackedDigits(bytes: Buffer, report: Report): void {
  if (bytes.length <= maxAloneBytes && isPackedCard(bytes)) report('CARD_NUMBER', 0);
  for (let index = 0; index < bytes.length - minBytes; index += 1) {
    const value = fieldAt(bytes, index);
    if (value !== undefined && isPackedCard(value)) report('CARD_NUMBER', index);
  }
  detectRuns(bytes, report);
}

/** EMV tags 5A and 57 (a byte of length) and the ZVT fields 22 and 23 (two digits of length in F0 to F9). */
function fieldAt(bytes: Buffer, index: number): Buffer | undefined {
  const tag = bytes[index];
  if (tag === 0x5a || tag === 0x57) return slice(bytes, index + 2, bytes[index + 1] ?? 0);
  if (tag !== 0x22 && tag !== 0x23) return undefined;
  const [tens = 0, ones = 0] = [bytes[index + 1], bytes[index + 2]];
  const isLength = (tens & 0xf0) === 0xf0 && (ones & 0xf0) === 0xf0;
  return isLength ? slice(bytes, index + 3, (tens & 0x0f) * 10 + (ones & 0x0f)) : undefined;
}

function slice(bytes: Buffer, start: number, length: number): Buffer | undefined {
  const isPossible = length >= minBytes && length <= maxAloneBytes && start + length <= bytes.length;
  return isPossible ? bytes.subarray(start, start + length) : undefined;
}

function detectRuns(bytes: Buffer, report: Report): void {
  let start = 0;
  let controls = 0;
  for (let index = 0; index <= bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte !== undefined && isTwoDigits(byte)) {
      if (byte < 0x09 || (byte >= 0x10 && byte < 0x20)) controls += 1;
      continue;
    }
    const isRun = index - start >= minBytes && controls >= minControls;
    if (isRun && holdsCardNumber(bytes.toString('hex', start, index))) report('CARD_NUMBER', start);
    start = index + 1;
    controls = 0;
  }
}

function isTwoDigits(byte: number): boolean {
  return byte >> 4 <= 9 && (byte & 0x0f) <= 9;
}

/** Digits, then perhaps D and more digits, then perhaps F. */
function isPackedCard(bytes: Buffer): boolean {
  if (bytes.length < minBytes || !isTwoDigits(bytes[0] ?? 0xff) || !isTwoDigits(bytes[1] ?? 0xff)) return false;
  const digits = /^([0-9]{13,19})(?:f|d[0-9]*f*)?$/.exec(bytes.toString('hex'))?.[1];
  return digits !== undefined && holdsCardNumber(digits);
}
