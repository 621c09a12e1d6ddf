import { BridgeError } from '../contract/errors.ts';
import type { AcceptanceChannel, PaymentStatus } from '../contract/host/payment.ts';

/**
 * The moves of a host payment (specification: Payment status; decisions: Payment moves, EXTERNAL_RAIL, recovery/reverse). FAILED means unknown and
 * only recovery leaves it; CANCELED means never authorized; what was released, lapsed, voided or reversed is REVERSED, and stays so.
 */
export type PaymentTrigger =
  /** Stored before the acquirer is asked. */
  | 'AUTHORIZATION_BEGUN'
  /** What the acquirer answered: an approval that captures at once, one that holds, a decline, an answer that says nothing certain. */
  | 'APPROVED'
  | 'APPROVED_AND_HELD'
  | 'DECLINED'
  /** Nothing was sent and nothing will be. */
  | 'NOT_SENT'
  /** A message that may have moved money has no certain answer: none came, or it does not match what was asked. */
  | 'OUTCOME_LOST'
  | 'CAPTURED'
  | 'TIP_ADJUSTED'
  /** Taken back before its batch closed, or a hold released. */
  | 'VOIDED'
  /** The issuer's hold has run out. */
  | 'LAPSED'
  /** Stored before it is sent; the payment is of unknown outcome until the acquirer confirms. */
  | 'REVERSAL_BEGUN'
  | 'REVERSAL_CONFIRMED'
  /**
   * What the acquirer, or a person, says became of a payment of unknown outcome. A partial approval (10) is found declined once its reversal is
   * confirmed (decisions section 4).
   */
  | 'FOUND_CAPTURED'
  | 'FOUND_HELD'
  | 'FOUND_DECLINED'
  /** The kernel has decided without the host. */
  | 'KERNEL_APPROVED'
  | 'KERNEL_DECLINED'
  /** A reversal of a payment that the host has never seen: its id is taken, so that a late authorize is refused. */
  | 'TOMBSTONED'
  /** Told by a terminal with an acquirer of its own. */
  | 'RECORDED'
  /** Online payments: what the shopper does before the charge is sent. */
  | 'INTENT_CREATED'
  | 'METHOD_GIVEN'
  | 'ACTION_REQUIRED'
  | 'ACTION_DONE'
  | 'INTENT_CANCELED';

/** Where a payment that is not stored yet stands. */
export type PaymentOrigin = PaymentStatus | 'NEW';

export interface PaymentMove {
  readonly from: PaymentOrigin;
  readonly trigger: PaymentTrigger;
  readonly to: PaymentStatus;
}

type Row = readonly [from: readonly PaymentOrigin[], trigger: PaymentTrigger, to: PaymentStatus];

const rows: readonly Row[] = [
  [['NEW', 'REQUIRES_CONFIRMATION'], 'AUTHORIZATION_BEGUN', 'PROCESSING'],
  [['PROCESSING'], 'APPROVED', 'SUCCEEDED'],
  [['PROCESSING'], 'APPROVED_AND_HELD', 'REQUIRES_CAPTURE'],
  [['PROCESSING'], 'DECLINED', 'DECLINED'],
  [['PROCESSING'], 'NOT_SENT', 'CANCELED'],
  [['PROCESSING', 'REQUIRES_CAPTURE', 'SUCCEEDED'], 'OUTCOME_LOST', 'FAILED'],
  [['REQUIRES_CAPTURE'], 'CAPTURED', 'SUCCEEDED'],
  [['REQUIRES_CAPTURE'], 'TIP_ADJUSTED', 'REQUIRES_CAPTURE'],
  [['REQUIRES_CAPTURE', 'SUCCEEDED'], 'VOIDED', 'REVERSED'],
  [['REQUIRES_CAPTURE'], 'LAPSED', 'REVERSED'],
  [['PROCESSING', 'REQUIRES_CAPTURE', 'SUCCEEDED', 'FAILED'], 'REVERSAL_BEGUN', 'FAILED'],
  [['FAILED'], 'REVERSAL_CONFIRMED', 'REVERSED'],
  [['FAILED'], 'FOUND_CAPTURED', 'SUCCEEDED'],
  [['FAILED'], 'FOUND_HELD', 'REQUIRES_CAPTURE'],
  [['FAILED'], 'FOUND_DECLINED', 'DECLINED'],
  [['NEW'], 'KERNEL_APPROVED', 'SUCCEEDED'],
  [['NEW'], 'KERNEL_DECLINED', 'DECLINED'],
  [['NEW'], 'TOMBSTONED', 'CANCELED'],
  [['NEW'], 'INTENT_CREATED', 'REQUIRES_PAYMENT_METHOD'],
  [['REQUIRES_PAYMENT_METHOD'], 'METHOD_GIVEN', 'REQUIRES_CONFIRMATION'],
  [['PROCESSING'], 'ACTION_REQUIRED', 'REQUIRES_ACTION'],
  [['REQUIRES_ACTION'], 'ACTION_DONE', 'PROCESSING'],
  [['REQUIRES_PAYMENT_METHOD', 'REQUIRES_CONFIRMATION', 'REQUIRES_ACTION'], 'INTENT_CANCELED', 'CANCELED'],
];

