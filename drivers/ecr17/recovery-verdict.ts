// What the terminal's answers after a lost command prove (digest: "Recovery"). Pure.
import type { RecoveryReasonCode } from '../../app/contract/recovery.ts';
import type { RecoveryAnswer, RecoveryQuestion, TerminalOutcome } from '../../app/ports/terminal.ts';
import type { Reply } from './connection.ts';
import { inWords, isApproval, type LastResult } from './last-result.ts';
import { type Mark, relateToMark } from './mark.ts';
import type { MoneyCommand } from './operations.ts';
import { closed, judgeResult, resultFor } from './payment-result.ts';
import type { Questions } from './questions.ts';

type WithoutEvidence<T> = T extends unknown ? Omit<T, 'evidence'> : never;
/** A recovery answer whose evidence is still to be added. */
export type Verdict = WithoutEvidence<RecoveryAnswer>;
export type MoneyQuestion = RecoveryQuestion & { readonly command: MoneyCommand };

/** What the terminal tells as its last result. */
export interface Told {
  readonly reply: Reply;
  readonly last: LastResult;
}

/** Nothing but a person can tell. */
export function undecided(reasonCode: RecoveryReasonCode, reason: string): Verdict {
  return { kind: 'UNDECIDED', reason, reasonCode };
}

/** The terminal may tell later. */
export function askAgain(reasonCode: RecoveryReasonCode, reason: string): Verdict {
  return { kind: 'ASK_AGAIN', reason, reasonCode };
}

function unclear(reason: string): Verdict {
  return undecided('RECEIPT_UNCLEAR', reason);
}

function nothingDone(message: string): Verdict {
  return {
    kind: 'SETTLED',
    outcome: { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message, receipts: [] },
  };
}

/** Judges what a terminal at rest tells about a command that moves money. */
export function judgeRecovery(question: MoneyQuestion, mark: Mark, told: Told): Verdict {
  const { provisional } = question;
  if (question.state === 'PROVISIONAL' && provisional?.kind === 'APPROVED')
    return judgeApproved(provisional, told.last);
  const relation = relateToMark(mark, told.last);
  if (relation === 'SAME') return judgeSame(question);
  if (relation === 'NEWER') return judgeNewer(question, told);
  return unclear(
    mark.knowledge === 'UNKNOWN'
      ? `The last result before this command is not known, so "${inWords(told.last)}" proves nothing.`
      : `The terminal's last result is "${inWords(told.last)}"; it cannot be told from the one before this command.`,
  );
}

/** The approval was on disk. It stands whether or not the acknowledgement has arrived, and the terminal must still know it. */
function judgeApproved(approved: TerminalOutcome & { readonly kind: 'APPROVED' }, last: LastResult): Verdict {
  const { stan, onlineId, hostTime } = approved.reference;
  const isSame = stan !== undefined && stan === last.stan && onlineId === last.onlineId && hostTime === last.hostTime;
  if (isSame && isApproval(last)) return { kind: 'SETTLED', outcome: approved };
  return unclear(`The terminal told an approval, but its last result is "${inWords(last)}".`);
}

/** The terminal is at rest, and its last result is the one from before: it has saved none for this command. */
function judgeSame({ provisional }: MoneyQuestion): Verdict {
  switch (provisional?.kind) {
    case 'DECLINED':
    case 'CANCELLED':
    case 'FAILED':
    case 'NOT_STARTED':
      return { kind: 'SETTLED', outcome: provisional };
    default:
      return nothingDone('The terminal stored nothing for this command; nothing was charged.');
  }
}

/** A result that came after the mark: this command's, if nothing speaks against it. */
function judgeNewer({ command, provisional }: MoneyQuestion, { reply, last }: Told): Verdict {
  const result = resultFor(command, reply);
  if (result === undefined) return unclear(`The terminal's last result is of something else: "${inWords(last)}".`);
  if (last.amountMinor !== undefined && last.amountMinor !== command.amountMinor)
    return undecided(
      'RESULT_DIFFERS',
      `The terminal's last result is "${inWords(last)}", but ${command.amountMinor} minor units were asked.`,
    );
  const judged = judgeResult(command, result);
  if (judged.kind === 'NO_CONCLUSION') return undecided(judged.reasonCode, judged.message);
  if (judged.kind !== 'APPROVED') return { kind: 'SETTLED', outcome: judged };
  if (provisional !== undefined)
    return unclear(`The terminal told a refusal, but its last result is "${inWords(last)}".`);
  // Without an amount (P, S, c) number and time must both be there to say whose result it is.
  if (last.stan === undefined || (last.amountMinor === undefined && last.hostTime === undefined))
    return unclear(`The terminal's last result is "${inWords(last)}"; nothing in it says that it is of this command.`);
  return { kind: 'SETTLED', outcome: judged };
}

/** Judges a lost day close by the result of its session, as far as the terminal still tells it. */
export function judgeSession(mark: Mark, { reply, last }: Told): Verdict | undefined {
  if (reply.type !== 'close-reply' || relateToMark(mark, last) !== 'NEWER') return undefined;
  if (isApproval(last)) return { kind: 'SETTLED', outcome: closed(reply, []) };
  return nothingDone(`The terminal did not close: "${inWords(last)}".`);
}

/** Judges a lost day close by the total of the terminal's session. */
export function judgeTotals(before: number | undefined, answer: Awaited<ReturnType<Questions['totals']>>): Verdict {
  if (answer.kind === 'SILENT') return askAgain('NO_ANSWER', `No answer about the totals: ${answer.words}.`);
  const now = answer.kind === 'TOTALS' ? answer.totalMinor : undefined;
  if (before === undefined || now === undefined)
    return undecided('NO_TOTALS', 'The terminal does not tell the total of its session.');
  if (before === now && now === 0) return undecided('TOTALS_UNCLEAR', 'The total of the session was and is zero.');
  if (before === now) return nothingDone('The terminal did not close: the total of its session is unchanged.');
  if (now === 0) return { kind: 'SETTLED', outcome: { kind: 'APPROVED', card: {}, reference: {}, receipts: [] } };
  return undecided(
    'TOTALS_UNCLEAR',
    `The session of the terminal held ${before} minor units before the close and holds ${now} now.`,
  );
}
