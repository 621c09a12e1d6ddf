import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bcdDigits, bcdNumber, packDigits, packNumber } from '../../../drivers/framing/bcd.ts';
import { crcKermit } from '../../../drivers/framing/crc-kermit.ts';
import { maskPan } from '../../../drivers/mask-pan.ts';
import { decodeApdu, encodeApdu } from '../../../drivers/zvt/codec/apdu.ts';
import { encodeBmp, parseBmps } from '../../../drivers/zvt/codec/bmp.ts';
import { authorizationCodeOf } from '../../../drivers/zvt/codec/card-facts.ts';
import { charsetOfTag14, decodeText, encodeText, tag14OfCharset } from '../../../drivers/zvt/codec/charset.ts';
import { packCardDigits, readCardDigits } from '../../../drivers/zvt/codec/pan.ts';
import { printStyle } from '../../../drivers/zvt/codec/print.ts';
import { decodeTlv, encodeTlv, findAllTlv, MAX_TLV_DEPTH, type TlvNode } from '../../../drivers/zvt/codec/tlv.ts';
import { bytesOf, hexOf, SEED } from './support.ts';

describe('CRC-16/KERMIT', () => {
  test('has the published check value 2189 for "123456789"', () => {
    expect(crcKermit(new TextEncoder().encode('123456789'))).toBe(0x2189);
  });
});

describe('BCD', () => {
  test('reads and packs amounts, never truncating', () => {
    expect(bcdNumber(bytesOf('99 99 99 99 99 99'))).toBe(999_999_999_999);
    expect(bcdNumber(bytesOf('00 00 00 00 1A 00'))).toBeUndefined();
    expect(bcdNumber(new Uint8Array(0))).toBeUndefined();
    expect(hexOf(packNumber(1250, 6))).toBe('00 00 00 00 12 50');
    for (const value of [1_000_000_000_000, -1, 1.5, Number.NaN, 2 ** 53]) {
      expect(() => packNumber(value, 6)).toThrow(RangeError);
    }
  });

  test('keeps zeros and letters of digit fields', () => {
    expect(bcdDigits(bytesOf('00 42'))).toBe('0042');
    expect(bcdDigits(bytesOf('FF FF'))).toBe('FFFF');
    expect(hexOf(packDigits('FFFF', 2))).toBe('FF FF');
    for (const digits of ['042', '00042', '00G2', '']) expect(() => packDigits(digits, 2)).toThrow(RangeError);
  });
});

describe('the APDU header', () => {
  test.each([
    [254, 'FE'],
    [255, 'FF FF 00'],
    [272, 'FF 10 01'],
    [65_535, 'FF FF FF'],
  ])('writes a length of %i as %s', (length, hex) => {
    const apdu = encodeApdu(0x06d3, new Uint8Array(length));
    expect(hexOf(apdu.subarray(2, apdu.length - length))).toBe(hex);
    expect(decodeApdu(apdu)).toMatchObject({ isComplete: true, controlField: 0x06d3, dataByteCount: length });
  });

  test('refuses data that no length form can hold', () => {
    expect(() => encodeApdu(0x06d3, new Uint8Array(65_536))).toThrow(RangeError);
  });
});

