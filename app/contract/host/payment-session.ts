import { type Static, Type } from 'typebox';
import { MAX_ID_CHARACTERS } from '../limits.ts';
import { Currency, count, dateTime, IdempotencyKey, minorUnits, oneOfStrings, text } from '../parts.ts';
import {
  DEFAULT_SESSION_EXPIRY_SECONDS,
  MAX_CLAIM_TOKEN_CHARACTERS,
  MAX_FAILURE_CODE_CHARACTERS,
  MAX_SESSION_EVENTS,
  MAX_SESSION_EXPIRY_SECONDS,
  MIN_SESSION_EXPIRY_SECONDS,
  SESSION_PROCESSING_TIMEOUT_MINUTES,
} from './host-limits.ts';
import { DeviceId, HostTerminalId, MerchantId, PaymentId, SessionId, strict } from './host-parts.ts';

/** A queued command for one terminal: the merchant's server creates it, the terminal claims and runs it (specification: TerminalPaymentSession; decisions: Sessions). */

export const SessionStatus = oneOfStrings(
  ['CREATED', 'CLAIMED', 'IN_PROGRESS', 'SUCCEEDED', 'DECLINED', 'CANCELED', 'FAILED', 'EXPIRED', 'RECOVERY_REQUIRED'],
  'CREATED waits for its terminal. Polling stops on SUCCEEDED, DECLINED, CANCELED, FAILED, EXPIRED and RECOVERY_REQUIRED.',
);
export type SessionStatus = Static<typeof SessionStatus>;

export const SessionOperation = oneOfStrings(['PURCHASE', 'REFUND'], 'What the terminal is to do.');
export type SessionOperation = Static<typeof SessionOperation>;

const OriginalTransactionId = text(MAX_ID_CHARACTERS, 'The payment that a refund gives back.');
const FailureCode = Type.String({
  pattern: '^[A-Z][A-Z0-9_]*$',
  maxLength: MAX_FAILURE_CODE_CHARACTERS,
  description: 'Why it failed, in one upper-case word.',
});

export const TerminalPaymentSession = Type.Object(
  {
    id: SessionId,
    merchantId: MerchantId,
    terminalId: HostTerminalId,
    deviceId: DeviceId,
    idempotencyKey: IdempotencyKey,
    claimToken: Type.String({
      maxLength: MAX_CLAIM_TOKEN_CHARACTERS,
      description:
        'Fencing token of the claim, which every device event and the authorization echo; empty until claimed, and in every answer to a secret key.',
    }),
    operation: SessionOperation,
    originalTransactionId: Type.Optional(OriginalTransactionId),
    amountMinor: minorUnits(1, 'Minor units, without a tip that the terminal may add.'),
    currencyCode: Currency,
    status: SessionStatus,
    paymentId: Type.Optional(PaymentId),
    failureCode: Type.Optional(FailureCode),
    finalAmountMinor: Type.Optional(minorUnits(0, 'Minor units that were authorized, with the tip.')),
    tipAmountMinor: Type.Optional(minorUnits(0, 'Tip that the terminal took, in minor units.')),
    lastEventSequence: count('Sequence number of the last accepted device event; 0 before the first.'),
    expiresAt: dateTime('Until when the terminal may claim it, ISO 8601.'),
    processingExpiresAt: Type.Optional(
      dateTime(
        `Deadline of the operation in progress, ${SESSION_PROCESSING_TIMEOUT_MINUTES} minutes after its start, ISO 8601; past it the session is RECOVERY_REQUIRED and never issued again.`,
      ),
    ),
    authorizationStartedAt: Type.Optional(dateTime('When the one authorization attempt began, ISO 8601.')),
    completedAt: Type.Optional(dateTime('When the session ended, ISO 8601.')),
    createdAt: Type.Optional(dateTime('When it was created, ISO 8601.')),
    updatedAt: Type.Optional(dateTime('When it last changed, ISO 8601.')),
  },
  { ...strict, description: 'A command for one terminal, and what became of it.' },
);
export type TerminalPaymentSession = Static<typeof TerminalPaymentSession>;

