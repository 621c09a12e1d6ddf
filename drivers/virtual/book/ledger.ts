import type { CardScheme } from '../cards.ts';
import type { AuthorizedEntry, BatchTotals, CountAndSum, StoredEntry } from './entries.ts';

const MAX_RECEIPT = 9999;
const MAX_TRACE = 999_999;

/** An authorization with everything that later entries said about it. */
export interface LedgerTransaction extends Omit<AuthorizedEntry, 'kind'> {
  readonly id: number;
  readonly at: string;
  readonly batch: number;
  readonly isFinal: boolean;
  readonly reversedBy?: 'TERMINAL';
  readonly reversalReason?: string;
  /** id of the standing COMPLETION, RELEASE or VOID that ended it */
  readonly endedBy?: number;
  /** sum of a pre-authorization with its extensions */
  readonly heldMinor: number;
}

/** What a terminal may ask its book. */
export interface LedgerView {
  nextSequence(): number;
  nextReceipt(): number;
  nextTrace(): number;
  batch(): number;
  get(id: number): LedgerTransaction | undefined;
  /** the newest authorization with this receipt number */
  byReceipt(receipt: number): LedgerTransaction | undefined;
  byTrace(trace: number): LedgerTransaction | undefined;
  /** what the till was told last (TOLD) */
  lastTold(): string | undefined;
  /** the newest authorization that became final */
  lastFinal(): LedgerTransaction | undefined;
  /** authorizations that neither became final nor were reversed: a crash or a lost till left them */
  pending(): readonly LedgerTransaction[];
  openPreAuthorizations(): readonly LedgerTransaction[];
  totals(): BatchTotals;
  /** standing charges and holds less refunds of one card in the open batch */
  spentMinor(cardId: string): number;
}

export interface Ledger extends LedgerView {
  apply(entry: StoredEntry): void;
  transactions(): readonly LedgerTransaction[];
}

/** True while the authorization moves (or holds) money. */
export function stands(transaction: LedgerTransaction): boolean {
  return transaction.reversedBy === undefined && transaction.endedBy === undefined;
}

export interface FirstNumbers {
  readonly receipt: number;
  readonly trace: number;
}