describe('TLV', () => {
  test.each([
    ['1F 10 01 02', [{ tag: 0x1f10, value: bytesOf('02') }]],
    ['07 81 80', undefined],
    ['07 83 00 00 01 41', undefined],
    ['07 80', undefined],
    ['1F', undefined],
    ['07', undefined],
    ['24 02 07 01', undefined],
  ])('reads %s as it should', (hex, nodes) => {
    const result = decodeTlv(bytesOf(hex));
    expect(result.ok ? result.nodes : undefined).toEqual(nodes);
  });

  test('names the innermost tag that is broken', () => {
    expect(decodeTlv(bytesOf('24 03 07 05 41'))).toEqual({ ok: false, tag: 0x07, reason: 'beyond-end' });
  });

  test('takes containers nested as deep as the limit and no deeper', () => {
    const nest = (depth: number): Uint8Array => {
      let bytes = new Uint8Array(0);
      for (let level = 0; level < depth; level++) bytes = Uint8Array.from([0x24, bytes.length, ...bytes]);
      return bytes;
    };
    expect(decodeTlv(nest(MAX_TLV_DEPTH - 1)).ok).toBe(true);
    expect(decodeTlv(nest(MAX_TLV_DEPTH + 1))).toMatchObject({ ok: false, reason: 'too-deep' });
  });

  test('writes lengths in their shortest form', () => {
    expect(hexOf(encodeTlv([{ tag: 0x07, value: new Uint8Array(0x7f) }]).subarray(0, 3))).toBe('07 7F 00');
    expect(hexOf(encodeTlv([{ tag: 0x07, value: new Uint8Array(0x80) }]).subarray(0, 3))).toBe('07 81 80');
    expect(hexOf(encodeTlv([{ tag: 0x07, value: new Uint8Array(0x100) }]).subarray(0, 4))).toBe('07 82 01 00');
  });

  test('gives back any tree it wrote', () => {
    const leaf: fc.Arbitrary<TlvNode> = fc.record({
      tag: fc.constantFrom(0x07, 0x08, 0x1f10, 0x1f73),
      value: fc.uint8Array({ maxLength: 200 }),
    });
    const tree = fc.array(
      fc.oneof(leaf, fc.record({ tag: fc.constantFrom(0x24, 0x2f, 0x60), children: fc.array(leaf, { maxLength: 4 }) })),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(tree, (nodes) => {
        expect(decodeTlv(encodeTlv(nodes))).toEqual({ ok: true, nodes });
      }),
      { seed: SEED },
    );
  });

  test('finds every tag on a path', () => {
    const result = decodeTlv(bytesOf('23 08 08 02 00 42 08 02 00 57 08 02 01 10'));
    const nodes = result.ok ? result.nodes : [];
    expect(findAllTlv(nodes, 0x23, 0x08).map(hexOf)).toEqual(['00 42', '00 57']);
    expect(findAllTlv(nodes, 0x08).map(hexOf)).toEqual(['01 10']);
    expect(findAllTlv(nodes, 0x23)).toEqual([]);
  });
});

describe('the BMP table', () => {
  /** As the standard's list of data objects and the captures have them. */
  const FIXED_LENGTHS =
    '01:1 02:1 03:1 04:6 05:1 0B:3 0C:3 0D:2 0E:2 17:2 19:1 27:1 29:4 2A:15 37:3 3A:2 3B:8 3D:3 49:2 70:4 71:4 72:1 ' +
    '73:1 74:1 75:1 87:2 88:3 8A:1 8C:1 A0:1 AA:3 BA:5 D0:1 D2:1 D3:1 E0:1 E9:1 EA:1 EB:8 F0:1 F9:1 FA:1 FB:1 FC:1 FD:1';
  const LL = '22 23 2D 4C 8B A7 D1 E1 E2 E3 E4 E5 E6 E7 E8 F1 F2 F3 F4 F5 F6 F7 F8';
  const LLL = '24 2E 3C 60 92 9A AF';
  const knows = (bmp: number, value: Uint8Array) =>
    expect(parseBmps(Uint8Array.from([...encodeBmp({ bmp, value }), 0x27, 0x6c])).fields).toEqual([
      { bmp, value },
      { bmp: 0x27, value: bytesOf('6C') },
    ]);

  test('skips every field of fixed length', () => {
    for (const entry of FIXED_LENGTHS.split(' ')) {
      const [bmp = '', length] = entry.split(':');
      const value = new Uint8Array(Number(length)).fill(0x11);
      expect(hexOf(encodeBmp({ bmp: Number.parseInt(bmp, 16), value }))).toBe(`${bmp} ${hexOf(value)}`);
      knows(Number.parseInt(bmp, 16), value);
    }
  });

  test('skips every field that tells its length in two or three digits', () => {
    for (const bmp of bytesOf(LL)) {
      expect(hexOf(encodeBmp({ bmp, value: new Uint8Array(12) }).subarray(1, 3))).toBe('F1 F2');
      knows(bmp, new Uint8Array(12));
      expect(() => encodeBmp({ bmp, value: new Uint8Array(100) })).toThrow(RangeError);
    }
    for (const bmp of bytesOf(LLL)) {
      expect(hexOf(encodeBmp({ bmp, value: new Uint8Array(120) }).subarray(1, 4))).toBe('F1 F2 F0');
      knows(bmp, new Uint8Array(120));
      expect(() => encodeBmp({ bmp, value: new Uint8Array(1000) })).toThrow(RangeError);
    }
  });

  test('knows no other number', () => {
    const known = new Set([
      ...FIXED_LENGTHS.split(' ').map((entry) => Number.parseInt(entry, 16)),
      ...bytesOf(LL),
      ...bytesOf(LLL),
      0x06,
    ]);
    for (let bmp = 0; bmp <= 0xff; bmp++) {
      const isKnown = parseBmps(Uint8Array.of(bmp)).end.kind !== 'unknown-bmp';
      expect([bmp, isKnown]).toEqual([bmp, known.has(bmp)]);
    }
  });

  test('refuses to write a value of another length than its number has', () => {
    expect(() => encodeBmp({ bmp: 0x04, value: new Uint8Array(5) })).toThrow(RangeError);
    expect(() => encodeBmp({ bmp: 0xee, value: new Uint8Array(1) })).toThrow(RangeError);
  });
});

