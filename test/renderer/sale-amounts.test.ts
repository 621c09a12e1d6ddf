import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMinor } from '../../app/domain/money.ts';
import { formatMoney } from '../../renderer/hooks/use-money.ts';
import { createFormats } from '../../renderer/i18n/formats.ts';
import { parseAmount, totalOf, withDigits, withoutLastDigit } from '../../renderer/pages/sell/sale-amounts.ts';

const maxMinor = 999_999_999_999;

describe('the amount on the Sell page', () => {
  it('moves to the left with each digit, and back', () => {
    expect(withDigits(0, '1', maxMinor)).toBe(1);
    expect(withDigits(125, '0', maxMinor)).toBe(1250);
    expect(withDigits(12, '00', maxMinor)).toBe(1200);
    expect(withoutLastDigit(1250)).toBe(125);
    expect(withoutLastDigit(1)).toBe(0);
  });

  it('stays where it is when the terminal takes no more', () => {
    expect(withDigits(999_999_999_999, '9', maxMinor)).toBe(999_999_999_999);
    expect(withDigits(900_719_925_474_099, '1', Number.MAX_SAFE_INTEGER)).toBe(9_007_199_254_740_991);
    expect(withDigits(9_007_199_254_740_991, '00', Number.MAX_SAFE_INTEGER)).toBe(9_007_199_254_740_991);
  });

  it('is read from what a person writes, with a comma or a point', () => {
    expect(parseAmount('2', 2)).toBe(200);
    expect(parseAmount('2,5', 2)).toBe(250);
    expect(parseAmount(' 2.50 ', 2)).toBe(250);
    expect(parseAmount('0.29', 2)).toBe(29);
    expect(parseAmount('500', 0)).toBe(500);
    expect(parseAmount('1.234', 3)).toBe(1234);
  });

  it.each(['', '-1', '2.505', '1e3', '1,000.00', 'two', '.5'])('is not read from %j', (text) => {
    expect(parseAmount(text, 2)).toBeUndefined();
  });

  it('comes back from its own writing, in every exponent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), fc.constantFrom(0, 2, 3, 4), (minor, exponent) => {
        expect(parseAmount(formatMinor(minor, exponent), exponent)).toBe(minor);
      }),
    );
  });

  it('adds tip and cash-back to what is charged', () => {
    expect(totalOf({ amount: 1000, tipAmount: 100, cashbackAmount: 500 })).toBe(1600);
    expect(totalOf({ amount: 1000 })).toBe(1000);
  });
});

describe('money on the screen', () => {
  /** Without the kinds of spaces that languages put before the sign. */
  const shown = (locale: string, amountMinor: number, currency: string) =>
    formatMoney(createFormats(locale), amountMinor, currency).replace(/\s/g, ' ');

  it('has the places of its currency', () => {
    expect(shown('en', 1250, 'EUR')).toBe('€12.50');
    expect(shown('de', 1250, 'EUR')).toBe('12,50 €');
    expect(shown('en', 1250, 'JPY')).toBe('¥1,250');
    expect(shown('en', 1250, 'KWD')).toBe('KWD 1.250');
    expect(shown('de', 500, 'ISK')).toBe('500 ISK');
  });

  it('is exact up to the largest amount', () => {
    expect(shown('en', 9_007_199_254_740_991, 'EUR')).toBe('€90,071,992,547,409.91');
  });

  it('may be negative', () => {
    expect(shown('en', -5, 'EUR')).toBe('-€0.05');
  });
});
