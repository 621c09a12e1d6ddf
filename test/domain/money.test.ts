import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponentOf } from '../../app/contract/currencies.ts';
import { MAX_AMOUNT_MINOR } from '../../app/contract/limits.ts';
import {
  formatMinor,
  hostAmountsOf,
  posAmountsOf,
  presetTipMinor,
  sumMinor,
  tipCapMinor,
  totalMinor,
  withoutCashbackMinor,
} from '../../app/domain/money.ts';

const sale = { amountMinor: 1000, tipAmountMinor: 100, cashbackAmountMinor: 500 };

describe('amounts', () => {
  it('charges amount, tip and cash-back', () => {
    expect(totalMinor(sale)).toBe(1600);
    expect(withoutCashbackMinor(sale)).toBe(1100);
  });

  it('adds three times 2147483648 exactly', () => {
    expect(sumMinor(2147483648, 2147483648, 2147483648)).toBe(6442450944);
  });

  it('reaches 2^53 − 1 and refuses one more, naming the limit', () => {
    expect(sumMinor(MAX_AMOUNT_MINOR, 0)).toBe(MAX_AMOUNT_MINOR);
    expect(sumMinor(MAX_AMOUNT_MINOR - 1, 1)).toBe(MAX_AMOUNT_MINOR);
    expect(() => sumMinor(MAX_AMOUNT_MINOR, 1)).toThrow(
      expect.objectContaining({ code: 'AMOUNT_TOO_LARGE', message: expect.stringContaining('9007199254740991') }),
    );
    // In floating point 2^53 + 1 + 1 would come back as 2^53.
    expect(() => sumMinor(MAX_AMOUNT_MINOR, MAX_AMOUNT_MINOR, MAX_AMOUNT_MINOR)).toThrow(
      expect.objectContaining({ code: 'AMOUNT_TOO_LARGE' }),
    );
  });

  it.each([1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('takes %s for no amount', (value) => {
    expect(() => sumMinor(value)).toThrow(RangeError);
  });
});

describe('the host’s amounts', () => {
  it('are those of the decisions’ example', () => {
    const host = { amountMinor: 1600, baseAmountMinor: 1500, tipAmountMinor: 100, cashbackAmountMinor: 500 };
    expect(hostAmountsOf(sale)).toEqual(host);
    expect(posAmountsOf(host)).toEqual(sale);
  });

  it('lead back to the POS’s for every sale', () => {
    const third = fc.integer({ min: 0, max: Math.floor(MAX_AMOUNT_MINOR / 3) });
    fc.assert(
      fc.property(third, third, third, (amountMinor, tipAmountMinor, cashbackAmountMinor) => {
        const pos = { amountMinor, tipAmountMinor, cashbackAmountMinor };
        const host = hostAmountsOf(pos);
        expect(host.amountMinor).toBe(host.baseAmountMinor + host.tipAmountMinor);
        expect(posAmountsOf(host)).toEqual(pos);
      }),
    );
  });

  it('are refused when they do not add up', () => {
    const host = { amountMinor: 1600, baseAmountMinor: 1500, tipAmountMinor: 100, cashbackAmountMinor: 500 };
    expect(() => posAmountsOf({ ...host, amountMinor: 1601 })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', field: 'amount' }),
    );
    expect(() => posAmountsOf({ ...host, cashbackAmountMinor: 1501 })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', field: 'cashbackAmountMinor' }),
    );
  });
});

describe('tips', () => {
  it.each([
    [1000, 1500, 150],
    [999, 1500, 150], // 149.85
    [3, 1666, 0], // 0.4998
    [5, 1000, 1], // 0.5 rounds up
    [MAX_AMOUNT_MINOR, 10_000, MAX_AMOUNT_MINOR],
    [MAX_AMOUNT_MINOR, 1, 900719925474], // the product passes 2^53
  ])('presets of %d at %d basis points are %d', (goods, basisPoints, tip) => {
    expect(presetTipMinor(goods, basisPoints)).toBe(tip);
  });

  it('are capped by the smaller of amount and share', () => {
    expect(tipCapMinor(1000, {})).toBeUndefined();
    expect(tipCapMinor(1000, { maxAmountMinor: 300 })).toBe(300);
    expect(tipCapMinor(1000, { maxBasisPoints: 2000 })).toBe(200);
    expect(tipCapMinor(1000, { maxAmountMinor: 300, maxBasisPoints: 2000 })).toBe(200);
    expect(tipCapMinor(1000, { maxAmountMinor: 100, maxBasisPoints: 2000 })).toBe(100);
  });
});

describe('decimal text', () => {
  it.each([
    [92_000, 'KWD', '92.000'],
    [500, 'JPY', '500'],
    [1, 'EUR', '0.01'],
    [0, 'EUR', '0.00'],
    [-5, 'EUR', '-0.05'],
    [-123456, 'EUR', '-1234.56'],
    [12345, 'UYW', '1.2345'],
    [MAX_AMOUNT_MINOR, 'EUR', '90071992547409.91'],
  ])('of %d %s is %s', (amount, currency, text) => {
    expect(formatMinor(amount, exponentOf(currency))).toBe(text);
  });

  it('is refused for what is no integer', () => {
    expect(() => formatMinor(1.5, 2)).toThrow(RangeError);
  });
});
