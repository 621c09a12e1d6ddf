import { sumMinor } from './money.ts';

/** How many of one note or coin were counted. */
export interface CountedPieces {
  readonly valueMinor: number;
  readonly quantity: number;
}

/** What somebody counted in the drawer before the expected sum was shown. */
export interface CashCount {
  readonly terminalId: string;
  readonly batchNumber: number;
  readonly currency: string;
  readonly countedAt: string;
  readonly countedBy: string;
  /** What lay in the drawer when the day began. */
  readonly openingFloatMinor: number;
  readonly pieces: readonly CountedPieces[];
  /** What was counted without its pieces: rolls, a currency without a table. */
  readonly otherMinor: number;
}

/** Notes and coins in circulation, largest first, minor units. A currency that is not here is counted as one sum. */
const denominations: Readonly<Record<string, readonly number[]>> = {
  EUR: [50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1],
  CHF: [100_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5],
  GBP: [5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1],
  USD: [10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 25, 10, 5, 1],
  PLN: [50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1],
  CZK: [500_000, 200_000, 100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100],
  DKK: [50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50],
  SEK: [100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100],
  NOK: [100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 100],
};

export function denominationsOf(currency: string): readonly number[] {
  return denominations[currency] ?? [];
}

/** All that was counted, minor units. @throws BridgeError AMOUNT_TOO_LARGE */
export function countedMinor({ pieces, otherMinor }: Pick<CashCount, 'pieces' | 'otherMinor'>): number {
  return sumMinor(otherMinor, ...pieces.map(({ valueMinor, quantity }) => valueMinor * quantity));
}
