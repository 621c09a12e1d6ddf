import iconv from 'iconv-lite';

/** The part of ISO 8859 (12 was never published). */
type Iso8859Part = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 13 | 14 | 15 | 16;

/** Character sets a terminal can announce in TLV tag 14. */
export type ZvtCharset = 'cp437' | 'utf-8' | `iso-8859-${Iso8859Part}`;

/** What holds when neither the message nor the registration names one (ZVT PA00P015, tag 14 = FF). */
export const DEFAULT_CHARSET: ZvtCharset = 'cp437';

/** Tag 14 → character set: FF and 00 CP437, FE UTF-8, 01–10 (hex) the parts of ISO 8859. */
const CHARSET_BY_TAG_14: ReadonlyMap<number, ZvtCharset> = new Map<number, ZvtCharset>([
  [0xff, 'cp437'],
  [0x00, 'cp437'],
  [0xfe, 'utf-8'],
  [0x01, 'iso-8859-1'],
  [0x02, 'iso-8859-2'],
  [0x03, 'iso-8859-3'],
  [0x04, 'iso-8859-4'],
  [0x05, 'iso-8859-5'],
  [0x06, 'iso-8859-6'],
  [0x07, 'iso-8859-7'],
  [0x08, 'iso-8859-8'],
  [0x09, 'iso-8859-9'],
  [0x0a, 'iso-8859-10'],
  [0x0b, 'iso-8859-11'],
  [0x0d, 'iso-8859-13'],
  [0x0e, 'iso-8859-14'],
  [0x0f, 'iso-8859-15'],
  [0x10, 'iso-8859-16'],
]);

/** The character set a tag 14 value means; undefined for a value no list contains. */
export function charsetOfTag14(value: number): ZvtCharset | undefined {
  return CHARSET_BY_TAG_14.get(value);
}

/** The tag 14 value of a character set (FF for CP437). */
export function tag14OfCharset(charset: ZvtCharset): number {
  for (const [value, name] of CHARSET_BY_TAG_14) if (name === charset) return value;
  return 0xff;
}

/** Decodes text exactly: control characters, trailing spaces and a byte order mark stay. */
export function decodeText(bytes: Uint8Array, charset: ZvtCharset): string {
  return iconv.decode(bytes, charset, { stripBOM: false });
}

/** Encodes text; a character the set lacks becomes a question mark. */
export function encodeText(text: string, charset: ZvtCharset): Uint8Array {
  return Uint8Array.from(iconv.encode(text, charset));
}
