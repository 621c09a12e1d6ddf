import { describe, expect, it } from 'vitest';
import type { TransactionTotals } from '../../app/contract/settlements.ts';
import {
  acquirerDifferences,
  acquirerTotalsOf,
  deviceDifferences,
  isExternalOnly,
} from '../../app/domain/close-differences.ts';

const nothing: TransactionTotals = {
  saleCount: 0,
  saleAmount: 0,
  refundCount: 0,
  refundAmount: 0,
  voidCount: 0,
  voidAmount: 0,
  preAuthCount: 0,
  preAuthAmount: 0,
  currency: 'EUR',
};

describe('differences of a day close', () => {
  it('names every figure that a device counts otherwise, its currency too, and compares nothing that it did not tell', () => {
    const host = { ...nothing, saleCount: 1, saleAmount: 500 };
    for (const [figure, value] of Object.entries(host)) {
      const other = typeof value === 'number' ? value + 1 : 'USD';
      expect(deviceDifferences('journalTotals', host, { ...host, [figure]: other })).toEqual([
        `journalTotals.${figure}: host ${value}, terminal ${other}`,
      ]);
    }
    expect(deviceDifferences('externalTotals', host, host)).toEqual([]);
    expect(deviceDifferences('externalTotals', host, undefined)).toEqual([]);
  });

  it('names every figure that an acquirer counts otherwise, and says so where it tells none', () => {
    const host = acquirerTotalsOf({ ...nothing, voidCount: 2, voidAmount: 30 });
    for (const [figure, value] of Object.entries(host)) {
      expect(acquirerDifferences(host, { ...host, [figure]: value + 1 })).toEqual([
        `${figure}: host ${value}, acquirer ${value + 1}`,
      ]);
    }
    expect(acquirerDifferences(host, undefined)).toHaveLength(1);
    expect(acquirerDifferences(host, host)).toHaveLength(1);
  });

  it('knows a batch of which nothing is the host’s to fund: an empty one, and one with an open hold, are told', () => {
    const external = { ...nothing, voidCount: 1, voidAmount: 5 };
    expect(isExternalOnly({ funded: nothing, external })).toBe(true);
    expect(isExternalOnly({ funded: nothing, external: nothing })).toBe(false);
    expect(isExternalOnly({ funded: { ...nothing, refundCount: 1 }, external })).toBe(false);
    expect(isExternalOnly({ funded: { ...nothing, preAuthCount: 1 }, external })).toBe(false);
  });
});
