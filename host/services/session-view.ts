import type { TerminalPaymentSession } from '../../app/contract/host/payment-session.ts';
import type { SessionRecord } from '../ports/host-records.ts';
import { isoOf } from './outcomes.ts';

/** A stored session as its terminal sees it, with the token of its claim. */
export function sessionOf(record: SessionRecord): TerminalPaymentSession {
  const { currency, expiresAtMs, processingExpiresAtMs, authorizationStartedAtMs, completedAtMs, ...same } = record;
  const { createdAtMs, updatedAtMs, claimedAtMs: _claimed, fence: _fence, ...rest } = same;
  return {
    ...rest,
    currencyCode: currency,
    expiresAt: isoOf(expiresAtMs),
    ...(processingExpiresAtMs === undefined ? {} : { processingExpiresAt: isoOf(processingExpiresAtMs) }),
    ...(authorizationStartedAtMs === undefined ? {} : { authorizationStartedAt: isoOf(authorizationStartedAtMs) }),
    ...(completedAtMs === undefined ? {} : { completedAt: isoOf(completedAtMs) }),
    createdAt: isoOf(createdAtMs),
    updatedAt: isoOf(updatedAtMs),
  };
}
