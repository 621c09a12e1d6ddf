// Asks the terminal what became of a command whose answer was lost. Nothing here sends the command again.
import type { EvidenceAnswerCode, EvidenceQuestionCode, RecoveryReasonCode } from '../../app/contract/recovery.ts';
import type { Evidence } from '../../app/domain/transaction.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { RecoveryAnswer, RecoveryQuestion } from '../../app/ports/terminal.ts';
import { pause } from '../session/give-up.ts';
import { BUSY, isBusyAnswer } from './answers.ts';
import type { Attached, Attachment } from './attachment.ts';
import type { ZvtCommand } from './codec/command-types.ts';
import { judgeResultCode } from './codec/result-codes.ts';
import { terminalStatusOf } from './codec/status-tables.ts';
import { NOT_TOLD, readMark, turnoverMarkOf } from './mark.ts';
import { movesMoney } from './operations.ts';
import { bytesInWords, type Refused, registrationCommand, repeatReceiptCommand, type Silent } from './questions.ts';
import {
  type Answers,
  askAgain,
  inWords,
  judgeDayCloseRecovery,
  judgeRecovery,
  type MoneyQuestion,
  needsTurnover,
  undecided,
  type Verdict,
} from './recovery-verdict.ts';
import { type ZvtSettings, zvtLimits } from './zvt-settings.ts';

