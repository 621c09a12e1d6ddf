import type { TransactionResponse } from '../contract/transactions.ts';
import { isUnknown, standingOf } from '../domain/transaction.machine.ts';
import type { Evidence, TransactionRecord } from '../domain/transaction.ts';
import type { AppliedOutcome } from './apply-outcome.ts';
import type { Engine } from './engine.ts';
import type { EventBody } from './event-log.ts';
import { closeTask, keepTaskOpen } from './recovery-tasks.ts';
import { responseOf } from './response.ts';
import type { Answer } from './till.ts';

/** How an end came about. */
export interface EndCircumstances {
  /** Who found it out: goes into the resolution of a recovery task. */
  readonly by: string;
  /** Questions and answers that led here, for the task. The record has them already. */
  readonly evidence: readonly Evidence[];
  /** How often the terminal was asked. */
  readonly asked?: number;
  readonly eventRequestId?: string | undefined;
  /** A person corrects an end that was believed to be final. */
  readonly isCorrection?: boolean;
}

/**
 * Persist outcome → announce: one commit with the record, what the host is owed for it, the stored answer, the recovery task and the events; then everybody is told.
 * A row that was unknown before gets its truth: the answer under the key is replaced and `outcome_resolved` goes out (decisions: Final status).
 * @throws BridgeError JOURNAL_UNAVAILABLE: nothing was written, the row stays as it was
 */
export function endTransaction(
  engine: Engine,
  before: TransactionRecord,
  applied: AppliedOutcome,
  circumstances: EndCircumstances,
): Answer {
  const isLateTruth = isUnknown(standingOf(before)) || circumstances.isCorrection === true;
  const { transactionId, terminalId } = before;
  const { response, body } = engine.events.commit(terminalId, (unit, announce) => {
    const { record } = applied;
    const text = answerOf(record, engine);
    unit.saveTransaction(record);
    engine.deps.hostBooks?.noteEnd(unit, record);
    saveTask();
    unit.saveAnswer(transactionId, { statusCode: 200, body: text.body });
    for (const event of endEvents(text.response, isLateTruth, applied.open !== undefined)) {
      announce(withRequestId(event, circumstances.eventRequestId));
    }
    return text;

    function saveTask(): void {
      const subject = { kind: 'TRANSACTION', id: transactionId } as const;
      const { evidence } = circumstances;
      if (applied.open !== undefined) {
        const change = {
          taskId: engine.deps.ids.next(),
          nowIso: record.updatedAt,
          evidence,
          asked: circumstances.asked ?? 0,
        };
        keepTaskOpen(unit, { terminalId, subject }, applied.open, change);
      } else if (isLateTruth) {
        const { charged, evidence: text } = record.outcome;
        closeTask(
          unit,
          transactionId,
          { by: circumstances.by, charged: charged === 'YES', text, at: record.updatedAt },
          evidence,
        );
      }
    }
  });
  engine.gate.answered(transactionId);
  engine.deps.hostBooks?.wake(terminalId);
  engine.deps.log.debug('A transaction has ended.', { transactionId, terminalId, state: response.status });
  return { statusCode: 200, body, transactionId, replayed: false };
}

function answerOf(record: TransactionRecord, engine: Engine): { response: TransactionResponse; body: string } {
  const response = responseOf(record, engine.deps.settings);
  return { response, body: JSON.stringify(response) };
}

function endEvents(response: TransactionResponse, isLateTruth: boolean, isOpen: boolean): readonly EventBody[] {
  const { transactionId } = response;
  if (isLateTruth) return isOpen ? [] : [{ event: 'outcome_resolved', transactionId, response }];
  const result: EventBody = { event: 'result', response };
  if (response.status === 'CANCELLED') {
    return [{ event: 'cancelled', transactionId, reason: response.cancelledReason ?? 'OPERATOR' }, result];
  }
  if (response.status === 'ERROR' && response.errorCode !== undefined) {
    const { errorCode, message = '', outcome } = response;
    const error: EventBody = { event: 'error', transactionId, errorCode, message };
    return [outcome === undefined ? error : { ...error, outcome }, result];
  }
  return [result];
}

export function withRequestId(event: EventBody, requestId: string | undefined): EventBody {
  return requestId === undefined ? event : { ...event, requestId };
}
