import type { RecoveryReasonCode } from '../contract/recovery.ts';
import type { Evidence, TransactionRecord } from '../domain/transaction.ts';
import type { RecoveryAnswer, RecoveryQuestion } from '../ports/terminal.ts';
import {
  type AppliedOutcome,
  applyOutcome,
  provisionalOutcomeOf,
  unknownRecord,
  withEvidence,
} from './apply-outcome.ts';
import { commandOf } from './commands.ts';
import { timedSignal, within } from './deadline.ts';
import { type Engine, nowIso } from './engine.ts';
import { FIRST_RECOVERY_WAIT_MS, LONGEST_RECOVERY_WAIT_MS, RECOVERY_QUESTION_TIMEOUT_MS } from './engine-limits.ts';
import type { Lane } from './lane.ts';

/** The question about a transaction whose answer was lost. It never sends the command again (architecture rule 2). */
export function questionAbout(engine: Engine, record: TransactionRecord): RecoveryQuestion {
  const provisional = provisionalOutcomeOf(record);
  return {
    command: commandOf(record, engine.deps.journal),
    mark: record.recoveryMark,
    state: provisional === undefined ? 'INTENT' : 'PROVISIONAL',
    ...(provisional === undefined ? {} : { provisional }),
    startedAt: record.createdAt,
  };
}

/** Asks once. A terminal that does not answer in time, or a driver that fails, is an ASK_AGAIN. */
export async function ask(engine: Engine, lane: Lane, question: RecoveryQuestion): Promise<RecoveryAnswer> {
  const { clock } = engine.deps;
  const time = timedSignal(clock, RECOVERY_QUESTION_TIMEOUT_MS, engine.stopping);
  try {
    const answer = await within(clock, RECOVERY_QUESTION_TIMEOUT_MS, lane.terminal.recover(question, time.signal));
    if (answer === undefined) return unanswered(engine, 'The terminal did not answer the question in time.');
    // Silence is evidence too.
    return answer.evidence.length > 0 || answer.kind !== 'ASK_AGAIN'
      ? answer
      : unanswered(engine, answer.reason, answer.reasonCode);
  } catch (error) {
    engine.deps.log.error('A recovery question failed.', { terminalId: lane.terminalId, reason: String(error) });
    return unanswered(engine, 'The question could not be put to the terminal.');
  } finally {
    time.done();
  }
}

function unanswered(engine: Engine, reason: string, reasonCode: RecoveryReasonCode = 'NO_ANSWER'): RecoveryAnswer {
  const codes = { questionCode: 'OUTCOME', answerCode: 'NO_ANSWER' } as const;
  const evidence = [{ at: nowIso(engine), question: 'What became of the command?', answer: reason, ...codes }];
  return { kind: 'ASK_AGAIN', reason, reasonCode, evidence };
}

/**
 * Asks up to `maxQuestions` times, with growing waits, until an answer decides; all evidence is collected.
 * @param isDecided whether somebody else has found it out meanwhile
 * @returns the last answer and how often was asked; undefined when it is decided, or when the till ends meanwhile: the row is then left to the
 * recovery of the next start
 */
export async function askRepeatedly(
  engine: Engine,
  lane: Lane,
  question: RecoveryQuestion,
  maxQuestions: number,
  isDecided: () => boolean = () => false,
): Promise<{ readonly answer: RecoveryAnswer; readonly asked: number } | undefined> {
  const evidence: Evidence[] = [];
  for (let asked = 1; ; asked += 1) {
    const answer = await ask(engine, lane, question);
    if (engine.stopping.aborted || isDecided()) return undefined;
    evidence.push(...answer.evidence);
    if (answer.kind !== 'ASK_AGAIN' || asked >= maxQuestions) return { answer: { ...answer, evidence }, asked };
    await pause(engine, recoveryWaitMs(asked));
    if (engine.stopping.aborted || isDecided()) return undefined;
  }
}

/** The wait after the n-th question without a deciding answer. */
export function recoveryWaitMs(asked: number): number {
  return Math.min(LONGEST_RECOVERY_WAIT_MS, FIRST_RECOVERY_WAIT_MS * 2 ** Math.min(asked - 1, 20));
}

/** Waits, or ends early when the till stops. */
function pause(engine: Engine, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      engine.stopping.removeEventListener('abort', end);
      resolve();
    };
    const cancel = engine.deps.clock.after(waitMs, end);
    engine.stopping.addEventListener('abort', end, { once: true });
  });
}

/** What an answer makes of the record. */
export function applyAnswer(record: TransactionRecord, answer: RecoveryAnswer, at: string): AppliedOutcome {
  switch (answer.kind) {
    case 'SETTLED':
      return decidedBy(answer.evidence, applyOutcome(withEvidence(record, answer.evidence), answer.outcome, at));
    case 'UNDECIDED':
      return {
        record: unknownRecord(record, answer.reason, at, answer.evidence),
        open: { reason: answer.reason, reasonCode: answer.reasonCode, canBeAsked: false },
      };
    case 'ASK_AGAIN':
      return {
        record: unknownRecord(record, answer.reason, at, answer.evidence),
        open: { reason: answer.reason, reasonCode: answer.reasonCode, canBeAsked: true },
      };
  }
}

/** Names what was asked and answered in the outcome itself, so that whoever reads the answer sees what decided. */
function decidedBy(evidence: readonly Evidence[], applied: AppliedOutcome): AppliedOutcome {
  if (evidence.length === 0) return applied;
  const { outcome } = applied.record;
  const asked = evidence.map(({ question, answer }) => `${question}: ${answer}`).join(' · ');
  return {
    ...applied,
    record: {
      ...applied.record,
      outcome: { ...outcome, evidence: `${outcome.evidence} Asked after the answer was lost: ${asked}` },
    },
  };
}