/** POST /v1/terminal/payment-sessions (decisions: Secret-key additions). */
export const CreatePaymentSessionRequest = Type.Object(
  {
    merchantId: MerchantId,
    terminalId: HostTerminalId,
    operation: SessionOperation,
    amountMinor: minorUnits(1, 'Minor units, without a tip that the terminal may add.'),
    currencyCode: Currency,
    originalTransactionId: Type.Optional(OriginalTransactionId),
    expiresInSeconds: Type.Optional(
      Type.Integer({
        minimum: MIN_SESSION_EXPIRY_SECONDS,
        maximum: MAX_SESSION_EXPIRY_SECONDS,
        description: `Seconds for which the session waits for its terminal: ${MIN_SESSION_EXPIRY_SECONDS} to ${MAX_SESSION_EXPIRY_SECONDS}; ${DEFAULT_SESSION_EXPIRY_SECONDS} when left out.`,
      }),
    ),
  },
  { ...strict, description: 'A command for a terminal. A refund names originalTransactionId.' },
);
export type CreatePaymentSessionRequest = Static<typeof CreatePaymentSessionRequest>;

/** POST /v1/terminal/payment-sessions/{id}/cancel. */
export const CancelPaymentSessionRequest = Type.Object(
  { merchantId: Type.Optional(MerchantId) },
  { ...strict, description: 'Whose session it is; another merchant’s is not found.' },
);
export type CancelPaymentSessionRequest = Static<typeof CancelPaymentSessionRequest>;

export const SessionEventType = oneOfStrings(
  [
    'CLAIMED',
    'DISPLAYED',
    'CARD_PRESENTED',
    'PIN_STARTED',
    'AUTHORIZATION_STARTED',
    'AUTHORIZATION_RESULT',
    'COMPLETED',
    'CANCELLED',
    'FAILED',
  ],
  'What happened at the terminal. COMPLETED, CANCELLED and FAILED end the session.',
);
export type SessionEventType = Static<typeof SessionEventType>;

/** What a device reports of a session, and an element of the session's events (decisions: Session events). */
export const SessionDeviceEvent = Type.Object(
  {
    sequence: Type.Integer({
      minimum: 1,
      maximum: MAX_SESSION_EVENTS,
      description: 'Number of the event within its session: from 1, without a gap.',
    }),
    eventType: SessionEventType,
    status: Type.Optional(
      oneOfStrings(
        ['CLAIMED', 'IN_PROGRESS', 'SUCCEEDED', 'DECLINED', 'CANCELED', 'FAILED'],
        'Status of the session as the device sees it; COMPLETED says SUCCEEDED or DECLINED, which is held against the payment.',
      ),
    ),
    paymentId: Type.Optional(PaymentId),
    failureCode: Type.Optional(FailureCode),
    claimToken: Type.String({
      maxLength: MAX_CLAIM_TOKEN_CHARACTERS,
      description: 'Token of the claim; empty in every answer to a secret key.',
    }),
  },
  { ...strict, description: 'What a device reported of a session.' },
);
export type SessionDeviceEvent = Static<typeof SessionDeviceEvent>;

export const PaymentSessionDetail = Type.Object(
  {
    session: TerminalPaymentSession,
    events: Type.Array(SessionDeviceEvent, { description: 'By sequence, without a gap.' }),
  },
  { ...strict, description: 'A session with what its device reported.' },
);
export type PaymentSessionDetail = Static<typeof PaymentSessionDetail>;

/** POST /api/v1/terminal/payment-sessions/claim: takes the session that waits for this terminal (decisions: Device additions). */
export const ClaimPaymentSessionRequest = Type.Object(
  { deviceId: DeviceId, terminalId: HostTerminalId },
  { ...strict, description: 'The device that takes the session which waits for its terminal.' },
);
export type ClaimPaymentSessionRequest = Static<typeof ClaimPaymentSessionRequest>;

export const ClaimPaymentSessionResponse = Type.Object(
  { session: Type.Optional(TerminalPaymentSession) },
  { ...strict, description: 'The session with its claimToken; absent when none waits.' },
);
export type ClaimPaymentSessionResponse = Static<typeof ClaimPaymentSessionResponse>;
