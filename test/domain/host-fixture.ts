import type { AuthorizeRequest } from '../../app/contract/host/authorize.ts';
import type { Payment } from '../../app/contract/host/payment.ts';
import type { SessionDeviceEvent, TerminalPaymentSession } from '../../app/contract/host/payment-session.ts';

/** Objects of the host as the tests of its rules need them. */

export const paymentId = '6f1f3c52-2f2c-4b0a-9a55-0f6a1d3a7c10';

export function payment(
  changes: Partial<Payment> & { readonly terminalId?: string } = {},
): Payment & { readonly terminalId: string } {
  return {
    terminalId: 'T1',
    id: paymentId,
    merchantId: 'M1',
    acceptanceChannel: 'CARD_PRESENT',
    status: 'SUCCEEDED',
    type: 'SALE',
    amountMinor: 1600,
    baseAmountMinor: 1500,
    currencyCode: 'EUR',
    tipAmountMinor: 100,
    cashbackAmountMinor: 500,
    capturedAmountMinor: 1600,
    createdAt: '2026-11-28T09:00:00Z',
    ...changes,
  };
}

export function session(changes: Partial<TerminalPaymentSession> = {}): TerminalPaymentSession {
  return {
    id: 'PS1',
    merchantId: 'M1',
    terminalId: 'T1',
    deviceId: 'D1',
    idempotencyKey: 'session-key',
    claimToken: 'claim-1',
    operation: 'PURCHASE',
    amountMinor: 1500,
    currencyCode: 'EUR',
    status: 'IN_PROGRESS',
    finalAmountMinor: 1600,
    paymentId,
    lastEventSequence: 0,
    expiresAt: '2026-11-28T09:05:00Z',
    ...changes,
  };
}

export function event(changes: Partial<SessionDeviceEvent> = {}): SessionDeviceEvent {
  return { sequence: 1, eventType: 'DISPLAYED', claimToken: 'claim-1', ...changes };
}

export function authorize(changes: Partial<AuthorizeRequest> = {}): AuthorizeRequest {
  return {
    deviceId: 'D1',
    terminalId: 'T1',
    amount: 1600,
    baseAmountMinor: 1500,
    tipAmountMinor: 100,
    cashbackAmountMinor: 500,
    currencyCode: 'EUR',
    entryMode: 'CONTACT',
    ...changes,
  };
}
