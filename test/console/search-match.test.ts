import { describe, expect, it } from 'vitest';
import { matchOf } from '../../app/console/search-match.ts';

describe('what a typed search may mean', () => {
  it('is no id before six characters: ids are random, and one of some hundred begins like any amount', () => {
    for (const text of ['50', '1250', '12.50', '12345']) expect(matchOf(text, ['EUR'])).not.toHaveProperty('idPrefix');
    expect(matchOf('50', ['EUR'])).toEqual({ amounts: [{ totalMinor: 5_000, currency: 'EUR' }], prefix: '50' });
  });

  it('is an id from six characters on, and may be a reference or an amount all the same', () => {
    expect(matchOf(' 123456 ', ['EUR'])).toEqual({
      amounts: [{ totalMinor: 12_345_600, currency: 'EUR' }],
      prefix: '123456',
      idPrefix: '123456',
    });
    expect(matchOf('0193fa', ['EUR']).idPrefix).toBe('0193fa');
  });
});
