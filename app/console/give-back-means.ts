import type { GiveBackMeans } from '../domain/give-back.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { Till } from '../services/till.ts';

/** What the terminal of a payment can do to give its money back. */
export function giveBackMeansOf(till: Till, record: TransactionRecord): GiveBackMeans {
  const terminal = till.terminals().find(({ terminalId }) => terminalId === record.terminalId);
  const can = (operation: 'VOID' | 'REFUND') => terminal?.capabilities.operations.has(operation) ?? false;
  // A void goes by the terminal's own reference, which a person's answer cannot give.
  const knowsVoid = can('VOID') && record.terminalReference !== undefined;
  const canVoid = knowsVoid && terminal?.canVoid(record) === true;
  return { canVoid, canRefund: can('REFUND'), isNotLast: knowsVoid && !canVoid };
}
