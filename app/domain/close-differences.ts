import type { TransactionTotals } from '../contract/settlements.ts';
import { countedFigures } from './totals.ts';

/** Where the two sides of a day close count differently; each difference is named (decisions: Day close). */

const figures = [...countedFigures, 'currency'] as const;

/**
 * What the host counts against what a device told of its journal; what it did not tell is not compared.
 * @param name of the device's figures in its request
 */
export function deviceDifferences(
  name: 'journalTotals' | 'externalTotals',
  host: TransactionTotals,
  device: TransactionTotals | undefined,
): readonly string[] {
  if (device === undefined) return [];
  return figures
    .filter((figure) => host[figure] !== device[figure])
    .map((figure) => `${name}.${figure}: host ${host[figure]}, terminal ${device[figure]}`);
}

/** Sums of a batch as acquirers count them. */
export interface AcquirerTotals {
  readonly saleCount: number;
  readonly saleAmountMinor: number;
  readonly refundCount: number;
  readonly refundAmountMinor: number;
  readonly voidCount: number;
  readonly voidAmountMinor: number;
}

export function acquirerTotalsOf(totals: TransactionTotals): AcquirerTotals {
  return {
    saleCount: totals.saleCount,
    saleAmountMinor: totals.saleAmount,
    refundCount: totals.refundCount,
    refundAmountMinor: totals.refundAmount,
    voidCount: totals.voidCount,
    voidAmountMinor: totals.voidAmount,
  };
}

/** @param acquirer its totals; an acquirer that is out of balance need not tell them */
export function acquirerDifferences(host: AcquirerTotals, acquirer: AcquirerTotals | undefined): readonly string[] {
  const differing = (Object.keys(host) as (keyof AcquirerTotals)[])
    .filter((figure) => acquirer !== undefined && host[figure] !== acquirer[figure])
    .map((figure) => `${figure}: host ${host[figure]}, acquirer ${acquirer?.[figure]}`);
  return differing.length > 0 ? differing : ['the acquirer is out of balance, and tells no figures that differ'];
}

/** Whether nothing of a batch is the host's to fund: its payments are those of the terminal's own acquirer (decisions: EXTERNAL_RAIL). */
export function isExternalOnly(totals: {
  readonly funded: TransactionTotals;
  readonly external: TransactionTotals;
}): boolean {
  return isEmpty(totals.funded) && totals.funded.preAuthCount === 0 && !isEmpty(totals.external);
}

/** Without any payment; one that was taken back counts as void. */
export function isEmpty({ saleCount, refundCount, voidCount }: TransactionTotals): boolean {
  return saleCount === 0 && refundCount === 0 && voidCount === 0;
}

/** The totals of a batch without any payment. */
export function emptyTotals(currency: string): TransactionTotals {
  return {
    ...{ saleCount: 0, saleAmount: 0, refundCount: 0, refundAmount: 0, voidCount: 0, voidAmount: 0 },
    ...{ preAuthCount: 0, preAuthAmount: 0, currency },
  };
}
