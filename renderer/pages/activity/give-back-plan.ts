import type { ActivityDetail } from '../../../app/contract/console/activity.ts';
import type { RefundRequest, VoidRequest } from '../../../app/contract/transactions.ts';
import { totalOf } from '../sell/sale-amounts.ts';

/** How much a person wants to give back: everything that is left, or a part in minor units. */
export type GiveBackWish = { readonly kind: 'ALL' } | { readonly kind: 'PART'; readonly amountMinor: number };

export interface GiveBackPlan {
  readonly request: VoidRequest | RefundRequest;
  /** What goes back to the customer, minor units. */
  readonly amountMinor: number;
  /** What can still be given back afterwards, minor units. */
  readonly leftMinor: number;
}

/** What a wish to give everything back gives: a void takes the cash-back too, a refund what is left of the rest. */
export function wholeMinor(detail: ActivityDetail): number {
  return detail.giveBack.kind === 'VOID' ? totalOf(detail.transaction) : detail.refundableMinor;
}

/** Whether a part can be given back: a hold is released as a whole. */
export function canGivePart(detail: ActivityDetail): boolean {
  return detail.giveBack.kind !== 'NONE' && detail.giveBack.reason !== 'OPEN_HOLD' && detail.refundableMinor > 1;
}

/**
 * Void or refund: everything of an unsettled payment is a void, all else a refund (decisions: Void, Refund ceiling). Undefined when the wish cannot be
 * met.
 */
export function planGiveBack(detail: ActivityDetail, wish: GiveBackWish): GiveBackPlan | undefined {
  const { giveBack, refundableMinor, transaction } = detail;
  const common = { currency: transaction.currency, originalTransactionId: transaction.transactionId };
  if (giveBack.kind === 'NONE') return undefined;
  if (wish.kind === 'ALL' && giveBack.kind === 'VOID') {
    return { request: { type: 'VOID', amount: 0, ...common }, amountMinor: totalOf(detail.transaction), leftMinor: 0 };
  }
  const amountMinor = wish.kind === 'ALL' ? refundableMinor : wish.amountMinor;
  if (amountMinor < 1 || amountMinor > refundableMinor) return undefined;
  return {
    request: { type: 'REFUND', amount: amountMinor, ...common },
    amountMinor,
    leftMinor: refundableMinor - amountMinor,
  };
}
