import { BridgeError } from '../contract/errors.ts';

/** EMV tags by one spelling. A map of them may spell a tag `9f02`, `9F 02` or `0x9F02`. */

/** Tags that hold the account number in clear: the number itself, tracks 1 and 2, and the track 2 of a contactless stripe (EMV book 3, annex A). */
export const accountTags = ['5A', '56', '57', '9F6B'] as const;

/** The one spelling of a tag: upper-case hex without blanks, signs or `0x`; undefined for what is no tag. */
export function normalisedTag(spelling: string): string | undefined {
  const tag = spelling
    .replace(/[\s:_-]/g, '')
    .toUpperCase()
    .replace(/^0X/, '');
  return /^([0-9A-F]{2}){1,4}$/.test(tag) ? tag : undefined;
}

/**
 * A map of tags under their one spelling, values in upper case, in the order given.
 * @throws BridgeError INVALID_REQUEST for a name that is no tag, and for a tag that is given twice in two spellings
 */
export function normalisedTags(emvTlv: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const [spelling, value] of Object.entries(emvTlv)) {
    const tag = normalisedTag(spelling);
    if (tag === undefined) throw refusal('emvTlv', 'has a key that is no EMV tag');
    if (tags.has(tag)) throw refusal(`emvTlv.${tag}`, 'is given twice');
    tags.set(tag, value.toUpperCase());
  }
  return tags;
}

function refusal(field: string, rule: string): BridgeError {
  return new BridgeError('INVALID_REQUEST', `${field} ${rule}`, { field });
}
