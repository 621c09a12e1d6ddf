// BMP list: number, then a value whose length only a table knows (PA00P015, chapter "Definition of the data objects").
import { concatBytes } from '../../framing/bytes.ts';
import type { BmpField } from './message-types.ts';
import { berLength, readBerLength } from './tlv.ts';

/** Fixed number of bytes, or where the length stands: LL = Fx Fy, LLL = Fx Fy Fz (digits in the low nibbles), TLV = BER. */
type BmpLength = number | 'LL' | 'LLL' | 'TLV';

/** The container of TLV data. */
export const TLV_CONTAINER_BMP = 0x06;

const FIXED: readonly (readonly [length: number, bmps: readonly number[]])[] = [
  [1, [0x01, 0x02, 0x03, 0x05, 0x19, 0x27, 0x72, 0x73, 0x74, 0x75, 0x8a, 0x8c, 0xa0, 0xd0, 0xd2, 0xd3]],
  [1, [0xe0, 0xe9, 0xea, 0xf0, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd]],
  [2, [0x0d, 0x0e, 0x17, 0x3a, 0x49, 0x87]],
  [3, [0x0b, 0x0c, 0x37, 0x3d, 0x88, 0xaa]],
  [4, [0x29, 0x70, 0x71]],
  [5, [0xba]],
  [6, [0x04]],
  [8, [0x3b, 0xeb]],
  [15, [0x2a]],
];
const LL = [0x22, 0x23, 0x2d, 0x4c, 0x8b, 0xa7, 0xd1, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8];
const LL_DISPLAY_LINES = [0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8];
const LLL = [0x24, 0x2e, 0x3c, 0x60, 0x92, 0x9a, 0xaf];

const LENGTHS: ReadonlyMap<number, BmpLength> = new Map<number, BmpLength>([
  ...FIXED.flatMap(([length, bmps]) => bmps.map((bmp) => [bmp, length] as const)),
  ...[...LL, ...LL_DISPLAY_LINES].map((bmp) => [bmp, 'LL'] as const),
  ...LLL.map((bmp) => [bmp, 'LLL'] as const),
  [TLV_CONTAINER_BMP, 'TLV'],
]);

export interface BmpList {
  readonly fields: readonly BmpField[];
  /** how the list ended */
  readonly end:
    | { readonly kind: 'complete' }
    /** `bmp` is on no list: its length, and so all that follows, is unknown */
    | { readonly kind: 'unknown-bmp'; readonly bmp: number; readonly rest: Uint8Array }
    /** the value of `bmp` reaches beyond the end, or its length digits are none */
    | { readonly kind: 'malformed'; readonly bmp: number };
}

/** Splits a BMP list into its fields. Never throws. */
export function parseBmps(bytes: Uint8Array): BmpList {
  const fields: BmpField[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const bmp = bytes[offset] ?? 0;
    const length = LENGTHS.get(bmp);
    if (length === undefined) return { fields, end: { kind: 'unknown-bmp', bmp, rest: bytes.slice(offset) } };
    const value = readValue(bytes, offset + 1, length);
    if (value === undefined) return { fields, end: { kind: 'malformed', bmp } };
    fields.push({ bmp, value: bytes.slice(value.start, value.end) });
    offset = value.end;
  }
  return { fields, end: { kind: 'complete' } };
}

function readValue(bytes: Uint8Array, offset: number, length: BmpLength): { start: number; end: number } | undefined {
  const measured = measure(bytes, offset, length);
  if (measured === undefined) return undefined;
  const end = measured.start + measured.length;
  return end > bytes.length ? undefined : { start: measured.start, end };
}

function measure(bytes: Uint8Array, offset: number, length: BmpLength): { start: number; length: number } | undefined {
  if (typeof length === 'number') return { start: offset, length };
  if (length === 'TLV') {
    const ber = readBerLength(bytes, offset);
    return ber.ok ? { start: ber.nextOffset, length: ber.length } : undefined;
  }
  const value = readLengthDigits(bytes, offset, length.length);
  return value === undefined ? undefined : { start: offset + length.length, length: value };
}

/** Reads `count` length digits F0–F9; undefined when one is no such byte or missing. */
export function readLengthDigits(bytes: Uint8Array, offset: number, count: number): number | undefined {
  let value = 0;
  for (let index = 0; index < count; index++) {
    const byte = bytes[offset + index];
    if (byte === undefined || byte < 0xf0 || byte > 0xf9) return undefined;
    value = value * 10 + (byte & 0x0f);
  }
  return value;
}

/**
 * Writes a length as `count` digits F0–F9.
 * @throws RangeError when it has more digits
 */
export function lengthDigits(length: number, count: number): Uint8Array {
  const digits = String(length).padStart(count, '0');
  if (digits.length > count) throw new RangeError(`A length of ${length} does not fit in ${count} digits`);
  return Uint8Array.from(digits, (digit) => 0xf0 + Number(digit));
}

/**
 * Encodes one BMP with the length form its number has.
 * @throws RangeError for a number on no list, or a value that does not have the fixed length or exceeds the length digits
 */
export function encodeBmp({ bmp, value }: BmpField): Uint8Array {
  const length = LENGTHS.get(bmp);
  if (length === undefined) throw new RangeError(`BMP ${bmp.toString(16)} is on no list`);
  if (typeof length === 'number' && value.length !== length) {
    throw new RangeError(`BMP ${bmp.toString(16)} takes ${length} bytes, got ${value.length}`);
  }
  const prefix =
    typeof length === 'number'
      ? new Uint8Array(0)
      : length === 'TLV'
        ? berLength(value.length)
        : lengthDigits(value.length, length.length);
  return concatBytes(Uint8Array.of(bmp), prefix, value);
}
