// What the terminal's answers after a lost command prove (digest: "After link loss"). Pure.
import type { RecoveryReasonCode } from '../../app/contract/recovery.ts';
import type { RecoveryAnswer, RecoveryQuestion, TerminalOutcome } from '../../app/ports/terminal.ts';
import { BUSY, isBusyAnswer, markFromAnswer } from './answers.ts';
import type { StatusInformation } from './codec/message-types.ts';
import { terminalStatusOf } from './codec/status-tables.ts';
import { type Mark, receiptOf, relateToMark, type TurnoverMark, traceOf, turnoverMarkOf } from './mark.ts';
import { amountOf, type MoneyCommand } from './operations.ts';
import { judgeStatus } from './payment-result.ts';
import type { LastReceipt, Questions } from './questions.ts';
import type { ZvtSettings } from './zvt-settings.ts';

type AnswerTo<Name extends keyof Questions> = Awaited<ReturnType<Questions[Name]>>;
type WithoutEvidence<T> = T extends unknown ? Omit<T, 'evidence'> : never;
/** A recovery answer whose evidence is still to be added. */
export type Verdict = WithoutEvidence<RecoveryAnswer>;

/** What the terminal answered. */
export interface Answers {
  readonly abort: AnswerTo<'abort'>;
  readonly lastReceipt: AnswerTo<'lastReceipt'>;
  readonly status: AnswerTo<'status'>;
  /** Asked only where the receipts cannot tell. */
  readonly turnover?: AnswerTo<'turnover'>;
}

/** 84 83: the command is not possible now, because the terminal talks to its host (or never, where it knows no 06 B0). */
const NOT_POSSIBLE = 0x83;

export type MoneyQuestion = RecoveryQuestion & { readonly command: MoneyCommand };

/** Judges the answers about a command that moves money. */
export function judgeRecovery(question: MoneyQuestion, mark: Mark, answers: Answers, settings: ZvtSettings): Verdict {
  const waiting = whyToAskAgain(answers);
  if (waiting !== undefined) return waiting;
  const { lastReceipt } = answers;
  if (lastReceipt.kind === 'NOTHING')
    return undecided('NO_RECEIPT', 'The terminal does not tell its last receipt; ask the cashier and the terminal.');
  if (lastReceipt.kind === 'SILENT')
    return askAgain('NO_ANSWER', `No answer about the last receipt: ${lastReceipt.words}.`);
  if (lastReceipt.kind === 'REFUSED') return judgeNoReceipt(question, mark, answers);
  const { status } = lastReceipt;
  const approved = approvedProvisional(question);
  if (approved !== undefined) return judgeProvisional(question, approved, mark, answers, lastReceipt);
  return judgeIntent(question, mark, answers, status, settings);
}

/** Nothing but a person can tell. */
export function undecided(reasonCode: RecoveryReasonCode, reason: string): Verdict {
  return { kind: 'UNDECIDED', reason, reasonCode };
}

/** The terminal may tell later. */
export function askAgain(reasonCode: RecoveryReasonCode, reason: string): Verdict {
  return { kind: 'ASK_AGAIN', reason, reasonCode };
}

/** The terminal is not at rest: what it stored so far may still change. */
function whyToAskAgain({ status, lastReceipt }: Answers): Verdict | undefined {
  if (status.kind === 'SILENT') return askAgain('NO_ANSWER', `No answer to the status enquiry: ${status.words}.`);
  const busy = askAgain('BUSY', 'The terminal is in the middle of something.');
  if (isBusyAnswer(status)) return busy;
  if (status.kind === 'STATUS' && terminalStatusOf(status.code).action === 'remove-card')
    return askAgain('CARD_INSIDE', 'A card is still in the terminal.');
  if (lastReceipt.kind === 'REFUSED' && lastReceipt.code === BUSY) return busy;
  return undefined;
}

/** While the terminal still talks to its host, an old receipt proves nothing. */
function nothingStored(question: MoneyQuestion, { abort, status }: Answers, message: string): Verdict {
  if (abort.kind === 'REFUSED' && abort.code === NOT_POSSIBLE) return refusedToAbort();
  if (abort.kind === 'SILENT') return askAgain('NO_ANSWER', `No answer to the abort: ${abort.words}.`);
  if (status.kind !== 'STATUS') return undecided('NO_RECEIPT', 'The terminal does not say whether it is at rest.');
  const told = question.provisional;
  switch (told?.kind) {
    case 'DECLINED':
    case 'CANCELLED':
    case 'FAILED':
    case 'NOT_STARTED':
      return { kind: 'SETTLED', outcome: told };
  }
  return { kind: 'SETTLED', outcome: { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message, receipts: [] } };
}

function refusedToAbort(): Verdict {
  return askAgain('BUSY', 'The terminal refused to abort: it may still be talking to its host.');
}