describe('character sets', () => {
  test.each([
    [0xff, 'cp437', '81', 'ü'],
    [0x00, 'cp437', 'E1', 'ß'],
    [0x01, 'iso-8859-1', 'FC', 'ü'],
    [0x02, 'iso-8859-2', 'A3', 'Ł'],
    [0x05, 'iso-8859-5', 'B4', 'Д'],
    [0x0f, 'iso-8859-15', 'A4', '€'],
    [0x10, 'iso-8859-16', 'A4', '€'],
    [0xfe, 'utf-8', 'E2 82 AC', '€'],
  ])('tag 14 = %i is %s', (value, name, hex, text) => {
    const charset = charsetOfTag14(value);
    if (charset === undefined) throw new Error('unknown');
    expect(charset).toBe(name);
    expect(decodeText(bytesOf(hex), charset)).toBe(text);
    expect(hexOf(encodeText(text, charset))).toBe(hex);
    expect(charsetOfTag14(tag14OfCharset(charset))).toBe(charset);
  });

  test('a value of no list is none, and a part of ISO 8859 that was never published too', () => {
    expect(charsetOfTag14(0x0c)).toBeUndefined();
    expect(charsetOfTag14(0x77)).toBeUndefined();
  });

  test('keeps a byte order mark, control characters and trailing spaces', () => {
    expect(decodeText(bytesOf('EF BB BF 41 1A 20 20'), 'utf-8')).toBe('\uFEFFA\u001A  ');
  });

  test('keeps every byte of CP437 and ISO 8859-1', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(encodeText(decodeText(all, 'cp437'), 'cp437')).toEqual(all);
    expect(encodeText(decodeText(all, 'iso-8859-1'), 'iso-8859-1')).toEqual(all);
  });
});

describe('card numbers', () => {
  test('read masked digits, separators and padding, and pack them again', () => {
    for (const hex of ['67 11 10 EE EE EE EE EE 12 3F', '41 11 11 EE EE EE 11 11 D2 91', '']) {
      expect(hexOf(packCardDigits(readCardDigits(bytesOf(hex))))).toBe(hex);
    }
    expect(readCardDigits(bytesOf('67 11 10 EE 12 3F'))).toBe('671110**123');
  });

  test.each([
    ['4111111111111111', '411111******1111'],
    ['4111111111111', '411111***1111'],
    ['411111111111', '********1111'],
    ['411111*****11111', '411111******1111'],
    ['************4771', '************4771'],
    ['671110**********123', '671110**********123'],
    ['', ''],
  ])('%s is shown as %s', (pan, masked) => {
    expect(maskPan(pan)).toBe(masked);
  });

  test('the authorization code is text or nothing', () => {
    expect(authorizationCodeOf(bytesOf('36 31 31 38 30 34 00 00'))).toBe('611804');
    expect(authorizationCodeOf(bytesOf('A0 00 00 00 04 10 10 01'))).toBeUndefined();
    expect(authorizationCodeOf(new Uint8Array(8))).toBeUndefined();
  });
});

describe('print attributes', () => {
  test.each([
    [0x00, false, false, false, 0],
    [0x05, false, false, false, 5],
    [0x10, false, false, true, 0],
    [0x20, false, true, false, 0],
    [0x40, true, false, false, 0],
    [0x50, true, false, true, 0],
    [0x60, true, true, false, 0],
    [0x81, false, false, false, 0],
  ])('%i', (attribute, isCentred, isDoubleWidth, isDoubleHeight, indent) => {
    expect(printStyle(attribute)).toEqual({ isCentred, isDoubleWidth, isDoubleHeight, indent });
  });
});
