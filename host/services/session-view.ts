import type { SessionDeviceEvent, TerminalPaymentSession } from '../../app/contract/host/payment-session.ts';
import { isoOf } from '../../app/domain/instant.ts';
import type { SessionPayment } from '../../app/domain/session-payment.ts';
import type { PaymentRecord, SessionRecord } from '../ports/host-records.ts';

/** Sessions as they leave the host. */

/** For the terminal that holds the claim, and for the rules: with the claim token. */
export function sessionForDevice(session: SessionRecord): TerminalPaymentSession {
  const { operation, originalTransactionId, status, paymentId, finalAmountMinor, tipAmountMinor } = session;
  // A session that failed at first and was then borne out by its payment has not failed.
  const failureCode = status === 'SUCCEEDED' || status === 'DECLINED' ? undefined : session.failureCode;
  return {
    id: session.id,
    merchantId: session.merchantId,
    terminalId: session.terminalId,
    deviceId: session.deviceId,
    idempotencyKey: session.idempotencyKey,
    claimToken: session.claimToken,
    operation,
    ...(originalTransactionId === undefined ? {} : { originalTransactionId }),
    amountMinor: session.amountMinor,
    currencyCode: session.currency,
    status,
    ...(paymentId === undefined ? {} : { paymentId }),
    ...(failureCode === undefined ? {} : { failureCode }),
    ...(finalAmountMinor === undefined ? {} : { finalAmountMinor }),
    ...(tipAmountMinor === undefined ? {} : { tipAmountMinor }),
    lastEventSequence: session.lastEventSequence,
    expiresAt: isoOf(session.expiresAtMs),
    ...instant('processingExpiresAt', session.processingExpiresAtMs),
    ...instant('authorizationStartedAt', session.authorizationStartedAtMs),
    ...instant('completedAt', session.completedAtMs),
    createdAt: isoOf(session.createdAtMs),
    updatedAt: isoOf(session.updatedAtMs),
  };
}

/** For a secret key: whoever reads a session cannot act for its terminal (decisions: Sessions). */
export function sessionForMerchant(session: SessionRecord): TerminalPaymentSession {
  return { ...sessionForDevice(session), claimToken: '' };
}

export function eventForMerchant(event: SessionDeviceEvent): SessionDeviceEvent {
  return { ...event, claimToken: '' };
}

/** A payment as a session is verified by it. */
export function sessionPaymentOf({ payment, terminalId }: PaymentRecord): SessionPayment {
  return { ...payment, terminalId };
}

function instant<Name extends string>(name: Name, ms: number | undefined): { readonly [Key in Name]?: string } {
  return ms === undefined ? {} : ({ [name]: isoOf(ms) } as { readonly [Key in Name]: string });
}
