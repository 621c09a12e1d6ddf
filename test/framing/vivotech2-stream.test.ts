import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crcCcitt } from '../../drivers/framing/crc-ccitt.ts';
import { grownContent } from '../../drivers/framing/grown-bytes.ts';
import {
  encodeVivotech2Frame,
  MAX_VIVOTECH2_FRAME_BYTES,
  type ReadFrame,
  type Vivotech2Frame,
} from '../../drivers/framing/vivotech2-frame.ts';
import {
  decodeVivotech2,
  giveUpVivotech2,
  INITIAL_VIVOTECH2_STATE,
  isReceivingVivotech2,
  MAX_VIVOTECH2_SILENCE_MS,
  type Vivotech2Item,
} from '../../drivers/framing/vivotech2-stream.ts';
import { FRAME_ITEMS, receive } from '../neo2/codec/fixture.ts';
import { readItem } from '../neo2/codec/fixture-checks.ts';
import { bytesOf, hexOf, joined, randomChunks, SEED } from '../zvt/codec/support.ts';

const MAX_DATA_BYTES = MAX_VIVOTECH2_FRAME_BYTES - 16;
const PING_REPLY = bytesOf('56 69 56 4F 74 65 63 68 32 00 18 00 00 00 FA 83');
const PING_FRAME: Vivotech2Frame = { kind: 'message', command: 0x18, code: 0x00, data: new Uint8Array(0) };
/** Bytes that make headers, lengths and near misses likely. */
const busyBytes = fc.array(
  fc.oneof(
    fc.constantFrom(...bytesOf('56 69 56 4F 74 65 63 68 32 00 45 00 55 00 01')).map((byte) => [byte]),
    fc.constantFrom(PING_REPLY, PING_REPLY.subarray(0, 14), bytesOf('45 00 55 00')).map((bytes) => Array.from(bytes)),
    fc.integer({ min: 0, max: 255 }).map((byte) => [byte]),
  ),
  { maxLength: 120 },
);

const framesOf = (items: readonly Vivotech2Item[]): readonly ReadFrame[] =>
  items.flatMap((item) => (item.type === 'frame' ? [{ frame: item.frame, crcOrder: item.crcOrder }] : []));

/** The frames as they travelled. */
const wireOf = (items: readonly Vivotech2Item[]) =>
  framesOf(items)
    .map(({ frame, crcOrder }) => hexOf(encodeVivotech2Frame(frame, crcOrder)))
    .join(' ');

function byteCount(item: Vivotech2Item): number {
  if (item.type === 'noise') return item.bytes.length;
  return item.type === 'fault' ? item.discardedByteCount : encodeVivotech2Frame(item.frame, item.crcOrder).length;
}

