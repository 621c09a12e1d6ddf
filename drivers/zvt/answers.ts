// What the answers to the till's questions say of the terminal. Pure.
import { judgeResultCode } from './codec/result-codes.ts';
import { terminalStatusOf } from './codec/status-tables.ts';
import { EMPTY_MARK, type Mark, markOf, REFUSED_MARK } from './mark.ts';
import type { LastReceipt, Questions, Refused, Silent } from './questions.ts';
import type { ZvtSettings } from './zvt-settings.ts';

/** Result code: please wait. */
export const BUSY = 0x9c;
const UNSUPPORTED = 0x83;

/** Another code means that there is nothing to repeat; these (busy, not registered, printer …) leave it open. */
const saysNothingAboutReceipts: ReadonlySet<number> = new Set([0x9c, 0x6b, 0xcc, 0xa0, 0xff]);

/** True while the terminal is in the middle of something. */
export function isBusyAnswer(answer: Awaited<ReturnType<Questions['status']>>): boolean {
  if (answer.kind === 'STATUS') return terminalStatusOf(answer.code).action === 'wait';
  return answer.kind === 'UNCLEAR' || (answer.kind === 'REFUSED' && answer.code === BUSY);
}

/** Asked again it would not tell either, or at the cost of the link. */
export function isUnableToRepeat(answer: Awaited<ReturnType<Questions['lastReceipt']>>): boolean {
  if (answer.kind === 'NOTHING') return true;
  if (answer.kind === 'REFUSED') return answer.code === UNSUPPORTED;
  return fellSilent(answer);
}

/** The line was there, and the time passed without an answer. */
export function fellSilent(answer: { readonly kind: string } | Silent): boolean {
  return 'reason' in answer && (answer.reason === 'REPLY_TIMEOUT' || answer.reason === 'COMPLETION_TIMEOUT');
}

/** Undefined: the answer says nothing about receipts. */
export function markFromAnswer(
  answer: LastReceipt | Refused | Silent | { readonly kind: 'NOTHING' },
): Mark | undefined {
  if (answer.kind === 'RECEIPT') return markOf(answer.status);
  if (answer.kind !== 'REFUSED' || answer.code === undefined) return undefined;
  if (answer.code === UNSUPPORTED) return REFUSED_MARK;
  return saysNothingAboutReceipts.has(answer.code) ? undefined : EMPTY_MARK;
}

/** A refused registration as a sentence for the person at the till. */
export function registrationProblem(answer: Refused, settings: ZvtSettings): string {
  if (answer.currency !== undefined)
    return `The terminal refused the registration: it settles in currency ${answer.currency}, not ${settings.currencyNumeric} (${settings.currency}).`;
  const meaning = answer.code === undefined ? 'without a reason' : judgeResultCode(answer.code).meaning;
  return `The terminal refused the registration: ${meaning}`;
}
