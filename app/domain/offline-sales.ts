import { exponentOf } from '../contract/currencies.ts';

/** How much may wait for its authorization (decisions section 7). */
export interface OfflineLimits {
  readonly enabled: boolean;
  /** Whole units of the currency that one sale may come to, tip included. */
  readonly maxSaleUnits: number;
  /** Whole units of the currency that all of them together may come to. */
  readonly maxTotalUnits: number;
  readonly maxSales: number;
}

export const DEFAULT_OFFLINE_LIMITS: OfflineLimits = {
  enabled: false,
  maxSaleUnits: 100,
  maxTotalUnits: 1_000,
  maxSales: 50,
};

/** Milliseconds for which the oldest may wait: then no new one is taken. */
const OFFLINE_STOP_MS = 24 * 3_600_000;

/** A sale that waits for its authorization, or is to. */
interface OfflineSale {
  /** Minor units, tip included. */
  readonly amountMinor: number;
  readonly currency: string;
}

/** One that waits, since `sinceMs` (milliseconds since 1970). */
export interface WaitingSale extends OfflineSale {
  readonly sinceMs: number;
}

/** Why a sale cannot be taken without its issuer. */
type OfflineRefusal = 'OFF' | 'SALE_TOO_LARGE' | 'TOTAL_REACHED' | 'TOO_MANY' | 'TOO_OLD';

/**
 * Whether one more sale may wait for its authorization (decisions section 7); a sum is that of one currency, number and age are those of all.
 * @returns undefined when it may
 */
export function offlineRefusal(
  limits: OfflineLimits,
  waiting: readonly WaitingSale[],
  sale: OfflineSale,
  nowMs: number,
): OfflineRefusal | undefined {
  if (!limits.enabled) return 'OFF';
  const { amountMinor, currency } = sale;
  if (amountMinor > minorOf(limits.maxSaleUnits, currency)) return 'SALE_TOO_LARGE';
  if (oldestAgeMs(waiting, nowMs) >= OFFLINE_STOP_MS) return 'TOO_OLD';
  if (waiting.length >= limits.maxSales) return 'TOO_MANY';
  const same = waiting.filter((one) => one.currency === currency);
  const sum = same.reduce((total, one) => total + one.amountMinor, amountMinor);
  return sum > minorOf(limits.maxTotalUnits, currency) ? 'TOTAL_REACHED' : undefined;
}

/** Milliseconds for which the oldest waits; 0 where none does, or where the clock was set back. */
export function oldestAgeMs(waiting: readonly WaitingSale[], nowMs: number): number {
  return Math.max(0, ...waiting.map(({ sinceMs }) => nowMs - sinceMs));
}

function minorOf(units: number, currency: string): number {
  return units * 10 ** exponentOf(currency);
}