describe('the receiver of NEO 2 frames', () => {
  test.each(FRAME_ITEMS)('$id gives the same frame cut in two anywhere and byte by byte', (item) => {
    const bytes = bytesOf(item.hex);
    const whole = [readItem(item)];
    const cuts = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
    const broken = cuts.filter((cut) => {
      const { items, state } = receive([bytes.subarray(0, cut), bytes.subarray(cut)]);
      return wireOf(items) !== item.hex || state.pending.length > 0;
    });
    expect(broken).toEqual([]);
    const single = receive(Array.from(bytes, (byte) => Uint8Array.of(byte)));
    expect(single).toEqual({ items: [{ type: 'frame', ...whole[0] }], state: INITIAL_VIVOTECH2_STATE });
  });

  test.each(FRAME_ITEMS.filter(({ hex }) => hex.length < 1200))(
    '$id is pending when its end is missing, given up when the line falls silent, and the next frame is taken',
    (item) => {
      const bytes = bytesOf(item.hex);
      const cuts = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
      const broken = cuts.filter((cut) => {
        const { items, state } = receive([bytes.subarray(0, cut)]);
        const late = giveUpVivotech2(state);
        const isKept = items.length === 0 && isReceivingVivotech2(state);
        const isGivenUp = wireOf(late.items) === '' && late.items.reduce((sum, one) => sum + byteCount(one), 0) === cut;
        const next = wireOf(decodeVivotech2(late.state, PING_REPLY).items);
        return !(isKept && isGivenUp && next === hexOf(PING_REPLY));
      });
      expect(broken).toEqual([]);
    },
  );

  test('gives all frames of one stream, joined, doubled and with noise between them, in any chunking', () => {
    const noise = bytesOf('00 FF 56 69 45 00 56 69 56 4F 74 0A');
    const stream = joined(...FRAME_ITEMS.flatMap(({ hex }) => [bytesOf(hex), noise, bytesOf(hex), bytesOf(hex)]));
    const expected = FRAME_ITEMS.flatMap((item) => Array.from({ length: 3 }, () => readItem(item)));
    expect(framesOf(receive([stream]).items)).toEqual(expected);
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 1, max: 700 })), (sizes) => {
        expect(framesOf(receive(randomChunks(stream, sizes)).items)).toEqual(expected);
      }),
      { seed: SEED, numRuns: 20 },
    );
  });

  test('finds the frame behind one that was cut off: at once when the lengths meet, and when the line falls silent', () => {
    const cut = encodeVivotech2Frame(
      { kind: 'message', command: 0x60, code: 0, data: new Uint8Array(40) },
      'HIGH_FIRST',
    );
    for (let length = 1; length < cut.length; length++) {
      const { items, state } = receive([cut.subarray(0, length), PING_REPLY]);
      const late = giveUpVivotech2(state);
      expect(framesOf([...items, ...late.items])).toEqual([{ frame: PING_FRAME, crcOrder: 'HIGH_FIRST' }]);
      const total = [...items, ...late.items].reduce((sum, one) => sum + byteCount(one), 0);
      expect(total).toBe(length + PING_REPLY.length);
      const full = receive([cut.subarray(0, length), ...Array.from({ length: 8 }, () => PING_REPLY)]);
      // Eight answers are more than any cut swallows: all of them are found, without waiting for silence.
      expect(framesOf(full.items)).toHaveLength(8);
    }
  });

  test('takes no frame out of one with any single byte changed', () => {
    const frame = bytesOf(FRAME_ITEMS.find(({ id }) => id === 'result-0002')?.hex ?? '');
    expect(frame).toHaveLength(23);
    for (let index = 0; index < frame.length; index++) {
      for (let flip = 1; flip < 256; flip++) {
        const changed = frame.slice();
        changed[index] = (frame[index] ?? 0) ^ flip;
        const { items, state } = receive([changed]);
        expect(framesOf([...items, ...giveUpVivotech2(state).items])).toEqual([]);
      }
    }
  });

  test('accepts either order of the CRC and says which it was', () => {
    for (const order of ['LOW_FIRST', 'HIGH_FIRST'] as const) {
      expect(framesOf(receive([encodeVivotech2Frame(PING_FRAME, order)]).items)).toEqual([
        { frame: PING_FRAME, crcOrder: order },
      ]);
    }
  });

  test('takes the longest frame, refuses to build a longer one, and gives up one that says to be longer', () => {
    const longest = { kind: 'message', command: 0x03, code: 0x00, data: new Uint8Array(MAX_DATA_BYTES) } as const;
    const bytes = encodeVivotech2Frame(longest, 'HIGH_FIRST');
    expect(bytes).toHaveLength(MAX_VIVOTECH2_FRAME_BYTES);
    expect(framesOf(receive([bytes]).items)).toHaveLength(1);
    expect(() => encodeVivotech2Frame({ ...longest, data: new Uint8Array(MAX_DATA_BYTES + 1) }, 'LOW_FIRST')).toThrow(
      RangeError,
    );
    const event = { kind: 'event', data: new Uint8Array(256) } as const;
    expect(() => encodeVivotech2Frame(event, 'HIGH_FIRST')).toThrow(RangeError);
    const tooLong = joined(PING_REPLY.subarray(0, 12), Uint8Array.of(0x05, 0xcd), PING_REPLY);
    expect(receive([tooLong]).items).toEqual([
      { type: 'fault', reason: 'too-long', discardedByteCount: 14 },
      { type: 'frame', frame: PING_FRAME, crcOrder: 'HIGH_FIRST' },
    ]);
  });

  test('takes any bytes without throwing, loses none of them, keeps less than one frame, and takes a frame after silence', () => {
    fc.assert(
      fc.property(busyBytes, fc.infiniteStream(fc.integer({ min: 1, max: 90 })), (data, sizes) => {
        const bytes = Uint8Array.from(data.flat());
        let state = INITIAL_VIVOTECH2_STATE;
        const items: Vivotech2Item[] = [];
        for (const chunk of randomChunks(bytes, sizes)) {
          const step = decodeVivotech2(state, chunk);
          state = step.state;
          items.push(...step.items);
          expect(state.pending.length).toBeLessThan(MAX_VIVOTECH2_FRAME_BYTES);
        }
        const late = giveUpVivotech2(state);
        expect([...items, ...late.items].reduce((sum, item) => sum + byteCount(item), 0)).toBe(bytes.length);
        expect(framesOf(decodeVivotech2(late.state, PING_REPLY).items)).toHaveLength(1);
        expect(framesOf(items)).toEqual(framesOf(receive([bytes]).items));
      }),
      { seed: SEED, numRuns: 1000 },
    );
  });

  test('keeps the bound and the pace under an endless line of broken frames', () => {
    const data = new Uint8Array(MAX_DATA_BYTES);
    for (let offset = 0; offset + 14 <= data.length; offset += 14) data.set(PING_REPLY.subarray(0, 14), offset);
    const broken = encodeVivotech2Frame({ kind: 'message', command: 0x03, code: 0, data }, 'HIGH_FIRST');
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 0x01;
    let state = INITIAL_VIVOTECH2_STATE;
    for (let count = 0; count < 20; count++) {
      const step = decodeVivotech2(state, broken);
      state = step.state;
      expect(framesOf(step.items)).toEqual([]);
      expect(state.pending.length).toBeLessThan(MAX_VIVOTECH2_FRAME_BYTES);
    }
  });

  test('waits in silence for longer than the longest frame takes at 115,200 baud', () => {
    expect(MAX_VIVOTECH2_SILENCE_MS).toBeGreaterThan((MAX_VIVOTECH2_FRAME_BYTES * 10 * 1000) / 115_200);
  });

  test('does not change the state it was given', () => {
    const first = decodeVivotech2(INITIAL_VIVOTECH2_STATE, PING_REPLY.subarray(0, 9)).state;
    const before = hexOf(grownContent(first.pending));
    decodeVivotech2(first, PING_REPLY.subarray(9));
    expect(hexOf(grownContent(first.pending))).toBe(before);
    expect(decodeVivotech2(first, PING_REPLY.subarray(9)).items).toHaveLength(1);
  });

  test('computes the CRC of the guide and of the published check string', () => {
    expect(crcCcitt(PING_REPLY.subarray(0, 14))).toBe(0xfa83);
    // CRC-16/CCITT-FALSE of "123456789".
    expect(crcCcitt(bytesOf('31 32 33 34 35 36 37 38 39'))).toBe(0x29b1);
  });
});
