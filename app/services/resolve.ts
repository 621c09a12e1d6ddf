import { BridgeError } from '../contract/errors.ts';
import type { RecoveryTaskView, ResolveRequest } from '../contract/recovery.ts';
import type { RecoveryTask } from '../domain/records.ts';
import { awaitsCapture, captureDone } from '../domain/tip-capture.ts';
import { isOpen, isUnknown, standingOf } from '../domain/transaction.machine.ts';
import type { Evidence, TransactionRecord } from '../domain/transaction.ts';
import { next, notCharged, withEvidence } from './apply-outcome.ts';
import { isOpenClose, nextClose, reportedBatchOf } from './day-close-recovery.ts';
import { endDayClose } from './end-day-close.ts';
import { endTransaction } from './end-transaction.ts';
import { type Engine, nowIso, seenBy } from './engine.ts';
import { inProgress } from './lane.ts';
import { closeTask, openTaskOf, taskViewOf } from './recovery-tasks.ts';
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
  const task = seenBy(context, openTaskOf(journal, subjectId));
  if (task === undefined) throw nothingOpen(engine, context, subjectId);
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
  if (task.subject.kind === 'DAY_CLOSE') resolveDayClose(engine, context, subjectId, request, evidence, by);
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
  if (before === undefined || isOpen(before.state)) throw nothingOpen(engine, context, transactionId);
  const text = `${by}: ${request.evidence}`;
  const isCorrection = !isUnknown(standingOf(before));
  if (isCorrection && request.charged === (before.outcome.charged === 'YES')) {
    confirm(engine, before, { by, charged: request.charged, text, at: evidence.at }, evidence);
    return before;
  }
  if (isCorrection) requireAlone(engine, transactionId);
  const revised = { ...next(before, evidence.at), actor: context.actor, ...(isCorrection ? { correctedBy: by } : {}) };
  const base = withEvidence(revised, [evidence]);
  const record: TransactionRecord = request.charged
    ? { ...base, state: 'APPROVED', outcome: { charged: 'YES', safeToRetry: false, evidence: text } }
    : {
        ...base,
        state: 'ERROR',
        errorCode: 'TERMINAL_ERROR',
        errorMessage: 'Resolved by a person: nothing was charged.',
        outcome: notCharged(text),
      };
  endTransaction(engine, before, { record }, { by, evidence: [evidence], isCorrection });
  return record;
}

/** The record was right: only the task ends. */
function confirm(
  engine: Engine,
  record: TransactionRecord,
  resolution: NonNullable<RecoveryTask['resolution']>,
  evidence: Evidence,
): void {
  const { transactionId, terminalId } = record;
  engine.events.commit(terminalId, (unit) => {
    // The money of a held sale has come, whatever the host said of its capture.
    if (awaitsCapture(record)) unit.saveTransaction(captureDone(record, resolution.at));
    closeTask(unit, transactionId, resolution, [evidence]);
  });
}

/** @throws BridgeError ILLEGAL_STATE: what was given back of a payment stands, so that the payment cannot be told to have brought nothing */
function requireAlone(engine: Engine, transactionId: string): void {
  const { refundCount, voidedBy, completedBy } = engine.deps.journal.dependentsOf(transactionId);
  if (refundCount === 0 && voidedBy === undefined && completedBy === undefined) return;
  throw new BridgeError('ILLEGAL_STATE', 'it has a void, a refund or a completion, which must be cleared up first', {
    details: { transactionId },
  });
}

function resolveDayClose(
  engine: Engine,
  context: CallContext,
  dayCloseId: string,
  request: ResolveRequest,
  evidence: Evidence,
  by: string,
): void {
  const close = engine.deps.journal.findDayClose(dayCloseId);
  if (close === undefined || !isOpenClose(close)) throw nothingOpen(engine, context, dayCloseId);
  const message = `Resolved by a person: ${request.evidence}`;
  const end = request.charged
    ? ({ kind: 'CLOSED', batch: reportedBatchOf(close), message, evidence: [evidence] } as const)
    : ({ kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message, evidence: [evidence] } as const);
  endDayClose(engine, nextClose(close), end, by);
}

function nothingOpen(engine: Engine, context: CallContext, subjectId: string): BridgeError {
  const { journal } = engine.deps;
  const known = journal.findTransaction(subjectId) ?? journal.findDayClose(subjectId);
  if (seenBy(context, known) === undefined)
    return new BridgeError('NOT_FOUND', 'there is no transaction or day close with this id');
  return new BridgeError('ILLEGAL_STATE', 'nothing about it is open', { details: { transactionId: subjectId } });
}