/** The state that a book's entries add up to. Applying the entries of a file in order rebuilds it. */
export function createLedger(first: FirstNumbers = { receipt: 1, trace: 1 }): Ledger {
  const byId = new Map<number, LedgerTransaction>();
  const idByReceipt = new Map<number, number>();
  const idByTrace = new Map<number, number>();
  let sequence = 0;
  let batch = 1;
  let receipt = first.receipt;
  let trace = first.trace;
  let lastFinalId = 0;
  let lastTold: string | undefined;
  const pendingIds = new Set<number>();
  const batchIds = new Set<number>();
  const openIds = new Set<number>();

  const change = (id: number | undefined, update: (transaction: LedgerTransaction) => LedgerTransaction) => {
    const transaction = id === undefined ? undefined : byId.get(id);
    if (transaction !== undefined) byId.set(transaction.id, update(transaction));
  };
  const pick = (ids: Iterable<number>) => [...ids].flatMap((id) => byId.get(id) ?? []);
  const authorize = (entry: StoredEntry & AuthorizedEntry) => {
    const { kind: _, sequence: id, ...content } = entry;
    byId.set(id, { ...content, id, batch, isFinal: false, heldMinor: entry.amountMinor });
    idByReceipt.set(entry.receipt, id);
    idByTrace.set(entry.trace, id);
    pendingIds.add(id);
    batchIds.add(id);
    receipt = (entry.receipt % MAX_RECEIPT) + 1;
    trace = (entry.trace % MAX_TRACE) + 1;
    if (entry.operation === 'PRE_AUTH' && entry.extendsId === undefined) openIds.add(id);
    change(entry.originalId, (original) => ({ ...original, endedBy: id }));
    change(entry.extendsId, (root) => ({ ...root, heldMinor: root.heldMinor + entry.amountMinor }));
    if (entry.originalId !== undefined) openIds.delete(entry.originalId);
  };
  const reverse = (id: number, reason: string) => {
    pendingIds.delete(id);
    openIds.delete(id);
    change(id, (transaction) => ({ ...transaction, reversedBy: 'TERMINAL', reversalReason: reason }));
    const { originalId, extendsId, amountMinor = 0 } = byId.get(id) ?? {};
    change(originalId, ({ endedBy: _, ...original }) => original);
    change(extendsId, (root) => ({ ...root, heldMinor: root.heldMinor - amountMinor }));
    const original = originalId === undefined ? undefined : byId.get(originalId);
    if (original?.operation === 'PRE_AUTH') openIds.add(original.id);
  };

  return {
    apply(entry) {
      sequence = entry.sequence;
      if (entry.kind === 'AUTHORIZED') authorize(entry);
      else if (entry.kind === 'REVERSED') reverse(entry.id, entry.reason);
      else if (entry.kind === 'FINAL') {
        pendingIds.delete(entry.id);
        lastFinalId = entry.id;
        change(entry.id, (transaction) => ({ ...transaction, isFinal: true }));
      } else if (entry.kind === 'CLOSED') {
        batch = entry.batch + 1;
        if (entry.trace !== undefined) trace = (entry.trace % MAX_TRACE) + 1;
        batchIds.clear();
      } else if (entry.kind === 'TOLD') {
        lastTold = entry.text;
        if (entry.trace !== undefined) trace = (entry.trace % MAX_TRACE) + 1;
      }
    },
    transactions: () => [...byId.values()],
    nextSequence: () => sequence + 1,
    nextReceipt: () => receipt,
    nextTrace: () => trace,
    batch: () => batch,
    get: (id) => byId.get(id),
    byReceipt: (number) => byId.get(idByReceipt.get(number) ?? 0),
    byTrace: (number) => byId.get(idByTrace.get(number) ?? 0),
    lastTold: () => lastTold,
    lastFinal: () => byId.get(lastFinalId),
    pending: () => pick(pendingIds),
    openPreAuthorizations: () => pick(openIds).filter(stands),
    totals: () => batchTotals(pick(batchIds)),
    spentMinor: (cardId) =>
      pick(batchIds)
        .filter((transaction) => transaction.card.id === cardId && stands(transaction))
        .reduce((sum, transaction) => sum + spent(transaction), 0),
  };
}

function spent({ operation, amountMinor }: LedgerTransaction): number {
  if (operation === 'SALE' || operation === 'COMPLETION' || operation === 'PRE_AUTH') return amountMinor;
  return operation === 'REFUND' ? -amountMinor : 0;
}

function batchTotals(transactions: readonly LedgerTransaction[]): BatchTotals {
  const counted = transactions.filter(
    (transaction) => stands(transaction) && ['SALE', 'COMPLETION', 'REFUND'].includes(transaction.operation),
  );
  return {
    ...countAndSum(counted, spent),
    byScheme: byScheme(counted, spent),
    receiptFrom: transactions[0]?.receipt ?? 0,
    receiptTo: transactions.at(-1)?.receipt ?? 0,
  };
}

type Weigh = (transaction: LedgerTransaction) => number;

/** Count and sum of transactions, each weighed by `weigh`. */
export function countAndSum(transactions: readonly LedgerTransaction[], weigh: Weigh): CountAndSum {
  return {
    count: transactions.length,
    sumMinor: transactions.reduce((sum, transaction) => sum + weigh(transaction), 0),
  };
}

export function byScheme(
  transactions: readonly LedgerTransaction[],
  weigh: Weigh,
): Partial<Record<CardScheme, CountAndSum>> {
  const schemes = new Set(transactions.map(({ card }) => card.scheme));
  return Object.fromEntries(
    [...schemes].map((scheme) => [
      scheme,
      countAndSum(
        transactions.filter(({ card }) => card.scheme === scheme),
        weigh,
      ),
    ]),
  );
}
