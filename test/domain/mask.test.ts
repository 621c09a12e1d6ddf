import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { keepMaskedPan, lastFourOf } from '../../app/domain/mask.ts';
import { Secret } from '../../app/domain/secret.ts';

describe('a masked card number', () => {
  it.each([
    ['411111******1111', '411111******1111'],
    ['4111 11XX XXXX 1111', '411111******1111'],
    ['************1111', '************1111'],
    ['****', '****'],
    ['411111####', '411111****'],
    ['5413-33••-••••-0012', '541333******0012'],
  ])('%s is kept as %s', (text, kept) => {
    expect(keepMaskedPan(text)).toBe(kept);
  });

  it.each([
    ['seven digits in front', '4111111*****1111'],
    ['five digits behind', '411111*****11111'],
    ['three hidden', '411111***1111'],
    ['all of it', '4111111111111111'],
    ['digits in the middle', '4111**11**1111'],
    ['more than a card number has', '411111**********1111'],
    ['nothing', ''],
    ['something else', 'girocard'],
  ])('that shows %s is dropped', (_what, text) => {
    expect(keepMaskedPan(text)).toBeUndefined();
  });

  it('gives logs the last four digits', () => {
    expect(lastFourOf('411111******1111')).toBe('1111');
    expect(lastFourOf('411111**********')).toBeUndefined();
    expect(lastFourOf('************111')).toBeUndefined();
  });
});

describe('a secret', () => {
  const secret = new Secret('4111111111111111');

  it('prints a mask wherever it is written', () => {
    const texts = [`${secret}`, String(secret), JSON.stringify({ secret }), inspect({ secret }), inspect([secret])];
    for (const text of texts) expect(text).not.toContain('4111');
    expect(() => expect({ secret }).toEqual({ secret: 1 })).toThrow(expect.not.stringContaining('4111'));
  });

  it('is read by a visible call', () => {
    expect(secret.reveal()).toBe('4111111111111111');
  });
});
