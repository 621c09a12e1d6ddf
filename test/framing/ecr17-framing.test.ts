import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeEcr17,
  type Ecr17Item,
  type Ecr17State,
  encodeAck,
  encodeEcr17Message,
  encodeNak,
  encodeProgress,
  giveUpEcr17,
  INITIAL_ECR17_STATE,
  isReceivingEcr17,
  type Lrc,
  MAX_ECR17_TEXT,
} from '../../drivers/framing/ecr17-framing.ts';
import { ECR17_FIXTURE, type Ecr17Expectation, LRC_NAMES, textOf } from '../ecr17/codec/fixture.ts';
import { bytesOf, hexOf } from '../support/hex.ts';
import { joined, randomChunks, SEED } from '../zvt/codec/support.ts';

function run(chunks: readonly Uint8Array[]): { items: readonly Ecr17Item[]; state: Ecr17State } {
  let state = INITIAL_ECR17_STATE;
  const items: Ecr17Item[] = [];
  for (const chunk of chunks) {
    const step = decodeEcr17(state, chunk);
    state = step.state;
    items.push(...step.items);
  }
  return { items: mergeNoise(items), state };
}

/** Noise is reported with the read it came in; how reads were cut must not matter. */
function mergeNoise(items: readonly Ecr17Item[]): readonly Ecr17Item[] {
  const merged: Ecr17Item[] = [];
  for (const item of items) {
    const last = merged.at(-1);
    if (item.type === 'noise' && last?.type === 'noise') {
      merged[merged.length - 1] = { type: 'noise', bytes: joined(last.bytes, item.bytes) };
    } else merged.push(item);
  }
  return merged;
}

const received = (hex: string) => run([bytesOf(hex)]).items;

/** An item in the words of the fixture. */
function eventOf(item: Ecr17Item): Record<string, unknown> {
  switch (item.type) {
    case 'message':
      return { type: 'application', message: item.text };
    case 'noise':
      return { type: 'noise', hex: hexOf(item.bytes) };
    case 'progress':
      return { type: 'progress', text: item.text };
    default:
      return { type: item.type };
  }
}

function expectedEvent({ type, message, text, hex }: Ecr17Expectation): Record<string, unknown> {
  return {
    type,
    ...(message === undefined ? {} : { message }),
    ...(text === undefined ? {} : { text }),
    ...(hex === undefined ? {} : { hex }),
  };
}

describe('Foreign bytes of ECR17', () => {
  const frames = ECR17_FIXTURE.filter(({ expect }) => expect.lrcMode !== undefined);
  const lines = ECR17_FIXTURE.filter(({ expect }) => expect.lrcMode === undefined);

  test.each(frames.map((item) => [item.id, item] as const))('%s is one frame with the named checksum', (_, item) => {
    const bytes = bytesOf(item.hex);
    const lrc = LRC_NAMES[item.expect.lrcMode ?? ''] as Lrc;
    const { items, state } = run((item.chunks ?? [item.hex]).map(bytesOf));
    expect(items).toHaveLength(1);
    expect(state).toEqual(INITIAL_ECR17_STATE);
    const [found] = items;
    if (item.expect.type === 'application') {
      const text = textOf(bytes.subarray(1, -2));
      expect(found).toEqual({ type: 'message', text, lrcs: [lrc] });
      expect(text.length).toBe(item.expect.messageLength);
      if (item.expect.message !== undefined) expect(text).toBe(item.expect.message);
      if (item.expect.messageHex !== undefined) expect(hexOf(bytes.subarray(1, -2))).toBe(item.expect.messageHex);
    } else {
      expect(found).toEqual({ type: item.expect.type, lrcs: expect.arrayContaining([lrc]) });
    }
  });

  test.each(
    frames.flatMap(({ id, hex, expect }) =>
      Object.entries(expect.lrc ?? {}).map(([name, byte]) => [id, name, hex, byte, expect.type] as const),
    ),
  )('%s is encoded with the checksum %s as the fixture has it', (_, name, hex, byte, type) => {
    const lrc = LRC_NAMES[name] as Lrc;
    const bytes = bytesOf(hex);
    const encoded = {
      application: () => encodeEcr17Message(textOf(bytes.subarray(1, -2)), lrc),
      ack: () => encodeAck(lrc),
      nak: () => encodeNak(lrc),
    }[type as 'application' | 'ack' | 'nak']();
    expect(hexOf(encoded)).toBe(`${hexOf(bytes.subarray(0, -1))} ${byte}`);
  });

  test.each(lines.map((item) => [item.id, item] as const))('%s is seen as the fixture says', (_, item) => {
    const { items, state } = run((item.chunks ?? [item.hex]).map(bytesOf));
    const { type, events, text } = item.expect;
    expect(isReceivingEcr17(state)).toBe(type === 'incomplete');
    if (type === 'incomplete') expect(items).toEqual([]);
    else if (type === 'progress') expect(items).toEqual([{ type: 'progress', text }]);
    else if (type === 'noise' || type === 'malformed') {
      expect(items).toEqual([{ type: 'noise', bytes: bytesOf(item.hex) }]);
    } else {
      expect(events?.length).toBeGreaterThan(0);
      expect(items.map(eventOf)).toEqual((events ?? []).map((event) => expect.objectContaining(expectedEvent(event))));
    }
  });

  test('a progress frame is encoded as the fixture has it', () => {
    const item = ECR17_FIXTURE.find(({ id }) => id === 'progress-attendere');
    expect(hexOf(encodeProgress('ATTENDERE PREGO'))).toBe(item?.hex);
  });
});

