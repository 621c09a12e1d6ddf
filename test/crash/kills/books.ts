import type { Payment } from '../../../app/contract/host/payment.ts';
import type { RecoveryTaskView } from '../../../app/contract/recovery.ts';
import type { Settlement } from '../../../app/contract/settlements.ts';
import type { TransactionResponse } from '../../../app/contract/transactions.ts';
import type { OutboxItem } from '../../../app/ports/outbox.ts';
import { openTillSettings } from '../../../app/storage/open-till-settings.ts';
import type { ReaderBookSummary } from '../../../drivers/virtual/neo2/book/reader-ledger.ts';
import type { PairedShop, TerminalKind } from '../../support/paired-shop.ts';
import type { Pos } from '../../support/pos.ts';

/** Money that stands: "SALE 1234" for each sale that was not taken back, "REFUND 150" for each refund; sorted. */
type Lines = readonly string[];

/** What each side says of the whole life of a shop. */
export interface Books {
  readonly transactions: readonly TransactionResponse[];
  readonly payments: readonly Payment[];
  readonly journal: Lines;
  readonly host: Lines;
  /** Of whoever moved the money: the terminal's own book, or that of the host's acquirer. */
  readonly judge: Lines;
  /** Card steps of a reader: "SALE 1234" for each time that a card was asked. */
  readonly cardSteps: Lines;
  readonly tasks: readonly RecoveryTaskView[];
  readonly owed: readonly OutboxItem[];
  /** Of the host. */
  readonly settlements: readonly Settlement[];
  /** Sales less refunds and voids of the till's closed batches, and of the host's, minor units. */
  readonly closedNet: { readonly till: number; readonly host: number };
}

const PAGE = 100;
/** EMV transaction type of a refund. */
const REFUND_TYPE = '20';

export async function readBooks(shop: PairedShop, kind: TerminalKind): Promise<Books> {
  const [transactions, payments, settlements, own, tasks, moved] = await Promise.all([
    all<TransactionResponse>(shop.pos(), '/v1/transactions'),
    all<Payment>(shop.merchant(), '/v1/payments'),
    all<Settlement>(shop.merchant(), '/v1/settlements'),
    all<Settlement>(shop.pos(), '/v1/settlements'),
    shop.pos().get('/v1/recovery-tasks'),
    kind === 'READER' ? ofReader(shop) : ofTerminal(shop),
  ]);
  return {
    ...{ transactions, payments, settlements, ...moved },
    journal: journalLines(transactions),
    host: payments
      .filter(({ status }) => status === 'SUCCEEDED')
      .map(({ type, amountMinor }) => `${type} ${amountMinor}`)
      .sort(),
    tasks: tasks.body.data as readonly RecoveryTaskView[],
    owed: owedBy(shop.tillDir),
    closedNet: { till: netOf(own), host: netOf(settlements) },
  };
}

async function all<T>(at: Pos, path: string): Promise<readonly T[]> {
  const found: T[] = [];
  for (let cursor = ''; ; ) {
    const answer = await at.get(`${path}?limit=${PAGE}${cursor}`);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    const { data, nextCursor } = answer.body as unknown as { data: readonly T[]; nextCursor: string | null };
    found.push(...data);
    if (nextCursor === null) return found;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

function journalLines(transactions: readonly TransactionResponse[]): Lines {
  const approved = transactions.filter(({ status }) => status === 'APPROVED');
  const voided = new Set(approved.filter(({ type }) => type === 'VOID').map((each) => each.originalTransactionId));
  return approved
    .filter(({ type, transactionId }) => type !== 'VOID' && !voided.has(transactionId))
    .map(({ type, amount }) => `${type} ${amount}`)
    .sort();
}

async function ofTerminal(shop: PairedShop) {
  const { transactions } = await shop.terminal.book();
  const judge = transactions
    .filter(({ stands, operation }) => stands && (operation === 'SALE' || operation === 'REFUND'))
    .map(({ operation, amountMinor }) => `${operation} ${amountMinor}`);
  return { judge: judge.sort(), cardSteps: [] };
}

async function ofReader(shop: PairedShop) {
  const { transactions } = await shop.acquirer().book();
  const judge = transactions
    .filter(({ stands }) => stands)
    .map(({ operation, capturedMinor }) => `${operation === 'refund' ? 'REFUND' : 'SALE'} ${capturedMinor}`);
  const { steps } = (await shop.terminal.send('GET', '/book')).body as ReaderBookSummary;
  const cardSteps = steps.map(
    ({ order }) => `${order.transactionType === REFUND_TYPE ? 'REFUND' : 'SALE'} ${order.amountMinor}`,
  );
  return { judge: judge.sort(), cardSteps: cardSteps.sort() };
}

function owedBy(tillDir: string): readonly OutboxItem[] {
  const store = openTillSettings(tillDir);
  try {
    return store.openOutboxItems();
  } finally {
    store.close();
  }
}

/** A settlement of the host has the payments of a terminal's own acquirer apart. */
function netOf(settlements: readonly Settlement[]): number {
  const nets = settlements.flatMap((settlement) =>
    [settlement, ...(settlement.externalTotals === undefined ? [] : [settlement.externalTotals])].map(net),
  );
  return nets.reduce((sum, each) => sum + each, 0);
}

function net({ saleAmount, voidAmount, refundAmount }: Pick<Settlement, 'saleAmount' | 'voidAmount' | 'refundAmount'>) {
  return saleAmount - voidAmount - refundAmount;
}
