// TLV as NEO 2 readers write it: BER with two exceptions of their own.
// A1 nn and C1 nn are no BER lengths but mark what follows as masked or encrypted; some of the makers' tags end where BER would go on.
import { concatBytes, fromHex, toHex } from '../../framing/bytes.ts';

/** How a value travels: in the clear, with the middle of a card number masked (A1), or encrypted under the account data key (C1). */
type NeoTagForm = 'CLEAR' | 'MASKED' | 'ENCRYPTED';

/** One tag; `tag` in upper-case hex, e.g. `9F02` or `DFEE25`. */
export interface NeoTag {
  readonly tag: string;
  readonly form: NeoTagForm;
  readonly value: Uint8Array;
}

export type NeoTlvResult =
  | { readonly ok: true; readonly tags: readonly NeoTag[] }
  /** `tag` is the one whose length does not fit; undefined when not even a tag could be read */
  | { readonly ok: false; readonly tag?: string; readonly reason: 'beyond-end' | 'bad-length' | 'bad-tag' };

const MARKS: readonly (readonly [form: NeoTagForm, mark: number])[] = [
  ['MASKED', 0xa1],
  ['ENCRYPTED', 0xc1],
];

/** DFEE12, DF8122; nothing a reader sends is longer. */
const MAX_TAG_BYTES = 3;
const MAX_ONE_BYTE_LENGTH = 0xff;
const MAX_LENGTH = 0xffff;

/** Decodes a list of tags that must fill `bytes` exactly. Never throws. */
export function decodeNeoTlv(bytes: Uint8Array): NeoTlvResult {
  const tags: NeoTag[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const tagByteCount = readTagLength(bytes, offset);
    if (tagByteCount === undefined) return { ok: false, reason: 'bad-tag' };
    const tag = toHex(bytes.subarray(offset, offset + tagByteCount));
    const length = readLength(bytes, offset + tagByteCount);
    if (typeof length === 'string') return { ok: false, tag, reason: length };
    const end = length.nextOffset + length.length;
    if (end > bytes.length) return { ok: false, tag, reason: 'beyond-end' };
    tags.push({ tag, form: length.form, value: bytes.slice(length.nextOffset, end) });
    offset = end;
  }
  return { ok: true, tags };
}

/**
 * Encodes tags one after the other, every length in its shortest form.
 * @throws RangeError for a tag that is none or a value that is too long for its form
 */
export function encodeNeoTlv(tags: readonly NeoTag[]): Uint8Array {
  return concatBytes(
    ...tags.flatMap(({ tag, form, value }) => [encodeTag(tag), encodeLength(form, value.length), value]),
  );
}

/** The value of the first tag that travels in the clear. */
export function clearValue(tags: readonly NeoTag[], tag: string): Uint8Array | undefined {
  return tags.find((one) => one.tag === tag && one.form === 'CLEAR')?.value;
}

/** A tag in the clear. */
export function clearTag(tag: string, value: Uint8Array): NeoTag {
  return { tag, form: 'CLEAR', value };
}

/** How many bytes the tag at `offset` has; undefined when it does not end within the bytes or within MAX_TAG_BYTES. */
function readTagLength(bytes: Uint8Array, offset: number): number | undefined {
  const first = bytes[offset] ?? 0;
  if ((first & 0x1f) !== 0x1f) return 1;
  const second = bytes[offset + 1];
  if (second === undefined) return undefined;
  if (isShortMakersTag(first, second)) return 2;
  for (let index = 1; index < MAX_TAG_BYTES; index++) {
    const byte = bytes[offset + index];
    if (byte === undefined) return undefined;
    if ((byte & 0x80) === 0) return index + 1;
  }
  return undefined;
}

/** FFF7, FFF1, FFE6 (guide, chapters 4 and 8) have two bytes although the top bit of the second is set. FFEExx has three. */
function isShortMakersTag(first: number, second: number): boolean {
  return first === 0xff && second >= 0xe0 && second !== 0xee;
}

interface ReadLength {
  readonly form: NeoTagForm;
  readonly length: number;
  readonly nextOffset: number;
}

function readLength(bytes: Uint8Array, offset: number): ReadLength | 'beyond-end' | 'bad-length' {
  const [first, second, third] = bytes.subarray(offset, offset + 3);
  if (first === undefined) return 'beyond-end';
  if (first < 0x80) return { form: 'CLEAR', length: first, nextOffset: offset + 1 };
  const form = MARKS.find(([, mark]) => mark === first)?.[0] ?? 'CLEAR';
  if (form === 'CLEAR' && first !== 0x81 && first !== 0x82) return 'bad-length';
  if (second === undefined) return 'beyond-end';
  if (first !== 0x82) return { form, length: second, nextOffset: offset + 2 };
  return third === undefined ? 'beyond-end' : { form, length: second * 256 + third, nextOffset: offset + 3 };
}

function encodeTag(tag: string): Uint8Array {
  const bytes = fromHex(tag);
  if (readTagLength(bytes, 0) !== bytes.length || bytes.length === 0) throw new RangeError(`${tag} is no tag`);
  return bytes;
}

function encodeLength(form: NeoTagForm, length: number): Uint8Array {
  const mark = MARKS.find(([marked]) => marked === form)?.[1];
  if (length > (mark === undefined ? MAX_LENGTH : MAX_ONE_BYTE_LENGTH)) {
    throw new RangeError(`A value of ${length} bytes is too long`);
  }
  if (mark !== undefined) return Uint8Array.of(mark, length);
  if (length < 0x80) return Uint8Array.of(length);
  return length <= MAX_ONE_BYTE_LENGTH ? Uint8Array.of(0x81, length) : Uint8Array.of(0x82, length >> 8, length & 0xff);
}
