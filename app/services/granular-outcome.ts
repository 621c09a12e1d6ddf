import { declineFor, verdictOf } from '../contract/issuer-answers.ts';
import type { CompleteRequest } from '../contract/transactions.ts';
import { totalMinor } from '../domain/money.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { TerminalOutcome } from '../ports/terminal.ts';
import { keptCard, next, notCharged, unknownRecord } from './apply-outcome.ts';

const reverseYourself = 'Reverse the authorization at your own acquirer.';

/**
 * The end of a granular payment: what the POS's issuer answered, and what the card made of it. An approval by the chip alone never counts as paid
 * (decisions: /v1/transaction/complete).
 */
export function applyCompletion(
  record: TransactionRecord,
  request: CompleteRequest,
  outcome: TerminalOutcome,
  at: string,
): TransactionRecord {
  const verdict = verdictOf(request.responseCode, totalMinor(record));
  if (verdict === 'UNKNOWN') {
    return unknownRecord(
      record,
      `The issuer answered ${request.responseCode}, which decides nothing. ${reverseYourself}`,
      at,
    );
  }
  if (verdict !== 'APPROVED') return declined(record, request, verdict === 'PARTIAL', at);
  switch (outcome.kind) {
    case 'APPROVED':
      return {
        ...next(record, at),
        state: 'APPROVED',
        card: {
          ...record.card,
          ...keptCard(outcome.card),
          ...(request.authorizationCode === undefined ? {} : { authorizationCode: request.authorizationCode }),
          responseCode: request.responseCode,
        },
        receipts: outcome.receipts,
        outcome: {
          charged: 'YES',
          safeToRetry: false,
          evidence: 'The issuer approved at the acquirer of the POS and the card completed.',
        },
      };
    case 'DECLINED':
      return {
        ...next(record, at),
        state: 'DECLINED',
        card: { ...record.card, ...keptCard(outcome.card) },
        receipts: outcome.receipts,
        decline: declineFor(undefined),
        outcome: {
          charged: 'NO',
          safeToRetry: false,
          evidence: `The card refused after the issuer had approved. ${reverseYourself}`,
        },
      };
    default:
      return lostCompletion(record, 'The card was lost before it took the issuer answer.', at);
  }
}

function declined(
  record: TransactionRecord,
  request: CompleteRequest,
  isPartial: boolean,
  at: string,
): TransactionRecord {
  const { entryMode } = record.card;
  const code = request.responseCode;
  return {
    ...next(record, at),
    state: 'DECLINED',
    card: { ...record.card, responseCode: code },
    decline: declineFor(code, entryMode === undefined ? {} : { entryMode }),
    outcome: isPartial
      ? { charged: 'NO', safeToRetry: false, evidence: `The issuer approved only a part (${code}). ${reverseYourself}` }
      : notCharged(`The issuer answered ${code}.`),
  };
}

/** The card never got the issuer's answer: whatever was authorized, only the POS can take back (no recovery task: the till has nobody to ask). */
export function lostCompletion(record: TransactionRecord, reason: string, at: string): TransactionRecord {
  return unknownRecord(record, `${reason} ${reverseYourself}`, at);
}
