import type { EndpointRow } from '../../endpoint.ts';
import { ReconciliationResponse } from '../../settlements.ts';
import { AuthorizeRequest, AuthorizeResponse, TransactionLookUpQuery } from '../authorize.ts';
import { DeviceConfigResponse } from '../device-config.ts';
import { DeviceReconciliationRequest } from '../device-reconciliation.ts';
import { PaymentPathId, SessionId } from '../host-parts.ts';
import { PairRequest, PairResponse } from '../pairing.ts';
import { Payment } from '../payment.ts';
import { PaymentCaptureRequest, PaymentVoidRequest, TipAdjustRequest } from '../payment-changes.ts';
import {
  ClaimPaymentSessionRequest,
  ClaimPaymentSessionResponse,
  SessionDeviceEvent,
  TerminalPaymentSession,
} from '../payment-session.ts';
import { PosClientsResponse } from '../pos-clients.ts';
import { RecordRequest } from '../record.ts';
import { ReverseRequest, ReverseResponse } from '../reverse.ts';
import { acquirerErrors, deviceCall, deviceMoney, sessionErrors } from './columns.ts';

const paymentId = '6f1f3c52-2f2c-4b0a-9a55-0f6a1d3a7c10';
const device = { deviceId: 'D-1', terminalId: 'T-1' };
const payment = { id: PaymentPathId };

