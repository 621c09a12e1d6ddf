import { BridgeError } from '../contract/errors.ts';
import type { SessionDeviceEvent, SessionStatus, TerminalPaymentSession } from '../contract/host/payment-session.ts';
import { moneyStateOf } from './payment.machine.ts';
import { assertSessionMove, isOpenSession, type SessionTrigger } from './payment-session.machine.ts';
import { assertClaim, type SessionPayment, verifyFinal } from './session-payment.ts';

/** What a device event does to its session. */
export type EventEffect =
  /** Accepted before, with the same content: the first answer again. */
  | { readonly kind: 'REPEATED' }
  /** Stored; the session is `status` afterwards, after the moves in their order. */
  | {
      readonly kind: 'ACCEPTED';
      readonly status: SessionStatus;
      readonly moves: readonly { readonly trigger: SessionTrigger; readonly to: SessionStatus }[];
      readonly failureCode?: string;
    };

/** Failure code of a session whose device gave none. */
const CANCELLED_CODE = 'CARDHOLDER_CANCELLED';
const FAILED_CODE = 'DEVICE_FAILED';

/**
 * What an event of a device does (specification: events are contiguous and replay-safe; decisions: Session events, Sessions).
 * @param accepted the event that is stored under the same sequence number, when there is one
 * @param payment the linked payment as it stands, when there is one
 * @throws BridgeError STALE_CLAIM_TOKEN; EVENT_SEQUENCE for a gap or other content under a number; ILLEGAL_STATE for a final event that the payment does not bear out
 */
export function receiveEvent(
  session: TerminalPaymentSession,
  event: SessionDeviceEvent,
  accepted: SessionDeviceEvent | undefined,
  payment: SessionPayment | undefined,
): EventEffect {
  assertClaim(session, event.claimToken);
  if (event.sequence <= session.lastEventSequence) {
    if (accepted !== undefined && isSameEvent(accepted, event)) return { kind: 'REPEATED' };
    throw new BridgeError('EVENT_SEQUENCE', `event ${event.sequence} was accepted before with another content`);
  }
  if (event.sequence !== session.lastEventSequence + 1) {
    throw new BridgeError('EVENT_SEQUENCE', `the next event must have sequence ${session.lastEventSequence + 1}`);
  }
  const [started, from] = startOf(session, event);
  const end = endOf(session, event, payment, from);
  const failureCode = end?.failureCode;
  return {
    kind: 'ACCEPTED',
    status: end?.to ?? from,
    moves: [...started, ...(end === undefined ? [] : [{ trigger: end.trigger, to: end.to }])],
    ...(failureCode === undefined ? {} : { failureCode }),
  };
}

const contentFields = ['sequence', 'eventType', 'status', 'paymentId', 'failureCode', 'claimToken'] as const;

function isSameEvent(one: SessionDeviceEvent, other: SessionDeviceEvent): boolean {
  return contentFields.every((field) => one[field] === other[field]);
}

type Moves = readonly { readonly trigger: SessionTrigger; readonly to: SessionStatus }[];

/** Whatever a device reports beyond the claim itself starts the operation, so that a lost or left out event does not hold it up. */
function startOf(session: TerminalPaymentSession, event: SessionDeviceEvent): readonly [Moves, SessionStatus] {
  if (session.status !== 'CLAIMED' || event.eventType === 'CLAIMED') return [[], session.status];
  return [[{ trigger: 'START', to: 'IN_PROGRESS' }], 'IN_PROGRESS'];
}

interface End {
  readonly trigger: SessionTrigger;
  readonly to: SessionStatus;
  readonly failureCode?: string;
}

function endOf(
  session: TerminalPaymentSession,
  event: SessionDeviceEvent,
  payment: SessionPayment | undefined,
  from: SessionStatus,
): End | undefined {
  if (event.eventType === 'COMPLETED') return completion(session, event, payment, from);
  if (event.eventType !== 'CANCELLED' && event.eventType !== 'FAILED') return undefined;
  // What ended by itself before (time, a verified payment) stays as it ended; the event is kept.
  if (!isOpenSession(from)) return undefined;
  const hasBegun = session.authorizationStartedAt !== undefined;
  // Once the authorization has begun only the payment tells how it ended: the session waits for it, or for its deadline.
  if (hasBegun && !isKnownToHaveMovedNothing(payment)) return undefined;
  if (event.eventType === 'CANCELLED' && !hasBegun) {
    assertSessionMove(from, 'CARDHOLDER_CANCELLED', 'CANCELED');
    return { trigger: 'CARDHOLDER_CANCELLED', to: 'CANCELED', failureCode: event.failureCode ?? CANCELLED_CODE };
  }
  assertSessionMove(from, 'DEVICE_FAILED', 'FAILED');
  const byDefault = event.eventType === 'CANCELLED' ? CANCELLED_CODE : FAILED_CODE;
  return { trigger: 'DEVICE_FAILED', to: 'FAILED', failureCode: event.failureCode ?? byDefault };
}

function isKnownToHaveMovedNothing(payment: SessionPayment | undefined): boolean {
  return payment !== undefined && ['NONE', 'TAKEN_BACK'].includes(moneyStateOf(payment.status));
}

function completion(
  session: TerminalPaymentSession,
  event: SessionDeviceEvent,
  payment: SessionPayment | undefined,
  from: SessionStatus,
): End {
  const { status: outcome } = event;
  if (outcome !== 'SUCCEEDED' && outcome !== 'DECLINED') {
    throw new BridgeError('INVALID_REQUEST', 'status must be SUCCEEDED or DECLINED when eventType is COMPLETED', {
      field: 'status',
    });
  }
  if (payment === undefined || (event.paymentId !== undefined && event.paymentId !== payment.id)) {
    throw new BridgeError('ILLEGAL_STATE', 'the payment session has no such payment to be verified by', {
      field: 'paymentId',
    });
  }
  verifyFinal(session, payment, outcome);
  assertSessionMove(from, 'VERIFIED_FINAL', outcome);
  return { trigger: 'VERIFIED_FINAL', to: outcome };
}
