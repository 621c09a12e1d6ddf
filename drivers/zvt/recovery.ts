// Asks the terminal what became of a command whose answer was lost. Nothing here sends the command again.
import type { Evidence } from '../../app/domain/transaction.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { RecoveryAnswer, RecoveryQuestion } from '../../app/ports/terminal.ts';
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
  inWords,
  judgeDayCloseRecovery,
  judgeRecovery,
  type MoneyQuestion,
  needsTurnover,
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
    return { kind: 'ASK_AGAIN', evidence: [], reason: attachment.state().problem ?? 'The terminal cannot be reached.' };
  const turn = await attachment.turns.take(zvtLimits.maxTurnWaitMs, signal);
  if (turn === undefined) return { kind: 'ASK_AGAIN', evidence: [], reason: 'The terminal is in use.' };
  try {
    const attached = attachment.current();
    if (attached === undefined)
      return { kind: 'ASK_AGAIN', evidence: [], reason: 'The link to the terminal was lost again.' };
    const interview = createInterview(deps, attached, signal);
    const verdict = movesMoney(command)
      ? await askAboutMoney(deps, interview, { ...question, command })
      : await askAboutDayClose(interview, question);
    return { ...verdict, evidence: interview.evidence };
  } finally {
    turn.release();
  }
}

type Interview = ReturnType<typeof createInterview>;

/** Puts questions and keeps what was asked and answered. */
function createInterview(deps: RecoveryDeps, attached: Attached, signal: AbortSignal) {
  const { attachment, settings, clock } = deps;
  const { questions } = attached;
  const password = settings.password;
  const evidence: Evidence[] = [];

  async function ask<T>(
    words: string,
    command: ZvtCommand,
    put: () => Promise<T>,
    answerInWords: (answer: T) => string,
  ): Promise<T> {
    const answer = await put();
    evidence.push({
      at: new Date(clock.nowMs()).toISOString(),
      question: `${words} (${bytesInWords(command, password.reveal())})`,
      answer: answerInWords(answer),
    });
    return answer;
  }

  return {
    evidence: evidence as readonly Evidence[],
    register: () =>
      ask(
        'Registration',
        registrationCommand(settings),
        () => attachment.register(attached),
        (answer) => (answer.kind === 'REGISTERED' ? 'registered' : negativeInWords(answer)),
      ),
    abort: () =>
      ask('Abort of whatever runs', { type: 'abort-command' }, questions.abort, (answer) =>
        answer.kind === 'ACCEPTED' ? 'accepted: nothing runs that cannot be stopped' : negativeInWords(answer),
      ),
    lastReceipt: () =>
      ask(
        'Last receipt, without printing',
        repeatReceiptCommand(settings),
        () => questions.lastReceipt(),
        (answer) => {
          if (answer.kind === 'RECEIPT')
            return `${inWords(answer.status)}${answer.hasReversed ? ', while it reversed by itself' : ''}`;
          return answer.kind === 'NOTHING' ? 'ended without a receipt' : negativeInWords(answer);
        },
      ),
    status: () =>
      ask(
        'Status',
        { type: 'status-enquiry', password },
        () => attachment.askStatus(attached),
        (answer) => {
          if (answer.kind === 'STATUS') return `${hexByte(answer.code)}: ${terminalStatusOf(answer.code).meaning}`;
          return answer.kind === 'UNCLEAR' ? 'no status' : negativeInWords(answer);
        },
      ),
    turnover: () =>
      ask('Totals of the open batch', { type: 'turnover-totals', password }, questions.turnover, (answer) =>
        answer.kind === 'TURNOVER' ? turnoverInWords(turnoverMarkOf(answer)) : negativeInWords(answer),
      ),
    /** Resolves false when the caller gave up meanwhile. */
    pause(): Promise<boolean> {
      return new Promise((resolve) => {
        const giveUp = (): void => done(false);
        const done = (isTime: boolean): void => {
          stopTimer();
          signal.removeEventListener('abort', giveUp);
          resolve(isTime && !signal.aborted);
        };
        const stopTimer = clock.after(zvtLimits.waitRetryMs, () => done(true));
        signal.addEventListener('abort', giveUp, { once: true });
        if (signal.aborted) giveUp();
      });
    },
  };
}

function turnoverInWords(mark: ReturnType<typeof turnoverMarkOf>): string {
  return mark === undefined
    ? 'no figures'
    : `${mark.totalMinor} minor units in ${mark.paymentCount ?? 'an untold number of'} payments`;
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
  if (abort.kind === 'SILENT') return { kind: 'ASK_AGAIN', reason: `No answer to the abort: ${abort.words}.` };
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
  return { kind: 'ASK_AGAIN', reason: `The registration failed: ${negativeInWords(answer)}.` };
}

async function registerWhenFree(interview: Interview): Promise<Verdict | undefined> {
  const answer = await whenFree(
    interview,
    interview.register,
    (tried) => tried.kind === 'REFUSED' && tried.code === BUSY,
  );
  return answer.kind === 'REGISTERED'
    ? undefined
    : { kind: 'ASK_AGAIN', reason: 'The terminal is in the middle of something.' };
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
    return { kind: 'ASK_AGAIN', reason: `The registration failed: ${negativeInWords(registered)}.` };
  const status = await whenFree(interview, interview.status, isBusyAnswer);
  if (status.kind === 'SILENT' || isBusyAnswer(status))
    return { kind: 'ASK_AGAIN', reason: 'The terminal is in the middle of something or does not answer.' };
  const before = readMark(question.mark).turnover;
  if (before === NOT_TOLD)
    return {
      kind: 'UNDECIDED',
      reason: 'The terminal does not answer the question for the totals of its batch; see there whether it closed.',
    };
  const turnover = await interview.turnover();
  if (turnover.kind === 'SILENT')
    return { kind: 'ASK_AGAIN', reason: `No answer about the totals: ${turnover.words}.` };
  const now = turnover.kind === 'TURNOVER' ? turnoverMarkOf(turnover) : undefined;
  return judgeDayCloseRecovery(before, now);
}
