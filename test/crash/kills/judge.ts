import type { PairedShop } from '../../support/paired-shop.ts';
import type { Books } from './books.ts';
import type { Order, OrderEnd } from './orders.ts';

/** An order and what its caller is told of it now. */
export interface EndedOrder {
  readonly order: Order;
  readonly end: OrderEnd;
}

/** Everything in which the books differ from each other or from what callers were told; empty when all agree. */
export function disagreements(books: Books, ended: readonly EndedOrder[]): readonly string[] {
  return [
    ...differing('the journal', books.journal, 'the book that moved the money', books.judge),
    ...differing('the host', books.host, 'the book that moved the money', books.judge),
    ...twice('money moved twice', books.judge),
    ...twice('a card was asked twice', books.cardSteps),
    ...byPayment(books),
    ...unknown(books),
    ...books.owed.map(({ kind, transactionId, state }) => `still owed to the host: ${kind} ${transactionId} ${state}`),
    ...ended.flatMap((each) => untrue(each, books, ended)),
  ];
}

/** When the day is closed and nothing is open, each payment stands in one batch of the till and one of the host. */
export function closingDisagreements({ closedNet, judge }: Books): readonly string[] {
  const net = judge.reduce((sum, line) => sum + signed(line), 0);
  return closedNet.till === net && closedNet.host === net
    ? []
    : [`closed batches: till ${closedNet.till}, host ${closedNet.host}, the book ${net}`];
}

function signed(line: string): number {
  const [type, amount] = line.split(' ');
  return type === 'REFUND' ? -Number(amount) : Number(amount);
}

function differing(a: string, ofA: readonly string[], b: string, ofB: readonly string[]): readonly string[] {
  return [
    ...ofA.filter((line) => !ofB.includes(line)).map((line) => `only in ${a}, not in ${b}: ${line}`),
    ...ofB.filter((line) => !ofA.includes(line)).map((line) => `only in ${b}, not in ${a}: ${line}`),
    ...(ofA.length === ofB.length ? [] : [`${a} has ${ofA.length} lines, ${b} has ${ofB.length}`]),
  ];
}

function twice(what: string, lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => lines.indexOf(line) !== index).map((line) => `${what}: ${line}`);
}

/** Line by line: what the till calls approved the host has under the same name, and the other way round. */
function byPayment({ transactions, payments, journal, host }: Books): readonly string[] {
  const open = payments.filter(({ status }) => ['PROCESSING', 'FAILED', 'REQUIRES_CAPTURE'].includes(status));
  const known = new Set(transactions.map(({ transactionId }) => transactionId));
  return [
    ...open.map(({ id, status }) => `the host has payment ${id} in ${status}`),
    ...payments
      .filter(({ id, status }) => status === 'SUCCEEDED' && !known.has(id))
      .map(({ id, type, amountMinor }) => `the till has no transaction ${id} (${type} ${amountMinor})`),
    ...(journal.length === new Set(journal).size ? [] : ['the journal has a line twice']),
    ...(host.length === new Set(host).size ? [] : ['the host has a line twice']),
  ];
}

/** Nothing is unknown without a task, and no task is without what it is about. */
function unknown({ transactions, tasks }: Books): readonly string[] {
  const named = new Set(tasks.map(({ subject }) => subject.id));
  return [
    ...transactions
      .filter(({ outcome, transactionId }) => outcome?.charged === 'UNKNOWN' && !named.has(transactionId))
      .map(({ transactionId }) => `unknown, and no task: ${transactionId}`),
    ...transactions
      .filter(({ status }) => status === 'IN_PROGRESS')
      .map(({ transactionId }) => `still in progress: ${transactionId}`),
    ...tasks.map(({ subject, state, reasonCode }) => `open task: ${subject.kind} ${subject.id} ${state} ${reasonCode}`),
  ];
}

const taken = new Set(['APPROVED', 'SUCCEEDED', 'SUCCESS']);
const notTaken = new Set(['DECLINED', 'ERROR', 'CANCELLED', 'CANCELED', 'FAILED', 'EXPIRED', 'TIMEOUT']);

/** What a caller is told, held against the book. */
function untrue({ order, end }: EndedOrder, books: Books, ended: readonly EndedOrder[]): readonly string[] {
  const { effect, amountMinor, isSession } = order;
  const said = `${isSession ? 'session' : 'local'} ${effect} ${amountMinor} ended ${end.status}`;
  if (effect === 'CLOSE') return isKnown(end) ? [] : [`${said}: no end`];
  if (!isKnown(end)) return [`${said}: no end`];
  const isTold = taken.has(end.status);
  if (effect === 'VOID') {
    const stands = books.judge.includes(`SALE ${order.original?.amountMinor}`);
    return isTold && stands ? [`${said}, and its sale ${order.original?.amountMinor} stands`] : [];
  }
  const stands = books.judge.includes(`${effect} ${amountMinor}`);
  if (stands && !isTold) return [`${said}, and money stands`];
  if (!stands && isTold && !isVoided(order, ended)) return [`${said}, and no money stands`];
  return [];
}

function isKnown({ status }: OrderEnd): boolean {
  // A refusal before anything was begun.
  return taken.has(status) || notTaken.has(status) || /^4\d\d /.test(status);
}

function isVoided(order: Order, ended: readonly EndedOrder[]): boolean {
  return ended.some(
    ({ order: other, end }) => other.effect === 'VOID' && other.original === order && taken.has(end.status),
  );
}

/** As a person would, with the book before them. @returns how many tasks were waiting for one */
export async function resolveTasks(shop: PairedShop, { tasks, transactions, judge }: Books): Promise<number> {
  const waiting = tasks.filter(({ state }) => state === 'NEEDS_PERSON');
  for (const { taskId, subject, type, amount } of waiting) {
    const about = transactions.find(({ transactionId }) => transactionId === subject.id);
    const original = transactions.find(({ transactionId }) => transactionId === about?.originalTransactionId);
    const stands = judge.includes(type === 'VOID' ? `SALE ${original?.amount}` : `${type} ${amount}`);
    const body = { charged: type === 'VOID' ? !stands : stands, evidence: 'read in the book' };
    const key = { 'idempotency-key': `resolve-${taskId}` };
    const answer = await shop.pos().post(`/v1/transactions/${subject.id}/resolve`, body, key);
    if (answer.status !== 200) throw new Error(`resolving ${subject.kind} ${subject.id}: ${answer.text}`);
  }
  return waiting.length;
}