describe('ECR17 framing', () => {
  test('a checksum may be any byte, a mark of the protocol too', () => {
    // 7F ^ 7D = 02, 7F ^ 7C = 03, 7F ^ 7B = 04, 7F ^ 79 = 06, 7F ^ 6A = 15, 7F ^ 7E = 01
    for (const [text, lrc] of [
      ['7D', '02'],
      ['7C', '03'],
      ['7B', '04'],
      ['79', '06'],
      ['6A', '15'],
      ['7E', '01'],
    ]) {
      const hex = `02 ${text} 03 ${lrc}`;
      const expected = { type: 'message', text: textOf(bytesOf(text ?? '')), lrcs: ['STD'] };
      expect(received(`${hex} 06 03 79`), hex).toEqual([expected, { type: 'ack', lrcs: ['STD', 'STX_NOEXT'] }]);
      expect(run(hex.split(' ').map(bytesOf)).items, hex).toEqual([expected]);
    }
  });

  test('an acknowledgement in the STX variants is known with and without the STX that it does not have', () => {
    expect(received('06 03 79')).toEqual([{ type: 'ack', lrcs: ['STD', 'STX_NOEXT'] }]);
    expect(received('06 03 7A')).toEqual([{ type: 'ack', lrcs: ['STX', 'NOEXT'] }]);
    expect(received('06 03 78')).toEqual([{ type: 'ack', lrcs: ['STX'] }]);
    expect(received('06 03 7B')).toEqual([{ type: 'ack', lrcs: ['STX_NOEXT'] }]);
    expect(received('15 03 69')).toEqual([{ type: 'nak', lrcs: ['STX', 'NOEXT'] }]);
  });

  test('a checksum that fits no variant is told, and what follows is read', () => {
    expect(received('02 41 03 40 06 03 00 15 03 15 06 03 79')).toEqual([
      { type: 'bad-lrc', frame: 'message', byteCount: 4 },
      { type: 'bad-lrc', frame: 'ack', byteCount: 3 },
      { type: 'bad-lrc', frame: 'nak', byteCount: 3 },
      { type: 'ack', lrcs: ['STD', 'STX_NOEXT'] },
    ]);
  });

  test('a message that begins within another is read, the broken one is noise', () => {
    expect(received('02 31 32 02 41 03 3E')).toEqual([
      { type: 'noise', bytes: bytesOf('02 31 32') },
      { type: 'message', text: 'A', lrcs: ['STD'] },
    ]);
  });

  test('a stray mark of progress hides nothing that follows', () => {
    expect(received('01 06 03 79')).toEqual([
      { type: 'noise', bytes: bytesOf('01') },
      { type: 'ack', lrcs: ['STD', 'STX_NOEXT'] },
    ]);
    expect(received('01 41 02 41 03 3E')).toEqual([
      { type: 'noise', bytes: bytesOf('01 41') },
      { type: 'message', text: 'A', lrcs: ['STD'] },
    ]);
  });

  test('a shorter progress text counts, a longer one is noise', () => {
    expect(received('01 41 42 04')).toEqual([{ type: 'progress', text: 'AB' }]);
    const long = `01 ${'41 '.repeat(21)}04`;
    expect(received(long)).toEqual([{ type: 'noise', bytes: bytesOf(long) }]);
  });

  test('a control byte without its ETX is noise and what follows counts', () => {
    expect(received('06 06 03 79')).toEqual([
      { type: 'noise', bytes: bytesOf('06') },
      { type: 'ack', lrcs: ['STD', 'STX_NOEXT'] },
    ]);
    expect(received('06 02 41 03 3E')).toEqual([
      { type: 'noise', bytes: bytesOf('06') },
      { type: 'message', text: 'A', lrcs: ['STD'] },
    ]);
  });

  test('silence within a frame makes noise of it, whichever part of it came', () => {
    for (const hex of ['02 41 42', '02 41 03', '01 41', '06', '06 03', '15', '15 03']) {
      const { state } = decodeEcr17(INITIAL_ECR17_STATE, bytesOf(hex));
      expect(isReceivingEcr17(state), hex).toBe(true);
      expect(giveUpEcr17(state), hex).toEqual({
        state: INITIAL_ECR17_STATE,
        items: [{ type: 'noise', bytes: bytesOf(hex) }],
      });
    }
    expect(giveUpEcr17(INITIAL_ECR17_STATE)).toEqual({ state: INITIAL_ECR17_STATE, items: [] });
  });

  test('a message without end is bounded: it becomes noise, and the next message is read', () => {
    const endless = Uint8Array.from({ length: MAX_ECR17_TEXT + 100 }, () => 0x41);
    const { items, state } = run([bytesOf('02'), endless, bytesOf('02 41 03 3E')]);
    expect(items).toEqual([
      { type: 'noise', bytes: joined(bytesOf('02'), endless) },
      { type: 'message', text: 'A', lrcs: ['STD'] },
    ]);
    expect(state).toEqual(INITIAL_ECR17_STATE);
    expect(run([bytesOf('02'), endless.subarray(0, MAX_ECR17_TEXT), bytesOf('03 7F')]).items).toMatchObject([
      { type: 'message', lrcs: ['STD'] },
    ]);
  });

  test('a text with a mark, with more than a byte or of too many characters is not encoded', () => {
    for (const text of ['A\u0002', 'A\u0003', '€', 'A'.repeat(MAX_ECR17_TEXT + 1)]) {
      expect(() => encodeEcr17Message(text, 'STD')).toThrow(RangeError);
    }
  });

  test('a state stays what it was, however it is continued', () => {
    const { state } = decodeEcr17(INITIAL_ECR17_STATE, bytesOf('02 41'));
    const kept = structuredClone(state);
    expect(decodeEcr17(state, bytesOf('42 03 7C')).items).toMatchObject([{ type: 'message', text: 'AB' }]);
    expect(decodeEcr17(state, bytesOf('03 3E')).items).toMatchObject([{ type: 'message', text: 'A' }]);
    expect(state).toEqual(kept);
  });

  const marks = fc.constantFrom(0x01, 0x02, 0x03, 0x04, 0x06, 0x15);
  const anyLine = fc.array(fc.oneof(marks, fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0x20, max: 0x7f })), {
    maxLength: 200,
  });
  const fixtureLine = fc
    .array(fc.constantFrom(...ECR17_FIXTURE.map(({ hex }) => bytesOf(hex))), { maxLength: 6 })
    .map((frames) => Array.from(joined(...frames)));

  test('however a line is cut, the same is seen, and every byte belongs to one item or is pending', () => {
    fc.assert(
      fc.property(fc.oneof(anyLine, fixtureLine), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (line, sizes) => {
        const bytes = Uint8Array.from(line);
        const whole = run([bytes]);
        expect(run(randomChunks(bytes, sizes))).toEqual(whole);
        expect(run(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
        const rest = giveUpEcr17(whole.state).items.reduce((sum, item) => sum + byteCountOf(item), 0);
        expect(whole.items.reduce((sum, item) => sum + byteCountOf(item), rest)).toBe(bytes.length);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test('what is encoded is read back in every variant', () => {
    const printable = fc.string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    });
    fc.assert(
      fc.property(printable, fc.constantFrom<Lrc>('STD', 'STX', 'NOEXT', 'STX_NOEXT'), (text, lrc) => {
        expect(run([encodeEcr17Message(text, lrc)]).items).toEqual([{ type: 'message', text, lrcs: [lrc] }]);
      }),
      { seed: SEED },
    );
  });
});

function byteCountOf(item: Ecr17Item): number {
  switch (item.type) {
    case 'message':
      return item.text.length + 3;
    case 'progress':
      return item.text.length + 2;
    case 'noise':
      return item.bytes.length;
    case 'bad-lrc':
      return item.byteCount;
    default:
      return 3;
  }
}