/** A payment of a terminal's own acquirer carries no authorization state: it is what it was recorded as, until it is recorded as taken back. */
const externalRows: readonly Row[] = [
  [['NEW'], 'RECORDED', 'SUCCEEDED'],
  [['NEW'], 'RECORDED', 'DECLINED'],
  [['NEW', 'SUCCEEDED'], 'RECORDED', 'REVERSED'],
];

function spread(table: readonly Row[]): readonly PaymentMove[] {
  return table.flatMap(([origins, trigger, to]) => origins.map((from) => ({ from, trigger, to })));
}

/** Every legal move of a payment that the host authorizes. */
export const paymentMoves: readonly PaymentMove[] = spread(rows);

/** Every legal move of a payment that is only recorded (EXTERNAL_RAIL). */
export const externalPaymentMoves: readonly PaymentMove[] = spread(externalRows);

export function isPaymentMove(
  channel: AcceptanceChannel,
  from: PaymentOrigin,
  trigger: PaymentTrigger,
  to: PaymentStatus,
): boolean {
  const moves = channel === 'EXTERNAL_RAIL' ? externalPaymentMoves : paymentMoves;
  return moves.some((move) => move.from === from && move.trigger === trigger && move.to === to);
}

/** The payment that is to move, as far as its moves depend on it. */
export interface MovingPayment {
  readonly id: string;
  readonly acceptanceChannel: AcceptanceChannel;
  readonly status: PaymentOrigin;
}

/** @throws BridgeError ILLEGAL_STATE for a move that the table does not have; nothing is changed. */
export function assertPaymentMove(payment: MovingPayment, trigger: PaymentTrigger, to: PaymentStatus): void {
  const { id, acceptanceChannel, status } = payment;
  if (isPaymentMove(acceptanceChannel, status, trigger, to)) return;
  const kind = acceptanceChannel === 'EXTERNAL_RAIL' ? 'a payment that is only recorded' : 'a payment';
  throw new BridgeError('ILLEGAL_STATE', `${kind} that is ${status} cannot become ${to} (${trigger})`, {
    details: { transactionId: id },
  });
}

/** What is known about the money of a payment. */
export type MoneyState = 'NONE' | 'HELD' | 'MOVED' | 'UNKNOWN' | 'TAKEN_BACK';

const moneyStates: Readonly<Record<PaymentStatus, MoneyState>> = {
  REQUIRES_PAYMENT_METHOD: 'NONE',
  REQUIRES_CONFIRMATION: 'NONE',
  REQUIRES_ACTION: 'NONE',
  PROCESSING: 'UNKNOWN',
  REQUIRES_CAPTURE: 'HELD',
  SUCCEEDED: 'MOVED',
  DECLINED: 'NONE',
  REVERSED: 'TAKEN_BACK',
  CANCELED: 'NONE',
  FAILED: 'UNKNOWN',
};

export function moneyStateOf(status: PaymentStatus): MoneyState {
  return moneyStates[status];
}
