import type { Payment } from '../../app/contract/host/payment.ts';
import { type AuthorizationOutcome, authorizationOutcomeOf } from '../../app/domain/authorization-outcome.ts';
import { isoOf } from '../../app/domain/instant.ts';
import type { PaymentTrigger } from '../../app/domain/payment.machine.ts';
import type { MoneyEvent } from '../../app/domain/posting.ts';
import type { AcquirerReply, MessageAnswer, MessageKind } from '../ports/acquirer.ts';
import type { AcquirerAnswerRecord, PaymentRecord } from '../ports/host-records.ts';
import { operationOf } from './traces.ts';

/** What an answer of the acquirer makes of a payment; pure. */

/** A move with what it changes and what its money did. */
export interface Change {
  readonly trigger: PaymentTrigger;
  readonly payment: Payment;
  readonly events: readonly MoneyEvent[];
  /** When, milliseconds since the Unix epoch; `payment.updatedAt` says the same. */
  readonly atMs: number;
}

/** Where the money of a payment is by its entries: FUNDED (captured, or given back), HELD, or NONE. It stays so while the outcome of what was asked next is unknown. */
function standingOf({ payment, batchNumber }: PaymentRecord): 'FUNDED' | 'HELD' | 'NONE' {
  if (batchNumber !== undefined) return 'FUNDED';
  return payment.authExpiresAt !== undefined && payment.authExpiresAt !== null ? 'HELD' : 'NONE';
}

/** The outcome of the message that makes a payment, first told or found later. */
export function foundingOutcome({ payment, terminalId }: PaymentRecord, answer: MessageAnswer): AuthorizationOutcome {
  const { amountMinor, currencyCode, captureMethod = 'AUTOMATIC', cardPresent } = payment;
  const entryMode = cardPresent?.entryMode;
  const sent = {
    amountMinor,
    currencyCode,
    operation: operationOf(payment),
    terminalId,
    captureMethod,
    ...(entryMode === undefined ? {} : { entryMode }),
  };
  return authorizationOutcomeOf(sent, answer);
}

const foundTriggers: Readonly<Partial<Record<Payment['status'], PaymentTrigger>>> = {
  SUCCEEDED: 'FOUND_CAPTURED',
  REQUIRES_CAPTURE: 'FOUND_HELD',
  DECLINED: 'FOUND_DECLINED',
};

/**
 * What becomes of a payment by the answer to the message that makes it.
 * @param atMs when it was answered; a hold stands from then on
 */
export function foundingChange(
  record: PaymentRecord,
  outcome: AuthorizationOutcome,
  answer: MessageAnswer,
  { atMs, validDays }: { readonly atMs: number; readonly validDays: number },
): Change {
  const { payment } = record;
  const { to, responseCode, decline } = outcome;
  const isHeld = to === 'REQUIRES_CAPTURE';
  const isCaptured = to === 'SUCCEEDED' && payment.type !== 'REFUND';
  // An approval of something else than was asked approves nothing.
  const isTold = to !== 'FAILED' || responseCode !== '00';
  const { authorizationCode, rrn, simulatedRule } = answer;
  const trigger = payment.status === 'FAILED' ? foundTriggers[to] : outcome.trigger;
  return {
    trigger: trigger ?? outcome.trigger,
    payment: {
      ...payment,
      status: to,
      ...(isTold ? { responseCode } : {}),
      ...(isCaptured ? { capturedAmountMinor: payment.amountMinor } : {}),
      ...(isHeld ? { authExpiresAt: isoOf(atMs + validDays * DAY_MS) } : {}),
      ...(authorizationCode === undefined || to === 'FAILED' ? {} : { authorizationCode }),
      ...(rrn === undefined ? {} : { rrn }),
      ...(decline === undefined ? {} : { decline }),
      ...(simulatedRule === undefined ? {} : { simulatedRule }),
      updatedAt: isoOf(atMs),
    },
    events: foundingEvents(payment, to),
    atMs,
  };
}

function foundingEvents({ type, amountMinor }: Payment, to: Payment['status']): readonly MoneyEvent[] {
  if (to === 'REQUIRES_CAPTURE') return [{ kind: 'AUTHORIZED', heldMinor: amountMinor }];
  if (to !== 'SUCCEEDED') return [];
  return type === 'REFUND'
    ? [{ kind: 'REFUNDED', refundedMinor: amountMinor }]
    : [{ kind: 'CAPTURED', heldMinor: 0, capturedMinor: amountMinor }];
}

/** What acts on a payment that stands. */
export type FollowUpKind = 'CAPTURE' | 'ADJUST_TIP' | 'VOID';

export function isFollowUp(kind: MessageKind): kind is FollowUpKind {
  return kind === 'CAPTURE' || kind === 'ADJUST_TIP' || kind === 'VOID';
}

