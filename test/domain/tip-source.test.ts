import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetTipMinor, tipCapMinor } from '../../app/domain/money.ts';
import { checkTip, checkTipConfiguration, parseTipSource, type TipConfiguration } from '../../app/domain/tip-source.ts';

const refused = (field: string) => expect.objectContaining({ code: 'INVALID_REQUEST', field });
const configuration: TipConfiguration = {
  enabled: true,
  presetBasisPoints: [1000, 1500],
  allowCustomAmount: true,
  maxAmountMinor: 5000,
  maxBasisPoints: 3000,
  fixedAmountMinor: 200,
};

describe('the source of a tip', () => {
  it.each([
    ['preset:1500', { kind: 'PRESET', basisPoints: 1500 }],
    ['preset:0', { kind: 'PRESET', basisPoints: 0 }],
    ['fixed:200', { kind: 'FIXED', amountMinor: 200 }],
    ['fixed:9007199254740991', { kind: 'FIXED', amountMinor: Number.MAX_SAFE_INTEGER }],
    ['custom', { kind: 'CUSTOM' }],
    ['none', { kind: 'NONE' }],
  ])('%s is read', (text, source) => expect(parseTipSource(text)).toEqual(source));

  it.each([
    ...['', 'preset', 'preset:', 'preset:-1', 'preset:01', 'preset:1.5', 'preset:1e3', ' preset:1', 'PRESET:1500'],
    ...['fixed', 'fixed:9007199254740992', 'fixed:+1', 'custom:1', 'none ', 'tip', 'preset:1500\n'],
  ])('%j is none', (text) => expect(() => parseTipSource(text)).toThrow(refused('tipSource')));
});

describe('a tip', () => {
  it.each([
    ['a preset by the arithmetic: 15 % of 10.01 is 1.50', 'preset:1500', 150, 1001],
    ['a preset that is rounded up: 15 % of 10.04 is 1.51', 'preset:1500', 151, 1004],
    ['the fixed amount', 'fixed:200', 200, 1000],
    ['a custom amount', 'custom', 299, 1000],
    ['none', 'none', 0, 1000],
    ['nothing that was asked for', undefined, 300, 1000],
  ])('is taken as %s', (_, tipSource, tipAmountMinor, goodsMinor) => {
    const tip = { tipAmountMinor, goodsMinor, ...(tipSource === undefined ? {} : { tipSource }) };
    expect(() => checkTip(tip, configuration)).not.toThrow();
  });

  it.each([
    ['a preset with another amount', 'preset:1500', 149, 1001, 'tipAmountMinor'],
    ['a preset that is not offered', 'preset:2000', 200, 1000, 'tipSource'],
    ['another fixed amount', 'fixed:250', 250, 1000, 'tipSource'],
    ['a fixed amount with another tip', 'fixed:200', 201, 1000, 'tipAmountMinor'],
    ['none with a tip', 'none', 1, 1000, 'tipAmountMinor'],
    ['more than the share allows', 'custom', 301, 1000, 'tipAmountMinor'],
    ['more than the amount allows', 'custom', 5001, 100_000, 'tipAmountMinor'],
    ['more than is allowed, without a source', undefined, 301, 1000, 'tipAmountMinor'],
    ['a source of another form', 'preset:', 0, 1000, 'tipSource'],
  ])('is refused for %s', (_, tipSource, tipAmountMinor, goodsMinor, field) => {
    const tip = { tipAmountMinor, goodsMinor, ...(tipSource === undefined ? {} : { tipSource }) };
    expect(() => checkTip(tip, configuration)).toThrow(refused(field));
  });

  it('of a free amount is refused where the merchant takes none', () => {
    const tip = { tipAmountMinor: 100, goodsMinor: 1000, tipSource: 'custom' };
    expect(() => checkTip(tip, { ...configuration, allowCustomAmount: false })).toThrow(refused('tipSource'));
  });

  it('is chosen at no terminal while tips are off, and may still come from the till', () => {
    const off = { ...configuration, enabled: false, maxAmountMinor: 0 };
    for (const tipSource of ['preset:1500', 'fixed:200', 'custom'] as const) {
      const tipAmountMinor = tipSource === 'preset:1500' ? 150 : 200;
      expect(() => checkTip({ tipAmountMinor, goodsMinor: 1000, tipSource }, off)).toThrow(refused('tipSource'));
    }
    expect(() => checkTip({ tipAmountMinor: 0, goodsMinor: 1000, tipSource: 'none' }, off)).not.toThrow();
    expect(() => checkTip({ tipAmountMinor: 400, goodsMinor: 1000 }, off)).not.toThrow();
  });

  it('needs no configuration for its arithmetic', () => {
    expect(() =>
      checkTip({ tipAmountMinor: 150, goodsMinor: 1000, tipSource: 'preset:1500' }, undefined),
    ).not.toThrow();
    expect(() => checkTip({ tipAmountMinor: 151, goodsMinor: 1000, tipSource: 'preset:1500' }, undefined)).toThrow(
      refused('tipAmountMinor'),
    );
  });

  it('by any preset passes with exactly the amount of the arithmetic, unless a cap is below it', () => {
    const goods = fc.integer({ min: 0, max: 2 ** 40 });
    const share = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(goods, share, fc.integer({ min: -2, max: 2 }), (goodsMinor, basisPoints, error) => {
        const offered = { ...configuration, presetBasisPoints: [basisPoints] };
        const exact = presetTipMinor(goodsMinor, basisPoints);
        const tipAmountMinor = Math.max(0, exact + error);
        const isRight = tipAmountMinor === exact && exact <= (tipCapMinor(goodsMinor, offered) ?? 0);
        const check = () => checkTip({ tipAmountMinor, goodsMinor, tipSource: `preset:${basisPoints}` }, offered);
        if (isRight) expect(check).not.toThrow();
        else expect(check).toThrow(refused('tipAmountMinor'));
      }),
    );
  });
});

describe('a tip configuration', () => {
  const whole = { ...configuration, fixedAmountThresholdMinor: 1000 };

  it('is taken when everything that it offers can be taken', () => {
    expect(() => checkTipConfiguration(whole)).not.toThrow();
    const bare = { ...whole, presetBasisPoints: [], fixedAmountMinor: null, fixedAmountThresholdMinor: null };
    expect(() => checkTipConfiguration(bare)).not.toThrow();
    expect(() => checkTipConfiguration({ ...whole, presetBasisPoints: [3000], fixedAmountMinor: 5000 })).not.toThrow();
  });

  it.each([
    ['presetBasisPoints', { presetBasisPoints: [1000, 1000] }],
    ['presetBasisPoints', { presetBasisPoints: [3001] }],
    ['fixedAmountMinor', { fixedAmountMinor: 5001 }],
    ['fixedAmountThresholdMinor', { fixedAmountMinor: null }],
  ])('is refused by %s', (field, changes) => {
    expect(() => checkTipConfiguration({ ...whole, ...changes })).toThrow(refused(field));
  });
});
