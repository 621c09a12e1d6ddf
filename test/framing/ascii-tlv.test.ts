import { describe, expect, it } from 'vitest';
import {
  decodeTlv,
  decodeTlvStream,
  encodeTlv,
  INITIAL_TLV_STATE,
  isOnBoundary,
  type TlvItem,
  type TlvStreamState,
} from '../../drivers/framing/ascii-tlv.ts';
import { CAISSE_AP_FIXTURE } from '../caisse-ap/codec/fixture.ts';
import { bytesOf } from '../support/hex.ts';

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** What a stream gives in these reads, garbage joined: its pieces depend on where it was cut. */
function readIn(chunks: readonly Uint8Array[]): { state: TlvStreamState; fields: TlvItem[]; garbage: number[] } {
  let state = INITIAL_TLV_STATE;
  const items: TlvItem[] = [];
  for (const chunk of chunks) {
    const step = decodeTlvStream(state, chunk);
    state = step.state;
    items.push(...step.items);
  }
  return {
    state,
    fields: items.filter(({ type }) => type === 'field'),
    garbage: items.flatMap((item) => (item.type === 'garbage' ? [...item.bytes] : [])),
  };
}

describe('fields of two letters, three digits and a value', () => {
  it.each(CAISSE_AP_FIXTURE.map((item) => [item.id, item] as const))(
    '%s reads the same cut at any byte',
    (_id, item) => {
      const bytes = bytesOf(item.hex);
      const whole = readIn([bytes]);
      const ways = [
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
        ...(item.chunks === undefined ? [] : [item.chunks.map((chunk) => bytesOf(chunk))]),
        ...Array.from(bytes, (_, place) => [bytes.subarray(0, place), bytes.subarray(place)]),
      ];
      for (const way of ways) {
        const read = readIn(way);
        expect(read.fields).toEqual(whole.fields);
        expect(read.state).toEqual(whole.state);
        expect(read.garbage).toEqual(whole.garbage);
      }
    },
  );

  it.each(CAISSE_AP_FIXTURE.filter(({ hex }) => hex !== '').map((item) => [item.id, item] as const))(
    '%s loses no byte: each is of a field, pending or garbage',
    (_id, item) => {
      const bytes = bytesOf(item.hex);
      for (let length = 1; length <= bytes.length; length++) {
        const { state, fields, garbage } = readIn([bytes.subarray(0, length)]);
        const ofFields = fields.reduce((sum, field) => sum + (field.type === 'field' ? 5 + field.value.length : 0), 0);
        expect(ofFields + state.pending.length + garbage.length).toBe(length);
        expect(isOnBoundary(state)).toBe(garbage.length === 0 && ofFields === length);
      }
    },
  );

  it.each([
    ['a small letter', 'cz0040300'],
    ['a digit in the tag', 'C10040300'],
    ['a blank in the length', 'CZ0 40300'],
    ['a sign in the length', 'CZ-040300'],
    ['a line end in a value', 'CZ00403\r\n'],
    ['a line end behind a field', 'CZ0040300\r\n'],
    ['what a web server says', 'HTTP/1.1 400 Bad Request'],
  ])('%s is garbage, and so is all after it', (_what, text) => {
    const { state, garbage } = readIn([ascii(text), ascii('CZ0040300')]);
    expect(state.isLost).toBe(true);
    expect(isOnBoundary(state)).toBe(false);
    expect(garbage.slice(-9)).toEqual([...ascii('CZ0040300')]);
  });

  it('is given up before a wrong field is whole', () => {
    expect(decodeTlvStream(INITIAL_TLV_STATE, ascii('H')).state.isLost).toBe(false);
    expect(decodeTlvStream(INITIAL_TLV_STATE, ascii('HT')).state.isLost).toBe(false);
    expect(decodeTlvStream(INITIAL_TLV_STATE, ascii('HTT')).state.isLost).toBe(true);
  });

  it('keeps at most one field of the longest kind', () => {
    const { state } = decodeTlvStream(INITIAL_TLV_STATE, ascii(`ZR999${'X'.repeat(998)}`));
    expect(state.pending.length).toBe(1_003);
    expect(decodeTlvStream(state, ascii('XCZ')).state.pending).toEqual(ascii('CZ'));
  });

  it('tells whole, cut and garbage apart', () => {
    expect(decodeTlv(ascii('CZ0040300AE00210')).end).toBe('WHOLE');
    expect(decodeTlv(ascii('CZ0040300AE0021')).end).toBe('CUT');
    expect(decodeTlv(ascii('CZ0040300ae00210')).end).toBe('GARBAGE');
    expect(decodeTlv(ascii('CZ0040300AE00210')).fields).toEqual([
      { tag: 'CZ', value: '0300' },
      { tag: 'AE', value: '10' },
    ]);
  });

  it('writes the length in three digits, and refuses what does not fit', () => {
    expect(encodeTlv([{ tag: 'CD', value: '0' }])).toEqual(ascii('CD0010'));
    expect(encodeTlv([{ tag: 'AC', value: '' }])).toEqual(ascii('AC000'));
    expect(encodeTlv([{ tag: 'ZR', value: 'X'.repeat(999) }])).toEqual(ascii(`ZR999${'X'.repeat(999)}`));
    expect(() => encodeTlv([{ tag: 'ZR', value: 'X'.repeat(1_000) }])).toThrow(RangeError);
    expect(() => encodeTlv([{ tag: 'Z', value: 'X' }])).toThrow(RangeError);
    expect(() => encodeTlv([{ tag: 'CB', value: '1\n0' }])).toThrow(RangeError);
    expect(() => encodeTlv([{ tag: 'CB', value: '€' }])).toThrow(RangeError);
  });
});
