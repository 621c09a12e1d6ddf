import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_AMOUNT_MINOR } from '../../app/contract/limits.ts';
import { tipCapMinor } from '../../app/domain/money.ts';
import { customTip, noTip, type TipOffer, tipOfferOf } from '../../app/domain/tip-choices.ts';
import { checkTip, checkTipConfiguration, type NewTipConfiguration } from '../../app/domain/tip-source.ts';

const shop: NewTipConfiguration = {
  enabled: true,
  presetBasisPoints: [1_000, 1_500, 2_000],
  allowCustomAmount: true,
  maxAmountMinor: 5_000,
  maxBasisPoints: 3_000,
  fixedAmountMinor: 100,
  fixedAmountThresholdMinor: 1_000,
};
const room = 1_000_000;
const sources = (offer: TipOffer | undefined) => offer?.tips.map(({ tipSource }) => tipSource);

/** Any configuration that a merchant can set. */
const configurations = fc
  .record({
    enabled: fc.constant(true),
    presetBasisPoints: fc.uniqueArray(fc.integer({ min: 0, max: 10_000 }), { maxLength: 10 }),
    allowCustomAmount: fc.boolean(),
    maxAmountMinor: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.maxSafeNat()),
    maxBasisPoints: fc.integer({ min: 0, max: 10_000 }),
    fixedAmountMinor: fc.option(fc.integer({ min: 1, max: 2_000 })),
    fixedAmountThresholdMinor: fc.option(fc.integer({ min: 0, max: 5_000 })),
  })
  .filter((each) => {
    try {
      checkTipConfiguration(each);
      return true;
    } catch {
      return false;
    }
  });
const goods = fc.oneof(
  fc.integer({ min: 1, max: 10_000 }),
  fc.integer({ min: 1, max: Math.floor(MAX_AMOUNT_MINOR / 4) }),
);

describe('the tips that a cardholder may choose from', () => {
  it('are all taken by the host, with what he may enter, and with none', () => {
    fc.assert(
      fc.property(configurations, goods, fc.double({ min: 0, max: 1, noNaN: true }), (configuration, minor, share) => {
        const offer = tipOfferOf(minor, configuration, room);
        const largest = offer?.customUpToMinor ?? 0;
        const entered = largest === 0 ? [] : [largest, Math.floor(largest * share)].map(customTip);
        for (const tip of [...(offer?.tips ?? []), ...entered, noTip]) {
          checkTip({ ...tip, goodsMinor: minor }, configuration);
          expect(tip.tipAmountMinor).toBeLessThanOrEqual(room);
        }
      }),
    );
  });

  it('leave out nothing that the host would take', () => {
    fc.assert(
      fc.property(configurations, goods, (configuration, minor) => {
        const offer = tipOfferOf(minor, configuration, MAX_AMOUNT_MINOR);
        const cap = tipCapMinor(minor, configuration) ?? 0;
        expect(offer?.customUpToMinor ?? 0).toBe(configuration.allowCustomAmount ? cap : 0);
        const { fixedAmountMinor, fixedAmountThresholdMinor: threshold } = configuration;
        if (fixedAmountMinor === null || fixedAmountMinor > cap) return;
        expect((sources(offer) ?? []).includes(`fixed:${fixedAmountMinor}`)).toBe(
          threshold === null || minor < threshold,
        );
      }),
    );
  });

  it('are the fixed tip below the threshold, and the shares from there on', () => {
    expect(sources(tipOfferOf(999, shop, room))).toEqual(['fixed:100']);
    expect(sources(tipOfferOf(1_000, shop, room))).toEqual(['preset:1000', 'preset:1500', 'preset:2000']);
  });

  it('are the fixed tip beside the shares without a threshold', () => {
    const always = { ...shop, fixedAmountThresholdMinor: null };
    expect(sources(tipOfferOf(2_000, always, room))).toEqual([
      'fixed:100',
      'preset:1000',
      'preset:1500',
      'preset:2000',
    ]);
  });

  it('name no amount twice, and none of nothing', () => {
    const tiny = { ...shop, fixedAmountMinor: null, fixedAmountThresholdMinor: null };
    expect(tipOfferOf(5, tiny, room)?.tips).toEqual([{ tipAmountMinor: 1, tipSource: 'preset:1000' }]);
    expect(tipOfferOf(1, { ...tiny, allowCustomAmount: false }, room)).toBeUndefined();
  });

  it('pass neither cap, nor what the terminal can charge', () => {
    expect(sources(tipOfferOf(30_000, shop, room))).toEqual(['preset:1000', 'preset:1500']);
    expect(tipOfferOf(30_000, shop, room)?.customUpToMinor).toBe(5_000);
    expect(tipOfferOf(2_000, shop, 250)).toEqual({
      tips: [{ tipAmountMinor: 200, tipSource: 'preset:1000' }],
      customUpToMinor: 250,
    });
    expect(tipOfferOf(2_000, shop, 0)).toBeUndefined();
  });

  it('are none where tips are off', () => {
    expect(tipOfferOf(2_000, { ...shop, enabled: false }, room)).toBeUndefined();
  });
});
