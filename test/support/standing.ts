import type { Payment } from '../../app/contract/host/payment.ts';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import type { BookSummary } from '../../host/simulator/standing.ts';

/** Reference number of the acquirer → what stands of that payment, minor units; a refund is negative, and what was taken back is not there. */
export type Standing = Readonly<Record<string, number>>;

export const totalOf = ({ amount, tipAmount = 0, cashbackAmount = 0 }: TransactionResponse) =>
  amount + tipAmount + cashbackAmount;

/** @param transactions newest first, as the till lists them */
export function standingInJournal(transactions: readonly TransactionResponse[]): Standing {
  const standing = new Map<string, number>();
  const rrnOf = (id: string | undefined) => transactions.find(({ transactionId }) => transactionId === id)?.rrn ?? '';
  for (const transaction of [...transactions].reverse()) {
    const { status, type, rrn, originalTransactionId } = transaction;
    if (status !== 'APPROVED') continue;
    if (type === 'VOID') standing.delete(rrnOf(originalTransactionId));
    else if (type === 'PRE_AUTH_COMPLETE') standing.set(rrnOf(originalTransactionId), totalOf(transaction));
    // The POS's own acquirer has authorized what has no reference number of ours.
    else if (rrn !== undefined) standing.set(rrn, type === 'REFUND' ? -totalOf(transaction) : totalOf(transaction));
  }
  return Object.fromEntries(standing);
}

/** What a chip approved by itself has no reference number, and no acquirer knows of it yet: it is not among these. */
export function standingAtHost(payments: readonly Payment[]): Standing {
  return Object.fromEntries(
    payments
      .filter(({ status, rrn }) => rrn !== undefined && (status === 'SUCCEEDED' || status === 'REQUIRES_CAPTURE'))
      .map(({ rrn = '', type, amountMinor, capturedAmountMinor }) => {
        const minor = capturedAmountMinor ?? amountMinor;
        return [rrn, type === 'REFUND' ? -minor : minor];
      }),
  );
}

export function standingAtAcquirer({ transactions }: BookSummary): Standing {
  return Object.fromEntries(
    transactions
      .filter(({ stands }) => stands)
      .map(({ rrn, operation, state, heldMinor, capturedMinor }) => {
        const minor = state === 'HELD' ? heldMinor : capturedMinor;
        return [rrn, operation === 'refund' ? -minor : minor];
      }),
  );
}
