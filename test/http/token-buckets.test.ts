import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenBuckets } from '../../app/http/token-buckets.ts';
import { createManualClock } from '../support/server-clock.ts';

describe('token buckets', () => {
  it('never give more than the burst and the rate allow, whatever the pauses', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 300 }), (pausesMs) => {
        const clock = createManualClock();
        const buckets = createTokenBuckets(clock, 50, 100);
        let given = 0;
        for (const pauseMs of pausesMs) {
          clock.advance(pauseMs);
          if (buckets.take('a') === 0) given += 1;
        }
        const elapsedSeconds = clock.monotonicMs() / 1000;
        return given <= 100 + 50 * elapsedSeconds + 1e-6;
      }),
    );
  });

  it('say how long to wait, and keep the word', () => {
    const clock = createManualClock();
    const buckets = createTokenBuckets(clock, 0.2, 1);

    expect(buckets.take('a')).toBe(0);
    expect(buckets.take('a')).toBe(5);
    clock.advance(5_000);
    expect(buckets.take('a')).toBe(0);
  });

  it('forget the longest untouched when there are too many, so that names cannot fill the memory', () => {
    const buckets = createTokenBuckets(createManualClock(), 1, 1);
    expect(buckets.take('first')).toBe(0);
    for (let index = 0; index < 1_023; index += 1) buckets.take(`name ${index}`);
    expect(buckets.take('first')).toBe(1);
    buckets.take('one more');

    expect(buckets.take('first')).toBe(1);
    expect(buckets.take('name 0')).toBe(0);
  });
});
