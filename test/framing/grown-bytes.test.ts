import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type GrownBytes,
  grownContent,
  NO_GROWN_BYTES,
  withByte,
  withBytes,
} from '../../drivers/framing/grown-bytes.ts';
import { SEED } from '../zvt/codec/support.ts';

describe('bytes that grow', () => {
  test('are values, in whatever order and however often any of them is continued', () => {
    const growth = fc.record({ from: fc.nat(), bytes: fc.uint8Array({ maxLength: 90 }), isOneByOne: fc.boolean() });
    fc.assert(
      fc.property(fc.array(growth, { maxLength: 60 }), (steps) => {
        const values: { readonly grown: GrownBytes; readonly meant: readonly number[] }[] = [
          { grown: NO_GROWN_BYTES, meant: [] },
        ];
        for (const { from, bytes, isOneByOne } of steps) {
          const before = values[from % values.length];
          if (before === undefined) continue;
          const grown = isOneByOne ? bytes.reduce(withByte, before.grown) : withBytes(before.grown, bytes);
          values.push({ grown, meant: [...before.meant, ...bytes] });
        }
        for (const { grown, meant } of values) {
          expect(Array.from(grownContent(grown))).toEqual(meant);
          expect(grown).toHaveLength(meant.length);
        }
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test('keep nothing of the array they were given, and share their room while nobody branches off', () => {
    const given = Uint8Array.of(1, 2, 3);
    const first = withBytes(NO_GROWN_BYTES, given);
    given.fill(9);
    const second = withByte(first, 4);
    expect(Array.from(grownContent(second))).toEqual([1, 2, 3, 4]);
    expect(second.room).toBe(first.room);
    const other = withByte(first, 5);
    expect(other.room).not.toBe(first.room);
    expect(Array.from(grownContent(second))).toEqual([1, 2, 3, 4]);
  });
});
