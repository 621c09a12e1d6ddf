import { looksLikeCardNumber } from '../contract/card-number.ts';
import { BridgeError } from '../contract/errors.ts';
import { MAX_PAN_DIGITS, MIN_PAN_DIGITS } from '../contract/limits.ts';
import { normalisedTags } from './emv-tags.ts';

/** Tags that may be stored: what offline-complete takes, and what is kept of an authorization (decisions: offline-complete). */
export const storableTags: ReadonlySet<string> = new Set([
  ...['4F', '50', '82', '84', '8A', '95', '9A', '9B', '9C', '5F2A', '5F34', '9F02', '9F03', '9F06', '9F09', '9F10'],
  ...['9F12', '9F1A', '9F1E', '9F21', '9F26', '9F27', '9F33', '9F34', '9F35', '9F36', '9F37', '9F41', '9F53', '9F6E'],
]);

/** Tags whose value is text (EMV book 3, annex A, formats an and ans); all others hold numbers or bits. */
const textTags: ReadonlySet<string> = new Set(['50', '9F12', '9F1E']);

/** Fields of a request beside emvTlv that are long enough for a card number, and the tag that each stands for. */
export const chipFields = [
  ['cryptogram', '9F26'],
  ['iad', '9F10'],
] as const;

/**
 * The tags of a request under their one spelling, when all of them may be stored.
 * @throws BridgeError INVALID_REQUEST naming the tag: off the allow-list, or holding a card number; the value is not repeated
 */
export function storableTagsOf(emvTlv: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const tags = normalisedTags(emvTlv);
  for (const [tag, value] of tags) {
    const field = `emvTlv.${tag}`;
    if (!storableTags.has(tag)) {
      throw new BridgeError('INVALID_REQUEST', `${field} is not one of the tags that may be recorded`, { field });
    }
    if (holdsCardNumber(tag, value)) {
      throw new BridgeError('INVALID_REQUEST', `${field} must not hold a card number`, { field });
    }
  }
  return tags;
}

/**
 * Whether the value of a tag holds a card number: in its text, or as digits packed into its bytes. Of random cryptograms about one in 17,000 looks
 * like one: what is recorded goes without that tag then, and what is authorized keeps it in memory only (card-data.ts).
 */
export function holdsCardNumber(tag: string, value: string): boolean {
  if (looksLikeCardNumber(textOf(value))) return true;
  // The text `45678901` is 3435363738393031 in bytes, which may look like a card number and is none.
  return !textTags.has(tag) && packedRuns(value).some(looksLikeCardNumber);
}

/** The bytes as text; what is no printable ASCII stands as a stop between words. */
function textOf(value: string): string {
  const bytes = value.match(/../g) ?? [];
  return bytes
    .map((byte) => Number.parseInt(byte, 16))
    .map((code) => (code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '\u0000'))
    .join('');
}

/**
 * Runs of packed digits that may be a card number: each from the start of a byte, or behind zeros, to the end of its run, since a length or
 * padding may stand before it, and a letter (the F of the padding, the D of track 2) behind it.
 */
function packedRuns(value: string): readonly string[] {
  return [...value.matchAll(/[0-9]+/g)].flatMap(({ 0: run, index }) => {
    const starts = Array.from({ length: run.length }, (_, offset) => offset).filter(
      (offset) => (index + offset) % 2 === 0 || /^0+$/.test(run.slice(0, offset)),
    );
    return starts
      .map((offset) => run.slice(offset))
      .filter(({ length }) => length >= MIN_PAN_DIGITS && length <= MAX_PAN_DIGITS);
  });
}
