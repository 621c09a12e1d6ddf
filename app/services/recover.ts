import { BridgeError } from '../contract/errors.ts';
import type { RecoveryTask } from '../domain/records.ts';
import type { Evidence } from '../domain/transaction.ts';
import type { RecoveryAnswer } from '../ports/terminal.ts';
import { ask, recoveryWaitMs } from './ask.ts';
import { type Engine, nowIso } from './engine.ts';
import { FIRST_RECOVERY_WAIT_MS, MAX_QUESTIONS_BEFORE_TASK, MAX_TIMED_QUESTIONS } from './engine-limits.ts';
import { inProgress, type Lane } from './lane.ts';
import { endDetached, endWithoutQuestion, type OpenSubject, openRows, openSubjects } from './open-subjects.ts';
import { keepTaskOpen } from './recovery-tasks.ts';
import { settleTerminalCloses } from './terminal-close.ts';

/** Resolves what was left open, by asking the terminal, never by sending again. */
export interface Recovery {
  /** At start, before anything is accepted: ends what needs no question, and begins to ask for the rest. */
  begin(lane: Lane): void;
  /** At start: what is open on terminals that this till has no more becomes a task for a person. */
  beginDetached(): void;
  /** Goes on asking soon; returns at once and never throws. */
  soon(lane: Lane): void;
  /** The same once the caller of this moment has his answer: a cashier does not wait for it. */
  later(lane: Lane): void;
  /**
   * Before a new transaction or day close: asks the open questions, whose answers the new command could make unlearnable.
   * @throws BridgeError TRANSACTION_IN_PROGRESS naming what the terminal cannot tell yet, TERMINAL_UNREACHABLE
   */
  askFirst(lane: Lane): Promise<void>;
  /** Asks nothing more of a terminal that is being taken away. */
  forget(lane: Lane): void;
  /** When a terminal is asked next, ISO 8601; not later than now while it is being asked, undefined when no question is due by time. */
  nextAttemptAt(terminalId: string): string | undefined;
  stop(): void;
}

/** The questions put to one terminal, one after the other. */
interface Series {
  asked: number;
  /** Milliseconds since 1970: when the next round begins, or the running one began. */
  nextAtMs: number | undefined;
  cancelTimer: (() => void) | undefined;
  cancelLook: (() => void) | undefined;
  /** Answers that did not decide, per subject that has no task yet. */
  readonly undecided: Map<string, readonly Evidence[][]>;
}

export function createRecovery(engine: Engine): Recovery {
  const { clock, log } = engine.deps;
  const seriesOf = new Map<string, Series>();

  function series(lane: Lane): Series {
    const known = seriesOf.get(lane.terminalId) ?? {
      asked: 0,
      nextAtMs: undefined,
      cancelTimer: undefined,
      cancelLook: undefined,
      undecided: new Map(),
    };
    seriesOf.set(lane.terminalId, known);
    return known;
  }

  function schedule(lane: Lane, waitMs: number): void {
    const current = series(lane);
    current.cancelTimer?.();
    current.nextAtMs = clock.nowMs() + waitMs;
    current.cancelTimer = clock.after(waitMs, () => {
      current.cancelTimer = undefined;
      round(lane);
    });
  }

  function round(lane: Lane): void {
    const current = series(lane);
    const isTaken = lane.work !== undefined || lane.recovering !== undefined;
    if (engine.stopping.aborted || lane.isDetached || isTaken) {
      current.nextAtMs = undefined;
      return;
    }
    lane.recovering = askAll(engine, lane, current)
      .catch((error: unknown) => {
        log.error('Recovery could not go on.', { terminalId: lane.terminalId, reason: String(error) });
        return true;
      })
      .then((remains) => {
        lane.recovering = undefined;
        current.nextAtMs = undefined;
        current.asked = remains ? current.asked + 1 : 0;
        if (remains && !lane.isDetached && current.asked < MAX_TIMED_QUESTIONS)
          schedule(lane, recoveryWaitMs(current.asked));
      });
  }

  const recovery: Recovery = {
    begin(lane) {
      endWithoutQuestion(engine, lane);
      settleTerminalCloses(engine, lane);
      schedule(lane, 0);
    },

    beginDetached: () => endDetached(engine),

    soon(lane) {
      if (engine.stopping.aborted || lane.isDetached) return;
      try {
        settleTerminalCloses(engine, lane);
        if (lane.recovering !== undefined || !hasSomethingOpen(engine, lane)) return;
      } catch (error) {
        log.error('Recovery could not look what is open.', { terminalId: lane.terminalId, reason: String(error) });
      }
      series(lane).asked = 0;
      schedule(lane, FIRST_RECOVERY_WAIT_MS);
    },

    later(lane) {
      const current = series(lane);
      current.cancelLook ??= clock.after(0, () => {
        current.cancelLook = undefined;
        recovery.soon(lane);
      });
    },

    async askFirst(lane) {
      await lane.recovering;
      const subjects = openSubjects(engine, lane);
      if (subjects.length === 0) return;
      if (!lane.terminal.status().connected) {
        throw new BridgeError('TERMINAL_UNREACHABLE', 'the terminal is not connected');
      }
      for (const subject of subjects) {
        if (await askFor(engine, lane, series(lane), subject)) throw inProgress(subject.id);
      }
    },

    forget(lane) {
      const known = seriesOf.get(lane.terminalId);
      known?.cancelTimer?.();
      known?.cancelLook?.();
      seriesOf.delete(lane.terminalId);
    },

    nextAttemptAt(terminalId) {
      const nextAtMs = seriesOf.get(terminalId)?.nextAtMs;
      return nextAtMs === undefined ? undefined : new Date(nextAtMs).toISOString();
    },

    stop() {
      for (const { cancelTimer, cancelLook } of seriesOf.values()) {
        cancelTimer?.();
        cancelLook?.();
      }
    },
  };
  return recovery;
}

