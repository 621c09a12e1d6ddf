import { BridgeError } from '../contract/errors.ts';
import { DEFAULT_PAGE_ITEMS } from '../contract/limits.ts';
import type { RecoveryTaskList } from '../contract/recovery.ts';
import type { Settlement, SettlementList, SettlementQuery, TotalsResponse } from '../contract/settlements.ts';
import type { TransactionList, TransactionQuery, TransactionResponse } from '../contract/transactions.ts';
import type { RecoveryTask } from '../domain/records.ts';
import { statesOfPosStatus } from '../domain/transaction.machine.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { Page } from '../ports/journal.ts';
import { dayCloseBlockers, openPreAuthsOf } from './day-close-blockers.ts';
import { type Engine, nowIso, pickLane, seenBy } from './engine.ts';
import { taskViewOf } from './recovery-tasks.ts';
import { responseOf } from './response.ts';
import type { CallContext, Till } from './till.ts';

type LookUp = Pick<
  Till,
  | 'transaction'
  | 'transactions'
  | 'currentTransaction'
  | 'lastTransaction'
  | 'recoveryTasks'
  | 'totals'
  | 'settlements'
  | 'settlement'
>;

/** Everything that is only read (decisions: Look-up, Totals, Settlements). */
export function createLookUp(engine: Engine): LookUp {
  const { journal, settings } = engine.deps;

  /** The terminal that a list is narrowed to: the named one; without one, all. */
  function narrowed(context: CallContext): { terminalId?: string } {
    return context.terminalId === undefined ? {} : { terminalId: pickLane(engine, context).terminalId };
  }

  function requireFound(record: TransactionRecord | undefined, message: string): TransactionResponse {
    if (record === undefined) throw new BridgeError('NOT_FOUND', message);
    return responseOf(record, settings);
  }

  return {
    transaction: (context, transactionId) =>
      requireFound(seenBy(context, journal.findTransaction(transactionId)), 'there is no transaction with this id'),

    transactions(context: CallContext, query: TransactionQuery): TransactionList {
      const { status, limit = DEFAULT_PAGE_ITEMS, ...filter } = query;
      const states = status === undefined ? {} : { states: statesOfPosStatus(status) };
      const page = journal.listTransactions({ ...filter, ...states, ...narrowed(context), limit });
      return listOf(page, (record) => responseOf(record, settings));
    },

    currentTransaction(context) {
      const lane = pickLane(engine, context);
      // What the deadline has answered may still run at the terminal.
      const record = lane.work?.record ?? journal.currentTransaction(lane.terminalId);
      return requireFound(record, 'no transaction is in progress on this terminal');
    },

    lastTransaction: (context) =>
      requireFound(journal.lastTransaction(pickLane(engine, context).terminalId), 'there is no transaction yet'),

    recoveryTasks(context): RecoveryTaskList {
      const { terminalId } = narrowed(context);
      const viewOf = (task: RecoveryTask) => taskViewOf(task, journal, engine.nextAttemptAt(task.terminalId));
      return { data: journal.openTasks(terminalId).map(viewOf) };
    },

    totals(context): TotalsResponse {
      const { terminalId, attached } = pickLane(engine, context);
      const blockers = dayCloseBlockers(journal, terminalId);
      const openPreAuths = openPreAuthsOf(journal, terminalId);
      return {
        totals: journal.totals(terminalId, journal.openBatchNumber(terminalId), attached.currency),
        timestamp: nowIso(engine),
        ...(blockers.length === 0 ? {} : { blockers: [...blockers] }),
        ...(openPreAuths.length === 0 ? {} : { openPreAuths }),
      };
    },

    settlements(context: CallContext, query: SettlementQuery): SettlementList {
      const { limit = DEFAULT_PAGE_ITEMS, ...filter } = query;
      return listOf(journal.listSettlements({ ...filter, ...narrowed(context), limit }), (settlement) => settlement);
    },

    settlement(context, settlementId): Settlement {
      const found = seenBy(context, journal.findSettlement(settlementId)?.settlement);
      if (found === undefined) throw new BridgeError('NOT_FOUND', 'there is no settlement with this id');
      return found;
    },
  };
}

function listOf<Row, View>(page: Page<Row>, viewOf: (row: Row) => View) {
  return { data: page.rows.map(viewOf), hasMore: page.nextCursor !== null, nextCursor: page.nextCursor };
}
