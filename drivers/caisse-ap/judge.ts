// What the reply told → how the command ended. Pure: no clock, no line.
import type { RecoveryReasonCode } from '../../app/contract/recovery.ts';
import type { JsonObject } from '../../app/domain/json-value.ts';
import type { DefiniteOutcome } from '../../app/ports/terminal.ts';
import type { CaisseApSettings } from './caisse-ap-settings.ts';
import { authorizationCodeOf, cardFactsOf } from './card.ts';
import type { CaisseApReply, Malformed } from './codec/message-types.ts';
import { reasonMeaning } from './codec/reason-codes.ts';
import { ACCEPTED, DONE, decodeReply, FAILED } from './codec/replies.ts';
import type { MoneyCommand } from './operations.ts';

/** Either a definite end, or why nothing may be concluded. */
export type Judged =
  | DefiniteOutcome
  | { readonly kind: 'NO_CONCLUSION'; readonly message: string; readonly reasonCode: RecoveryReasonCode };

/**
 * Judges the bytes of a reply. Only AE 10 with the amount, and not another operation or currency, that was asked for approves; only AE 01 says that
 * nothing was charged, whatever else stands beside it (OCA/l10n-france pull 669: the reply to an abandoned payment may lack its amount).
 */
export function judgeReply(bytes: Uint8Array, command: MoneyCommand, settings: CaisseApSettings): Judged {
  const reply = decodeReply(bytes);
  if (reply.type === 'malformed') return inconclusive(`The terminal's reply cannot be relied on: ${whyNot(reply)}.`);
  switch (reply.status) {
    case DONE:
      return judgeDone(reply, command, settings);
    case FAILED:
      return judgeFailed(reply);
    case ACCEPTED:
      return inconclusive('The terminal has accepted the request; it does not tell how the payment ends.');
    default:
      return inconclusive(
        reply.status === undefined ? 'The terminal told no status.' : 'The terminal told a status that is not known.',
      );
  }
}

function inconclusive(message: string, reasonCode: RecoveryReasonCode = 'ANSWER_LOST'): Judged {
  return { kind: 'NO_CONCLUSION', message, reasonCode };
}

function whyNot({ reason, tag }: Malformed): string {
  switch (reason) {
    case 'CUT':
      return 'it ends in the middle of a field';
    case 'NO_FIELDS':
      return 'it has bytes that are no field';
    case 'NO_VERSION':
      return 'it does not begin with CZ';
    case 'CONTRADICTION':
      return `${tag} has two values`;
    case 'MISSING':
    case 'BAD_VALUE':
      return `${tag} cannot be read`;
  }
}

function judgeDone(reply: CaisseApReply, command: MoneyCommand, settings: CaisseApSettings): Judged {
  const { amountMinor, currency, operation } = reply;
  if (amountMinor === undefined)
    return inconclusive('The terminal says that it is done, without the amount.', 'RESULT_DIFFERS');
  if (amountMinor !== command.amountMinor)
    return inconclusive(
      `The terminal approved ${amountMinor} minor units, but ${command.amountMinor} were asked.`,
      'RESULT_DIFFERS',
    );
  if (currency !== undefined && currency !== settings.currencyNumeric)
    return inconclusive('The terminal approved in another currency than was asked for.', 'RESULT_DIFFERS');
  if (operation !== undefined && operation !== command.operation)
    return inconclusive('The terminal approved something else than was asked for.', 'RESULT_DIFFERS');
  return {
    kind: 'APPROVED',
    card: cardFactsOf(reply),
    chargedMinor: amountMinor,
    reference: referenceOf(reply, amountMinor),
    receipts: [],
  };
}

/** By what a person finds the payment again; no later command needs it. */
function referenceOf(reply: CaisseApReply, amountMinor: number): JsonObject {
  const authorizationCode = authorizationCodeOf(reply);
  return {
    amountMinor,
    ...(authorizationCode === undefined ? {} : { authorizationCode }),
    ...(reply.contract === undefined || reply.contract === '' ? {} : { contract: reply.contract }),
  };
}

function judgeFailed(reply: CaisseApReply): Judged {
  const { kind, meaning } = reasonMeaning(reply.reason);
  const receipts = [] as const;
  switch (kind) {
    case 'DECLINED':
      return { kind: 'DECLINED', card: cardFactsOf(reply), reason: `The terminal says: ${meaning}.`, receipts };
    case 'ABANDONED':
      return { kind: 'CANCELLED', reason: 'CARDHOLDER', receipts };
    case 'TIMED_OUT':
      return { kind: 'CANCELLED', reason: 'TIMEOUT', receipts };
    case 'NOT_UNDERSTOOD':
    case 'FAILED':
      return { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message: `The terminal says: ${meaning}.`, receipts };
  }
}