function hasSomethingOpen(engine: Engine, lane: Lane): boolean {
  return openRows(engine, lane).length > 0 || openSubjects(engine, lane).length > 0;
}

/** @returns whether something is still open and worth another question */
async function askAll(engine: Engine, lane: Lane, series: Series): Promise<boolean> {
  let remains = false;
  endWithoutQuestion(engine, lane);
  for (const subject of openSubjects(engine, lane)) {
    if (engine.stopping.aborted || lane.isDetached) return false;
    remains = (await askFor(engine, lane, series, subject)) || remains;
  }
  settleTerminalCloses(engine, lane);
  return remains;
}

/** Puts one question. @returns whether it is still open and worth another one */
async function askFor(engine: Engine, lane: Lane, { undecided }: Series, subject: OpenSubject): Promise<boolean> {
  const answer = await ask(engine, lane, subject.question);
  if (engine.stopping.aborted || lane.isDetached) return false;
  engine.deps.log.info('The terminal was asked about an open outcome.', {
    transactionId: subject.id,
    terminalId: lane.terminalId,
    state: answer.kind,
  });
  if (answer.kind === 'ASK_AGAIN' && subject.task !== undefined) {
    noteAttempt(engine, lane, subject.task, answer);
    return true;
  }
  const answers = [...(undecided.get(subject.id) ?? []), [...answer.evidence]];
  if (answer.kind === 'ASK_AGAIN' && answers.length < MAX_QUESTIONS_BEFORE_TASK) {
    undecided.set(subject.id, answers);
    return true;
  }
  undecided.delete(subject.id);
  subject.settle({ ...answer, evidence: answers.flat() }, answers.length);
  return answer.kind === 'ASK_AGAIN';
}

/** Keeps what was asked on the task; a long silence is not written again and again. */
function noteAttempt(
  engine: Engine,
  lane: Lane,
  task: RecoveryTask,
  answer: RecoveryAnswer & { kind: 'ASK_AGAIN' },
): void {
  if (answer.reason === task.reason && task.attempts >= MAX_QUESTIONS_BEFORE_TASK) return;
  engine.events.commit(lane.terminalId, (unit) => {
    const current = unit.findTask(task.taskId);
    if (current === undefined || current.state === 'RESOLVED') return;
    const question = { reason: answer.reason, reasonCode: answer.reasonCode, canBeAsked: true };
    const change = { taskId: task.taskId, nowIso: nowIso(engine), evidence: answer.evidence, asked: 1 };
    keepTaskOpen(unit, task, question, change);
  });
}
