import { BridgeError } from '../contract/errors.ts';
import { presetTipMinor, sumMinor, tipCapMinor } from './money.ts';

/** How a tip was chosen (specification: tipSource). */
export type TipSource =
  | { readonly kind: 'PRESET'; readonly basisPoints: number }
  | { readonly kind: 'FIXED'; readonly amountMinor: number }
  | { readonly kind: 'CUSTOM' }
  | { readonly kind: 'NONE' };

/** The tip configuration of a merchant, as far as it decides about a tip (specification: TerminalTipConfig). */
export interface TipConfiguration {
  readonly enabled: boolean;
  readonly presetBasisPoints: readonly number[];
  readonly allowCustomAmount: boolean;
  readonly maxAmountMinor: number;
  readonly maxBasisPoints: number;
  readonly fixedAmountMinor: number | null;
}

/** A tip that a request carries. */
export interface Tip {
  readonly tipAmountMinor: number;
  readonly tipSource?: string;
  /** Minor units that the tip is a share of: the base without cash-back. */
  readonly goodsMinor: number;
}

const integer = '(0|[1-9][0-9]*)';
const preset = new RegExp(`^preset:${integer}$`);
const fixed = new RegExp(`^fixed:${integer}$`);

function refuse(field: string, rule: string): never {
  throw new BridgeError('INVALID_REQUEST', `${field} ${rule}`, { field });
}

/** @throws BridgeError INVALID_REQUEST naming tipSource for a text of another form, or a number beyond 2^53 − 1 */
export function parseTipSource(text: string): TipSource {
  if (text === 'custom') return { kind: 'CUSTOM' };
  if (text === 'none') return { kind: 'NONE' };
  const basisPoints = numberOf(preset, text);
  if (basisPoints !== undefined) return { kind: 'PRESET', basisPoints };
  const amountMinor = numberOf(fixed, text);
  if (amountMinor !== undefined) return { kind: 'FIXED', amountMinor };
  return refuse('tipSource', 'must be preset:<basis points>, fixed:<minor units>, custom or none');
}

function numberOf(form: RegExp, text: string): number | undefined {
  const digits = form.exec(text)?.[1];
  const value = Number(digits);
  return digits !== undefined && Number.isSafeInteger(value) ? value : undefined;
}

/**
 * Whether a tip is what it says it is, and what the merchant allows (decisions: Tip arithmetic). A tip without a source was not chosen at the
 * terminal; only the caps hold for it. Without a configuration there is nothing but the arithmetic; tips that are switched off are never chosen
 * at the terminal.
 * @throws BridgeError INVALID_REQUEST naming tipSource or tipAmountMinor; AMOUNT_TOO_LARGE
 */
export function checkTip(tip: Tip, configuration: TipConfiguration | undefined): void {
  const source = tip.tipSource === undefined ? undefined : parseTipSource(tip.tipSource);
  if (source !== undefined) {
    checkAmountOf(source, tip);
    if (configuration !== undefined && source.kind !== 'NONE') checkChoice(source, configuration);
  }
  if (configuration?.enabled !== true) return;
  const cap = tipCapMinor(tip.goodsMinor, configuration);
  if (cap !== undefined && sumMinor(tip.tipAmountMinor) > cap) {
    refuse('tipAmountMinor', `must be at most ${cap}, the largest tip that the merchant allows`);
  }
}

function checkAmountOf(source: TipSource, { tipAmountMinor, goodsMinor }: Tip): void {
  if (source.kind === 'CUSTOM') return;
  const expected =
    source.kind === 'PRESET'
      ? presetTipMinor(goodsMinor, source.basisPoints)
      : source.kind === 'FIXED'
        ? source.amountMinor
        : 0;
  if (tipAmountMinor !== expected) refuse('tipAmountMinor', `must be ${expected} by its tipSource`);
}

function checkChoice(source: TipSource, configuration: TipConfiguration): void {
  if (!configuration.enabled) refuse('tipSource', 'must be none: the merchant takes no tips at the terminal');
  if (source.kind === 'PRESET' && !configuration.presetBasisPoints.includes(source.basisPoints)) {
    refuse('tipSource', 'is none of the presets of the merchant');
  }
  if (source.kind === 'FIXED' && source.amountMinor !== configuration.fixedAmountMinor) {
    refuse('tipSource', 'is not the fixed tip of the merchant');
  }
  if (source.kind === 'CUSTOM' && !configuration.allowCustomAmount) {
    refuse('tipSource', 'must not be custom: the merchant takes no tips of a free amount');
  }
}

/** A whole configuration, as it is set. */
export interface NewTipConfiguration extends TipConfiguration {
  readonly fixedAmountThresholdMinor: number | null;
}

/**
 * Whether a configuration can be offered: presets that differ and pass the caps' share, a fixed tip within the amount cap, a threshold of
 * something that there is.
 * @throws BridgeError INVALID_REQUEST naming the field
 */
export function checkTipConfiguration(configuration: NewTipConfiguration): void {
  const { presetBasisPoints, maxBasisPoints, maxAmountMinor, fixedAmountMinor, fixedAmountThresholdMinor } =
    configuration;
  if (new Set(presetBasisPoints).size !== presetBasisPoints.length) {
    refuse('presetBasisPoints', 'must not name a share twice');
  }
  if (presetBasisPoints.some((share) => share > maxBasisPoints)) {
    refuse('presetBasisPoints', 'must not be larger than maxBasisPoints: no such tip would be taken');
  }
  if (fixedAmountMinor !== null && fixedAmountMinor > maxAmountMinor) {
    refuse('fixedAmountMinor', 'must not be larger than maxAmountMinor: no such tip would be taken');
  }
  if (fixedAmountMinor === null && fixedAmountThresholdMinor !== null) {
    refuse('fixedAmountThresholdMinor', 'must be null where there is no fixed amount');
  }
}
