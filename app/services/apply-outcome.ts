import { declineFor, verdictOf } from '../contract/issuer-answers.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { RecoveryReasonCode } from '../contract/recovery.ts';
import type { Decline } from '../contract/transactions.ts';
import { keepMaskedPan } from '../domain/mask.ts';
import { totalMinor } from '../domain/money.ts';
import type { CancelReason, CardFacts, Evidence, ProvisionalResult, TransactionRecord } from '../domain/transaction.ts';
import type { TerminalOutcome } from '../ports/terminal.ts';
import { MAX_EVIDENCE_ENTRIES } from './engine-limits.ts';

/** Why an outcome stays open, and whether asking the terminal can still tell. */
export interface OpenQuestion {
  readonly reason: string;
  readonly reasonCode?: RecoveryReasonCode | undefined;
  readonly canBeAsked: boolean;
}

/** What a terminal's result makes of a record: a final state, or a question that stays open. */
export interface AppliedOutcome {
  readonly record: TransactionRecord;
  readonly open?: OpenQuestion;
}

export type DecidingOutcome = Exclude<TerminalOutcome, { kind: 'PENDING_ONLINE' }>;

/** Whether the terminal itself moves money for it; if not, whatever is lost, the terminal has charged nothing. */
export function movesMoney(record: TransactionRecord): boolean {
  return record.mode === 'ORCHESTRATED' && record.type !== 'CARD_READ' && record.type !== 'BALANCE_INQUIRY';
}

/**
 * The end of a transaction by what the terminal told (decisions: Final status, section 4).
 * @param nowIso time of the change. @param cancelReason who asked for the end, when the till did.
 */
export function applyOutcome(
  record: TransactionRecord,
  outcome: DecidingOutcome,
  nowIso: string,
  cancelReason?: CancelReason | undefined,
): AppliedOutcome {
  switch (outcome.kind) {
    case 'APPROVED':
      return applyApproval(record, outcome, nowIso);
    case 'DECLINED':
      return applyDecline(record, outcome, nowIso);
    case 'CANCELLED':
      return {
        record: {
          ...next(record, nowIso),
          state: 'CANCELLED',
          cancelReason: cancelReason ?? outcome.reason,
          errorMessage: cancelTexts[cancelReason ?? outcome.reason],
          receipts: outcome.receipts,
          outcome: notCharged('The terminal ended the transaction before the authorization.'),
        },
      };
    case 'FAILED':
      return {
        record: {
          ...next(record, nowIso),
          state: 'ERROR',
          errorCode: outcome.errorCode,
          errorMessage: outcome.message,
          receipts: outcome.receipts,
          outcome: notCharged('The terminal reported that the transaction failed.'),
        },
      };
    case 'NOT_STARTED':
      return {
        record: {
          ...next(record, nowIso),
          state: 'ERROR',
          errorCode: outcome.errorCode,
          errorMessage: outcome.message,
          outcome: notCharged('The terminal refused the command before it did anything.'),
        },
      };
    case 'CHIP_APPROVED':
      return { record: endedWithoutMoney(record, chipAlone, nowIso) };
    case 'UNKNOWN':
      if (!movesMoney(record)) return { record: endedWithoutMoney(record, outcome.message, nowIso, outcome.evidence) };
      return {
        record: unknownRecord(record, outcome.message, nowIso, outcome.evidence),
        open: { reason: outcome.message, reasonCode: outcome.reasonCode ?? 'ANSWER_LOST', canBeAsked: true },
      };
  }
}

function applyApproval(
  record: TransactionRecord,
  outcome: Extract<TerminalOutcome, { kind: 'APPROVED' }>,
  nowIso: string,
): AppliedOutcome {
  const facts = { card: keptCard(outcome.card), terminalReference: outcome.reference, receipts: outcome.receipts };
  const doubt = approvalDoubt(record, outcome);
  if (doubt !== undefined) {
    return {
      record: { ...unknownRecord(record, doubt, nowIso), ...facts },
      open: { reason: doubt, reasonCode: 'RESULT_DIFFERS', canBeAsked: false },
    };
  }
  return {
    record: {
      ...next(record, nowIso),
      ...facts,
      state: 'APPROVED',
      ...(outcome.balanceMinor === undefined ? {} : { balanceMinor: outcome.balanceMinor }),
      ...(outcome.awaitsCapture === undefined ? {} : { tipCapture: { state: 'WAITING' as const } }),
      ...(outcome.isDeferred === undefined ? {} : { deferred: 'WAITING' }),
      outcome: movesMoney(record)
        ? { charged: 'YES', safeToRetry: false, evidence: evidenceOf(outcome) }
        : notCharged('Nothing is charged by this operation.'),
    },
  };
}

