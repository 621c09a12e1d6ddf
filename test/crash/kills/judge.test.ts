import { expect, it } from 'vitest';
import type { RecoveryTaskView } from '../../../app/contract/recovery.ts';
import type { TransactionResponse } from '../../../app/contract/transactions.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import type { Books } from './books.ts';
import { closingDisagreements, disagreements, type EndedOrder } from './judge.ts';
import { localOrder, type Order, sessionOrder } from './orders.ts';

const random = seededRandom(1);
const sale = localOrder(random, 'SALE', 1000);
const session = sessionOrder(random, 1001);
const takenBack = localOrder(random, 'VOID', 0, { order: sale, id: 't-1' });
const ended = (order: Order, status: string, paymentId = 't-1'): EndedOrder => ({ order, end: { status, paymentId } });

const transaction = (charged: 'YES' | 'NO' | 'UNKNOWN') =>
  ({ transactionId: 't-1', status: 'ERROR', outcome: { charged } }) as TransactionResponse;
const task = { subject: { kind: 'TRANSACTION', id: 't-1' }, state: 'ASKING' } as RecoveryTaskView;

function books(change: Partial<Books> = {}): Books {
  const lines = { journal: ['SALE 1000'], host: ['SALE 1000'], judge: ['SALE 1000'], cardSteps: ['SALE 1000'] };
  const empty = { transactions: [], payments: [], tasks: [], owed: [], settlements: [] };
  return { ...lines, ...empty, closedNet: { till: 1000, host: 1000 }, ...change };
}

it('finds nothing where everything agrees', () => {
  expect(disagreements(books(), [ended(sale, 'APPROVED')])).toEqual([]);
  expect(closingDisagreements(books())).toEqual([]);
});

const none = { journal: [], host: [], judge: [], cardSteps: [] };
const payment = (status: string) => ({ id: 't-1', status }) as Books['payments'][number];
it.each<[string, Books, readonly EndedOrder[], string]>([
  ['a charge that is lost', books({ judge: [] }), [], 'only in the journal'],
  ['a charge that nobody knows', books({ journal: [], host: [] }), [], 'only in the book that moved the money'],
  ['a charge that the host lacks', books({ host: [] }), [], 'not in the host'],
  ['two charges', books({ judge: ['SALE 1000', 'SALE 1000'] }), [], 'money moved twice: SALE 1000'],
  ['a card that is asked twice', books({ cardSteps: ['SALE 1000', 'SALE 1000'] }), [], 'a card was asked twice'],
  ['an unknown without a task', books({ transactions: [transaction('UNKNOWN')] }), [], 'unknown, and no task: t-1'],
  ['a task', books({ transactions: [transaction('UNKNOWN')], tasks: [task] }), [], 'open task: TRANSACTION t-1'],
  ['a payment that the host left open', books({ payments: [payment('FAILED')] }), [], 'payment t-1 in FAILED'],
  ['a payment that the till lacks', books({ payments: [payment('SUCCEEDED')] }), [], 'the till has no transaction t-1'],
  ['a decline that was charged', books(), [ended(sale, 'DECLINED')], 'money stands'],
  ['an approval that was not', books(none), [ended(sale, 'APPROVED')], 'no money stands'],
  ['a void that took nothing back', books(), [ended(takenBack, 'APPROVED')], 'its sale 1000 stands'],
  [
    'a session that failed and was charged',
    books({ judge: ['SALE 1001'] }),
    [ended(session, 'FAILED')],
    'money stands',
  ],
  [
    'a session that succeeded and was taken back',
    books({ ...none, payments: [payment('REVERSED')] }),
    [ended(session, 'SUCCEEDED')],
    'no money stands',
  ],
  ['a session without an end', books(), [ended(session, 'IN_PROGRESS')], 'no end'],
  ['a session that was refused', books(), [ended(session, 'REFUSED why')], 'no end'],
])('finds %s', (_what, found, orders, words) => {
  expect(disagreements(found, orders).join('\n')).toContain(words);
});

it('lets what was taken back be told as approved', () => {
  expect(disagreements(books(none), [ended(sale, 'APPROVED'), ended(takenBack, 'APPROVED')])).toEqual([]);
});

it('finds a batch that one side closed without a payment', () => {
  expect(closingDisagreements(books({ closedNet: { till: 1000, host: 0 } }))).toHaveLength(1);
});
