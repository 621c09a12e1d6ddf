import { describe, expect, it } from 'vitest';
import type { ComparedBatch } from '../../app/domain/batch-differences.ts';
import type { Explanation } from '../../app/domain/day-suspects.ts';
import { nameDifferences } from '../../app/domain/name-differences.ts';

const totals = {
  ...{ saleCount: 3, saleAmount: 3_000, refundCount: 0, refundAmount: 0, voidCount: 0, voidAmount: 0 },
  ...{ preAuthCount: 0, preAuthAmount: 0, currency: 'EUR' },
};
const batch = (reported: ComparedBatch['reported']): ComparedBatch => ({
  ...{ batchNumber: 1, totals, reported },
  schemes: [{ scheme: 'VISA', count: 3, amountMinor: 3_000 }],
});
const visa = (count: number, amountMinor: number) => batch({ schemes: [{ scheme: 'VISA', count, amountMinor }] });
const one = (cause: Explanation['cause'], transactionId: string, count: number, amountMinor: number): Explanation => ({
  ...{ cause, owner: 'SHOP', transactionId, scheme: 'VISA', count, amountMinor },
});

describe('the names of the differences of a day', () => {
  it('are none where the sides agree', () => {
    expect(nameDifferences('TERMINAL', visa(3, 3_000), [], [one('TIP_LATE', 'a', 0, -100)])).toEqual([]);
  });

  it('take a line apart into the fewest payments that explain it together', () => {
    const possible = [
      one('TIP_LATE', 'a', 0, -60),
      one('TIP_LATE', 'b', 0, -40),
      one('UNKNOWN', 'c', -1, -1_000),
      one('TIP_LATE', 'd', 0, -100),
    ];
    expect(nameDifferences('TERMINAL', visa(2, 1_900), [], possible).map(({ transactionId }) => transactionId)).toEqual(
      ['c', 'd'],
    );
    expect(nameDifferences('TERMINAL', visa(3, 2_940), [], possible).map(({ transactionId }) => transactionId)).toEqual(
      ['a'],
    );
  });

  it('take a payment for one reason only', () => {
    const possible = [one('UNKNOWN', 'a', -1, -1_000), one('TIP_LATE', 'a', 0, -100)];
    expect(nameDifferences('TERMINAL', visa(2, 1_900), [], possible)).toEqual([
      { side: 'TERMINAL', cause: 'UNKNOWN', owner: 'SHOP', scheme: 'VISA', count: -1, amountMinor: -1_100 },
    ]);
  });

  it.each([
    ['a payment without the till', visa(4, 3_500), 'TERMINAL_ONLY'],
    ['more for the same payments', visa(3, 3_050), 'TIP_LATE'],
    ['less for the same payments', visa(3, 2_950), 'UNKNOWN'],
    ['a payment that the terminal lacks', visa(2, 2_000), 'UNKNOWN'],
    ['a total alone that is higher', batch({ schemes: [], totalMinor: 3_500 }), 'TERMINAL_ONLY'],
    ['a total alone that is lower', batch({ schemes: [], totalMinor: 2_500 }), 'UNKNOWN'],
  ] as const)('stay one where nothing explains %s', (_what, told, cause) => {
    expect(nameDifferences('TERMINAL', told, [], []).map((difference) => difference.cause)).toEqual([cause]);
  });

  it('tell of the host what it certainly lacks, and what is left', () => {
    const told = batch({
      schemes: [],
      totals: { ...totals, saleCount: 1, saleAmount: 900, voidCount: 1, voidAmount: 50 },
    });
    const lacking: Explanation = {
      cause: 'NOT_FORWARDED',
      owner: 'TILL',
      transactionId: 'a',
      operation: 'SALE',
      count: -2,
      amountMinor: -2_000,
    };
    expect(nameDifferences('HOST', told, [lacking], [])).toEqual([
      { side: 'HOST', ...lacking },
      { side: 'HOST', cause: 'UNKNOWN', owner: 'HOST', operation: 'SALE', count: 0, amountMinor: -100 },
      { side: 'HOST', cause: 'UNKNOWN', owner: 'HOST', operation: 'VOID', count: 1, amountMinor: 50 },
    ]);
  });

  it('are found soon on a day of many tips that explain nothing', () => {
    const possible = Array.from({ length: 200 }, (_, at) => one('TIP_LATE', `t${at}`, 0, -(2 * at + 2)));
    const startedMs = performance.now();
    expect(nameDifferences('TERMINAL', visa(3, 2_999), [], possible)).toHaveLength(1);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});