function evidenceOf({ isDeferred }: Extract<TerminalOutcome, { kind: 'APPROVED' }>): string {
  return isDeferred === undefined
    ? 'The terminal reported the approval.'
    : 'It was accepted offline; the issuer is asked when the host can be reached.';
}

/** Why an approval of the terminal is no success; undefined when it is one (amount compared: bug class "old amount inherited"). */
export function approvalDoubt(
  record: TransactionRecord,
  outcome: Extract<TerminalOutcome, { kind: 'APPROVED' }>,
): string | undefined {
  if (!movesMoney(record)) return undefined;
  const asked = totalMinor(record);
  if (outcome.chargedMinor !== undefined && outcome.chargedMinor !== asked) {
    return `The terminal reported ${outcome.chargedMinor} minor units where ${asked} were asked for.`;
  }
  const code = outcome.card.responseCode;
  if (code !== undefined && verdictOf(code, asked) !== 'APPROVED') {
    return `The terminal reported an approval with the response code ${code}, which is none.`;
  }
  return undefined;
}

function applyDecline(
  record: TransactionRecord,
  outcome: Extract<TerminalOutcome, { kind: 'DECLINED' }>,
  nowIso: string,
): AppliedOutcome {
  const card = keptCard(outcome.card);
  const code = card.responseCode;
  if (code !== undefined && verdictOf(code, totalMinor(record)) === 'UNKNOWN' && movesMoney(record)) {
    const reason = `The issuer answered ${code}: this does not tell whether the payment was made.`;
    const decline = declineOf(outcome, card);
    return {
      record: { ...unknownRecord(record, reason, nowIso), card, decline, receipts: outcome.receipts },
      open: { reason, reasonCode: 'ISSUER_UNSURE', canBeAsked: false },
    };
  }
  return {
    record: {
      ...next(record, nowIso),
      state: 'DECLINED',
      card,
      decline: declineOf(outcome, card),
      receipts: outcome.receipts,
      outcome: notCharged(code === undefined ? 'The terminal reported the refusal.' : `The issuer answered ${code}.`),
    },
  };
}

function declineOf(outcome: Extract<TerminalOutcome, { kind: 'DECLINED' }>, card: CardFacts): Decline {
  const decline = declineFor(card.responseCode, card.entryMode === undefined ? {} : { entryMode: card.entryMode });
  return outcome.reason === undefined || card.responseCode !== undefined
    ? decline
    : { ...decline, merchantMessage: outcome.reason };
}

/** The record of a result that the terminal has told but not completed; nothing of it is true yet for the POS. */
export function applyProvisional(
  record: TransactionRecord,
  outcome: TerminalOutcome,
  nowIso: string,
): TransactionRecord {
  const provisional = provisionalOf(outcome);
  if (provisional === undefined) return record;
  const card = 'card' in outcome ? keptCard(outcome.card) : record.card;
  const after = next(record, nowIso);
  return {
    // A row that the deadline has already made unknown stays so, and says so: only the truth moves it (decisions: Time-outs).
    ...(record.state === 'ERROR' ? asUnknownAs(record, after) : { ...after, state: 'PROVISIONAL' }),
    provisional,
    card,
    ...('receipts' in outcome ? { receipts: outcome.receipts } : {}),
    ...(outcome.kind === 'APPROVED' ? { terminalReference: outcome.reference } : {}),
    ...(outcome.kind === 'APPROVED' && outcome.balanceMinor !== undefined
      ? { balanceMinor: outcome.balanceMinor }
      : {}),
    ...(outcome.kind === 'CANCELLED' ? { cancelReason: outcome.reason } : {}),
    ...(outcome.kind === 'FAILED' && record.state !== 'ERROR'
      ? { errorCode: outcome.errorCode, errorMessage: outcome.message }
      : {}),
  };
}

function asUnknownAs(record: TransactionRecord, after: TransactionRecord): TransactionRecord {
  const { errorCode, errorMessage } = record;
  return {
    ...after,
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(errorMessage === undefined ? {} : { errorMessage }),
  };
}

function provisionalOf(outcome: TerminalOutcome): ProvisionalResult | undefined {
  switch (outcome.kind) {
    case 'APPROVED':
      return {
        kind: outcome.kind,
        ...(outcome.chargedMinor === undefined ? {} : { chargedMinor: outcome.chargedMinor }),
        ...(outcome.isDeferred === undefined ? {} : { isDeferred: true }),
      };
    case 'DECLINED':
    case 'CANCELLED':
    case 'FAILED':
      return { kind: outcome.kind };
    default:
      return undefined;
  }
}

