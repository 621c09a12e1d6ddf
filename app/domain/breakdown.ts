import { type CountedType, countedTypes } from '../contract/console/day-words.ts';
import { minorOfBigInt } from './money.ts';

/** What one actor did of one kind in a batch, by the rules of decisions: Totals; sums are exact. */
export interface BatchGroup {
  readonly actor: string;
  readonly type: CountedType;
  readonly count: number;
  readonly total: bigint;
  readonly tip: bigint;
  readonly cashback: bigint;
}

interface CashierFigures {
  /** As journaled, without the approver: `console:Anna`, `pos:till one`. */
  readonly actor: string;
  readonly saleCount: number;
  readonly saleAmount: number;
  readonly refundCount: number;
  readonly refundAmount: number;
  readonly voidCount: number;
  readonly voidAmount: number;
  readonly tipAmount: number;
  readonly netAmount: number;
}

/** A batch by who began each payment, by kind, and what of it is tips and cash-back; minor units. */
export interface Breakdown {
  readonly byCashier: readonly CashierFigures[];
  readonly byType: readonly { readonly type: CountedType; readonly count: number; readonly amount: number }[];
  /** Tips of what was sold, less those of voids. */
  readonly tipAmount: number;
  /** Cash handed out, less that of voids. */
  readonly cashbackAmount: number;
}

/** The one calculation of X and Z reports beyond the totals. @throws BridgeError AMOUNT_TOO_LARGE when a sum passes 2^53 − 1 */
export function breakdownOf(groups: readonly BatchGroup[]): Breakdown {
  const actors = [...new Set(groups.map(({ actor }) => starterOf(actor)))].sort();
  return {
    byCashier: actors.map((actor) =>
      cashierFigures(
        actor,
        groups.filter((group) => starterOf(group.actor) === actor),
      ),
    ),
    byType: countedTypes.flatMap((type) => {
      const { count, amount } = tallyOf(groups, [type]);
      return count === 0 ? [] : [{ type, count, amount }];
    }),
    tipAmount: netOf(groups, 'tip'),
    cashbackAmount: netOf(groups, 'cashback'),
  };
}

function cashierFigures(actor: string, groups: readonly BatchGroup[]): CashierFigures {
  const sales = tallyOf(groups, ['SALE', 'PRE_AUTH_COMPLETE']);
  const refunds = tallyOf(groups, ['REFUND']);
  const voids = tallyOf(groups, ['VOID']);
  return {
    actor,
    ...{ saleCount: sales.count, saleAmount: sales.amount },
    ...{ refundCount: refunds.count, refundAmount: refunds.amount },
    ...{ voidCount: voids.count, voidAmount: voids.amount },
    tipAmount: netOf(groups, 'tip'),
    netAmount: netOf(groups, 'total'),
  };
}

function tallyOf(groups: readonly BatchGroup[], types: readonly CountedType[]) {
  let count = 0;
  let sum = 0n;
  for (const group of groups) {
    if (!types.includes(group.type)) continue;
    count += group.count;
    sum += group.total;
  }
  return { count, amount: minorOfBigInt(sum) };
}

function netOf(groups: readonly BatchGroup[], field: 'total' | 'tip' | 'cashback'): number {
  let sum = 0n;
  for (const group of groups) {
    sum += group.type === 'REFUND' || group.type === 'VOID' ? -group[field] : group[field];
  }
  return minorOfBigInt(sum);
}

/** Who began it: `console:Anna approved by Ben` → `console:Anna`. */
export function starterOf(actor: string): string {
  return actor.replace(/ approved by .*$/, '');
}
