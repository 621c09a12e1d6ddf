import { starterOf } from '../domain/breakdown.ts';
import { lastFourOf } from '../domain/mask.ts';
import { totalMinor } from '../domain/money.ts';
import type { DayCloseRecord, RecoveryTask, SettlementRecord } from '../domain/records.ts';
import { awaitsCapture } from '../domain/tip-capture.ts';
import { isHeld, standingOf } from '../domain/transaction.machine.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { RowKind } from './chain.ts';
import type { SqlRow } from './database.ts';

/**
 * How a journaled record becomes the row of its table. The stores write by it and the verifier compares by it: every column follows from the
 * record, so that a column changed by hand shows.
 */
export interface Projection<T> {
  readonly kind: RowKind;
  readonly table: string;
  readonly idColumn: string;
  /** Columns that no revision changes: an update leaves them out, so that their indexes are not written again. */
  readonly fixedColumns: readonly string[];
  /** The column that follows from who wrote the first row, not from the newest record. */
  readonly starterColumn?: string;
  /** Every column but first_seq and last_seq. */
  columnsOf(record: T): SqlRow;
}

export const transactionProjection: Projection<TransactionRecord> = {
  kind: 'TRANSACTION',
  table: 'transactions',
  idColumn: 'transaction_id',
  fixedColumns: [
    ...['transaction_id', 'terminal_id', 'client_id', 'type', 'mode', 'currency'],
    ...['reference_id', 'target_id', 'batch_number', 'created_at', 'started_by'],
  ],
  starterColumn: 'started_by',
  columnsOf: (record) => ({
    transaction_id: record.transactionId,
    terminal_id: record.terminalId,
    client_id: record.clientId,
    type: record.type,
    mode: record.mode,
    state: record.state,
    held: isHeld(standingOf(record)) ? 1 : 0,
    revision: record.revision,
    amount_minor: record.amountMinor,
    tip_minor: record.tipAmountMinor,
    cashback_minor: record.cashbackAmountMinor,
    total_minor: totalMinor(record),
    currency: record.currency,
    reference_id: record.referenceId ?? null,
    target_id: record.targetTransactionId ?? null,
    batch_number: record.batchNumber,
    card_scheme: record.card.cardScheme ?? null,
    last_four: lastFourOf(record.card.maskedPan ?? '') ?? null,
    created_at: record.createdAt,
    started_by: starterOf(record.actor),
    awaits_capture: awaitsCapture(record) ? 1 : 0,
  }),
};

export const taskProjection: Projection<RecoveryTask> = {
  kind: 'TASK',
  table: 'recovery_tasks',
  idColumn: 'task_id',
  fixedColumns: ['task_id', 'terminal_id', 'subject_kind', 'subject_id'],
  columnsOf: (task) => ({
    task_id: task.taskId,
    terminal_id: task.terminalId,
    subject_kind: task.subject.kind,
    subject_id: task.subject.id,
    state: task.state,
    revision: task.revision,
  }),
};

export const dayCloseProjection: Projection<DayCloseRecord> = {
  kind: 'DAY_CLOSE',
  table: 'day_closes',
  idColumn: 'day_close_id',
  fixedColumns: ['day_close_id', 'terminal_id', 'batch_number'],
  columnsOf: (record) => ({
    day_close_id: record.dayCloseId,
    terminal_id: record.terminalId,
    state: record.state,
    revision: record.revision,
    batch_number: record.batchNumber,
    settlement_id: record.settlementId ?? null,
  }),
};

/** A settlement is written once: it is frozen (decisions: Totals are derived). */
export const settlementProjection: Projection<SettlementRecord> = {
  kind: 'SETTLEMENT',
  table: 'settlements',
  idColumn: 'settlement_id',
  fixedColumns: [],
  columnsOf: (record) => ({
    settlement_id: record.settlement.id,
    terminal_id: record.settlement.terminalId,
    batch_number: record.batchNumber,
    revision: 1,
    currency: record.settlement.currency,
    closed_at: record.settlement.closedAt,
    head_seq: record.journalHead.sequence,
    head_hash: record.journalHead.hash,
  }),
};
