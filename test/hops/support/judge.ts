import type { RecoveryTaskView } from '../../../app/contract/recovery.ts';
import type { TransactionResponse } from '../../../app/contract/transactions.ts';
import { callPos, lookAtTill, past, paymentsAtHost } from './calls.ts';
import type { Payment } from './flows.ts';
import type { HopShop, StandingPayment } from './hop-shop.ts';
import { SETTLE_MS } from './until.ts';

const LOOK_MS = 150;

interface Listed<T> {
  readonly data: readonly T[];
}

/** Waits until the answer and all books say the same of a payment. @returns what they still do not agree on when the time is over */
export async function settle(shop: HopShop, payment: Payment): Promise<readonly string[]> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const problems = await disagreements(shop, payment).catch((error: unknown) => [String(error)]);
    if (problems.length === 0 || performance.now() > end) return problems;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function disagreements(shop: HopShop, payment: Payment): Promise<readonly string[]> {
  const { effect } = payment;
  const told = await payment.told();
  const tasks = (await lookAtTill<Listed<RecoveryTaskView>>(shop, '/v1/recovery-tasks')).data;
  const inBook = count(await shop.book(), effect);
  const inJournal = count(await standingInJournal(shop), effect);
  const atHost = count(await standingAtHost(shop), effect);
  if (told.charged === 'UNKNOWN') {
    await resolveByBook(shop, tasks, inBook === effect.timesDone);
    return [`it is unknown, ${tasks.length === 0 ? 'and nobody looks for it' : 'and asked for'}: ${told.text}`];
  }
  const expected = told.charged === 'YES' ? effect.timesDone : effect.timesNot;
  const differs = [inBook, inJournal, atHost].some((times) => times !== expected);
  const books = `told ${told.charged}, ${inBook} × in the book, ${inJournal} × in the journal, ${atHost} × at the host: ${told.text}`;
  return [...(differs ? [books] : []), ...tasks.map((task) => `a task is open: ${JSON.stringify(task)}`)];
}

const count = (standing: readonly StandingPayment[], { type, amountMinor }: StandingPayment) =>
  standing.filter((each) => each.type === type && each.amountMinor === amountMinor).length;

/** What nothing can answer is answered by a person, who reads the book. */
async function resolveByBook(shop: HopShop, tasks: readonly RecoveryTaskView[], charged: boolean): Promise<void> {
  for (const { state, subject } of tasks) {
    if (state !== 'NEEDS_PERSON') continue;
    const evidence = { charged, evidence: 'Read in the book.' };
    await callPos(past(shop.till), `/v1/transactions/${subject.id}/resolve`, `resolve-${subject.id}`, evidence);
  }
}

async function standingInJournal(shop: HopShop): Promise<readonly StandingPayment[]> {
  const { data } = await lookAtTill<Listed<TransactionResponse>>(shop, '/v1/transactions?limit=50');
  const approved = data.filter(({ status }) => status === 'APPROVED');
  const voided = new Set(approved.filter(({ type }) => type === 'VOID').map((each) => each.originalTransactionId));
  return approved.flatMap(({ type, amount, transactionId }) => {
    if (type !== 'SALE' && type !== 'REFUND') return [];
    return voided.has(transactionId) ? [] : [{ type, amountMinor: amount }];
  });
}

/** A payment whose end the host does not know stands for two, so that it is never taken for one. */
async function standingAtHost(shop: HopShop): Promise<readonly StandingPayment[]> {
  return (await paymentsAtHost(shop)).flatMap(({ type, status, amountMinor }) => {
    const each = { type: type === 'REFUND' ? 'REFUND' : 'SALE', amountMinor } as const;
    if (status === 'SUCCEEDED') return [each];
    return status === 'DECLINED' || status === 'REVERSED' || status === 'CANCELED' ? [] : [each, each];
  });
}
