import { BridgeError } from '../contract/errors.ts';
import { MAX_AMOUNT_MINOR } from '../contract/limits.ts';

/** The three amounts of a POS request: `amountMinor` is without tip and cash-back (decisions: POS amount, tip, cash-back). */
export interface PosAmounts {
  readonly amountMinor: number;
  readonly tipAmountMinor: number;
  readonly cashbackAmountMinor: number;
}

/** The amounts as the host names them: `amountMinor` = base + tip, base = goods + cash-back. */
export interface HostAmounts {
  readonly amountMinor: number;
  readonly baseAmountMinor: number;
  readonly tipAmountMinor: number;
  readonly cashbackAmountMinor: number;
}

/** Limits of a tip; what is absent does not limit. */
export interface TipCaps {
  readonly maxAmountMinor?: number;
  /** Share of the goods in 1/10,000. */
  readonly maxBasisPoints?: number;
}

const basisPointsOfWhole = 10_000n;

/**
 * Sum of amounts in minor units.
 * @throws BridgeError AMOUNT_TOO_LARGE when the sum passes 2^53 − 1. RangeError for what is no amount at all (a defect of the caller).
 */
export function sumMinor(...amounts: readonly number[]): number {
  let sum = 0n;
  for (const amount of amounts) sum += BigInt(requireMinor(amount));
  return minorOfBigInt(sum);
}

/**
 * A sum made in 64-bit or wider arithmetic as a number.
 * @throws BridgeError AMOUNT_TOO_LARGE outside −(2^53 − 1) … 2^53 − 1.
 */
export function minorOfBigInt(sum: bigint): number {
  if (sum > BigInt(MAX_AMOUNT_MINOR) || sum < -BigInt(MAX_AMOUNT_MINOR)) {
    throw new BridgeError('AMOUNT_TOO_LARGE', 'the sum of the amounts is larger than 9007199254740991 minor units');
  }
  return Number(sum);
}

function requireMinor(amount: number): number {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError('not an amount in minor units');
  return amount;
}

/** What the terminal charges: amount + tip + cash-back (decisions: POS amount, tip, cash-back). @throws BridgeError AMOUNT_TOO_LARGE */
export function totalMinor(amounts: PosAmounts): number {
  return sumMinor(amounts.amountMinor, amounts.tipAmountMinor, amounts.cashbackAmountMinor);
}

/** What can be given back or captured of it: amount + tip, without cash-back (decisions: Refund ceiling). @throws BridgeError AMOUNT_TOO_LARGE */
export function withoutCashbackMinor(amounts: PosAmounts): number {
  return sumMinor(amounts.amountMinor, amounts.tipAmountMinor);
}

/** POS amounts → host amounts: 1000, tip 100, cash-back 500 → 1600, base 1500, tip 100, cash-back 500. @throws BridgeError AMOUNT_TOO_LARGE */
export function hostAmountsOf(pos: PosAmounts): HostAmounts {
  return {
    amountMinor: totalMinor(pos),
    baseAmountMinor: sumMinor(pos.amountMinor, pos.cashbackAmountMinor),
    tipAmountMinor: pos.tipAmountMinor,
    cashbackAmountMinor: pos.cashbackAmountMinor,
  };
}

/**
 * Host amounts → POS amounts, the way back of `hostAmountsOf`.
 * @throws BridgeError INVALID_REQUEST when amount ≠ base + tip, or the cash-back is larger than the base.
 */
export function posAmountsOf(host: HostAmounts): PosAmounts {
  if (sumMinor(host.baseAmountMinor, host.tipAmountMinor) !== host.amountMinor) {
    throw new BridgeError('INVALID_REQUEST', 'amount must be baseAmountMinor + tipAmountMinor', { field: 'amount' });
  }
  if (requireMinor(host.cashbackAmountMinor) > host.baseAmountMinor) {
    throw new BridgeError('INVALID_REQUEST', 'cashbackAmountMinor must not be larger than baseAmountMinor', {
      field: 'cashbackAmountMinor',
    });
  }
  return {
    amountMinor: host.baseAmountMinor - host.cashbackAmountMinor,
    tipAmountMinor: host.tipAmountMinor,
    cashbackAmountMinor: host.cashbackAmountMinor,
  };
}

/** A preset tip: (goods × basisPoints + 5000) div 10000 (decisions: Tip arithmetic). @throws BridgeError AMOUNT_TOO_LARGE */
export function presetTipMinor(goodsMinor: number, basisPoints: number): number {
  const scaled = BigInt(requireMinor(goodsMinor)) * BigInt(requireMinor(basisPoints));
  return minorOfBigInt((scaled + basisPointsOfWhole / 2n) / basisPointsOfWhole);
}

/**
 * Largest tip that is allowed: the smaller of the caps; undefined without a cap (decisions: Tip arithmetic). A cap by share is rounded like a
 * preset tip, so that a preset of exactly that share is always allowed.
 */
export function tipCapMinor(goodsMinor: number, caps: TipCaps): number | undefined {
  const limits: number[] = [];
  if (caps.maxAmountMinor !== undefined) limits.push(requireMinor(caps.maxAmountMinor));
  if (caps.maxBasisPoints !== undefined) limits.push(presetTipMinor(goodsMinor, caps.maxBasisPoints));
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/**
 * Minor units as decimal text with `exponent` places, without floating point: (92000, 3) → 92.000; (500, 0) → 500; (-5, 2) → -0.05.
 * @throws RangeError for what is no safe integer.
 */
export function formatMinor(amountMinor: number, exponent: number): string {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError('not an amount in minor units');
  const sign = amountMinor < 0 ? '-' : '';
  const digits = String(Math.abs(amountMinor)).padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
