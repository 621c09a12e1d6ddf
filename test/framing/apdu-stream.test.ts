import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeStream,
  INITIAL_STREAM_STATE,
  MAX_STREAM_APDU_BYTES,
  pendingBytes,
  type StreamItem,
  type StreamState,
} from '../../drivers/framing/apdu-stream.ts';
import { APDU_FIXTURE } from '../zvt/codec/fixture.ts';
import { bytesOf, hexOf, joined, randomChunks, SEED } from '../zvt/codec/support.ts';

function run(chunks: readonly Uint8Array[]): { readonly items: readonly string[]; readonly state: StreamState } {
  let state = INITIAL_STREAM_STATE;
  const items: StreamItem[] = [];
  for (const chunk of chunks) {
    const step = decodeStream(state, chunk);
    state = step.state;
    items.push(...step.items);
  }
  return { items: merged(items), state };
}

/** Garbage is reported with the read it came in; how reads were cut must not matter. */
function merged(items: readonly StreamItem[]): readonly string[] {
  const texts: string[] = [];
  let wasGarbage = false;
  for (const item of items) {
    const isGarbage = item.type === 'garbage';
    const hex = hexOf(item.type === 'apdu' ? item.apdu : item.bytes);
    if (isGarbage && wasGarbage) texts[texts.length - 1] += ` ${hex}`;
    else texts.push(`${item.type} ${hex}`);
    wasGarbage = isGarbage;
  }
  return texts;
}

const WHOLE = APDU_FIXTURE.filter(
  ({ expect: { complete, stream, specificationSlip } }) => complete === true && !stream && !specificationSlip,
);
const CUT = APDU_FIXTURE.filter(({ expect: { complete, knownCommand, command } }) => {
  return complete === false && knownCommand !== false && command !== '1E 01';
});
const sizes = fc.infiniteStream(fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 1500 })));

describe('the stream of APDUs', () => {
  test('gives every whole message of the fixture, all joined, in any fragmentation', () => {
    const all = joined(...WHOLE.map(({ hex }) => bytesOf(hex)));
    const expected = WHOLE.map(({ hex }) => `apdu ${hex}`);
    expect(WHOLE.length).toBeGreaterThan(260);
    expect(run([all]).items).toEqual(expected);
    fc.assert(
      fc.property(sizes, (chunkSizes) => {
        expect(run(randomChunks(all, chunkSizes)).items).toEqual(expected);
      }),
      { seed: SEED, numRuns: 30 },
    );
  });

  test.each(WHOLE)('$id comes whole when it is cut in two anywhere', ({ hex }) => {
    const bytes = bytesOf(hex);
    for (let cut = 1; cut < bytes.length; cut++) {
      const { items, state } = run([bytes.subarray(0, cut), bytes.subarray(cut)]);
      expect(items).toEqual([`apdu ${hex}`]);
      expect(state.pendingByteCount).toBe(0);
    }
  });

  test.each(APDU_FIXTURE.filter(({ chunks }) => chunks !== undefined))(
    '$id comes whole in the reads it was captured in',
    ({ hex, chunks = [] }) => {
      expect(run(chunks.map(bytesOf)).items).toEqual([`apdu ${hex}`]);
    },
  );

  test.each(CUT)('$id is waited for', ({ hex }) => {
    const { items, state } = run([bytesOf(hex)]);
    expect(items).toEqual([]);
    expect(hexOf(pendingBytes(state))).toBe(hex);
  });

  test('does not change the state it was given', () => {
    const first = decodeStream(INITIAL_STREAM_STATE, bytesOf('04 0F 09 27 00')).state;
    decodeStream(first, bytesOf('04 00 00 00 00 12 34'));
    expect(hexOf(pendingBytes(first))).toBe('04 0F 09 27 00');
    expect(decodeStream(first, bytesOf('04 00 00 00 00 12 34')).items).toHaveLength(1);
  });

  test('goes on from one state in two ways without mixing them', () => {
    const first = decodeStream(INITIAL_STREAM_STATE, bytesOf('04 0F 09 27 00')).state;
    const left = decodeStream(first, bytesOf('11 11')).state;
    const right = decodeStream(first, bytesOf('22')).state;
    const further = decodeStream(left, bytesOf('33')).state;
    expect([first, left, right, further].map((state) => hexOf(pendingBytes(state)))).toEqual([
      '04 0F 09 27 00',
      '04 0F 09 27 00 11 11',
      '04 0F 09 27 00 22',
      '04 0F 09 27 00 11 11 33',
    ]);
  });

  test('keeps the bytes of a read although the caller fills its buffer again', () => {
    const buffer = bytesOf('04 0F 09 27 00');
    const { state } = decodeStream(INITIAL_STREAM_STATE, buffer);
    buffer.fill(0xff);
    expect(decodeStream(state, bytesOf('04 00 00 00 00 12 34')).items).toEqual([
      { type: 'apdu', apdu: bytesOf('04 0F 09 27 00 04 00 00 00 00 12 34') },
    ]);
  });

  test('reports what cannot be an APDU and goes on at the next known control field', () => {
    expect(run([bytesOf('00 00 00 3E 56 45 80 00 00 04 FF 01 0A')]).items).toEqual([
      'garbage 00 00 00 3E 56 45',
      'apdu 80 00 00',
      'apdu 04 FF 01 0A',
    ]);
  });

  test('takes any bytes in the same way in any fragmentation, loses none and keeps at most one APDU', () => {
    const busy = fc.oneof(
      fc.constantFrom(0x04, 0x06, 0x0f, 0x80, 0x84, 0x00, 0x01, 0xff, 0xd1),
      fc.integer({ min: 0, max: 255 }),
    );
    fc.assert(
      fc.property(fc.array(busy, { maxLength: 300 }), sizes, (data, chunkSizes) => {
        const bytes = Uint8Array.from(data);
        const whole = run([bytes]);
        const cut = run(randomChunks(bytes, chunkSizes));
        expect(cut.items).toEqual(whole.items);
        expect(hexOf(pendingBytes(cut.state))).toBe(hexOf(pendingBytes(whole.state)));
        const taken = whole.items.map((item) => item.replace(/^[a-z]+ /, ''));
        expect([...taken, hexOf(pendingBytes(whole.state))].filter(Boolean).join(' ')).toBe(hexOf(bytes));
        expect(whole.state.pendingByteCount).toBeLessThanOrEqual(MAX_STREAM_APDU_BYTES);
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  test('stays bounded under a flood of garbage', () => {
    let state = INITIAL_STREAM_STATE;
    for (let round = 0; round < 50; round++) {
      const step = decodeStream(state, new Uint8Array(10_000).fill(0x55));
      expect(step.items.length).toBeGreaterThan(0);
      state = step.state;
      expect(state.pendingByteCount).toBeLessThanOrEqual(1);
    }
  });

  test('takes the greatest APDU byte by byte', () => {
    const greatest = new Uint8Array(MAX_STREAM_APDU_BYTES).fill(0x41);
    greatest.set([0x06, 0xd3, 0xff, 0xff, 0xff]);
    const { items } = run(Array.from(greatest, (byte) => Uint8Array.of(byte)));
    expect(items).toHaveLength(1);
  });
});
