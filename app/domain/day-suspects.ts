import type { DifferenceCause, DifferenceOwner, DifferingSide } from '../contract/settlements.ts';
import { totalMinor } from './money.ts';
import { UNKNOWN_SCHEME } from './totals.ts';
import type { TransactionRecord } from './transaction.ts';

/** A payment that may explain why another side counts otherwise; what acts on another comes with it. */
export interface DaySuspect {
  readonly record: TransactionRecord;
  readonly target?: TransactionRecord;
}

/** A paid payment, or a void, of which the host was not told all. */
export interface UntoldPayment extends DaySuspect {
  /** The payment itself is on the host's record; of a void: the one that it takes back. */
  readonly isRecordTold: boolean;
  /** That it was taken back is. */
  readonly isVoidTold: boolean;
  /** It is, or was, in the outbox; without, it ended before there was a host. */
  readonly isOwed: boolean;
}

/** One reason for which a side counts otherwise, and by how much its figures then differ from the journal's. */
export interface Explanation {
  readonly cause: DifferenceCause;
  readonly owner: DifferenceOwner;
  readonly transactionId?: string;
  readonly scheme?: string;
  readonly operation?: 'SALE' | 'REFUND' | 'VOID';
  readonly count: number;
  readonly amountMinor: number;
}

/** Who clears up what is found: the shop knows what it did, an acquirer what it holds, the host what it refuses. */
export function ownerOf(cause: DifferenceCause, side: DifferingSide): DifferenceOwner {
  switch (cause) {
    case 'NOT_FORWARDED':
      return 'TILL';
    case 'VOID_AFTER_CUT_OFF':
    case 'OPEN_AUTHORIZATION':
      return 'ACQUIRER';
    case 'TIP_LATE':
    case 'TERMINAL_ONLY':
    case 'BUSINESS_DATE':
      return 'SHOP';
    case 'UNKNOWN':
      return side === 'HOST' ? 'HOST' : 'SHOP';
  }
}

/** What a terminal's own figures may differ by, by scheme; sums as they move the net sum of the batch. */
export function terminalExplanations(suspects: readonly DaySuspect[], batchNumber: number): readonly Explanation[] {
  return suspects.flatMap(({ record, target }): Explanation[] => {
    const total = totalMinor(record);
    const made = (cause: DifferenceCause, count: number, amountMinor: number): Explanation => ({
      ...{ cause, owner: ownerOf(cause, 'TERMINAL'), transactionId: record.transactionId },
      ...{ scheme: (target ?? record).card.cardScheme ?? UNKNOWN_SCHEME, count, amountMinor },
    });
    if (record.type === 'VOID') {
      // Its cut-off stood between the payment and its void, so that it counts the void in the other batch.
      const isOurs = record.batchNumber === batchNumber;
      return [made('VOID_AFTER_CUT_OFF', isOurs ? 1 : -1, isOurs ? total : -total)];
    }
    if (record.type === 'PRE_AUTH') return [made('OPEN_AUTHORIZATION', 1, total)];
    const moved = record.type === 'REFUND' ? -total : total;
    const isPaid = record.state === 'APPROVED';
    return [
      ...(record.evidence.length === 0 ? [] : [made('UNKNOWN', isPaid ? -1 : 1, isPaid ? -moved : moved)]),
      ...(isPaid && record.tipAmountMinor > 0 ? [made('TIP_LATE', 0, -record.tipAmountMinor)] : []),
    ];
  });
}

/** What the host's figures differ by for certain, by kind of payment: each sum is that of its kind. */
export function hostExplanations(untold: readonly UntoldPayment[]): readonly Explanation[] {
  return untold.flatMap(({ record, target, isRecordTold, isVoidTold, isOwed }): Explanation[] => {
    const amountMinor = totalMinor(record);
    const { transactionId } = record;
    const missing = (operation: 'SALE' | 'REFUND' | 'VOID'): Explanation => ({
      ...{ cause: 'NOT_FORWARDED', owner: isOwed ? 'HOST' : 'TILL', transactionId },
      ...{ operation, count: -1, amountMinor: -amountMinor },
    });
    if (record.type !== 'VOID') {
      // One that was told as taken back was told as paid with it.
      return isVoidTold || isRecordTold ? [] : [missing(record.type === 'REFUND' ? 'REFUND' : 'SALE')];
    }
    if (!isVoidTold) return [missing('VOID')];
    // Told as taken back only, the payment counts with its void, though it was of another batch.
    if (isRecordTold || target?.batchNumber === record.batchNumber) return [];
    const late = { cause: 'VOID_AFTER_CUT_OFF', owner: 'HOST', transactionId, operation: 'SALE' } as const;
    return [{ ...late, count: 1, amountMinor }];
  });
}
