// What the end of a step means: a reply to go on with, or an outcome.
import type { CancelReason } from '../../app/domain/transaction.ts';
import type { TerminalOutcome } from '../../app/ports/terminal.ts';
import type { TransactionReply } from './codec/message-types.ts';
import { STATUS_FAILED, STATUS_ONLINE, statusMeaning } from './codec/status-codes.ts';
import { TRANSACTION_RESULTS, type TransactionResult } from './codec/transaction-results.ts';
import type { CommandEnd } from './connection.ts';
import type { Received } from './expected-replies.ts';

/** `isAtRest`: the reader itself has ended what it did; otherwise it must be told to. */
export interface Ended {
  readonly kind: 'ENDED';
  readonly outcome: TerminalOutcome;
  readonly isAtRest: boolean;
}

type Told = { readonly kind: 'TOLD'; readonly reply: TransactionReply; readonly result: TransactionResult['kind'] };

const STATUS_TIMEOUT = 0x08;
const CLEAR_CARD_DATA =
  'The reader handed out card data in the clear, which were refused. Load a data encryption key (DUKPT) into the reader and switch encryption on.';

export function cancelled(reason: CancelReason, isAtRest = true): Ended {
  return { kind: 'ENDED', outcome: { kind: 'CANCELLED', reason, receipts: [] }, isAtRest };
}

export function failed(
  message: string,
  errorCode: 'CARD_READ_FAILED' | 'TERMINAL_ERROR' = 'TERMINAL_ERROR',
  isAtRest = false,
): Ended {
  return { kind: 'ENDED', outcome: { kind: 'FAILED', errorCode, message, receipts: [] }, isAtRest };
}

/**
 * Reads the end of a step of the card before its issuer was asked: whatever is lost here, no money has moved.
 * @param isCardIn the card had been read before, so that "no card" means that it was taken out
 */
export function readStep(end: CommandEnd, isCardIn: boolean): Told | Ended {
  if (end.kind !== 'ANSWERED') return unanswered(end.kind);
  const { message } = end;
  if (message.type !== 'transaction') return refused(message);
  const result = resultOf(message);
  if (result === undefined) return undecided(message);
  if (result.kind === 'NO_CARD_STEP') return withoutCard(result, isCardIn);
  return { kind: 'TOLD', reply: message, result: result.kind };
}

export function unanswered(kind: Exclude<CommandEnd['kind'], 'ANSWERED'>): Ended {
  switch (kind) {
    case 'CANCELLED':
      // Whoever asked for it has sent 05-01.
      return cancelled('POS_REQUEST');
    case 'SILENT':
      return failed('The reader did not answer in time; it was told to stop.', 'TERMINAL_ERROR', true);
    case 'LOST':
      return failed(
        'The link to the reader was lost before the card was done; no money has moved.',
        'TERMINAL_ERROR',
        true,
      );
  }
}

/** A message that holds nothing of a card. */
export function refused(message: Received): Ended {
  if (message.type === 'refused') return failed(CLEAR_CARD_DATA, 'CARD_READ_FAILED');
  if (message.type === 'malformed' || !('status' in message))
    return failed('The reader answered with data that contradict themselves.');
  const { status } = message;
  if (status === STATUS_TIMEOUT) return cancelled('TIMEOUT');
  const { meaning } = statusMeaning(status);
  if (status === STATUS_FAILED) return failed(`The card could not be read: ${meaning}`, 'CARD_READ_FAILED');
  return failed(`The reader refused: ${meaning}`);
}

/**
 * What a reply says: DFEE25, or for a card that was not seated (whose answer may come without one) the status and the cryptogram. A contact card
 * decides by DFEE25 alone.
 */
export function resultOf(reply: TransactionReply): Pick<TransactionResult, 'kind' | 'name'> | undefined {
  if (reply.resultCode !== undefined) return TRANSACTION_RESULTS.get(reply.resultCode);
  if (reply.status === STATUS_ONLINE) return byCryptogram.ARQC;
  if (reply.status === STATUS_FAILED || reply.attribution.interface === 'CONTACT') return undefined;
  if (reply.attribution.interface === 'STRIPE') return { kind: 'CONTINUE', name: 'SWIPED' };
  return reply.cryptogram === undefined ? undefined : byCryptogram[reply.cryptogram];
}

const byCryptogram = {
  ARQC: { kind: 'GO_ONLINE', name: 'ARQC' },
  TC: { kind: 'APPROVED', name: 'TC' },
  AAC: { kind: 'DECLINED', name: 'AAC' },
} as const;

function undecided(reply: TransactionReply): Ended {
  if (reply.status === STATUS_FAILED) return failed('The card could not be read.', 'CARD_READ_FAILED');
  return failed('The reader told no result.');
}

function withoutCard({ name }: Pick<TransactionResult, 'name'>, isCardIn: boolean): Ended {
  switch (name) {
    case 'TIMEOUT':
    case 'CHIP_TIMEOUT':
      return cancelled('TIMEOUT');
    case 'CANCELLED':
      return cancelled('CARDHOLDER');
    case 'NO_CARD':
      return cancelled(isCardIn ? 'CARD_REMOVED' : 'TIMEOUT');
    default:
      return failed('The chip of the card did not work.', 'CARD_READ_FAILED', true);
  }
}
