import type { CardScheme } from '../cards.ts';
import type { CountAndSum, StoredEntry } from './entries.ts';
import { byScheme, countAndSum, createLedger, type LedgerTransaction, stands } from './ledger.ts';

/** A transaction with the one question that matters answered. */
interface JudgedTransaction extends LedgerTransaction {
  readonly stands: boolean;
}

/** What a book says: the judge of money tests. */
export interface BookSummary {
  readonly path: string;
  readonly entries: readonly StoredEntry[];
  readonly transactions: readonly JudgedTransaction[];
  readonly standing: {
    /** sales and completions that were neither reversed nor voided */
    readonly charges: CountAndSum & { readonly byScheme: Partial<Record<CardScheme, CountAndSum>> };
    readonly refunds: CountAndSum;
    /** pre-authorizations still open */
    readonly holds: CountAndSum;
  };
  /** ids of authorizations that are neither final nor reversed yet */
  readonly pending: readonly number[];
  readonly closes: number;
}

/** Adds the entries of a book up. */
export function summarise(path: string, entries: readonly StoredEntry[]): BookSummary {
  const ledger = createLedger();
  for (const entry of entries) ledger.apply(entry);
  const transactions = ledger.transactions();
  const standing = transactions.filter(stands);
  const charges = standing.filter(({ operation }) => operation === 'SALE' || operation === 'COMPLETION');
  const amount = (transaction: LedgerTransaction) => transaction.amountMinor;
  return {
    path,
    entries,
    transactions: transactions.map((transaction) => ({ ...transaction, stands: stands(transaction) })),
    standing: {
      charges: { ...countAndSum(charges, amount), byScheme: byScheme(charges, amount) },
      refunds: countAndSum(
        standing.filter(({ operation }) => operation === 'REFUND'),
        amount,
      ),
      holds: countAndSum(ledger.openPreAuthorizations(), ({ heldMinor }) => heldMinor),
    },
    pending: ledger.pending().map(({ id }) => id),
    closes: entries.filter(({ kind }) => kind === 'CLOSED').length,
  };
}
