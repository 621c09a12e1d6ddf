import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { currencyOfNumeric, exponentOf, isCurrency, numericCodeOf } from '../../app/contract/currencies.ts';

const listOne = readFileSync(createRequire(import.meta.url).resolve('currency-codes/iso-4217-list-one.xml'), 'utf8');

/** ISO's own list one: code, number, exponent, and whether it is a fund code. */
const entries = [...listOne.matchAll(/<CcyNtry>(.*?)<\/CcyNtry>/gs)].map(([, entry = '']) => ({
  code: /<Ccy>(\w+)</.exec(entry)?.[1] ?? '',
  number: /<CcyNbr>(\d+)</.exec(entry)?.[1] ?? '',
  exponent: /<CcyMnrUnts>(\d)</.exec(entry)?.[1],
  isFund: /IsFund="true"/i.test(entry),
}));

describe('currencies', () => {
  test('are those of ISO list one that have a minor unit, are no funds and are not withdrawn', () => {
    const listed = entries.filter(({ code }) => code !== '');
    expect(listed.length).toBeGreaterThan(200);
    for (const { code, number, exponent, isFund } of listed) {
      const isMoney = exponent !== undefined && !isFund && code !== 'ANG';
      expect(isCurrency(code), code).toBe(isMoney);
      if (isMoney) {
        expect([exponentOf(code), numericCodeOf(code), currencyOfNumeric(number)], code).toEqual([
          Number(exponent),
          number,
          code,
        ]);
      }
    }
  });

  test.each([
    ['JPY', 0],
    ['USD', 2],
    ['EUR', 2],
    ['KWD', 3],
    ['UYW', 4],
    ['ISK', 0],
    ['CLP', 0],
    ['XCG', 2],
  ])('%s has %i decimal places', (code, exponent) => {
    expect(exponentOf(code)).toBe(exponent);
  });

  test.each(['XAU', 'XXX', 'XTS', 'XDR', 'CHE', 'eur', 'Eur', 'EURO', 'E', '', '978', 'constructor'])(
    '%j is none',
    (code) => {
      expect(isCurrency(code)).toBe(false);
      expect(() => exponentOf(code)).toThrow(RangeError);
      expect(() => numericCodeOf(code)).toThrow(RangeError);
    },
  );

  test('a number is three digits', () => {
    expect(currencyOfNumeric('978')).toBe('EUR');
    // XCG took over the number of ANG.
    expect(currencyOfNumeric('532')).toBe('XCG');
    expect(currencyOfNumeric('008')).toBe('ALL');
    for (const number of ['8', '959', '999', '0978', '']) expect(currencyOfNumeric(number)).toBeUndefined();
  });
});
