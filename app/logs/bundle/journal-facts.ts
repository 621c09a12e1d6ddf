import type { Settlement } from '../../contract/settlements.ts';
import type { DayCloseRecord, RecoveryTask } from '../../domain/records.ts';
import { safeText } from './safe-text.ts';

/** What the bundle tells of a recovery task: the fields on this list; of the evidence only when the terminal was asked. */
export function taskFacts({ taskId, terminalId, subject, state, revision, attempts, ...task }: RecoveryTask) {
  return {
    ...{ taskId, terminalId, state, revision, attempts },
    subject: { kind: subject.kind, id: subject.id },
    reason: safeText(task.reason),
    openedAt: task.openedAt,
    updatedAt: task.updatedAt,
    asked: task.evidence.map(({ at }) => at),
  };
}

/** What the bundle tells of a day close that has not ended. */
export function closeFacts({ dayCloseId, terminalId, state, revision, batchNumber, ...close }: DayCloseRecord) {
  return {
    ...{ dayCloseId, terminalId, state, revision, batchNumber },
    businessDate: close.businessDate,
    createdAt: close.createdAt,
    updatedAt: close.updatedAt,
    differences: close.differences.length,
    hasReportedBatch: close.reported !== undefined,
    startedByTerminal: close.startedByTerminal,
    questionsAsked: close.evidence.length,
    ...(close.errorCode === undefined ? {} : { errorCode: close.errorCode }),
  };
}

/** What the bundle tells of an ended close: its sums. */
export function settlementFacts({ id, terminalId, status, closedAt, currency, ...sums }: Settlement) {
  const { saleCount, saleAmount, refundCount, refundAmount, voidCount, voidAmount, netAmount } = sums;
  return {
    ...{ id, terminalId, status, closedAt, currency },
    ...{ saleCount, saleAmount, refundCount, refundAmount, voidCount, voidAmount, netAmount },
  };
}
