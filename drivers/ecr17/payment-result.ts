// What the terminal told → how the command ended. Pure: no clock, no line.
import type { RecoveryReasonCode } from '../../app/contract/recovery.ts';
import type { JsonObject } from '../../app/domain/json-value.ts';
import type { TerminalReceipt } from '../../app/domain/transaction.ts';
import type { DefiniteOutcome, TerminalCommand } from '../../app/ports/terminal.ts';
import { type CardReply, cardFactsOf } from './card.ts';
import type { CloseReply } from './codec/message-types.ts';
import type { Reply } from './connection.ts';
import { hostTimeDigits } from './last-result.ts';
import { movesMoney } from './operations.ts';

/** Either a definite end, or why nothing may be concluded. */
export type Judged =
  | DefiniteOutcome
  | { readonly kind: 'NO_CONCLUSION'; readonly message: string; readonly reasonCode: RecoveryReasonCode };

/** The results of the commands that the till sends. */
export type Result = CardReply | CloseReply;

const APPROVED = '00';
const REFUSED = '01';
const CARD_NOT_PRESENT = '05';
const UNKNOWN_TAG = '09';

/** The message as the result of this command; undefined when it is the result of something else. */
export function resultFor(command: TerminalCommand, reply: Reply): Result | undefined {
  switch (command.operation) {
    case 'SALE':
    case 'VOID':
    case 'CARD_READ':
      return reply.type === 'payment-reply' && (reply.code === 'E' || reply.code === 'V') ? reply : undefined;
    case 'PRE_AUTH':
      return reply.type === 'pre-authorization-reply' ? reply : undefined;
    case 'PRE_AUTH_COMPLETE':
      return reply.type === 'payment-reply' && (reply.code === 'c' || reply.code === 'v') ? reply : undefined;
    case 'DAY_CLOSE':
      return reply.type === 'close-reply' ? reply : undefined;
    default:
      return undefined;
  }
}

export function judgeResult(
  command: TerminalCommand,
  result: Result,
  receipts: readonly TerminalReceipt[] = [],
): Judged {
  switch (result.result) {
    case APPROVED:
      return result.type === 'close-reply' ? closed(result, receipts) : approved(command, result, receipts);
    case REFUSED:
      return result.type === 'close-reply' ? failed(result, receipts) : declined(result, receipts);
    case CARD_NOT_PRESENT:
      return { ...failed(result, receipts, 'The card was not presented.'), errorCode: 'CARD_READ_FAILED' };
    case UNKNOWN_TAG:
      return failed(result, receipts, 'The host sent data that the terminal does not know.');
    default:
      return {
        kind: 'NO_CONCLUSION',
        reasonCode: 'RECEIPT_UNCLEAR',
        message: `The terminal told the result ${result.result}, which ECR17 does not know.`,
      };
  }
}

function approved(command: TerminalCommand, reply: CardReply, receipts: readonly TerminalReceipt[]): Judged {
  const { amountMinor } = reply;
  // A reversal and a charge tell no amount; what a payment tells must be what was asked.
  if (movesMoney(command) && amountMinor !== undefined && amountMinor !== command.amountMinor)
    return {
      kind: 'NO_CONCLUSION',
      reasonCode: 'RESULT_DIFFERS',
      message: `The terminal approved ${amountMinor} minor units, but ${command.amountMinor} were asked.`,
    };
  return {
    kind: 'APPROVED',
    card: cardFactsOf(reply, true),
    ...(amountMinor === undefined ? {} : { chargedMinor: amountMinor }),
    reference: referenceOf(reply),
    receipts,
  };
}

/** What a later void or charge needs, and what recovery compares. */
function referenceOf(reply: CardReply): JsonObject {
  const { stan, onlineId, hostTime, authorizationCode, acquirerId, amountMinor, terminalId } = reply;
  const values: { readonly [name: string]: string | number | undefined } = {
    stan,
    onlineId,
    hostTime: hostTime === undefined ? undefined : hostTimeDigits(hostTime),
    authorizationCode,
    acquirerId,
    amountMinor,
    terminalId,
    preAuthorizationCode: reply.type === 'pre-authorization-reply' ? reply.preAuthorizationCode : undefined,
  };
  const reference: { [name: string]: string | number } = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) reference[name] = value;
  return reference;
}

/** Where neither a number nor a code of the host is told, the host was not asked: the terminal ended the payment by itself, and its words say why. */
const endsByTerminal: readonly (readonly [RegExp, (words: string) => EndWithoutReceipts])[] = [
  [/ANNULLA/i, () => ({ kind: 'CANCELLED', reason: 'CARDHOLDER' })],
  [/TEMPO|TIME ?OUT/i, () => ({ kind: 'CANCELLED', reason: 'TIMEOUT' })],
  [
    /LEGGIBIL/i,
    (words) => ({ kind: 'FAILED', errorCode: 'CARD_READ_FAILED', message: `The card cannot be read: ${words}.` }),
  ],
];

type WithoutReceipts<T> = T extends unknown ? Omit<T, 'receipts'> : never;
type EndWithoutReceipts = WithoutReceipts<Extract<DefiniteOutcome, { kind: 'CANCELLED' | 'FAILED' }>>;

function declined(reply: CardReply, receipts: readonly TerminalReceipt[]): DefiniteOutcome {
  const { text = '', stan, actionCode } = reply;
  const isByTerminal = stan === undefined && actionCode === undefined;
  const end = isByTerminal ? endsByTerminal.find(([pattern]) => pattern.test(text))?.[1](text) : undefined;
  if (end !== undefined) return { ...end, receipts };
  return {
    kind: 'DECLINED',
    card: cardFactsOf(reply, false),
    reason: text === '' ? 'The terminal refused the payment.' : text,
    receipts,
  };
}

function failed(
  result: Result,
  receipts: readonly TerminalReceipt[],
  words = 'The terminal refused.',
): DefiniteOutcome & { readonly kind: 'FAILED' } {
  const more = [result.text, result.actionCode === undefined ? undefined : `code ${result.actionCode}`];
  const told = more.filter((part) => part !== undefined).join(', ');
  return {
    kind: 'FAILED',
    errorCode: 'TERMINAL_ERROR',
    message: told === '' ? words : `${words.slice(0, -1)}: ${told}.`,
    receipts,
  };
}

/** C: the session is closed, whether or not the terminal's total and its host's agree. */
export function closed(reply: CloseReply, receipts: readonly TerminalReceipt[]): DefiniteOutcome {
  const { terminalTotalMinor, hostTotalMinor } = reply;
  return {
    kind: 'APPROVED',
    card: {},
    reference: {},
    receipts,
    batch: {
      ...(terminalTotalMinor === undefined ? {} : { totalMinor: terminalTotalMinor }),
      ...(hostTotalMinor === undefined ? {} : { hostTotalMinor }),
      schemes: [],
    },
  };
}
