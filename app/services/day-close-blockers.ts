import type { DayCloseBlocker } from '../contract/errors.ts';
import { BridgeError } from '../contract/errors.ts';
import type { OpenPreAuth } from '../contract/settlements.ts';
import { totalMinor } from '../domain/money.ts';
import { notForwarded, type WaitingSale, waitingSalesOf } from '../domain/offline-sales.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { JournalReader } from '../ports/journal.ts';

/**
 * What keeps a terminal's day from being closed: what runs, what is of unknown outcome, and sales that wait for their tip capture (decisions: Day
 * close) or for their issuer (section 7).
 */
export function dayCloseBlockers(reader: JournalReader, terminalId: string): readonly DayCloseBlocker[] {
  return [...blockersBesidesForwarding(reader, terminalId), ...salesToForward(reader, terminalId).map(notForwarded)];
}

/** Sales of the terminal that were taken without their issuer, who has not answered yet. */
export function salesToForward(reader: JournalReader, terminalId: string): readonly WaitingSale[] {
  return waitingSalesOf(reader.openOutboxItems()).filter((sale) => sale.terminalId === terminalId);
}

/** Without what the close itself tries to forward before it begins. */
export function blockersBesidesForwarding(reader: JournalReader, terminalId: string): readonly DayCloseBlocker[] {
  const current = reader.currentTransaction(terminalId);
  const running = current === undefined ? [] : [current];
  const tasks = reader.openTasks(terminalId).filter((task) => task.subject.kind === 'TRANSACTION');
  return [
    ...running.map(({ transactionId }) => ({ transactionId, reason: 'IN_PROGRESS' as const })),
    ...tasks.map((task) => ({
      transactionId: task.subject.id,
      reason: 'OUTCOME_UNKNOWN' as const,
      recoveryTaskId: task.taskId,
    })),
    ...waitingCapturesOf(reader, terminalId).map(({ transactionId }) => ({
      transactionId,
      reason: 'TIP_CAPTURE_PENDING' as const,
    })),
  ];
}

/** Sales that somebody has to capture: those that a person has been told of are shown there. */
export function waitingCapturesOf(reader: JournalReader, terminalId: string): readonly TransactionRecord[] {
  const told = new Set(reader.openTasks(terminalId).map((task) => task.subject.id));
  return reader.uncapturedSales(terminalId).filter(({ transactionId }) => !told.has(transactionId));
}

export function dayCloseBlocked(blockers: readonly DayCloseBlocker[]): BridgeError {
  return new BridgeError(
    'DAY_CLOSE_BLOCKED',
    'transactions are in progress, of unknown outcome, or wait for their tip capture or their issuer',
    {
      details: { blockers: [...blockers] },
    },
  );
}

/** The holds that carry over a close. */
export function openPreAuthsOf(reader: JournalReader, terminalId: string): OpenPreAuth[] {
  return reader.openPreAuths(terminalId).map((record) => ({
    transactionId: record.transactionId,
    amount: totalMinor(record),
    currency: record.currency,
    timestamp: record.createdAt,
  }));
}
