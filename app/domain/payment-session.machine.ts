import { BridgeError } from '../contract/errors.ts';
import { SESSION_START_TIMEOUT_SECONDS } from '../contract/host/host-limits.ts';
import type { SessionStatus } from '../contract/host/payment-session.ts';

/**
 * The moves of a terminal payment session (specification: Terminal payment session status; decisions: Sessions). A session is never issued again;
 * claim, cancel and expiry are each one conditional update from CREATED, of which one wins.
 */
export type SessionTrigger =
  | 'CLAIM'
  | 'CANCEL'
  | 'EXPIRE'
  /** The device reports that it has begun. */
  | 'START'
  /** Claimed, and not started within a minute. */
  | 'START_TIMEOUT'
  /** The cardholder pressed stop, before the authorization began. */
  | 'CARDHOLDER_CANCELLED'
  /** The device gave up, and no money has moved. */
  | 'DEVICE_FAILED'
  /** Fifteen minutes have passed since the start. */
  | 'PROCESSING_TIMEOUT'
  /** A final event whose payment was verified (session-payment.ts). */
  | 'VERIFIED_FINAL';

export interface SessionMove {
  readonly from: SessionStatus;
  readonly trigger: SessionTrigger;
  readonly to: SessionStatus;
}

export const sessionStatuses: readonly SessionStatus[] = [
  'CREATED',
  'CLAIMED',
  'IN_PROGRESS',
  'SUCCEEDED',
  'DECLINED',
  'CANCELED',
  'FAILED',
  'EXPIRED',
  'RECOVERY_REQUIRED',
];

const moves: readonly SessionMove[] = [
  { from: 'CREATED', trigger: 'CLAIM', to: 'CLAIMED' },
  { from: 'CREATED', trigger: 'CANCEL', to: 'CANCELED' },
  { from: 'CREATED', trigger: 'EXPIRE', to: 'EXPIRED' },
  { from: 'CLAIMED', trigger: 'START', to: 'IN_PROGRESS' },
  { from: 'CLAIMED', trigger: 'START_TIMEOUT', to: 'FAILED' },
  { from: 'IN_PROGRESS', trigger: 'CARDHOLDER_CANCELLED', to: 'CANCELED' },
  { from: 'IN_PROGRESS', trigger: 'DEVICE_FAILED', to: 'FAILED' },
  { from: 'IN_PROGRESS', trigger: 'PROCESSING_TIMEOUT', to: 'RECOVERY_REQUIRED' },
  // From any state. That a session cannot go to and fro between the two is in the payment, which cannot either.
  ...sessionStatuses.flatMap((from): readonly SessionMove[] => [
    { from, trigger: 'VERIFIED_FINAL', to: 'SUCCEEDED' },
    { from, trigger: 'VERIFIED_FINAL', to: 'DECLINED' },
  ]),
];

export function isSessionMove(from: SessionStatus, trigger: SessionTrigger, to: SessionStatus): boolean {
  return moves.some((move) => move.from === from && move.trigger === trigger && move.to === to);
}

/**
 * @throws BridgeError for a move that the table does not have: SESSION_ALREADY_CLAIMED when a cancel or claim comes after a claim
 * (specification: cancel, 409), otherwise ILLEGAL_STATE.
 */
export function assertSessionMove(from: SessionStatus, trigger: SessionTrigger, to: SessionStatus): void {
  if (isSessionMove(from, trigger, to)) return;
  const isTaken = from === 'CLAIMED' || from === 'IN_PROGRESS';
  if (isTaken && (trigger === 'CANCEL' || trigger === 'CLAIM')) {
    throw new BridgeError('SESSION_ALREADY_CLAIMED', 'the terminal has already claimed the payment session');
  }
  throw new BridgeError('ILLEGAL_STATE', `a payment session that is ${from} cannot become ${to} (${trigger})`);
}

/** Whether the terminal is taken by it: a second session for the same terminal is refused meanwhile (decisions: Secret-key additions). */
export function isOpenSession(status: SessionStatus): boolean {
  return status === 'CREATED' || status === 'CLAIMED' || status === 'IN_PROGRESS';
}

/** Whether a caller may stop polling (specification: Terminal payment session status). */
export function endsPolling(status: SessionStatus): boolean {
  return !isOpenSession(status);
}

/** What of a session decides whether time moves it on. Instants are milliseconds since the epoch. */
export interface SessionDeadlines {
  readonly status: SessionStatus;
  readonly expiresAtMs: number;
  readonly claimedAtMs?: number;
  readonly processingExpiresAtMs?: number;
}

/** The move that time makes of a session; undefined while it has time left (decisions: Sessions). */
export function overdueMove(session: SessionDeadlines, nowMs: number): SessionMove | undefined {
  const { status: from, expiresAtMs, claimedAtMs, processingExpiresAtMs } = session;
  const startBy = claimedAtMs === undefined ? undefined : claimedAtMs + SESSION_START_TIMEOUT_SECONDS * 1000;
  if (from === 'CREATED' && nowMs >= expiresAtMs) return { from, trigger: 'EXPIRE', to: 'EXPIRED' };
  if (from === 'CLAIMED' && isPast(startBy, nowMs)) return { from, trigger: 'START_TIMEOUT', to: 'FAILED' };
  if (from === 'IN_PROGRESS' && isPast(processingExpiresAtMs, nowMs)) {
    return { from, trigger: 'PROCESSING_TIMEOUT', to: 'RECOVERY_REQUIRED' };
  }
  return undefined;
}

function isPast(deadlineMs: number | undefined, nowMs: number): boolean {
  return deadlineMs !== undefined && nowMs >= deadlineMs;
}
