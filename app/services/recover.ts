import { BridgeError } from '../contract/errors.ts';
import type { DayCloseRecord, RecoveryTask } from '../domain/records.ts';
import { isOpen, isUnknown, standingOf } from '../domain/transaction.machine.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { RecoveryAnswer, RecoveryQuestion } from '../ports/terminal.ts';
import { endedWithoutMoney, movesMoney } from './apply-outcome.ts';
import { applyAnswer, ask, questionAbout, recoveryWaitMs } from './ask.ts';
import { applyDayCloseAnswer, dayCloseQuestion } from './day-close-recovery.ts';
import { endTransaction } from './end-transaction.ts';
import { type Engine, nowIso } from './engine.ts';
import { FIRST_RECOVERY_WAIT_MS, MAX_QUESTIONS_BEFORE_TASK, MAX_TIMED_QUESTIONS } from './engine-limits.ts';
import { lostCompletion } from './granular-outcome.ts';
import { inProgress, type Lane } from './lane.ts';
import { keepTaskOpen } from './recovery-tasks.ts';
import { settleTerminalCloses } from './terminal-close.ts';

const BY_TERMINAL = 'system: the terminal answered';

/** Resolves what was left open, by asking the terminal, never by sending again. */
export interface Recovery {
  /** At start, before anything is accepted: ends what needs no question, and begins to ask for the rest. */
  begin(lane: Lane): void;
  /** At start: what is open on terminals that this till has no more, so that nobody can be asked, becomes a task for a person. */
  beginDetached(): void;
  /** Goes on asking now or soon; returns at once. */
  soon(lane: Lane): void;
  /**
   * Before a new transaction or day close: asks the open questions, whose answers the new command could make unlearnable.
   * @throws BridgeError TRANSACTION_IN_PROGRESS naming what the terminal cannot tell yet, TERMINAL_UNREACHABLE
   */
  askFirst(lane: Lane): Promise<void>;
  stop(): void;
}

/** Something open, how to ask for it, and what to do with the answer. */
interface OpenSubject {
  readonly id: string;
  readonly task: RecoveryTask | undefined;
  readonly question: RecoveryQuestion;
  settle(answer: RecoveryAnswer): void;
}

interface Series {
  asked: number;
  cancelTimer: (() => void) | undefined;
  /** Questions without a deciding answer, per subject that has no task yet. */
  readonly unanswered: Map<string, number>;
}

