import type { DayCloseRecord, RecoveryTask } from '../domain/records.ts';
import { isOpen, isUnknown, standingOf } from '../domain/transaction.machine.ts';
import type { Evidence, TransactionRecord } from '../domain/transaction.ts';
import type { RecoveryAnswer, RecoveryQuestion } from '../ports/terminal.ts';
import { endedWithoutMoney, movesMoney, withEvidence } from './apply-outcome.ts';
import { applyAnswer, questionAbout } from './ask.ts';
import { applyDayCloseAnswer, dayCloseQuestion } from './day-close-recovery.ts';
import { endTransaction } from './end-transaction.ts';
import { type Engine, nowIso } from './engine.ts';
import { lostCompletion } from './granular-outcome.ts';
import type { Lane } from './lane.ts';

const BY_TERMINAL = 'system: the terminal answered';

/** Something open that the terminal may tell about: how to ask for it, and what to do with the answer. */
export interface OpenSubject {
  readonly id: string;
  readonly task: RecoveryTask | undefined;
  readonly question: RecoveryQuestion;
  /** @param asked how often the terminal was asked for this answer */
  settle(answer: RecoveryAnswer, asked: number): void;
}

/** What can be asked for now: rows and closes that a crash left, and tasks that the terminal may still answer. */
export function openSubjects(engine: Engine, lane: Lane): readonly OpenSubject[] {
  const { journal } = engine.deps;
  const { terminalId } = lane;
  const tasks = journal.openTasks(terminalId).filter((task) => task.subject.id !== lane.work?.id);
  const taskOf = (id: string) => tasks.find((task) => task.subject.id === id);
  const unknown = tasks.flatMap(({ subject }) =>
    subject.kind === 'TRANSACTION' ? (journal.findTransaction(subject.id) ?? []) : [],
  );
  const rows = openRows(engine, lane).filter((record) => !endsByItself(record));
  const closes = journal
    .openDayCloses()
    .filter((close) => close.terminalId === terminalId && close.dayCloseId !== lane.work?.id)
    .filter((close) => !close.startedByTerminal);
  return [
    ...[...rows, ...unknown].map((record) => transactionSubject(engine, record, taskOf(record.transactionId))),
    ...closes.map((close) => dayCloseSubject(engine, close, taskOf(close.dayCloseId))),
  ].filter(({ task }) => task?.state !== 'NEEDS_PERSON');
}

/** What a crash, or a journal that failed, left open: one row at most, for the journal lets a terminal have only one. */
export function openRows(engine: Engine, lane: Lane): readonly TransactionRecord[] {
  const row = engine.deps.journal.currentTransaction(lane.terminalId);
  return row === undefined || row.transactionId === lane.work?.id ? [] : [row];
}

function transactionSubject(engine: Engine, record: TransactionRecord, task: RecoveryTask | undefined): OpenSubject {
  const { transactionId } = record;
  return {
    id: transactionId,
    task,
    question: questionAbout(engine, record),
    settle(answer, asked) {
      // Somebody may have resolved it while the terminal was being asked.
      const now = engine.deps.journal.findTransaction(transactionId);
      if (now === undefined || !(isOpen(now.state) || isUnknown(standingOf(now)))) return;
      const told = engine.deps.journal.findTaskOf(transactionId)?.evidence ?? [];
      const known = withEvidence(
        now,
        told.filter((entry) => !holds(now.evidence, entry)),
      );
      const { evidence } = answer;
      endTransaction(engine, now, applyAnswer(known, answer, nowIso(engine)), { by: BY_TERMINAL, evidence, asked });
    },
  };
}

function holds(evidence: readonly Evidence[], entry: Evidence): boolean {
  return evidence.some(
    ({ at, question, answer }) => at === entry.at && question === entry.question && answer === entry.answer,
  );
}

function dayCloseSubject(engine: Engine, close: DayCloseRecord, task: RecoveryTask | undefined): OpenSubject {
  return {
    id: close.dayCloseId,
    task,
    question: dayCloseQuestion(close),
    settle: (answer, asked) => applyDayCloseAnswer(engine, close.dayCloseId, answer, { by: BY_TERMINAL, asked }),
  };
}

/** Ends the rows that nobody needs to be asked about. */
export function endWithoutQuestion(engine: Engine, lane: Lane): void {
  for (const record of openRows(engine, lane)) if (endsByItself(record)) endByItself(engine, record);
}

/** What is open on terminals that this till has no more, so that nobody can be asked, becomes a task for a person. */
export function endDetached(engine: Engine): void {
  const { journal } = engine.deps;
  const isDetached = ({ terminalId }: { readonly terminalId: string }) => !engine.lanes.has(terminalId);
  const reason = 'The terminal is no longer connected to this till.';
  const answer: RecoveryAnswer = { kind: 'UNDECIDED', reason, reasonCode: 'TERMINAL_GONE', evidence: [] };
  for (const record of journal.openTransactions().filter(isDetached)) {
    if (endsByItself(record)) endByItself(engine, record);
    else endTransaction(engine, record, applyAnswer(record, answer, nowIso(engine)), { by: 'system', evidence: [] });
  }
  for (const close of journal.openDayCloses().filter(isDetached)) {
    if (close.state === 'INTENT') applyDayCloseAnswer(engine, close.dayCloseId, answer, { by: 'system', asked: 0 });
  }
}

/** The card step of a granular payment was lost, or no money can have moved. */
function endsByItself(record: TransactionRecord): boolean {
  return record.state === 'PENDING_ONLINE' || !movesMoney(record);
}

function endByItself(engine: Engine, record: TransactionRecord): void {
  const at = nowIso(engine);
  const after =
    record.state === 'PENDING_ONLINE'
      ? lostCompletion(record, 'The card step was lost when the till stopped.', at)
      : endedWithoutMoney(record, 'The till stopped before the terminal answered.', at);
  endTransaction(engine, record, { record: after }, { by: 'system', evidence: [] });
}
