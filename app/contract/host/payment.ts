import { type Static, Type } from 'typebox';
import { MAX_ID_CHARACTERS } from '../limits.ts';
import {
  businessDate,
  Currency,
  Cursor,
  dateTime,
  Metadata,
  minorUnits,
  nullable,
  oneOfStrings,
  openEnum,
  PageLimit,
  ReferenceId,
  text,
} from '../parts.ts';
import { CryptogramType, CvmResult, cardSchemes, Decline, EntryMode } from '../transactions.ts';
import { MAX_REASON_CHARACTERS } from './host-limits.ts';
import { HostTerminalId, MerchantId, PaymentId, strict, TipSource } from './host-parts.ts';

export const AcceptanceChannel = oneOfStrings(
  ['CARD_PRESENT', 'CARD_NOT_PRESENT', 'EXTERNAL_RAIL'],
  "Where the payment was taken. EXTERNAL_RAIL: authorized by a terminal's own acquirer and recorded here for reporting only.",
);
export type AcceptanceChannel = Static<typeof AcceptanceChannel>;

/** The ten statuses; payment.machine.ts says which follow which (specification: Payment status; decisions: Payment moves). */
export const PaymentStatus = oneOfStrings(
  [
    'REQUIRES_PAYMENT_METHOD',
    'REQUIRES_CONFIRMATION',
    'REQUIRES_ACTION',
    'PROCESSING',
    'REQUIRES_CAPTURE',
    'SUCCEEDED',
    'DECLINED',
    'REVERSED',
    'CANCELED',
    'FAILED',
  ],
  'REQUIRES_CAPTURE: authorized, the funds are held, a second message is awaited. REVERSED: taken back, released or lapsed. CANCELED: never authorized. FAILED: the outcome is unknown, money may have moved; recovery finds out.',
);
export type PaymentStatus = Static<typeof PaymentStatus>;

export const PaymentType = oneOfStrings(
  ['SALE', 'PRE_AUTH', 'REFUND', 'VOID', 'CARD_READ', 'BALANCE_INQUIRY'],
  'The operation; a completed pre-authorization stays PRE_AUTH.',
);
export type PaymentType = Static<typeof PaymentType>;

export const CaptureMethod = oneOfStrings(
  ['AUTOMATIC', 'MANUAL'],
  'AUTOMATIC: captured when approved. MANUAL: held until a later capture.',
);
export type CaptureMethod = Static<typeof CaptureMethod>;

export const PaymentCardScheme = oneOfStrings(cardSchemes, 'Card scheme.');
export type PaymentCardScheme = Static<typeof PaymentCardScheme>;

/** ISO 8583 field 39 as it is reported: every approval reads 00 (decisions section 4). */
export const ResponseCode = Type.String({
  pattern: '^[0-9A-Z]{2}$',
  description: 'Two-character code of the issuer; 00 means approved.',
});

export const CardPresentDetails = Type.Object(
  {
    terminalId: Type.Optional(HostTerminalId),
    entryMode: Type.Optional(EntryMode),
    acceptanceMode: Type.Optional(Type.String({ description: 'How the terminal accepted the card, as it told.' })),
    applicationLabel: Type.Optional(Type.String({ description: 'Application label of the card.' })),
    aid: Type.Optional(Type.String({ description: 'EMV application identifier, hex.' })),
    cryptogramType: Type.Optional(CryptogramType),
    tvr: Type.Optional(Type.String({ description: 'EMV terminal verification results, hex.' })),
    cvmResult: Type.Optional(CvmResult),
  },
  { ...strict, description: 'What the terminal told about the card; with CARD_PRESENT.' },
);

export const CardNotPresentDetails = Type.Object(
  {
    paymentIntentId: Type.Optional(Type.String({ description: 'The payment intent that was charged.' })),
    paymentMethodId: Type.Optional(Type.String({ description: 'The saved payment method that was used.' })),
    threeDsStatus: Type.Optional(
      openEnum(
        [
          ...(['AUTHENTICATED', 'FAILED', 'UNAVAILABLE', 'ATTEMPTED'] as const),
          ...(['CHALLENGE_REQUIRED', 'REJECTED', 'INFORMATIONAL', 'NOT_ATTEMPTED'] as const),
        ],
        'Result of 3-D Secure.',
      ),
    ),
    liabilityShift: Type.Optional(Type.Boolean({ description: 'Whether the issuer bears the risk of fraud.' })),
    eci: Type.Optional(Type.String({ description: 'Electronic commerce indicator.' })),
    setupFutureUsage: Type.Optional(
      oneOfStrings(['OFF_SESSION', 'ON_SESSION'], 'Whether the payment method is kept, and for what.'),
    ),
  },
  { ...strict, description: 'Details of an online payment; with CARD_NOT_PRESENT.' },
);

