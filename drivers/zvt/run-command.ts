// One command of the till at the terminal, from its single send to its end.
import type { CancelReason, Evidence } from '../../app/domain/transaction.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { DefiniteOutcome, ExchangeHooks, TerminalCommand, TerminalOutcome } from '../../app/ports/terminal.ts';
import { createProgressReporter } from '../session/progress-reporter.ts';
import type { StatusInformation, ZvtMessage } from './codec/message-types.ts';
import { type Answer, type ExchangeResult, UNSUPPORTED_ANSWER, type ZvtConnection } from './connection.ts';
import { type Mark, markOf, relateToMark } from './mark.ts';
import { describeCommand, type MoneyCommand, movesMoney, READ_CARD_SECONDS, zvtCommandFor } from './operations.ts';
import {
  type Judged,
  judgeAbort,
  judgeDayClose,
  judgeReading,
  judgeStatus,
  type ResultContext,
  refusedReply,
} from './payment-result.ts';
import { progressOfStatus } from './progress.ts';
import { bytesInWords, isAutoReversal } from './questions.ts';
import { createReceiptCollector } from './receipts.ts';
import { type ZvtSettings, zvtLimits } from './zvt-settings.ts';

export interface RunDeps {
  readonly clock: Clock;
  readonly settings: ZvtSettings;
  readonly connection: ZvtConnection;
  readonly command: TerminalCommand;
  readonly mark: Mark;
  readonly hooks: ExchangeHooks;
  /** Whether the till asked for the end (06 B0). */
  isAbortRequested(): boolean;
  /** A payment told its receipt: the mark of the next one. */
  onMark(mark: Mark): void;
}

/** Silence of the terminal after which an end by "key or time-out" (6C) is read as time-out. */
const TIMEOUT_SILENCE_MS = 30_000;

interface Heard {
  /** The result that the terminal told and the till acknowledged. */
  result?: { readonly status: StatusInformation; readonly outcome: DefiniteOutcome };
  /** Last status information of a command that moves no money. */
  status?: StatusInformation;
  hasReversed: boolean;
  /** Why no conclusion is possible. */
  problem?: string;
  lastHeardMs: number;
}

/** Sends the command once and stays with it to its end. Never rejects. */
export async function runCommand(deps: RunDeps): Promise<TerminalOutcome> {
  const { clock, settings, command, hooks, connection } = deps;
  const heard: Heard = { hasReversed: false, lastHeardMs: clock.monotonicMs() };
  const receipts = createReceiptCollector(command.operation === 'DAY_CLOSE');
  const report = createProgressReporter(hooks);

  const context = (): ResultContext => ({
    command,
    settings,
    receipts: receipts.receipts(),
    cancelReason: cancelReason(deps, heard),
  });

  async function handle(message: ZvtMessage): Promise<Answer> {
    const answer = await take(message);
    // The end itself breaks the silence that it ends.
    if (message.type !== 'abort' && message.type !== 'completion') heard.lastHeardMs = clock.monotonicMs();
    // While it says what it does (remove the card), the terminal is not at its end.
    const isAtEnd = isRefusal(heard) && message.type !== 'intermediate-status';
    return isAtEnd && answer === 'ACKNOWLEDGE' ? { endWithinMs: zvtLimits.refusalEndMs } : answer;
  }

  async function take(message: ZvtMessage): Promise<Answer> {
    switch (message.type) {
      case 'intermediate-status':
        if (isAutoReversal(message)) heard.hasReversed = true;
        report(progressOfStatus(message));
        return 'ACKNOWLEDGE';
      case 'print-line':
      case 'text-block':
        receipts.add(message);
        return 'ACKNOWLEDGE';
      case 'status-information':
        heard.status = message;
        return movesMoney(command) ? takeResult(deps, heard, { ...context(), command }, message) : 'ACKNOWLEDGE';
      case 'dial-up':
      case 'input-request':
        return UNSUPPORTED_ANSWER;
      default:
        return 'ACKNOWLEDGE';
    }
  }

  const result = await connection.exchange({
    command: zvtCommandFor(command, settings),
    ending: 'MESSAGE',
    endsWithStatus: command.operation === 'CARD_READ',
    // The terminal was told how long to wait for a card; a reading is no talk to a host.
    ...(command.operation === 'CARD_READ'
      ? { completionTimeoutMs: READ_CARD_SECONDS * 1_000 + zvtLimits.readCardMarginMs }
      : {}),
    onStarted: () => report(startedProgress(command)),
    handle,
  });
  return conclude(deps, heard, context(), result);
}

/** The terminal told, and the till acknowledged, that nothing was charged. */
function isRefusal({ result }: Heard): boolean {
  return result !== undefined && result.outcome.kind !== 'APPROVED';
}

function startedProgress(command: TerminalCommand): Parameters<ExchangeHooks['onProgress']>[0] {
  const needsCard =
    command.operation !== 'DAY_CLOSE' && command.operation !== 'VOID' && command.operation !== 'PRE_AUTH_COMPLETE';
  return needsCard
    ? { step: 'WAITING_FOR_CARD', message: 'The terminal waits for the card' }
    : { step: 'PROCESSING', message: 'The terminal is at work' };
}

/** 6C says "key or time-out"; what the till knows itself decides between them. */
function cancelReason(deps: RunDeps, heard: Heard): CancelReason {
  if (deps.isAbortRequested()) return 'POS_REQUEST';
  return deps.clock.monotonicMs() - heard.lastHeardMs >= TIMEOUT_SILENCE_MS ? 'TIMEOUT' : 'CARDHOLDER';
}