const NOT_DONE = 'The terminal stored nothing for this command; nothing was charged.';
const REVERSED =
  'The terminal reversed the payment by itself, because the acknowledgement did not reach it; nothing was charged.';

/** The terminal says that it has no receipt. */
function judgeNoReceipt(question: MoneyQuestion, mark: Mark, answers: Answers): Verdict {
  const told = markFromAnswer(answers.lastReceipt);
  const isEmpty =
    told?.knowledge === 'NONE' ? mark.knowledge === 'NONE' : needsTurnover(mark, answers) && hasEmptyBatch(answers);
  if (isEmpty)
    return nothingStored(question, answers, approvedProvisional(question) === undefined ? NOT_DONE : REVERSED);
  if (told?.knowledge !== 'NONE') return undecided('NO_RECEIPT', 'The terminal refuses to tell its last receipt.');
  return undecided('NO_RECEIPT', 'The terminal has no receipt any more, though it had one before.');
}

/** "Not possible" before and after: only the totals of the batch can tell a terminal without receipts from one that never tells them. */
export function needsTurnover(mark: Mark, { lastReceipt }: Answers): boolean {
  return mark.knowledge === 'REFUSED' && markFromAnswer(lastReceipt)?.knowledge === 'REFUSED';
}

/** A batch without any payment and money in it: nothing was stored. */
function hasEmptyBatch({ turnover }: Answers): boolean {
  const told = turnover?.kind === 'TURNOVER' ? turnoverMarkOf(turnover) : undefined;
  return told?.totalMinor === 0 && told.paymentCount === 0;
}

type Approved = TerminalOutcome & { readonly kind: 'APPROVED' };

function approvedProvisional(question: RecoveryQuestion): Approved | undefined {
  return question.state === 'PROVISIONAL' && question.provisional?.kind === 'APPROVED'
    ? question.provisional
    : undefined;
}

/** The result was on disk; did the terminal see the acknowledgement, or did it reverse? */
function judgeProvisional(
  question: MoneyQuestion,
  approved: Approved,
  mark: Mark,
  answers: Answers,
  { status, hasReversed }: LastReceipt,
): Verdict {
  const reversed: Verdict = {
    kind: 'SETTLED',
    outcome: { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message: REVERSED, receipts: [] },
  };
  const { receipt, trace } = approved.reference;
  const isReversalOfIt =
    status.originalTrace !== undefined && trace !== undefined && sameNumber(status.originalTrace, trace);
  if (isReversalOfIt && status.resultCode === 0) return reversed;
  const relation = sameReceipt(approved, status);
  if (relation === 'SAME') {
    if (status.resultCode === undefined)
      return undecided('RECEIPT_UNCLEAR', 'The terminal repeats the receipt without a result.');
    if (status.resultCode !== 0) return reversed;
    if (hasReversed) return askAgain('BUSY', 'The terminal is reversing by itself.');
    const contradiction = contradictingOriginal(question.command, status);
    if (contradiction !== undefined) return undecided('RECEIPT_UNCLEAR', contradiction);
    return { kind: 'SETTLED', outcome: approved };
  }
  if (relation === 'UNKNOWN' && receipt === undefined && trace === undefined)
    return undecided('RECEIPT_UNCLEAR', 'The result named neither receipt nor trace, so it cannot be found again.');
  // The receipt before it is the last one again: the terminal took its own away.
  if (mark.knowledge === 'RECEIPT' && relateToMark(mark, status) === 'SAME')
    return answers.abort.kind === 'REFUSED' && answers.abort.code === NOT_POSSIBLE ? refusedToAbort() : reversed;
  return undecided(
    'RECEIPT_UNCLEAR',
    `The terminal's last receipt is ${inWords(status)}, neither this payment's nor the one before it.`,
  );
}

function sameNumber(left: unknown, right: unknown): boolean {
  return typeof left === 'string' && typeof right === 'string' && left.replace(/^0+/, '') === right.replace(/^0+/, '');
}

function sameReceipt(approved: Approved, status: StatusInformation): 'SAME' | 'DIFFERENT' | 'UNKNOWN' {
  const { receipt, trace } = approved.reference;
  const pairs = [
    [receipt, receiptOf(status)],
    [trace, traceOf(status)],
  ].filter(([told, found]) => told !== undefined && found !== undefined);
  if (pairs.length === 0) return 'UNKNOWN';
  return pairs.every(([told, found]) => sameNumber(told, found)) ? 'SAME' : 'DIFFERENT';
}

/** Nothing was told before the answer was lost. */
function judgeIntent(
  question: MoneyQuestion,
  mark: Mark,
  answers: Answers,
  status: StatusInformation,
  settings: ZvtSettings,
): Verdict {
  const relation = relateToMark(mark, status, originalReceiptOf(question.command));
  if (relation === 'SAME') return nothingStored(question, answers, NOT_DONE);
  if (relation === 'UNCLEAR')
    return undecided(
      'RECEIPT_UNCLEAR',
      mark.knowledge === 'UNKNOWN'
        ? `The last receipt before this command is not known, so ${inWords(status)} proves nothing.`
        : `The terminal's last receipt is ${inWords(status)}; it cannot be told from the one before this command.`,
    );
  return judgeNewer(question, status, settings);
}

