// One command of the till at the terminal, from its single send to its end.
import type { RecoveryReasonCode } from '../../app/contract/recovery.ts';
import type { Evidence } from '../../app/domain/transaction.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { DefiniteOutcome, ExchangeHooks, TerminalCommand, TerminalOutcome } from '../../app/ports/terminal.ts';
import { createProgressReporter } from '../session/progress-reporter.ts';
import type { Ecr17Connection, ExchangeResult, Judgement, Reply } from './connection.ts';
import { type Ecr17Settings, ecr17Limits } from './ecr17-settings.ts';
import { isApproval, lastResultOf } from './last-result.ts';
import { type Mark, relateToMark } from './mark.ts';
import type { TerminalMemory } from './memory.ts';
import { describeCommand, ecr17CommandFor, movesMoney, type PaymentType } from './operations.ts';
import { judgeResult, type Result, resultFor } from './payment-result.ts';
import { progressOfText } from './progress.ts';
import { judgeOther, type Questions } from './questions.ts';
import { createReceiptCollector, type ReceiptCollector } from './receipts.ts';

export interface RunDeps {
  readonly clock: Clock;
  readonly settings: Ecr17Settings;
  readonly connection: Ecr17Connection;
  readonly questions: Questions;
  readonly command: TerminalCommand;
  readonly mark: Mark;
  readonly memory: TerminalMemory;
  readonly hooks: ExchangeHooks;
}

/** Why the exchange ends without a conclusion. */
interface Problem {
  readonly message: string;
  readonly reasonCode: RecoveryReasonCode;
}

interface Heard {
  /** The result of this command, with what it means; of money only once it was stored. */
  told?: { readonly result: Result; readonly outcome: DefiniteOutcome };
  problem?: Problem;
}

/** Sends the command once and stays with it to its end. Never rejects. */
export async function runCommand(deps: RunDeps): Promise<TerminalOutcome> {
  const { command, memory, settings } = deps;
  const asked = settings.receipts === 'TILL' ? await deps.questions.receiptsToTill() : undefined;
  if (asked?.kind === 'SILENT') return notStarted('TERMINAL_UNREACHABLE', 'The link to the terminal was lost.');
  const course: Course = {
    heard: {},
    receipts: createReceiptCollector(command.operation === 'DAY_CLOSE'),
    // A terminal that refuses E 1 prints by itself.
    isReceiptExpected: asked?.kind === 'DONE',
    report: createProgressReporter(deps.hooks),
  };
  if (command.operation !== 'SALE') return conclude(deps, course, await send(deps, course, 'payment'));
  if (memory.hasExtendedPayment) {
    const extended = await send(deps, course, 'extended-payment');
    if (extended.kind !== 'REFUSED') return conclude(deps, course, extended);
  }
  // Each transmission of X was answered by NAK and by nothing else: the terminal has not taken it, nothing has begun, and P is the first money command that
  // it can take.
  const plain = await send(deps, course, 'payment');
  // Had both been refused, the terminal would only not be ready.
  if (plain.kind !== 'REFUSED') memory.hasExtendedPayment = false;
  return conclude(deps, course, plain);
}

interface Course {
  readonly heard: Heard;
  readonly receipts: ReceiptCollector;
  readonly isReceiptExpected: boolean;
  report(progress: Parameters<ExchangeHooks['onProgress']>[0]): void;
}

function send(deps: RunDeps, course: Course, paymentType: PaymentType): Promise<ExchangeResult> {
  const { command, settings, connection } = deps;
  return connection.exchange({
    command: ecr17CommandFor(command, settings, paymentType),
    ending: 'REPLY',
    replyTimeoutMs: ecr17Limits.paymentTimeoutMs,
    ...(course.isReceiptExpected ? { receiptTimeoutMs: ecr17Limits.receiptTimeoutMs } : {}),
    onStarted: () => course.report(startedProgress(command)),
    onProgress: (text) => course.report(progressOfText(text)),
    onReceipt: (part) => course.receipts.add(part),
    judge: (reply, isStarted) => judge(deps, course, reply, isStarted),
  });
}

function startedProgress(command: TerminalCommand): Parameters<ExchangeHooks['onProgress']>[0] {
  const needsCard = command.operation !== 'DAY_CLOSE' && command.operation !== 'PRE_AUTH_COMPLETE';
  return needsCard
    ? { step: 'WAITING_FOR_CARD', message: 'The terminal waits for the card' }
    : { step: 'PROCESSING', message: 'The terminal is at work' };
}

