import { fromHex } from '../../../framing/bytes.ts';

/** EMV tags by name in upper-case hex, in the order in which they are told. */
export type EmvTags = ReadonlyMap<string, Uint8Array>;

/** Tags from data written as hex. */
export function tagsOf(values: Readonly<Record<string, string>>): EmvTags {
  return new Map(Object.entries(values).map(([tag, hex]) => [tag, fromHex(hex)]));
}

/** Several groups of tags as one; the later one wins. */
export function joinTags(...groups: readonly EmvTags[]): EmvTags {
  return new Map(groups.flatMap((group) => [...group]));
}

/** @throws RangeError when it is not there: a cryptogram over something else would look like a wrong key */
export function requireTag(tags: EmvTags, tag: string): Uint8Array {
  const value = tags.get(tag);
  if (value === undefined) throw new RangeError(`The card needs the tag ${tag}`);
  return value;
}

/** Digits, two in a byte, with zeros before them. @throws RangeError when they do not fit */
export function digitBytes(value: number | string, bytes: number): Uint8Array {
  const digits = String(value);
  if (!/^[0-9]+$/.test(digits) || digits.length > bytes * 2)
    throw new RangeError(`${digits} is no number of ${bytes * 2} digits`);
  return fromHex(digits.padStart(bytes * 2, '0'));
}