/** The committed result of a provisional row, as the driver told it. */
export function provisionalOutcomeOf(record: TransactionRecord): TerminalOutcome | undefined {
  const { provisional, card, receipts } = record;
  switch (provisional?.kind) {
    case undefined:
      return undefined;
    case 'APPROVED':
      return {
        kind: 'APPROVED',
        card,
        receipts,
        reference: record.terminalReference ?? {},
        ...(provisional.chargedMinor === undefined ? {} : { chargedMinor: provisional.chargedMinor }),
        ...(provisional.isDeferred === undefined ? {} : { isDeferred: true }),
        ...(record.balanceMinor === undefined ? {} : { balanceMinor: record.balanceMinor }),
      };
    case 'DECLINED':
      return { kind: 'DECLINED', card, receipts };
    case 'CANCELLED':
      return { kind: 'CANCELLED', reason: record.cancelReason ?? 'CARDHOLDER', receipts };
    case 'FAILED':
      return {
        kind: 'FAILED',
        errorCode: record.errorCode === 'CARD_READ_FAILED' ? 'CARD_READ_FAILED' : 'TERMINAL_ERROR',
        message: record.errorMessage ?? '',
        receipts,
      };
  }
}

/** ERROR, OUTCOME_UNKNOWN: money may have moved (decisions: Final status). */
export function unknownRecord(
  record: TransactionRecord,
  reason: string,
  nowIso: string,
  evidence: readonly Evidence[] = [],
): TransactionRecord {
  const base = withEvidence(next(record, nowIso), evidence);
  return {
    ...base,
    ...(record.provisional === undefined ? {} : { provisional: record.provisional }),
    state: 'ERROR',
    errorCode: 'OUTCOME_UNKNOWN',
    errorMessage: reason,
    outcome: { charged: 'UNKNOWN', safeToRetry: false, evidence: reason },
  };
}

/** ERROR without a charge: the answer was lost, but the operation moves no money. */
export function endedWithoutMoney(
  record: TransactionRecord,
  reason: string,
  nowIso: string,
  evidence: readonly Evidence[] = [],
): TransactionRecord {
  return {
    ...withEvidence(next(record, nowIso), evidence),
    state: 'ERROR',
    errorCode: 'TERMINAL_ERROR',
    errorMessage: reason,
    outcome: notCharged('No money can have moved.'),
  };
}

export function notCharged(evidence: string): Outcome {
  return { charged: 'NO', safeToRetry: true, evidence };
}

/** The next revision; what only an open or unknown row carries is gone. */
export function next(record: TransactionRecord, nowIso: string): TransactionRecord {
  const {
    errorCode: _code,
    errorMessage: _message,
    cancelReason: _reason,
    decline: _decline,
    provisional: _result,
    ...kept
  } = record;
  return { ...kept, revision: record.revision + 1, updatedAt: nowIso };
}

/** The record with more evidence; bounded, the first and the newest entries stay. */
export function withEvidence<T extends { readonly evidence: readonly Evidence[] }>(
  subject: T,
  evidence: readonly Evidence[],
): T {
  const all = [...subject.evidence, ...evidence];
  if (all.length <= MAX_EVIDENCE_ENTRIES) return { ...subject, evidence: all };
  const first = all.slice(0, MAX_EVIDENCE_ENTRIES / 2);
  return { ...subject, evidence: [...first, ...all.slice(first.length - MAX_EVIDENCE_ENTRIES)] };
}

/** Card facts as they may be kept: a number that shows too much is dropped (decisions: maskedPan). */
export function keptCard(card: CardFacts): CardFacts {
  const { maskedPan, ...facts } = card;
  const kept = maskedPan === undefined ? undefined : keepMaskedPan(maskedPan);
  return kept === undefined ? facts : { ...facts, maskedPan: kept };
}

/** Decisions: /v1/transaction/complete: "an approval by the chip alone never counts as paid". */
const chipAlone = 'The card approved without asking its issuer, which is no payment here; read the card again.';

const cancelTexts: Readonly<Record<CancelReason, string>> = {
  OPERATOR: 'Cancelled by the operator.',
  CARDHOLDER: 'Cancelled by the cardholder.',
  TIMEOUT: 'Nothing happened at the terminal in time.',
  POS_REQUEST: 'Aborted as the POS asked.',
  CARD_REMOVED: 'The card was removed too early.',
};