export function createRecovery(engine: Engine): Recovery {
  const { journal, clock, log } = engine.deps;
  const seriesOf = new Map<string, Series>();

  function series(lane: Lane): Series {
    const known = seriesOf.get(lane.terminalId) ?? { asked: 0, cancelTimer: undefined, unanswered: new Map() };
    seriesOf.set(lane.terminalId, known);
    return known;
  }

  function endWithoutQuestion(lane: Lane): void {
    for (const record of openRows(lane)) if (endsByItself(record)) endByItself(record);
  }

  function endByItself(record: TransactionRecord): void {
    const at = nowIso(engine);
    const after =
      record.state === 'PENDING_ONLINE'
        ? lostCompletion(record, 'The card step was lost when the till stopped.', at)
        : endedWithoutMoney(record, 'The till stopped before the terminal answered.', at);
    endTransaction(engine, record, { record: after }, { by: 'system', evidence: [] });
  }

  function beginDetached(): void {
    const isDetached = ({ terminalId }: { terminalId: string }) => !engine.lanes.has(terminalId);
    const answer = {
      kind: 'UNDECIDED',
      reason: 'The terminal is no longer connected to this till.',
      evidence: [],
    } as const;
    for (const record of journal.openTransactions().filter(isDetached)) {
      if (endsByItself(record)) endByItself(record);
      else endTransaction(engine, record, applyAnswer(record, answer, nowIso(engine)), { by: 'system', evidence: [] });
    }
    for (const close of journal.openDayCloses().filter(isDetached)) {
      if (close.state === 'INTENT') applyDayCloseAnswer(engine, close.dayCloseId, answer, 'system');
    }
  }

  /** Rows that nobody needs to be asked about: the card step of a granular payment was lost, or no money can have moved. */
  function endsByItself(record: TransactionRecord): boolean {
    return record.state === 'PENDING_ONLINE' || !movesMoney(record);
  }

  /** What a crash, or a journal that failed, left open: one row at most, for the journal lets a terminal have only one. */
  function openRows(lane: Lane): readonly TransactionRecord[] {
    const row = journal.currentTransaction(lane.terminalId);
    return row === undefined || row.transactionId === lane.work?.id ? [] : [row];
  }

  /** What can be asked for now: rows and closes that a crash left, and tasks that the terminal may still answer. */
  function openSubjects(lane: Lane): readonly OpenSubject[] {
    const rows = openRows(lane).filter((record) => !endsByItself(record));
    const closes = journal
      .openDayCloses()
      .filter(
        (close) =>
          close.terminalId === lane.terminalId && close.dayCloseId !== lane.work?.id && !close.startedByTerminal,
      );
    const tasks = journal.openTasks(lane.terminalId).filter((task) => task.subject.id !== lane.work?.id);
    const taskOf = (id: string) => tasks.find((task) => task.subject.id === id);
    const records = new Map(rows.map((record) => [record.transactionId, record]));
    for (const task of tasks) {
      const record = task.subject.kind === 'TRANSACTION' ? journal.findTransaction(task.subject.id) : undefined;
      if (record !== undefined) records.set(record.transactionId, record);
    }
    return [
      ...[...records.values()].map((record) => transactionSubject(record, taskOf(record.transactionId))),
      ...closes.map((close) => dayCloseSubject(close, taskOf(close.dayCloseId))),
    ].filter(({ task }) => task?.state !== 'NEEDS_PERSON');
  }

  function transactionSubject(record: TransactionRecord, task: RecoveryTask | undefined): OpenSubject {
    return {
      id: record.transactionId,
      task,
      question: questionAbout(engine, record),
      settle: (answer) => {
        // Somebody may have resolved it while the terminal was being asked.
        const now = journal.findTransaction(record.transactionId);
        if (now === undefined || !(isOpen(now.state) || isUnknown(standingOf(now)))) return;
        endTransaction(engine, now, applyAnswer(now, answer, nowIso(engine)), {
          by: BY_TERMINAL,
          evidence: answer.evidence,
        });
      },
    };
  }

  function dayCloseSubject(close: DayCloseRecord, task: RecoveryTask | undefined): OpenSubject {
    return {
      id: close.dayCloseId,
      task,
      question: dayCloseQuestion(close),
      settle: (answer) => applyDayCloseAnswer(engine, close.dayCloseId, answer, BY_TERMINAL),
    };
  }

  /** @returns whether it is still open and worth another question */
  async function askFor(lane: Lane, subject: OpenSubject): Promise<boolean> {
    const { unanswered } = series(lane);
    const answer = await ask(engine, lane, subject.question);
    if (engine.stopping.aborted) return false;
    log.info('The terminal was asked about an open outcome.', {
      transactionId: subject.id,
      terminalId: lane.terminalId,
      state: answer.kind,
    });
    if (answer.kind !== 'ASK_AGAIN') {
      unanswered.delete(subject.id);
      subject.settle(answer);
      return false;
    }
    if (subject.task !== undefined) {
      noteAttempt(lane, subject.task, answer);
      return true;
    }
    const questions = (unanswered.get(subject.id) ?? 0) + 1;
    unanswered.set(subject.id, questions);
    if (questions >= MAX_QUESTIONS_BEFORE_TASK) {
      unanswered.delete(subject.id);
      subject.settle(answer);
    }
    return true;
  }

  /** Keeps what was asked on the task; a long silence is not written again and again. */
  function noteAttempt(lane: Lane, task: RecoveryTask, answer: RecoveryAnswer & { kind: 'ASK_AGAIN' }): void {
    if (answer.reason === task.reason && task.attempts >= MAX_QUESTIONS_BEFORE_TASK) return;
    engine.events.commit(lane.terminalId, (unit) => {
      const current = unit.findTask(task.taskId);
      if (current === undefined || current.state === 'RESOLVED') return;
      const { taskId } = task;
      keepTaskOpen(
        unit,
        task,
        { reason: answer.reason, canBeAsked: true },
        { taskId, nowIso: nowIso(engine), evidence: answer.evidence },
      );
    });
  }

  async function askAll(lane: Lane): Promise<boolean> {
    let remains = false;
    endWithoutQuestion(lane);
    for (const subject of openSubjects(lane)) {
      if (engine.stopping.aborted) return false;
      remains = (await askFor(lane, subject)) || remains;
    }
    settleTerminalCloses(engine, lane);
    return remains;
  }

  function schedule(lane: Lane, waitMs: number): void {
    const current = series(lane);
    current.cancelTimer?.();
    current.cancelTimer = clock.after(waitMs, () => {
      current.cancelTimer = undefined;
      round(lane);
    });
  }

  function round(lane: Lane): void {
    if (engine.stopping.aborted || lane.work !== undefined || lane.recovering !== undefined) return;
    const current = series(lane);
    lane.recovering = askAll(lane)
      .catch((error: unknown) => {
        log.error('Recovery could not go on.', { terminalId: lane.terminalId, reason: String(error) });
        return true;
      })
      .then((remains) => {
        lane.recovering = undefined;
        current.asked = remains ? current.asked + 1 : 0;
        if (remains && current.asked < MAX_TIMED_QUESTIONS) schedule(lane, recoveryWaitMs(current.asked));
      });
  }

  async function askFirst(lane: Lane): Promise<void> {
    await lane.recovering;
    const subjects = openSubjects(lane);
    if (subjects.length === 0) return;
    if (!lane.terminal.status().connected) {
      throw new BridgeError('TERMINAL_UNREACHABLE', 'the terminal is not connected');
    }
    for (const subject of subjects) {
      if (await askFor(lane, subject)) throw inProgress(subject.id);
    }
  }

  return {
    begin(lane) {
      endWithoutQuestion(lane);
      settleTerminalCloses(engine, lane);
      schedule(lane, 0);
    },
    beginDetached,
    askFirst,
    soon(lane) {
      try {
        settleTerminalCloses(engine, lane);
      } catch (error) {
        log.error('A close by the terminal could not be settled.', {
          terminalId: lane.terminalId,
          reason: String(error),
        });
      }
      if (engine.stopping.aborted || lane.recovering !== undefined || openSubjects(lane).length === 0) return;
      series(lane).asked = 0;
      schedule(lane, FIRST_RECOVERY_WAIT_MS);
    },
    stop() {
      for (const { cancelTimer } of seriesOf.values()) cancelTimer?.();
    },
  };
}
