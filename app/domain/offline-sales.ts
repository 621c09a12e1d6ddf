import { exponentOf } from '../contract/currencies.ts';
import type { DayCloseBlocker } from '../contract/errors.ts';
import type { AuthorizeRequest } from '../contract/host/authorize.ts';
import type { DayDifference } from '../contract/settlements.ts';
import { isoOf } from './instant.ts';
import type { JsonObject } from './json-value.ts';

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

/** Milliseconds for which the oldest may wait: first a person is warned, then no new one is taken. */
export const OFFLINE_WARN_MS = 12 * 3_600_000;
const OFFLINE_STOP_MS = 24 * 3_600_000;

/** A sale that waits for its authorization, or is to. */
interface OfflineSale {
  /** Minor units, tip included. */
  readonly amountMinor: number;
  readonly currency: string;
}

/** One that waits, since `sinceMs` (milliseconds since 1970). */
export interface WaitingSale extends OfflineSale {
  readonly transactionId: string;
  readonly terminalId: string;
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
  return sumOf(waiting, currency) + amountMinor > minorOf(limits.maxTotalUnits, currency) ? 'TOTAL_REACHED' : undefined;
}

/** One of what the host is owed, as far as it matters here. */
interface OwedItem {
  readonly transactionId: string;
  readonly terminalId: string;
  readonly kind: string;
  readonly state: string;
  /** Of a deferred authorization: the request, whose amount is in minor units, tip included. */
  readonly body: JsonObject;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The sales among what the host is owed that wait for their authorization, in their order. */
export function waitingSalesOf(owed: readonly OwedItem[]): readonly WaitingSale[] {
  return owed
    .filter(({ kind, state }) => kind === 'DEFERRED_AUTHORIZATION' && state === 'WAITING')
    .map(({ transactionId, terminalId, body, createdAt }) => {
      const { amount, currencyCode } = body as unknown as AuthorizeRequest;
      const sinceMs = Date.parse(createdAt);
      return { transactionId, terminalId, amountMinor: amount, currency: currencyCode, sinceMs };
    });
}

/** A sale that waits, as what keeps the day of its terminal open: the host's batch has it not. */
export function notForwarded({ transactionId, amountMinor, currency, sinceMs }: WaitingSale): DayCloseBlocker {
  return {
    ...{ transactionId, reason: 'NOT_FORWARDED', owner: 'TILL' },
    ...{ amount: amountMinor, currency, since: isoOf(sinceMs) },
  };
}

/** By how much the host's figures of the open day differ for it. */
export function missingAtHost({ transactionId, amountMinor }: WaitingSale): DayDifference {
  return {
    ...{ side: 'HOST', cause: 'NOT_FORWARDED', owner: 'TILL', transactionId },
    ...{ operation: 'SALE', count: -1, amount: -amountMinor },
  };
}

/** Sum of what waits in one currency, minor units. */
interface OfflineSum {
  readonly currency: string;
  readonly amountMinor: number;
}

/** One for each currency that waits, by its name. */
export function offlineSums(waiting: readonly WaitingSale[]): readonly OfflineSum[] {
  const currencies = [...new Set(waiting.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => ({ currency, amountMinor: sumOf(waiting, currency) }));
}

/** What may still come to it in one currency: the largest sale, all of them together (minor units), and how many. */
export function offlineRoom(
  limits: OfflineLimits,
  waiting: readonly WaitingSale[],
  currency: string,
): { readonly amountMinor: number; readonly totalMinor: number; readonly count: number } {
  const totalMinor = Math.max(0, minorOf(limits.maxTotalUnits, currency) - sumOf(waiting, currency));
  return {
    amountMinor: Math.min(totalMinor, minorOf(limits.maxSaleUnits, currency)),
    totalMinor,
    count: Math.max(0, limits.maxSales - waiting.length),
  };
}

/** Milliseconds for which the oldest waits; 0 where none does, or where the clock was set back. */
export function oldestAgeMs(waiting: readonly WaitingSale[], nowMs: number): number {
  return Math.max(0, ...waiting.map(({ sinceMs }) => nowMs - sinceMs));
}

function sumOf(waiting: readonly WaitingSale[], currency: string): number {
  return waiting.reduce((sum, one) => sum + (one.currency === currency ? one.amountMinor : 0), 0);
}

function minorOf(units: number, currency: string): number {
  return units * 10 ** exponentOf(currency);
}
