import type { BookFile } from '../../drivers/virtual/book/book-file.ts';
import type { BookOperation, StoredEntry } from '../../drivers/virtual/book/entries.ts';
import { createLedger, stands } from '../../drivers/virtual/book/ledger.ts';
import type { Approval } from './bench.ts';

const operationOf: Readonly<Record<BookOperation, Approval['operation']>> = {
  SALE: 'SALE',
  PRE_AUTH: 'PRE_AUTH',
  COMPLETION: 'PRE_AUTH_COMPLETE',
  RELEASE: 'VOID',
  VOID: 'VOID',
  REFUND: 'REFUND',
};

/** The book of a terminal with its acquirer, in memory, added up by the ledger of the virtual terminals. */
export function createPaymentBook() {
  const ledger = createLedger();
  const entries: StoredEntry[] = [];
  const listeners: (() => void)[] = [];
  const file: BookFile = {
    path: 'memory',
    initialEntries: [],
    append(entry, at) {
      const stored: StoredEntry = { sequence: entries.length + 1, at, ...entry };
      entries.push(stored);
      if (entry.kind === 'FINAL') for (const listener of listeners) listener();
      return stored;
    },
    read: () => entries,
    close() {},
  };
  return {
    ledger,
    file,
    onFinal: (listener: () => void) => void listeners.push(listener),
    approvals(): readonly Approval[] {
      const payments = ledger.transactions().map((transaction) => ({
        operation: operationOf[transaction.operation],
        amountMinor: transaction.amountMinor,
        isFinal: transaction.isFinal,
        stands: stands(transaction),
      }));
      const closes = entries.filter(({ kind }) => kind === 'CLOSED');
      // A close needs no acknowledgement: it has happened.
      return [
        ...payments,
        ...closes.map(() => ({ operation: 'DAY_CLOSE', amountMinor: 0, isFinal: false, stands: true }) as const),
      ];
    },
  };
}