export interface RecoveryDeps {
  readonly clock: Clock;
  readonly settings: ZvtSettings;
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
  if ((await attachment.waitForLink(signal, zvtLimits.maxTurnWaitMs)) === undefined)
    return againLater('NOT_REACHED', attachment.state().problem ?? 'The terminal cannot be reached.');
  const turn = await attachment.turns.take(zvtLimits.maxTurnWaitMs, signal);
  if (turn === undefined) return againLater('BUSY', 'The terminal is in use.');
  try {
    const attached = attachment.current();
    if (attached === undefined) return againLater('NOT_REACHED', 'The link to the terminal was lost again.');
    const interview = createInterview(deps, attached, signal);
    const verdict = movesMoney(command)
      ? await askAboutMoney(deps, interview, { ...question, command })
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
function createInterview(deps: RecoveryDeps, attached: Attached, signal: AbortSignal) {
  const { attachment, settings, clock } = deps;
  const { questions } = attached;
  const password = settings.password;
  const evidence: Evidence[] = [];

  async function ask<T>(
    {
      words,
      code,
      command,
    }: { readonly words: string; readonly code: EvidenceQuestionCode; readonly command: ZvtCommand },
    put: () => Promise<T>,
    toldBy: (answer: T) => Told,
  ): Promise<T> {
    const answer = await put();
    const told = toldBy(answer);
    evidence.push({
      at: new Date(clock.nowMs()).toISOString(),
      question: `${words} (${bytesInWords(command, password.reveal())})`,
      answer: told.words,
      questionCode: code,
      answerCode: told.code,
    });
    return answer;
  }

  return {
    evidence: evidence as readonly Evidence[],
    register: () =>
      ask(
        { words: 'Registration', code: 'REGISTRATION', command: registrationCommand(settings) },
        () => attachment.register(attached),
        (answer) => (answer.kind === 'REGISTERED' ? { code: 'READY', words: 'registered' } : negative(answer)),
      ),
    abort: () =>
      ask(
        { words: 'Abort of whatever runs', code: 'ABORT', command: { type: 'abort-command' } },
        questions.abort,
        (answer) =>
          answer.kind === 'ACCEPTED'
            ? { code: 'STOPPED', words: 'accepted: nothing runs that cannot be stopped' }
            : negative(answer),
      ),
    lastReceipt: () =>
      ask(
        { words: 'Last receipt, without printing', code: 'LAST_RECEIPT', command: repeatReceiptCommand(settings) },
        () => questions.lastReceipt(),
        (answer) => {
          if (answer.kind === 'RECEIPT') {
            const words = `${inWords(answer.status)}${answer.hasReversed ? ', while it reversed by itself' : ''}`;
            return { code: 'RECEIPT', words };
          }
          return answer.kind === 'NOTHING'
            ? { code: 'NO_RECEIPT', words: 'ended without a receipt' }
            : negative(answer);
        },
      ),
    status: () =>
      ask(
        { words: 'Status', code: 'STATUS', command: { type: 'status-enquiry', password } },
        () => attachment.askStatus(attached),
        (answer) => {
          if (answer.kind === 'STATUS') {
            return { code: 'STATUS', words: `${hexByte(answer.code)}: ${terminalStatusOf(answer.code).meaning}` };
          }
          return answer.kind === 'UNCLEAR' ? { code: 'UNCLEAR', words: 'no status' } : negative(answer);
        },
      ),
    turnover: () =>
      ask(
        { words: 'Totals of the open batch', code: 'TOTALS', command: { type: 'turnover-totals', password } },
        questions.turnover,
        (answer) => (answer.kind === 'TURNOVER' ? turnoverTold(turnoverMarkOf(answer)) : negative(answer)),
      ),
    /** Resolves false when the caller gave up meanwhile. */
    pause: () => pause(clock, zvtLimits.waitRetryMs, signal),
  };
}

/** What an answer was, in kind and in words. */
interface Told {
  readonly code: EvidenceAnswerCode;
  readonly words: string;
}

function turnoverTold(mark: ReturnType<typeof turnoverMarkOf>): Told {
  if (mark === undefined) return { code: 'NO_FIGURES', words: 'no figures' };
  const words = `${mark.totalMinor} minor units in ${mark.paymentCount ?? 'an untold number of'} payments`;
  return { code: 'FIGURES', words };
}

function negative(answer: Refused | Silent): Told {
  return { code: answer.kind === 'SILENT' ? 'NO_ANSWER' : 'REFUSED', words: negativeInWords(answer) };
}

function negativeInWords(answer: Refused | Silent): string {
  if (answer.kind === 'SILENT') return `no answer: ${answer.words}`;
  return answer.code === undefined
    ? 'refused without a reason'
    : `refused with ${hexByte(answer.code)}: ${judgeResultCode(answer.code).meaning}`;
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0').toUpperCase();
}

/** 06 00, 06 B0, 06 20 05 … 03 03, 05 01: the order of the digest's "After link loss". */
async function askAboutMoney(deps: RecoveryDeps, interview: Interview, question: MoneyQuestion): Promise<Verdict> {
  const mark = readMark(question.mark);
  const registered = await interview.register();
  const blocked = whyNotRegistered(registered);
  if (blocked !== undefined) return blocked;
  const abort = await interview.abort();
  if (abort.kind === 'SILENT') return askAgain('NO_ANSWER', `No answer to the abort: ${abort.words}.`);
  if (registered.kind === 'REFUSED') {
    const again = await registerWhenFree(interview);
    if (again !== undefined) return again;
  }
  const lastReceipt = await whenFree(
    interview,
    interview.lastReceipt,
    (answer) => answer.kind === 'REFUSED' && answer.code === BUSY,
  );
  const status = await whenFree(interview, interview.status, isBusyAnswer);
  const told: Answers = { abort, lastReceipt, status };
  // A hold stands in no total of the batch, so that an empty one proves nothing about it.
  const asksTotals = needsTurnover(mark, told) && question.command.operation !== 'PRE_AUTH';
  const answers: Answers = asksTotals ? { ...told, turnover: await interview.turnover() } : told;
  const verdict = judgeRecovery(question, mark, answers, deps.settings);
  if (verdict.kind !== 'SETTLED') return verdict;
  // A terminal that has only now come to rest may have stored or reversed the payment since it told its receipt.
  const again = await interview.lastReceipt();
  return judgeRecovery(question, mark, { ...answers, lastReceipt: again }, deps.settings);
}

/** A busy terminal may be told to stop; a terminal that refuses for another reason needs a person or another setting. */
function whyNotRegistered(answer: Awaited<ReturnType<Interview['register']>>): Verdict | undefined {
  if (answer.kind === 'REGISTERED' || (answer.kind === 'REFUSED' && answer.code === BUSY)) return undefined;
  return askAgain(notRegistered(answer), `The registration failed: ${negativeInWords(answer)}.`);
}

function notRegistered(answer: Refused | Silent): RecoveryReasonCode {
  return answer.kind === 'SILENT' ? 'NO_ANSWER' : 'NOT_READY';
}

async function registerWhenFree(interview: Interview): Promise<Verdict | undefined> {
  const answer = await whenFree(
    interview,
    interview.register,
    (tried) => tried.kind === 'REFUSED' && tried.code === BUSY,
  );
  return answer.kind === 'REGISTERED' ? undefined : askAgain('BUSY', 'The terminal is in the middle of something.');
}

/** Puts a question until the terminal is free for it, a bounded number of times. */
async function whenFree<T>(interview: Interview, put: () => Promise<T>, isBusy: (answer: T) => boolean): Promise<T> {
  let answer = await put();
  for (let retry = 0; retry < zvtLimits.maxWaitRetries && isBusy(answer); retry++) {
    if (!(await interview.pause())) break;
    answer = await put();
  }
  return answer;
}

/** A close is never aborted: its totals tell whether it happened. */
async function askAboutDayClose(interview: Interview, question: RecoveryQuestion): Promise<Verdict> {
  const registered = await interview.register();
  if (registered.kind !== 'REGISTERED')
    return askAgain(notRegistered(registered), `The registration failed: ${negativeInWords(registered)}.`);
  const status = await whenFree(interview, interview.status, isBusyAnswer);
  if (status.kind === 'SILENT' || isBusyAnswer(status))
    return askAgain('BUSY', 'The terminal is in the middle of something or does not answer.');
  const before = readMark(question.mark).turnover;
  if (before === NOT_TOLD)
    return undecided(
      'NO_TOTALS',
      'The terminal does not answer the question for the totals of its batch; see there whether it closed.',
    );
  const turnover = await interview.turnover();
  if (turnover.kind === 'SILENT') return askAgain('NO_ANSWER', `No answer about the totals: ${turnover.words}.`);
  const now = turnover.kind === 'TURNOVER' ? turnoverMarkOf(turnover) : undefined;
  return judgeDayCloseRecovery(before, now);
}