/** The host's record of a payment, one shape for every channel (specification: Payment). */
export const Payment = Type.Object(
  {
    id: PaymentId,
    merchantId: MerchantId,
    acceptanceChannel: AcceptanceChannel,
    status: PaymentStatus,
    type: PaymentType,
    captureMethod: Type.Optional(CaptureMethod),
    capturedAmountMinor: Type.Optional(
      nullable(minorUnits(0, 'What was captured, in minor units, at most amountMinor; null until the capture.')),
    ),
    authExpiresAt: Type.Optional(
      nullable(dateTime('When the hold lapses, ISO 8601; an expired authorization cannot be captured.')),
    ),
    amountMinor: minorUnits(0, 'Minor units: baseAmountMinor + tipAmountMinor.'),
    baseAmountMinor: minorUnits(0, 'Minor units: the goods and the cash-back, without the tip.'),
    currencyCode: Currency,
    tipAmountMinor: minorUnits(0, 'Tip in minor units.'),
    tipSource: Type.Optional(nullable(TipSource)),
    cashbackAmountMinor: Type.Optional(
      minorUnits(0, 'Cash-back in minor units, a part of baseAmountMinor; card-present only.'),
    ),
    customerId: Type.Optional(Type.String({ description: 'Customer that the payment is attached to.' })),
    referenceId: Type.Optional(ReferenceId),
    originalTransactionId: Type.Optional(
      Type.String({ description: 'The payment that a refund gives back, or parts of it.' }),
    ),
    authorizationCode: Type.Optional(Type.String({ description: 'Authorization code of the issuer.' })),
    responseCode: Type.Optional(ResponseCode),
    cardScheme: Type.Optional(PaymentCardScheme),
    maskedPan: Type.Optional(
      Type.String({
        pattern: '^[0-9]{0,6}\\*{4,}[0-9]{0,4}$',
        description: 'Masked account number: first six and last four digits at most; what shows more is dropped.',
      }),
    ),
    rrn: Type.Optional(Type.String({ description: 'Retrieval reference number.' })),
    decline: Type.Optional(Decline),
    cardPresent: Type.Optional(CardPresentDetails),
    cardNotPresent: Type.Optional(CardNotPresentDetails),
    settlementId: Type.Optional(
      nullable(
        Type.String({ description: 'Settlement in which the payment was funded; null until its batch closes.' }),
      ),
    ),
    metadata: Type.Optional(Metadata),
    simulated: Type.Optional(Type.Boolean({ description: 'True where no real money can move.' })),
    simulatedRule: Type.Optional(Type.String({ description: 'The sandbox rule that chose the answer.' })),
    createdAt: dateTime('When the payment was begun, ISO 8601.'),
    businessDate: Type.Optional(
      businessDate("Business date of createdAt by the terminal's time zone and cut-off, YYYY-MM-DD; it never changes."),
    ),
    updatedAt: Type.Optional(dateTime('When it last changed, ISO 8601.')),
  },
  { ...strict, description: 'A payment and what became of it.' },
);
export type Payment = Static<typeof Payment>;

/** Query of GET /v1/payments, after query.ts has read the text (decisions: Secret-key additions). */
export const PaymentQuery = Type.Object(
  {
    referenceId: Type.Optional(ReferenceId),
    status: Type.Optional(PaymentStatus),
    type: Type.Optional(PaymentType),
    acceptanceChannel: Type.Optional(AcceptanceChannel),
    terminalId: Type.Optional(HostTerminalId),
    settlementId: Type.Optional(text(MAX_ID_CHARACTERS, 'Payments of this settlement.')),
    originalTransactionId: Type.Optional(text(MAX_ID_CHARACTERS, 'Refunds of this payment.')),
    from: Type.Optional(dateTime('Payments begun at or after; ISO 8601.')),
    to: Type.Optional(dateTime('Payments begun before; ISO 8601.')),
    cursor: Type.Optional(Cursor),
    limit: PageLimit,
  },
  { ...strict, description: 'Filters and page of the payments.' },
);
export type PaymentQuery = Static<typeof PaymentQuery>;

export const PaymentList = Type.Object(
  {
    data: Type.Array(Payment, { description: 'Newest first.' }),
    hasMore: Type.Boolean({ description: 'Whether another page follows.' }),
    nextCursor: nullable(Type.String({ description: 'Cursor of the next page; null when hasMore is false.' })),
  },
  { ...strict, description: 'One page of payments.' },
);
export type PaymentList = Static<typeof PaymentList>;

/** POST /v1/payments/{id}/refunds: a payment of its own (decisions: Void, Refund ceiling). */
export const PaymentRefundRequest = Type.Object(
  {
    amountMinor: minorUnits(1, 'Minor units to give back, tip included; there is no default.'),
    currencyCode: Type.Optional(Currency),
    referenceId: Type.Optional(ReferenceId),
    reason: Type.Optional(text(MAX_REASON_CHARACTERS, 'Why, in words.')),
    metadata: Type.Optional(Metadata),
  },
  { ...strict, description: 'Gives back all or part of a captured payment.' },
);
export type PaymentRefundRequest = Static<typeof PaymentRefundRequest>;

/** POST /v1/payments/{id}/recovery (decisions: Secret-key additions). */
export const PaymentRecoveryRequest = Type.Object(
  {
    action: oneOfStrings(
      ['ASK', 'REVERSE'],
      'ASK: ask the acquirer now what became of the payment. REVERSE: have it reversed, and repeat that until it is confirmed.',
    ),
    reason: Type.Optional(text(MAX_REASON_CHARACTERS, 'Why, in words.')),
  },
  { ...strict, description: 'What is to be done about a payment of unknown outcome.' },
);
export type PaymentRecoveryRequest = Static<typeof PaymentRecoveryRequest>;
