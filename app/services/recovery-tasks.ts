import type { RecoveryTaskView } from '../contract/recovery.ts';
import type { RecoveryTask } from '../domain/records.ts';
import type { Evidence } from '../domain/transaction.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import { type OpenQuestion, withEvidence } from './apply-outcome.ts';
import { defined } from './response.ts';

export interface TaskSubject {
  readonly terminalId: string;
  readonly subject: RecoveryTask['subject'];
}

/** Opens the task of a subject, or brings the open one up to date. @param change.asked how often the terminal was asked since */
export function keepTaskOpen(
  unit: JournalUnit,
  of: TaskSubject,
  question: OpenQuestion,
  change: {
    readonly taskId: string;
    readonly nowIso: string;
    readonly evidence: readonly Evidence[];
    readonly asked: number;
  },
): RecoveryTask {
  const known = openTaskOf(unit, of.subject.id);
  const state = question.canBeAsked ? 'ASKING' : 'NEEDS_PERSON';
  const base: RecoveryTask = known ?? {
    taskId: change.taskId,
    ...of,
    state,
    revision: 0,
    reason: question.reason,
    attempts: 0,
    openedAt: change.nowIso,
    updatedAt: change.nowIso,
    evidence: [],
  };
  const { reasonCode: _before, ...kept } = base;
  const task: RecoveryTask = {
    ...withEvidence(kept, change.evidence),
    state,
    reason: question.reason,
    ...(question.reasonCode === undefined ? {} : { reasonCode: question.reasonCode }),
    revision: base.revision + 1,
    attempts: base.attempts + change.asked,
    updatedAt: change.nowIso,
  };
  unit.saveTask(task);
  return task;
}

/** Closes the open task of a subject, if there is one. */
export function closeTask(
  unit: JournalUnit,
  subjectId: string,
  resolution: NonNullable<RecoveryTask['resolution']>,
  evidence: readonly Evidence[],
): RecoveryTask | undefined {
  const open = openTaskOf(unit, subjectId);
  if (open === undefined) return undefined;
  const task: RecoveryTask = {
    ...withEvidence(open, evidence),
    state: 'RESOLVED',
    revision: open.revision + 1,
    updatedAt: resolution.at,
    resolution,
  };
  unit.saveTask(task);
  unit.settleOutbox(subjectId, resolution.at);
  return task;
}

export function openTaskOf(reader: JournalReader, subjectId: string): RecoveryTask | undefined {
  const task = reader.findTaskOf(subjectId);
  return task === undefined || task.state === 'RESOLVED' ? undefined : task;
}

/** A task as callers read it (decisions: Resolve). @param nextAttemptAt when the terminal is asked next by itself */
export function taskViewOf(task: RecoveryTask, reader: JournalReader, nextAttemptAt?: string): RecoveryTaskView {
  const { revision: _revision, evidence, ...fields } = task;
  const record = task.subject.kind === 'TRANSACTION' ? reader.findTransaction(task.subject.id) : undefined;
  return defined({
    ...fields,
    type: record?.type,
    amount: record?.amountMinor,
    currency: record?.currency,
    referenceId: record?.referenceId,
    nextAttemptAt: task.state === 'ASKING' ? nextAttemptAt : undefined,
    evidence: evidence.map((entry) => ({ ...entry })),
  });
}
