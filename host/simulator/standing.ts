import type { BookEntry, StoredEntry } from './entries.ts';
import { createLedger, type Lane, type Ledger, stands, type Transaction } from './ledger.ts';

interface CountAndSum {
  readonly count: number;
  readonly sumMinor: number;
}

/** What stands between the acquirer and one terminal of a merchant in one currency, over all batches. */
interface LaneStanding extends Lane {
  /** authorized and neither captured nor taken back */
  readonly authorized: CountAndSum;
  readonly captured: CountAndSum;
  readonly refunded: CountAndSum;
  /** captured − refunded */
  readonly netMinor: number;
}

/** What a book says: the judge of money tests. */
export interface BookSummary {
  readonly path: string;
  readonly entries: number;
  /** messages that came for the first time, by type */
  readonly messages: Readonly<Partial<Record<MessageType, number>>>;
  /** messages that came again, and references that came again with other content */
  readonly repeated: number;
  readonly conflicts: number;
  readonly transactions: readonly (Transaction & { readonly stands: boolean })[];
  readonly standing: readonly LaneStanding[];
  readonly batches: ReturnType<Ledger['batches']>;
}

type MessageType = Extract<BookEntry, { readonly kind: 'MESSAGE' }>['request']['type'];

/** Adds the entries of a book up. */
export function summarise(path: string, entries: readonly StoredEntry[]): BookSummary {
  const ledger = createLedger();
  const messages: Partial<Record<MessageType, number>> = {};
  for (const entry of entries) {
    ledger.apply(entry);
    if (entry.kind === 'MESSAGE') messages[entry.request.type] = (messages[entry.request.type] ?? 0) + 1;
  }
  const transactions = ledger.transactions();
  return {
    path,
    entries: entries.length,
    messages,
    ...ledger.counts(),
    transactions: transactions.map((transaction) => ({ ...transaction, stands: stands(transaction) })),
    standing: standingOf(transactions),
    batches: ledger.batches(),
  };
}

function standingOf(transactions: readonly Transaction[]): readonly LaneStanding[] {
  const lanes = new Map<string, Transaction[]>();
  for (const transaction of transactions) {
    const { merchantId, terminalId, currencyCode } = transaction;
    const key = JSON.stringify([merchantId, terminalId, currencyCode]);
    const ofLane = lanes.get(key);
    if (ofLane === undefined) lanes.set(key, [transaction]);
    else ofLane.push(transaction);
  }
  return [...lanes.values()].flatMap((ofLane) => {
    const [first] = ofLane;
    return first === undefined ? [] : [laneStanding(first, ofLane.filter(stands))];
  });
}

function laneStanding({ merchantId, terminalId, currencyCode }: Lane, standing: readonly Transaction[]): LaneStanding {
  const authorized = standing.filter(({ state }) => state === 'HELD');
  const captured = standing.filter(({ state, operation }) => state === 'CAPTURED' && operation !== 'refund');
  const refunded = standing.filter(({ operation }) => operation === 'refund');
  const charged = countAndSum(captured, ({ capturedMinor }) => capturedMinor);
  const givenBack = countAndSum(refunded, ({ capturedMinor }) => capturedMinor);
  return {
    merchantId,
    terminalId,
    currencyCode,
    authorized: countAndSum(authorized, ({ heldMinor }) => heldMinor),
    captured: charged,
    refunded: givenBack,
    netMinor: charged.sumMinor - givenBack.sumMinor,
  };
}

function countAndSum(transactions: readonly Transaction[], weigh: (transaction: Transaction) => number): CountAndSum {
  return { count: transactions.length, sumMinor: transactions.reduce((sum, each) => sum + weigh(each), 0) };
}