/** The number under which some terminals keep what was done to an older payment, too. */
function originalReceiptOf(command: MoneyCommand): string | undefined {
  if (command.operation !== 'VOID' && command.operation !== 'PRE_AUTH_COMPLETE') return undefined;
  const { receipt } = command.original.reference;
  return typeof receipt === 'string' ? receipt : undefined;
}

/** A receipt that came after the mark: this command's, if nothing speaks against it. */
function judgeNewer(question: MoneyQuestion, status: StatusInformation, settings: ZvtSettings): Verdict {
  const { command } = question;
  const asked = amountOf(command);
  const context = { command, settings, receipts: [], cancelReason: 'TIMEOUT' } as const;
  const judged = judgeStatus(context, status);
  const isOther = status.amountMinor !== undefined && status.amountMinor !== asked;
  if (judged.kind !== 'APPROVED' && isOther)
    return undecided(
      'RECEIPT_UNCLEAR',
      `The terminal's last receipt is ${inWords(status)}, but ${asked} minor units were asked.`,
    );
  if (judged.kind === 'NO_CONCLUSION')
    return undecided('RECEIPT_UNCLEAR', `The terminal's last receipt is ${inWords(status)}. ${judged.message}`);
  if (judged.kind !== 'APPROVED') return { kind: 'SETTLED', outcome: judged };
  if (question.provisional !== undefined)
    return undecided('RECEIPT_UNCLEAR', `The terminal told a refusal, but its last receipt is ${inWords(status)}.`);
  const contradiction = contradictingOriginal(command, status);
  return contradiction === undefined
    ? { kind: 'SETTLED', outcome: judged }
    : undecided('RECEIPT_UNCLEAR', contradiction);
}

/** BMP 37 names the payment that a reversal took back or a completion booked. */
function contradictingOriginal(command: MoneyCommand, status: StatusInformation): string | undefined {
  const { originalTrace } = status;
  if (originalTrace === undefined) return undefined;
  // A completion may name the pre-authorization that it books.
  if (command.operation !== 'VOID' && command.operation !== 'PRE_AUTH_COMPLETE')
    return `The terminal's last receipt is a reversal of the payment with trace ${originalTrace}.`;
  const { trace } = command.original.reference;
  return trace === undefined || sameNumber(trace, originalTrace)
    ? undefined
    : `The terminal acted on the payment with trace ${originalTrace}, not on the one that was asked for.`;
}

/** Judges a lost day close by the totals of the terminal's open batch. */
export function judgeDayCloseRecovery(before: TurnoverMark | undefined, now: TurnoverMark | undefined): Verdict {
  if (before === undefined || now === undefined)
    return undecided('NO_TOTALS', 'The terminal does not tell the totals of its batch.');
  const isUnchanged = before.totalMinor === now.totalMinor && before.paymentCount === now.paymentCount;
  const isEmpty = now.totalMinor === 0 && (now.paymentCount ?? 0) === 0;
  // A total of nothing without a count of payments looks the same open or closed.
  if (isUnchanged && isEmpty && now.paymentCount === undefined)
    return undecided('TOTALS_UNCLEAR', 'The total of the batch was and is zero.');
  if (isUnchanged)
    return {
      kind: 'SETTLED',
      outcome: {
        kind: 'FAILED',
        errorCode: 'TERMINAL_ERROR',
        message: isEmpty
          ? 'The batch of the terminal is empty.'
          : 'The terminal did not close: its batch is unchanged.',
        receipts: [],
      },
    };
  if (isEmpty) return { kind: 'SETTLED', outcome: { kind: 'APPROVED', card: {}, reference: {}, receipts: [] } };
  return undecided(
    'TOTALS_UNCLEAR',
    `The batch of the terminal held ${before.totalMinor} minor units before the close and holds ${now.totalMinor} now.`,
  );
}

/** A receipt in words; never card data. */
export function inWords(status: StatusInformation): string {
  const parts = [
    `receipt ${receiptOf(status) ?? 'without number'}`,
    traceOf(status) === undefined ? undefined : `trace ${traceOf(status)}`,
    status.amountMinor === undefined ? 'no amount' : `${status.amountMinor} minor units`,
    status.resultCode === undefined
      ? 'no result'
      : `result ${status.resultCode.toString(16).padStart(2, '0').toUpperCase()}`,
    status.date === undefined ? undefined : `date ${status.date} ${status.time ?? ''}`.trim(),
    status.originalTrace === undefined ? undefined : `reversal of trace ${status.originalTrace}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}