/** What a paired terminal calls (specification: Terminal device API; decisions: Device additions). */
export const deviceEndpoints = [
  {
    ...deviceMoney,
    id: 'device.authorize',
    path: '/api/v1/terminal/transactions/authorize',
    summary: 'Authorize a payment',
    description:
      'Authorizes what a terminal has collected. Read `approved` and `payment.status`: 200 is not an approval, and FAILED means that the outcome is unknown. After a lost answer send the same call under the same key, or look it up.',
    requestSchema: AuthorizeRequest,
    successSchema: AuthorizeResponse,
    errors: [
      ...acquirerErrors,
      ...sessionErrors,
      'UNSUPPORTED_CURRENCY',
      'ORIGINAL_NOT_FOUND',
      'OPERATION_NOT_SUPPORTED',
      'REFUND_EXCEEDS_ORIGINAL',
      'ALREADY_VOIDED',
    ],
    example: {
      ...device,
      transactionId: paymentId,
      amount: 1600,
      baseAmountMinor: 1500,
      tipAmountMinor: 100,
      tipSource: 'custom',
      cashbackAmountMinor: 500,
      currencyCode: 'EUR',
      transactionType: 'purchase',
      entryMode: 'CONTACTLESS',
      maskedPan: '411111******1111',
      referenceId: 'order-4711',
    },
  },
  {
    ...deviceMoney,
    id: 'device.offlineComplete',
    path: '/api/v1/terminal/transactions/offline-complete',
    summary: 'Record what the kernel decided offline',
    description:
      'Records a payment that the kernel approved or declined without the host: cid, or the chip’s response code in tag 8A, tells which. Account and PIN data and every EMV tag off the list are refused. It is no deferred authorization.',
    requestSchema: AuthorizeRequest,
    successSchema: Payment,
    errors: ['UNSUPPORTED_CURRENCY', 'AMOUNT_TOO_LARGE', ...sessionErrors],
    example: {
      ...device,
      amount: 500,
      currencyCode: 'EUR',
      entryMode: 'CONTACT',
      emvTlv: { '8A': '5931', '9F27': '40' },
    },
  },
  {
    ...deviceMoney,
    id: 'device.recoveryReverse',
    path: '/api/v1/terminal/transactions/recovery/reverse',
    summary: 'Reverse an authorization that could not be finished',
    description:
      'For an authorization that the bank may have approved and the terminal could not safely finish. Idempotent by originalTransactionId. The original payment is updated. One that the host has never seen is kept out: a late authorize under its id is refused.',
    idempotency: 'none',
    requestSchema: ReverseRequest,
    successSchema: ReverseResponse,
    errors: ['ALREADY_SETTLED', 'HAS_REFUNDS', 'ILLEGAL_STATE'],
    example: { originalTransactionId: paymentId, reason: 'No answer within 120 seconds' },
  },
  {
    ...deviceMoney,
    id: 'device.tipAdjust',
    path: '/api/v1/terminal/payments/{id}/tip-adjust',
    summary: 'Adjust the tip of an open authorization',
    description:
      'Sets the tip; the payment stays REQUIRES_CAPTURE and its total becomes base + tip. 422 where the acquirer cannot adjust tips.',
    pathParameters: payment,
    requestSchema: TipAdjustRequest,
    successSchema: Payment,
    errors: [
      ...acquirerErrors,
      'TIP_ADJUST_NOT_SUPPORTED',
      'ALREADY_SETTLED',
      'ALREADY_COMPLETED',
      'ALREADY_VOIDED',
      'AUTH_EXPIRED',
      'ILLEGAL_STATE',
    ],
    example: { tipAmountMinor: 150, tipSource: 'preset:1500' },
  },
  {
    ...deviceMoney,
    id: 'device.capture',
    path: '/api/v1/terminal/payments/{id}/capture',
    summary: 'Capture a hold',
    description:
      'Captures a pre-authorization, or a purchase that waited for its tip. Works once; the rest is released.',
    pathParameters: payment,
    requestSchema: PaymentCaptureRequest,
    hasOptionalBody: true,
    successSchema: Payment,
    errors: [
      ...acquirerErrors,
      'CAPTURE_EXCEEDS_AUTHORIZATION',
      'ALREADY_COMPLETED',
      'ALREADY_VOIDED',
      'AUTH_EXPIRED',
      'ILLEGAL_STATE',
    ],
    example: { amountMinor: 18500 },
  },
  {
    ...deviceMoney,
    id: 'device.void',
    path: '/api/v1/terminal/payments/{id}/void',
    summary: 'Void a payment',
    description: 'Takes back an unsettled payment as a whole, or releases a hold. The payment becomes REVERSED.',
    pathParameters: payment,
    requestSchema: PaymentVoidRequest,
    hasOptionalBody: true,
    successSchema: Payment,
    errors: [
      ...acquirerErrors,
      'OPERATION_NOT_SUPPORTED',
      'ALREADY_VOIDED',
      'ALREADY_SETTLED',
      'HAS_REFUNDS',
      'ILLEGAL_STATE',
    ],
    example: { reason: 'Wrong table' },
  },
  {
    ...deviceMoney,
    id: 'device.record',
    path: '/api/v1/terminal/transactions/record',
    summary: "Record a payment of the terminal's own acquirer",
    description:
      'For reporting only: acceptanceChannel EXTERNAL_RAIL, never an authorization of the host. The same transactionId as REVERSED later says that it was taken back. With paymentSessionId it ends that session by the same verification as an authorization.',
    movesMoney: false,
    requestSchema: RecordRequest,
    successSchema: Payment,
    errors: ['UNSUPPORTED_CURRENCY', 'AMOUNT_TOO_LARGE', ...sessionErrors],
    example: {
      ...device,
      transactionId: paymentId,
      type: 'SALE',
      status: 'SUCCEEDED',
      amount: 1000,
      currencyCode: 'EUR',
      cardScheme: 'girocard',
      occurredAt: '2026-11-28T10:15:00Z',
    },
  },
  {
    ...deviceCall,
    id: 'device.lookUp',
    method: 'GET',
    path: '/api/v1/terminal/transactions',
    summary: 'What became of an earlier call',
    description:
      'By the Idempotency-Key of the call, or by the transactionId that it named: one of the two. NOT_FOUND: the host has never seen it.',
    querySchema: TransactionLookUpQuery,
    successSchema: Payment,
    errors: ['NOT_FOUND'],
  },
  {
    ...deviceCall,
    id: 'device.reconciliation',
    path: '/api/v1/terminal/reconciliation',
    summary: 'Day close of one terminal, or a dry run of it',
    description:
      'closeDay true closes the batch and creates one settlement; false answers the current totals and changes nothing. Anything running, of unknown outcome or waiting for its tip blocks the close.',
    idempotency: 'required',
    movesMoney: true,
    requestSchema: DeviceReconciliationRequest,
    successSchema: ReconciliationResponse,
    errors: ['DAY_CLOSE_BLOCKED', 'AMOUNT_TOO_LARGE'],
    example: { ...device, closeDay: true },
  },
  {
    ...deviceCall,
    id: 'device.pair',
    path: '/api/v1/terminal/pair',
    summary: 'Pair a terminal',
    description:
      'Exchanges a pairing code for the device token of its terminal. The code is the credential: valid once, for ten minutes, and locked after five wrong ones. What is `expected` of the terminal is checked first, so that a code of another one is not used up.',
    credential: 'none',
    requestSchema: PairRequest,
    successSchema: PairResponse,
    errors: ['PAIRING_CODE_INVALID', 'PAIRING_LOCKED', 'ILLEGAL_STATE', 'JOURNAL_UNAVAILABLE'],
    example: { pairingCode: '7K2M9QXD' },
  },
  {
    ...deviceCall,
    id: 'device.config',
    method: 'GET',
    path: '/api/v1/terminal/config',
    summary: 'Configuration of the terminal',
    description: 'Tip choices and limits. Ask again with If-None-Match; 304 says that nothing has changed.',
    successSchema: DeviceConfigResponse,
    hasEtag: true,
    errors: [],
  },
  {
    ...deviceCall,
    id: 'device.posClients',
    method: 'GET',
    path: '/api/v1/terminal/pos-clients',
    summary: 'POS clients of the merchant',
    description:
      'Names and key hashes of the POS clients that the host holds, so that their keys work at the till, also while the host cannot be reached. Fetch them when `posClientsVersion` of the configuration has changed.',
    successSchema: PosClientsResponse,
    errors: [],
  },
  {
    ...deviceCall,
    id: 'device.claimSession',
    path: '/api/v1/terminal/payment-sessions/claim',
    summary: 'Claim the payment session that waits',
    description:
      'Takes the session that waits for this terminal, with its claim token; an empty answer when none waits. Start it within a minute. A repeat under the same Idempotency-Key gives the same claim again.',
    idempotency: 'optional',
    requestSchema: ClaimPaymentSessionRequest,
    successSchema: ClaimPaymentSessionResponse,
    errors: [],
    example: device,
  },
  {
    ...deviceCall,
    id: 'device.sessionEvent',
    path: '/api/v1/terminal/payment-sessions/{id}/events',
    summary: 'Report an event of a payment session',
    description:
      'Events are numbered from 1 without a gap. The same event again is accepted; another content under its number is not. COMPLETED is accepted once the payment bears it out.',
    pathParameters: { id: SessionId },
    requestSchema: SessionDeviceEvent,
    successSchema: TerminalPaymentSession,
    errors: [...sessionErrors, 'EVENT_SEQUENCE'],
    example: { sequence: 1, eventType: 'DISPLAYED', claimToken: 'c9a1f0d2' },
  },
  {
    ...deviceCall,
    id: 'device.link',
    method: 'GET',
    path: '/api/v1/terminal/link',
    summary: 'Link of the terminal',
    description:
      'Upgrades to a WebSocket over which the host wakes the terminal: `{"event":"wake","subject":"PAYMENT_SESSION"}`. A wake-up carries no facts; what it is about is fetched.',
    successStatus: 101,
    successMediaType: 'none',
    errors: ['UPGRADE_REQUIRED'],
  },
] as const satisfies readonly EndpointRow[];
