// Asks the terminal what became of a command whose answer was lost. Nothing here sends the command again.
import type { EvidenceAnswerCode, EvidenceQuestionCode, RecoveryReasonCode } from '../../app/contract/recovery.ts';
import type { Evidence } from '../../app/domain/transaction.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { RecoveryAnswer, RecoveryQuestion } from '../../app/ports/terminal.ts';
import { pause } from '../session/give-up.ts';
import type { Attached, Attachment } from './attachment.ts';
import { TERMINAL_STATES } from './codec/session-replies.ts';
import { ecr17Limits } from './ecr17-settings.ts';
import { inWords } from './last-result.ts';
import { readMark } from './mark.ts';
import { movesMoney } from './operations.ts';
import type { Refused, Silent } from './questions.ts';
import {
  askAgain,
  judgeRecovery,
  judgeSession,
  judgeTotals,
  type MoneyQuestion,
  undecided,
  type Verdict,
} from './recovery-verdict.ts';

export interface RecoveryDeps {
  readonly clock: Clock;
  readonly attachment: Attachment;
}

/** Waits for the terminal, asks, and judges. Never rejects. */
export async function recoverCommand(
  deps: RecoveryDeps,
  question: RecoveryQuestion,
  signal: AbortSignal,
): Promise<RecoveryAnswer> {
  const { command } = question;
  if (!movesMoney(command) && command.operation !== 'DAY_CLOSE')
    return {
      kind: 'SETTLED',
      evidence: [],
      outcome: {
        kind: 'FAILED',
        errorCode: 'TERMINAL_ERROR',
        message: 'The answer was lost; no money moves with this command.',
        receipts: [],
      },
    };
  const { attachment } = deps;
  if ((await attachment.waitForLink(signal, ecr17Limits.maxTurnWaitMs)) === undefined)
    return againLater('NOT_REACHED', attachment.state().problem ?? 'The terminal cannot be reached.');
  const turn = await attachment.turns.take(ecr17Limits.maxTurnWaitMs, signal);
  if (turn === undefined) return againLater('BUSY', 'The terminal is in use.');
  try {
    // It may have closed the connection again while others asked.
    const attached = attachment.current() ?? (await attachment.openNow(signal));
    if (attached === undefined) return againLater('NOT_REACHED', 'The link to the terminal was lost again.');
    const interview = createInterview(deps, attached, signal);
    const verdict = movesMoney(command)
      ? await askAboutMoney(interview, { ...question, command })
      : await askAboutDayClose(interview, question);
    return { ...verdict, evidence: interview.evidence };
  } finally {
    turn.release();
  }
}

function againLater(reasonCode: RecoveryReasonCode, reason: string): RecoveryAnswer {
  return { kind: 'ASK_AGAIN', reason, reasonCode, evidence: [] };
}

type Interview = ReturnType<typeof createInterview>;

/** Puts questions and keeps what was asked and answered. */
function createInterview({ attachment, clock }: RecoveryDeps, attached: Attached, signal: AbortSignal) {
  const evidence: Evidence[] = [];

  async function ask<T>(
    question: string,
    questionCode: EvidenceQuestionCode,
    put: () => Promise<T>,
    toldBy: (answer: T) => { readonly words: string; readonly code: EvidenceAnswerCode },
  ): Promise<T> {
    const answer = await put();
    const { words, code } = toldBy(answer);
    const at = new Date(clock.nowMs()).toISOString();
    evidence.push({ at, question, answer: words, questionCode, answerCode: code });
    return answer;
  }

  return {
    evidence: evidence as readonly Evidence[],
    status: () =>
      ask(
        'Status (s)',
        'STATUS',
        () => attachment.askStatus(attached),
        (answer) => {
          if (answer.kind !== 'STATUS') return negative(answer);
          const { state, localTime = 'no time' } = answer.status;
          return { code: 'STATUS', words: `state ${state} (${TERMINAL_STATES[state] ?? 'not known'}), ${localTime}` };
        },
      ),
    lastResult: () =>
      ask(
        'Last result (G)',
        'LAST_RECEIPT',
        () => attachment.learnLastResult(attached),
        (answer) => {
          if (answer.kind === 'RESULT') return { code: 'RECEIPT', words: inWords(answer.last) };
          return answer.kind === 'NOT_TOLD'
            ? { code: 'NO_RECEIPT', words: 'not asked: the terminal falls silent at this question' }
            : negative(answer);
        },
      ),
    totals: () =>
      ask(
        'Total of the session (T)',
        'TOTALS',
        () => attached.questions.totals(),
        (answer) => {
          if (answer.kind !== 'TOTALS') return negative(answer);
          return answer.totalMinor === undefined
            ? { code: 'NO_FIGURES', words: 'no figures' }
            : { code: 'FIGURES', words: `${answer.totalMinor} minor units` };
        },
      ),
    /** Puts a question until the terminal is free for it, a bounded number of times. */
    async whenFree<T extends { readonly kind: string }>(put: () => Promise<T>): Promise<T> {
      let answer = await put();
      for (let retry = 0; retry < ecr17Limits.maxWaitRetries && answer.kind === 'REFUSED'; retry++) {
        if (!(await pause(clock, ecr17Limits.waitRetryMs, signal))) break;
        answer = await put();
      }
      return answer;
    },
  };
}

function negative(answer: Refused | Silent): { readonly code: EvidenceAnswerCode; readonly words: string } {
  return answer.kind === 'SILENT'
    ? { code: 'NO_ANSWER', words: `no answer: ${answer.words}` }
    : { code: 'REFUSED', words: 'refused (NAK)' };
}

/** Undefined when the terminal is at rest: only then is its last result the last word. */
async function whyToAskAgain(interview: Interview): Promise<Verdict | undefined> {
  const status = await interview.whenFree(interview.status);
  if (status.kind === 'SILENT')
    return askAgain('NO_ANSWER', `No answer to the question for the status: ${status.words}.`);
  return status.kind === 'REFUSED' ? askAgain('BUSY', 'The terminal is in the middle of something.') : undefined;
}

/** s, then G: the order of the digest. */
async function askAboutMoney(interview: Interview, question: MoneyQuestion): Promise<Verdict> {
  const waiting = await whyToAskAgain(interview);
  if (waiting !== undefined) return waiting;
  const answer = await interview.whenFree(interview.lastResult);
  switch (answer.kind) {
    case 'RESULT':
      return judgeRecovery(question, readMark(question.mark), answer);
    case 'SILENT':
      return askAgain('NO_ANSWER', `No answer about the last result: ${answer.words}.`);
    default:
      return undecided('NO_RECEIPT', 'The terminal does not tell its last result; ask the cashier and the terminal.');
  }
}

async function askAboutDayClose(interview: Interview, question: RecoveryQuestion): Promise<Verdict> {
  const waiting = await whyToAskAgain(interview);
  if (waiting !== undefined) return waiting;
  const mark = readMark(question.mark);
  const answer = await interview.whenFree(interview.lastResult);
  if (answer.kind === 'SILENT') return askAgain('NO_ANSWER', `No answer about the last result: ${answer.words}.`);
  const ofSession = answer.kind === 'RESULT' ? judgeSession(mark, answer) : undefined;
  return ofSession ?? judgeTotals(mark.sessionTotalMinor, await interview.totals());
}
