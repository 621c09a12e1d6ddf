import type { GiveBack } from '../contract/console/activity.ts';
import { refundableMinor, type Target } from './ceilings.ts';
import { isHeld, standingOf } from './transaction.machine.ts';

/** What the terminal of the transaction can do about it. */
export interface GiveBackMeans {
  readonly canVoid: boolean;
  readonly canRefund: boolean;
  /** The terminal takes back its last payment only, and this is not it; or it is a hold, and the terminal keeps those. */
  readonly isNotLast?: boolean;
}

/** How money of a transaction is given back from the console, by the rules of `checkVoid` and `checkRefund`. @param target what a void or refund of it acts on */
export function giveBackOf(target: Target, means: GiveBackMeans): GiveBack {
  const { canVoid, canRefund, isNotLast = false } = means;
  const { record, dependents, isSettled } = target;
  const obstacle = obstacleOf(target);
  if (obstacle !== undefined) return none(obstacle);
  if (record.type === 'PRE_AUTH') {
    return canVoid ? { kind: 'VOID', reason: 'OPEN_HOLD' } : none('CANNOT_RELEASE');
  }
  const isWhole = !isSettled && dependents.refundCount === 0;
  if (isWhole && canVoid) return { kind: 'VOID', reason: 'NOT_SETTLED' };
  if (refundableMinor(target) === 0) return none('NOTHING_LEFT');
  if (!canRefund && !isWhole) return none('CANNOT_REFUND');
  if (!canRefund) return none(isNotLast ? 'ONLY_LAST_PAYMENT' : 'TERMINAL_CANNOT');
  if (isWhole) return { kind: 'REFUND', reason: 'TERMINAL_CANNOT_VOID' };
  return { kind: 'REFUND', reason: dependents.refundCount > 0 ? 'HAS_REFUNDS' : 'ALREADY_SETTLED' };
}

function obstacleOf({ record, dependents }: Target): GiveBack['reason'] | undefined {
  if (record.type !== 'SALE' && record.type !== 'PRE_AUTH' && record.type !== 'PRE_AUTH_COMPLETE')
    return 'NOT_A_PAYMENT';
  if (record.mode === 'GRANULAR') return 'PAID_THROUGH_POS';
  if (record.state !== 'APPROVED') return isHeld(standingOf(record)) ? 'OUTCOME_UNKNOWN' : 'NOT_APPROVED';
  if (dependents.voidedBy !== undefined) {
    return dependents.voidedBy.state === 'APPROVED' ? 'ALREADY_VOIDED' : 'OUTCOME_UNKNOWN';
  }
  return dependents.completedBy === undefined ? undefined : 'OUTCOME_UNKNOWN';
}

function none(reason: GiveBack['reason']): GiveBack {
  return { kind: 'NONE', reason };
}
