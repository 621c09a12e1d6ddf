/** EMV tags in DE 55, as hex: tag, length (BER), value. */

const SHORT_LENGTH_MAX = 0x7f;

/** @param tags tag → value, upper-case hex */
export function encodeTlv(tags: Iterable<readonly [tag: string, value: string]>): string {
  return [...tags].map(([tag, value]) => tag + lengthHex(value.length / 2) + value).join('');
}

function lengthHex(length: number): string {
  const hex = length.toString(16).padStart(2, '0').toUpperCase();
  return length > SHORT_LENGTH_MAX ? `81${hex}` : hex;
}

/** Tags and values in the order given; undefined when the bytes are no list of tags. */
export function decodeTlv(hex: string): readonly (readonly [tag: string, value: string])[] | undefined {
  const tags: [string, string][] = [];
  for (let rest = hex; rest.length > 0; ) {
    const read = readTag(rest);
    if (read === undefined) return undefined;
    tags.push([read.tag, read.value]);
    rest = read.rest;
  }
  return tags;
}

function readTag(hex: string): { readonly tag: string; readonly value: string; readonly rest: string } | undefined {
  const tag = readName(hex);
  const first = Number.parseInt(hex.slice(tag.length, tag.length + 2), 16);
  const isLong = first === 0x81;
  const start = tag.length + (isLong ? 4 : 2);
  const length = isLong ? Number.parseInt(hex.slice(start - 2, start), 16) : first;
  if (Number.isNaN(length) || (!isLong && first > SHORT_LENGTH_MAX)) return undefined;
  const end = start + length * 2;
  return end > hex.length ? undefined : { tag, value: hex.slice(start, end), rest: hex.slice(end) };
}

/** One byte, and more while they say so: five low bits set, then the highest bit. */
function readName(hex: string): string {
  let end = 2;
  if ((Number.parseInt(hex.slice(0, 2), 16) & 0x1f) === 0x1f) {
    do end += 2;
    while ((Number.parseInt(hex.slice(end - 2, end), 16) & 0x80) !== 0);
  }
  return hex.slice(0, end);
}
