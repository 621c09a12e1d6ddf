import { presetTipMinor, tipCapMinor } from './money.ts';
import type { NewTipConfiguration } from './tip-source.ts';

/** A tip as somebody has chosen it; `tipSource` in the words of the specification. */
export interface ChosenTip {
  readonly tipAmountMinor: number;
  readonly tipSource: string;
}

/** What a cardholder may choose from, beside giving none. */
export interface TipOffer {
  /** In the order of the configuration, no amount twice. */
  readonly tips: readonly ChosenTip[];
  /** Largest amount that he may enter himself, in minor units; 0: he may not. */
  readonly customUpToMinor: number;
}

export const noTip: ChosenTip = { tipAmountMinor: 0, tipSource: 'none' };

/** A tip that somebody has entered; 0 is none. */
export function customTip(tipAmountMinor: number): ChosenTip {
  return tipAmountMinor === 0 ? noTip : { tipAmountMinor, tipSource: 'custom' };
}

/**
 * The choices for an amount (specification: TerminalTipConfig; decisions: Tip arithmetic). Below the threshold the fixed tip stands in place of the
 * shares; without a threshold beside them. What the caps do not allow is left out, so that our host takes every tip that is offered.
 * @param goodsMinor what the tip is a share of: the amount without cash-back
 * @param roomMinor what the terminal and its acquirer can charge beside it
 * @returns undefined where there is nothing to choose from
 */
export function tipOfferOf(
  goodsMinor: number,
  configuration: NewTipConfiguration,
  roomMinor: number,
): TipOffer | undefined {
  if (!configuration.enabled) return undefined;
  const largestMinor = Math.min(tipCapMinor(goodsMinor, configuration) ?? roomMinor, roomMinor);
  const tips = offered(goodsMinor, configuration).filter(
    ({ tipAmountMinor }, index, all) =>
      tipAmountMinor > 0 &&
      tipAmountMinor <= largestMinor &&
      all.findIndex((other) => other.tipAmountMinor === tipAmountMinor) === index,
  );
  const customUpToMinor = configuration.allowCustomAmount ? Math.max(0, largestMinor) : 0;
  return tips.length === 0 && customUpToMinor === 0 ? undefined : { tips, customUpToMinor };
}

function offered(goodsMinor: number, configuration: NewTipConfiguration): readonly ChosenTip[] {
  const { fixedAmountMinor, fixedAmountThresholdMinor: threshold, presetBasisPoints } = configuration;
  const shares = presetBasisPoints.map((basisPoints) => ({
    tipAmountMinor: presetTipMinor(goodsMinor, basisPoints),
    tipSource: `preset:${basisPoints}`,
  }));
  if (fixedAmountMinor === null) return shares;
  const fixed = { tipAmountMinor: fixedAmountMinor, tipSource: `fixed:${fixedAmountMinor}` };
  if (threshold === null) return [fixed, ...shares];
  return goodsMinor < threshold ? [fixed] : shares;
}
