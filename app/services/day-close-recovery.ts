import type { DayCloseRecord } from '../domain/records.ts';
import type { RecoveryAnswer, RecoveryQuestion, TerminalBatchTotals, TerminalOutcome } from '../ports/terminal.ts';
import type { OpenQuestion } from './apply-outcome.ts';
import { type DayCloseEnd, endDayClose } from './end-day-close.ts';
import type { Engine } from './engine.ts';

/** Whether the terminal closed its batch; it is never told to close again. */
export function dayCloseQuestion(close: DayCloseRecord): RecoveryQuestion {
  return {
    command: {
      transactionId: close.dayCloseId,
      operation: 'DAY_CLOSE',
      currency: close.totals.currency,
      close: { closedAt: close.createdAt, businessDate: close.businessDate },
    },
    mark: close.recoveryMark,
    state: 'INTENT',
    startedAt: close.createdAt,
  };
}

/** What a terminal's answer about a day close means. */
export function dayCloseEndOf(answer: RecoveryAnswer, asked: number): DayCloseEnd {
  const { evidence } = answer;
  switch (answer.kind) {
    case 'SETTLED':
      return { ...outcomeEnd(answer.outcome), evidence };
    case 'UNDECIDED':
      return { kind: 'OPEN', question: openQuestion(answer, false), evidence, asked };
    case 'ASK_AGAIN':
      return { kind: 'OPEN', question: openQuestion(answer, true), evidence, asked };
  }
}

/** What the terminal's result of a day close means. What a card gives is no result of one. */
export function outcomeEnd(outcome: TerminalOutcome): DayCloseEnd {
  switch (outcome.kind) {
    case 'APPROVED':
      return { kind: 'CLOSED', batch: outcome.batch, evidence: [] };
    case 'DECLINED':
      return failed(outcome.reason ?? 'The terminal refused the day close.');
    case 'CANCELLED':
      return failed('The day close was cancelled at the terminal.');
    case 'FAILED':
    case 'NOT_STARTED':
      return { kind: 'FAILED', errorCode: outcome.errorCode, message: outcome.message, evidence: [] };
    case 'PENDING_ONLINE':
    case 'CHIP_APPROVED':
      return failed('The terminal gave an answer that is none to a day close.');
    case 'UNKNOWN':
      return {
        kind: 'OPEN',
        question: { reason: outcome.message, reasonCode: outcome.reasonCode ?? 'ANSWER_LOST', canBeAsked: true },
        evidence: outcome.evidence,
      };
  }
}

function openQuestion(
  { reason, reasonCode }: RecoveryAnswer & { kind: 'UNDECIDED' | 'ASK_AGAIN' },
  canBeAsked: boolean,
): OpenQuestion {
  return { reason, reasonCode, canBeAsked };
}

function failed(message: string): DayCloseEnd {
  return { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message, evidence: [] };
}

/** Writes the answer of the terminal into the close, if it is still open. */
export function applyDayCloseAnswer(
  engine: Engine,
  dayCloseId: string,
  answer: RecoveryAnswer,
  how: { readonly by: string; readonly asked: number },
): void {
  const close = engine.deps.journal.findDayClose(dayCloseId);
  if (close === undefined || !isOpenClose(close)) return;
  endDayClose(engine, nextClose(close), dayCloseEndOf(answer, how.asked), how.by);
}

export function isOpenClose(close: DayCloseRecord): boolean {
  return close.state === 'INTENT' || close.state === 'UNKNOWN';
}

export function nextClose(close: DayCloseRecord): DayCloseRecord {
  return { ...close, revision: close.revision + 1 };
}

/** Figures that the terminal told when it closed by itself: kept with the close until nothing open is left in its batch. */
export function reportedBatchOf(close: DayCloseRecord): TerminalBatchTotals | undefined {
  const { reported } = close.recoveryMark;
  return reported === undefined ? undefined : (reported as unknown as TerminalBatchTotals);
}