/** A result counts once it is on disk; only then is it acknowledged. */
async function judge(deps: RunDeps, { heard, receipts }: Course, reply: Reply, isStarted: boolean): Promise<Judgement> {
  const { command, hooks } = deps;
  const result = resultFor(command, reply);
  const last = lastResultOf(reply);
  if (result === undefined || last === undefined) return judgeOther(reply);
  const isKnown = relateToMark(deps.mark, last) === 'SAME';
  // What the terminal had saved before: it was read from there already.
  if (isKnown && last.stan !== undefined) return 'IGNORE';
  // The same refusal twice is nothing rare: the same customer, the same amount, no card. A terminal repeats an old one only before it takes a new command.
  if (isKnown && movesMoney(command) && !isStarted) {
    heard.problem = {
      reasonCode: 'RECEIPT_UNCLEAR',
      message: 'The terminal told what it had told before; whether it tells it of this command is not known.',
    };
    return 'WITHHOLD';
  }
  const outcome = judgeResult(command, result, receipts.receipts());
  if (outcome.kind === 'NO_CONCLUSION') {
    heard.problem = outcome;
    return 'WITHHOLD';
  }
  if (movesMoney(command)) {
    try {
      await hooks.onProvisional(outcome);
    } catch {
      heard.problem = {
        reasonCode: 'ANSWER_LOST',
        message: 'The result could not be stored, so it was not acknowledged.',
      };
      return 'WITHHOLD';
    }
  }
  heard.told = { result, outcome };
  return 'TAKE';
}

function conclude(deps: RunDeps, course: Course, ended: ExchangeResult): TerminalOutcome {
  const { command, memory } = deps;
  const { told } = course.heard;
  if (ended.kind === 'REFUSED' || ended.kind === 'ACKNOWLEDGED') return refused(command);
  if (ended.kind === 'LOST') return concludeLost(deps, course.heard, ended);
  const last = lastResultOf(ended.reply);
  if (told === undefined || last === undefined)
    return unknown(deps, { message: 'The terminal ended without a result.' });
  memory.ended(last, whatEnded(command));
  // An approval that the terminal believes untold is asked for once more; a refusal moved nothing either way.
  if (!ended.isAcknowledged && isApproval(last) && movesMoney(command))
    return unknown(deps, { message: 'The link was lost before the result could be acknowledged.' });
  // What was printed after the result belongs to it.
  const { outcome } = told;
  return outcome.kind === 'NOT_STARTED' ? outcome : { ...outcome, receipts: course.receipts.receipts() };
}

function whatEnded({ operation }: TerminalCommand): 'PAYMENT' | 'REVERSAL' | 'OTHER' {
  if (operation === 'VOID') return 'REVERSAL';
  return operation === 'SALE' || operation === 'PRE_AUTH_COMPLETE' ? 'PAYMENT' : 'OTHER';
}

/** NAK also means that the terminal does not know the message. It has just said that it is operative. */
function refused({ operation }: TerminalCommand): TerminalOutcome {
  return operation === 'SALE'
    ? notStarted('TERMINAL_NOT_READY', 'The terminal refused the payment.')
    : notStarted('OPERATION_NOT_SUPPORTED', 'The terminal refused the command: it does not know it.');
}

function notStarted(
  errorCode: 'TERMINAL_UNREACHABLE' | 'TERMINAL_NOT_READY' | 'OPERATION_NOT_SUPPORTED',
  words: string,
): TerminalOutcome {
  return { kind: 'NOT_STARTED', errorCode, message: `${words} Nothing was charged.` };
}

function concludeLost(
  deps: RunDeps,
  { problem }: Heard,
  lost: ExchangeResult & { readonly kind: 'LOST' },
): TerminalOutcome {
  if (!lost.mayHaveLeft) return notStarted('TERMINAL_UNREACHABLE', 'The link to the terminal was lost.');
  if (deps.command.operation === 'CARD_READ')
    return { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message: `No answer: ${lost.message}.`, receipts: [] };
  if (problem === undefined) return unknown(deps, { message: `No answer: ${lost.message}.` });
  return unknown(deps, problem);
}

function unknown(
  { command, clock }: RunDeps,
  { message, reasonCode = 'ANSWER_LOST' }: { readonly message: string; readonly reasonCode?: RecoveryReasonCode },
): TerminalOutcome {
  const evidence: Evidence = {
    at: new Date(clock.nowMs()).toISOString(),
    question: describeCommand(command),
    answer: message,
    questionCode: 'COMMAND',
    answerCode: 'LOST',
  };
  return { kind: 'UNKNOWN', message, reasonCode, evidence: [evidence] };
}
