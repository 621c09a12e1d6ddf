import { isoOf } from '../domain/instant.ts';
import type { Evidence } from '../domain/transaction.ts';
import type { Clock } from '../ports/clock.ts';
import type { DefiniteOutcome, RecoveryAnswer } from '../ports/terminal.ts';

/** One question to the host and its answer, in words and in kind. */
export function noteOf(
  clock: Clock,
  question: string,
  answer: string,
  answerCode: NonNullable<Evidence['answerCode']> = 'STATUS',
): Evidence {
  return { at: isoOf(clock.nowMs()), question, answer, questionCode: 'OUTCOME', answerCode };
}

export function settled(outcome: DefiniteOutcome, ...evidence: readonly Evidence[]): RecoveryAnswer {
  return { kind: 'SETTLED', outcome, evidence };
}

export function againLater(clock: Clock, question: string, reason: string): RecoveryAnswer {
  const evidence = [noteOf(clock, question, reason, 'NO_ANSWER')];
  return { kind: 'ASK_AGAIN', reason, reasonCode: 'NO_ANSWER', evidence };
}