const followUpTriggers: Readonly<
  Record<FollowUpKind, { readonly told: PaymentTrigger; readonly found: PaymentTrigger }>
> = {
  CAPTURE: { told: 'CAPTURED', found: 'FOUND_CAPTURED' },
  ADJUST_TIP: { told: 'TIP_ADJUSTED', found: 'FOUND_HELD' },
  // The machine has one way from unknown to taken back; that it counts as a void is in its entries.
  VOID: { told: 'VOIDED', found: 'REVERSAL_CONFIRMED' },
};

/**
 * What becomes of a payment when the acquirer has done what was asked of it.
 * @param asked.amountMinor of the message: what is captured, or the new total with its tip
 * @param asked.tipSource how the tip was chosen; unknown (null) when recovery finds the adjustment
 */
export function followUpChange(
  record: PaymentRecord,
  kind: FollowUpKind,
  asked: { readonly amountMinor: number; readonly tipSource?: string },
  atMs: number,
): Change {
  const { payment } = record;
  const trigger = followUpTriggers[kind][payment.status === 'FAILED' ? 'found' : 'told'];
  return { trigger, atMs, ...followUpEffect(record, kind, { ...payment, updatedAt: isoOf(atMs) }, asked) };
}

function followUpEffect(
  record: PaymentRecord,
  kind: FollowUpKind,
  payment: Payment,
  { amountMinor, tipSource }: { readonly amountMinor: number; readonly tipSource?: string },
): Omit<Change, 'trigger' | 'atMs'> {
  const heldMinor = payment.amountMinor;
  switch (kind) {
    case 'CAPTURE':
      return {
        payment: { ...payment, status: 'SUCCEEDED', capturedAmountMinor: amountMinor },
        events: [{ kind: 'CAPTURED', heldMinor, capturedMinor: amountMinor }],
      };
    case 'ADJUST_TIP':
      return {
        payment: {
          ...payment,
          status: 'REQUIRES_CAPTURE',
          amountMinor,
          tipAmountMinor: amountMinor - payment.baseAmountMinor,
          tipSource: tipSource ?? null,
        },
        events: [{ kind: 'TIP_ADJUSTED', heldBeforeMinor: heldMinor, heldAfterMinor: amountMinor }],
      };
    case 'VOID':
      return { payment: { ...payment, status: 'REVERSED' }, events: takenBackEvents(record, 'VOIDED') };
  }
}

/** A payment of unknown outcome is as it was before the question: the acquirer has not done what it was asked. */
export function unchangedChange(record: PaymentRecord, atMs: number): Change {
  const isFunded = standingOf(record) === 'FUNDED';
  const payment = { ...record.payment, updatedAt: isoOf(atMs) };
  return {
    trigger: isFunded ? 'FOUND_CAPTURED' : 'FOUND_HELD',
    payment: { ...payment, status: isFunded ? 'SUCCEEDED' : 'REQUIRES_CAPTURE' },
    events: [],
    atMs,
  };
}

/** Nothing of it stands any more. Captured money taken back by recovery counts as neither sale nor void (decisions: Totals). */
export function reversedChange(record: PaymentRecord, atMs: number): Change {
  return {
    trigger: 'REVERSAL_CONFIRMED',
    payment: { ...record.payment, status: 'REVERSED', updatedAt: isoOf(atMs) },
    events: takenBackEvents(record, 'REVERSED'),
    atMs,
  };
}

function takenBackEvents(record: PaymentRecord, kind: 'VOIDED' | 'REVERSED'): readonly MoneyEvent[] {
  const { payment } = record;
  const standing = standingOf(record);
  if (standing === 'HELD') return [{ kind: 'RELEASED', heldMinor: payment.amountMinor }];
  if (standing === 'NONE') return [];
  return payment.type === 'REFUND'
    ? [{ kind: 'REFUND_REVERSED', refundedMinor: payment.amountMinor }]
    : [{ kind, capturedMinor: payment.capturedAmountMinor ?? 0 }];
}

/** Nobody knows what became of what was asked. */
export function lostChange(record: PaymentRecord, atMs: number, told: Partial<Payment> = {}): Change {
  return {
    trigger: 'OUTCOME_LOST',
    payment: { ...record.payment, ...told, status: 'FAILED', updatedAt: isoOf(atMs) },
    events: [],
    atMs,
  };
}

/** What is kept of a reply, for the log of messages. */
export function answerRecordOf(reply: AcquirerReply): AcquirerAnswerRecord | undefined {
  if (reply.kind !== 'ANSWERED') return undefined;
  const { responseCode, authorizationCode, rrn, simulatedRule } = reply.answer;
  return {
    responseCode,
    ...(authorizationCode === undefined ? {} : { authorizationCode }),
    ...(rrn === undefined ? {} : { rrn }),
    ...(simulatedRule === undefined ? {} : { note: simulatedRule }),
  };
}

const DAY_MS = 24 * 3_600_000;