/** A result counts once it is on disk and acknowledged; without acknowledgement the terminal reverses by itself. */
async function takeResult(
  deps: RunDeps,
  heard: Heard,
  context: ResultContext & { readonly command: MoneyCommand },
  status: StatusInformation,
): Promise<Answer> {
  const outcome = judgeStatus(context, status);
  const problem = whyNotToTrust(deps, heard, outcome, status);
  if (problem !== undefined || outcome.kind === 'NO_CONCLUSION') {
    heard.problem = problem ?? (outcome.kind === 'NO_CONCLUSION' ? outcome.message : '');
    return 'WITHHOLD';
  }
  // The same result again: the terminal did not see the acknowledgement.
  if (heard.result !== undefined) return 'ACKNOWLEDGE';
  try {
    await deps.hooks.onProvisional(outcome);
  } catch {
    heard.problem = 'The result could not be stored, so it was not acknowledged; the terminal reverses by itself.';
    return 'WITHHOLD';
  }
  heard.result = { status, outcome };
  const mark = markOf(status);
  if (mark !== undefined) deps.onMark(mark);
  return 'ACKNOWLEDGE';
}

function whyNotToTrust(deps: RunDeps, heard: Heard, outcome: Judged, status: StatusInformation): string | undefined {
  const before = heard.result;
  if (before !== undefined) {
    const isSame =
      before.outcome.kind === outcome.kind &&
      before.status.receipt === status.receipt &&
      before.status.trace === status.trace;
    return isSame ? undefined : 'The terminal told two different results.';
  }
  const isOld = deps.mark.knowledge === 'RECEIPT' && relateToMark(deps.mark, status) === 'SAME';
  return isOld && outcome.kind === 'APPROVED' ? 'The terminal sent the result of the payment before.' : undefined;
}

function conclude(deps: RunDeps, heard: Heard, context: ResultContext, result: ExchangeResult): TerminalOutcome {
  if (result.kind === 'REFUSED') return refusedReply(context, result.reply);
  if (result.kind === 'LOST') return concludeLost(deps, heard, context, result);
  const judged = judgeEnd(heard, context, result);
  return judged.kind === 'NO_CONCLUSION' ? unknown(deps, judged.message) : judged;
}

function concludeLost(
  deps: RunDeps,
  heard: Heard,
  context: ResultContext,
  lost: ExchangeResult & { readonly kind: 'LOST' },
): TerminalOutcome {
  if (!lost.mayHaveLeft)
    return {
      kind: 'NOT_STARTED',
      errorCode: 'TERMINAL_UNREACHABLE',
      message: 'The link to the terminal was lost; nothing was sent.',
    };
  // A refusal that was acknowledged needs no end: a CCV A920 sends none.
  if (lost.reason === 'COMPLETION_TIMEOUT' && isRefusal(heard) && heard.result !== undefined)
    return withReceipts(heard.result.outcome, context);
  const { operation } = deps.command;
  if (operation === 'CARD_READ' || operation === 'BALANCE_INQUIRY')
    return {
      kind: 'FAILED',
      errorCode: 'TERMINAL_ERROR',
      message: `No answer: ${lost.message}.`,
      receipts: context.receipts,
    };
  if (heard.problem === undefined) return unknown(deps, `No answer: ${lost.message}.`, lost.message);
  // The reason outlives what recovery will say: the evidence stays with the task.
  return unknown(deps, heard.problem, `${heard.problem} (${lost.message})`);
}

function judgeEnd(
  heard: Heard,
  context: ResultContext,
  result: ExchangeResult & { readonly kind: 'COMPLETED' | 'REPLIED' },
): Judged {
  if (result.kind === 'REPLIED') return { kind: 'NO_CONCLUSION', message: 'The terminal ended without a result.' };
  const { message } = result;
  const { command } = context;
  if (!movesMoney(command)) return judgeNonMoneyEnd(heard, context, message);
  const told = heard.result?.outcome;
  // An error after an acknowledged approval does not undo it (06 1E: something later, such as printing, failed). A reversal does.
  if (told?.kind === 'APPROVED' && heard.hasReversed)
    return { kind: 'NO_CONCLUSION', message: 'The terminal approved and then began to reverse by itself.' };
  if (told !== undefined) return withReceipts(told, context);
  if (message.type === 'abort') return judgeAbort(context, message);
  return { kind: 'NO_CONCLUSION', message: 'The terminal completed without telling a result.' };
}

function judgeNonMoneyEnd(
  heard: Heard,
  context: ResultContext,
  message: (ExchangeResult & { readonly kind: 'COMPLETED' })['message'],
): Judged {
  if (message.type === 'abort') return judgeAbort(context, message);
  if (context.command.operation === 'DAY_CLOSE') return judgeDayClose(context, heard.status);
  if (heard.status !== undefined) return judgeReading(context, heard.status);
  return {
    kind: 'FAILED',
    errorCode: 'TERMINAL_ERROR',
    message: 'The terminal completed without an answer.',
    receipts: context.receipts,
  };
}

/** The lines that were printed after the result belong to it. */
function withReceipts(outcome: DefiniteOutcome, { receipts }: ResultContext): DefiniteOutcome {
  return outcome.kind === 'NOT_STARTED' ? outcome : { ...outcome, receipts };
}

function unknown(deps: RunDeps, message: string, answer: string = message): TerminalOutcome {
  const { command, settings, clock } = deps;
  const bytes = bytesInWords(zvtCommandFor(command, settings), settings.password.reveal());
  const evidence: Evidence = {
    at: new Date(clock.nowMs()).toISOString(),
    question: `${describeCommand(command)} (${bytes})`,
    answer,
    questionCode: 'COMMAND',
    answerCode: 'LOST',
  };
  return { kind: 'UNKNOWN', message, reasonCode: 'ANSWER_LOST', evidence: [evidence] };
}
