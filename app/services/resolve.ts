import { BridgeError } from '../contract/errors.ts';
import type { RecoveryTaskView, ResolveRequest } from '../contract/recovery.ts';
import { isUnknown, standingOf } from '../domain/transaction.machine.ts';
import type { Evidence, TransactionRecord } from '../domain/transaction.ts';
import { next, notCharged, withEvidence } from './apply-outcome.ts';
import { isOpenClose, nextClose, reportedBatchOf } from './day-close-recovery.ts';
import { endDayClose } from './end-day-close.ts';
import { endTransaction } from './end-transaction.ts';
import { type Engine, nowIso } from './engine.ts';
import { inProgress } from './lane.ts';
import { openTaskOf, taskViewOf } from './recovery-tasks.ts';
import type { CallContext } from './till.ts';

/**
 * A person has found out what became of a transaction or day close of unknown outcome (decisions: Resolve).
 * @throws BridgeError NOT_FOUND, ILLEGAL_STATE when nothing about it is open, TRANSACTION_IN_PROGRESS while the terminal still works on it
 */
export function resolveByPerson(
  engine: Engine,
  context: CallContext,
  subjectId: string,
  request: ResolveRequest,
): RecoveryTaskView {
  const { journal } = engine.deps;
  const task = openTaskOf(journal, subjectId);
  if (task === undefined) throw nothingOpen(engine, subjectId);
  const work = [...engine.lanes.values()].find((lane) => lane.work?.id === subjectId)?.work;
  if (work !== undefined && work.isAsking !== true) throw inProgress(subjectId);
  const by = request.resolvedBy === undefined ? context.actor : `${request.resolvedBy} (${context.actor})`;
  const at = nowIso(engine);
  const evidence: Evidence = {
    at,
    question: `Answered by ${by}.`,
    answer: `${request.charged ? 'Done' : 'Not done'}: ${request.evidence}`,
    questionCode: 'PERSON',
    answerCode: request.charged ? 'DONE' : 'NOT_DONE',
  };
  if (task.subject.kind === 'DAY_CLOSE') resolveDayClose(engine, subjectId, request, evidence, by);
  else {
    const record = resolveTransaction(engine, context, subjectId, request, evidence, by);
    // Whoever still asks the terminal sees that it is decided.
    if (work !== undefined) work.record = record;
  }
  const lane = engine.lanes.get(task.terminalId);
  if (lane !== undefined) engine.recoverSoon(lane);
  return taskViewOf(journal.findTask(task.taskId) ?? task, journal);
}

function resolveTransaction(
  engine: Engine,
  context: CallContext,
  transactionId: string,
  request: ResolveRequest,
  evidence: Evidence,
  by: string,
): TransactionRecord {
  const before = engine.deps.journal.findTransaction(transactionId);
  if (before === undefined || !isUnknown(standingOf(before))) throw nothingOpen(engine, transactionId);
  const text = `${by}: ${request.evidence}`;
  const base = withEvidence({ ...next(before, evidence.at), actor: context.actor }, [evidence]);
  const record: TransactionRecord = request.charged
    ? { ...base, state: 'APPROVED', outcome: { charged: 'YES', safeToRetry: false, evidence: text } }
    : {
        ...base,
        state: 'ERROR',
        errorCode: 'TERMINAL_ERROR',
        errorMessage: 'Resolved by a person: nothing was charged.',
        outcome: notCharged(text),
      };
  endTransaction(engine, before, { record }, { by, evidence: [evidence] });
  return record;
}

function resolveDayClose(
  engine: Engine,
  dayCloseId: string,
  request: ResolveRequest,
  evidence: Evidence,
  by: string,
): void {
  const close = engine.deps.journal.findDayClose(dayCloseId);
  if (close === undefined || !isOpenClose(close)) throw nothingOpen(engine, dayCloseId);
  const message = `Resolved by a person: ${request.evidence}`;
  const end = request.charged
    ? ({ kind: 'CLOSED', batch: reportedBatchOf(close), message, evidence: [evidence] } as const)
    : ({ kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message, evidence: [evidence] } as const);
  endDayClose(engine, nextClose(close), end, by);
}

function nothingOpen(engine: Engine, subjectId: string): BridgeError {
  const { journal } = engine.deps;
  const isKnown = journal.findTransaction(subjectId) !== undefined || journal.findDayClose(subjectId) !== undefined;
  if (!isKnown) return new BridgeError('NOT_FOUND', 'there is no transaction or day close with this id');
  return new BridgeError('ILLEGAL_STATE', 'nothing about it is open', { details: { transactionId: subjectId } });
}
