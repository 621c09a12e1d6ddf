import { type Static, Type } from 'typebox';
import { ErrorCodeSchema } from './errors.ts';
import {
  MAX_ID_CHARACTERS,
  MAX_ISSUER_AUTH_DATA_HEX_CHARACTERS,
  MAX_ISSUER_SCRIPT_HEX_CHARACTERS,
  MAX_ISSUER_SCRIPTS,
  MIN_ISSUER_AUTH_DATA_HEX_CHARACTERS,
} from './limits.ts';
import { Outcome as OutcomeSchema } from './outcome.ts';
import {
  Currency,
  Cursor,
  dateTime,
  Metadata,
  mapOf,
  minorUnits,
  nullable,
  oneOfStrings,
  openEnum,
  PageLimit,
  ReferenceId,
  TransactionId,
  taggedUnion,
  text,
} from './parts.ts';

const strict = { additionalProperties: false } as const;

export const TransactionType = oneOfStrings(
  ['SALE', 'PRE_AUTH', 'PRE_AUTH_COMPLETE', 'REFUND', 'VOID', 'CARD_READ', 'BALANCE_INQUIRY'],
  'The operation.',
);
export type TransactionType = Static<typeof TransactionType>;

/** IN_PROGRESS is read only from look-ups of a transaction that still runs (decisions: Look-up). */
export const TransactionStatus = oneOfStrings(
  ['APPROVED', 'DECLINED', 'CANCELLED', 'ERROR', 'PENDING_ONLINE', 'IN_PROGRESS'],
  'APPROVED, DECLINED, CANCELLED and ERROR are final. PENDING_ONLINE waits for the issuer answer of a granular payment. IN_PROGRESS is read only from look-ups.',
);
export type TransactionStatus = Static<typeof TransactionStatus>;

export const RequestedEntryMode = oneOfStrings(
  ['CONTACTLESS', 'CONTACT', 'AUTO'],
  'How the card is to be read: a preference; AUTO lets the terminal accept any method.',
);
export type RequestedEntryMode = Static<typeof RequestedEntryMode>;

/** Card schemes by name (specification: Payment). */
export const cardSchemes = ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'JCB', 'UNIONPAY', 'EFTPOS', 'OTHER'] as const;
export const CardScheme = openEnum(cardSchemes, 'Card scheme.');
export type CardScheme = Static<typeof CardScheme>;
export const EntryMode = openEnum(['CONTACT', 'CONTACTLESS', 'MAGSTRIPE', 'FALLBACK', 'MANUAL'], 'Entry mode used.');
export type EntryMode = Static<typeof EntryMode>;
export const CryptogramType = openEnum(['TC', 'ARQC', 'AAC'], 'Kind of EMV cryptogram.');
export type CryptogramType = Static<typeof CryptogramType>;
export const CvmResult = openEnum(
  ['NO_CVM', 'ONLINE_PIN', 'OFFLINE_PIN', 'OFFLINE_PIN_AND_SIGNATURE', 'SIGNATURE', 'CDCVM', 'FAILED'],
  'How the cardholder was verified.',
);
export type CvmResult = Static<typeof CvmResult>;

export const CancelledReason = oneOfStrings(
  ['OPERATOR', 'CARDHOLDER', 'TIMEOUT', 'POS_REQUEST', 'CARD_REMOVED'],
  'Who or what cancelled.',
);
export type CancelledReason = Static<typeof CancelledReason>;

const amountDescription = 'Minor units of the currency, without tip and cash-back.';
const OriginalTransactionId = text(MAX_ID_CHARACTERS, 'The transactionId of the referenced transaction.');
const tipAmount = minorUnits(0, 'Tip in minor units; charged on top of amount.');
const cashbackAmount = minorUnits(0, 'Cash-back in minor units, charged on top of amount; sales only.');

/** The specification's one request shape. What each operation takes of it is in the schemas that follow. */
export const TransactionRequest = Type.Object(
  {
    type: TransactionType,
    amount: minorUnits(0, `${amountDescription} 0 for CARD_READ and BALANCE_INQUIRY.`),
    currency: Currency,
    cashbackAmount: Type.Optional(cashbackAmount),
    entryMode: Type.Optional(RequestedEntryMode),
    referenceId: Type.Optional(ReferenceId),
    originalTransactionId: Type.Optional(OriginalTransactionId),
    tipAmount: Type.Optional(tipAmount),
    metadata: Type.Optional(Metadata),
    allowDuplicate: Type.Optional(
      Type.Boolean({
        description:
          'SALE only. True: charge although an earlier sale with the same referenceId is of unknown outcome (POSSIBLE_DUPLICATE).',
      }),
    ),
  },
  { additionalProperties: false, description: 'A transaction that the terminal is to run.' },
);
export type TransactionRequest = Static<typeof TransactionRequest>;

const all = TransactionRequest.properties;
/** Fields that every operation takes. */
const common = {
  currency: Currency,
  entryMode: all.entryMode,
  referenceId: all.referenceId,
  metadata: all.metadata,
};

function typeOf<const Name extends TransactionType>(name: Name) {
  return Type.Literal(name, { description: 'The operation of the path.' });
}
const positiveAmount = minorUnits(1, amountDescription);
const zeroAmount = Type.Literal(0, { description: 'Always 0: no money is moved.' });

export const SaleRequest = Type.Object(
  {
    type: typeOf('SALE'),
    amount: positiveAmount,
    tipAmount: all.tipAmount,
    cashbackAmount: all.cashbackAmount,
    ...common,
    allowDuplicate: all.allowDuplicate,
  },
  { ...strict, description: 'Charges amount + tipAmount + cashbackAmount.' },
);
export type SaleRequest = Static<typeof SaleRequest>;

export const PreAuthRequest = Type.Object(
  { type: typeOf('PRE_AUTH'), amount: positiveAmount, tipAmount: all.tipAmount, ...common },
  { ...strict, description: 'Holds amount + tipAmount until it is completed or voided.' },
);
export type PreAuthRequest = Static<typeof PreAuthRequest>;

export const PreAuthCompleteRequest = Type.Object(
  {
    type: typeOf('PRE_AUTH_COMPLETE'),
    amount: positiveAmount,
    tipAmount: all.tipAmount,
    originalTransactionId: OriginalTransactionId,
    ...common,
  },
  { ...strict, description: 'Charges amount + tipAmount out of a hold, once, and releases the rest.' },
);
export type PreAuthCompleteRequest = Static<typeof PreAuthCompleteRequest>;

export const RefundRequest = Type.Object(
  {
    type: typeOf('REFUND'),
    amount: minorUnits(1, 'Minor units of the currency: the whole amount to give back, tip included.'),
    originalTransactionId: OriginalTransactionId,
    ...common,
  },
  { ...strict, description: 'Gives back all or part of an approved sale or completed pre-authorization.' },
);
export type RefundRequest = Static<typeof RefundRequest>;

export const VoidRequest = Type.Object(
  {
    type: typeOf('VOID'),
    amount: minorUnits(0, "0, or the original's amount (the captured one of a completed pre-authorization)."),
    originalTransactionId: OriginalTransactionId,
    ...common,
  },
  { ...strict, description: 'Takes back an unsettled transaction as a whole.' },
);
export type VoidRequest = Static<typeof VoidRequest>;

export const CardReadRequest = Type.Object(
  { type: typeOf('CARD_READ'), amount: zeroAmount, ...common },
  { ...strict, description: 'Reads a card; no money is moved.' },
);
export type CardReadRequest = Static<typeof CardReadRequest>;

export const BalanceInquiryRequest = Type.Object(
  { type: typeOf('BALANCE_INQUIRY'), amount: zeroAmount, ...common },
  { ...strict, description: 'Asks for the balance of the card that is presented.' },
);
export type BalanceInquiryRequest = Static<typeof BalanceInquiryRequest>;

/** POST /v1/transaction/initiate: what may be authorized by the POS's own acquirer (decisions: `type` in the body). */
export const InitiateRequest = taggedUnion(
  'type',
  [SaleRequest, PreAuthRequest, RefundRequest],
  'A payment that the POS authorizes with its own acquirer.',
);
export type InitiateRequest = Static<typeof InitiateRequest>;

const issuerScript = Type.String({
  pattern: '^([0-9A-Fa-f]{2})+$',
  maxLength: MAX_ISSUER_SCRIPT_HEX_CHARACTERS,
  description: 'Hex, without spaces.',
});

function issuerScripts(tag: string) {
  return Type.Union([issuerScript, Type.Array(issuerScript, { minItems: 1, maxItems: MAX_ISSUER_SCRIPTS })], {
    description: `Issuer scripts (EMV tag ${tag}): a hex string or an array of them.`,
  });
}

/** What the issuer answered, of REST and of the WebSocket action alike (decisions: /v1/transaction/complete). */
export const completeFields = {
  transactionId: TransactionId,
  responseCode: Type.String({
    pattern: '^[0-9A-Z]{2}$',
    description: "The issuer's two-character answer code; 00 means approved.",
  }),
  authorizationCode: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Za-z]{1,6}$',
      description: 'The authorization code of the issuer; required when responseCode approves (00, 08, 11).',
    }),
  ),
  issuerAuthData: Type.Optional(
    Type.String({
      pattern: '^([0-9A-Fa-f]{2})+$',
      minLength: MIN_ISSUER_AUTH_DATA_HEX_CHARACTERS,
      maxLength: MAX_ISSUER_AUTH_DATA_HEX_CHARACTERS,
      description: 'Issuer authentication data (EMV tag 91), 8 to 16 bytes in hex.',
    }),
  ),
  issuerScripts71: Type.Optional(issuerScripts('71')),
  issuerScripts72: Type.Optional(issuerScripts('72')),
};

/** POST /v1/transaction/complete. That an approval carries its authorization code is checked by validate.ts. */
export const CompleteRequest = Type.Object(completeFields, {
  ...strict,
  description: 'The issuer answer for a transaction in PENDING_ONLINE.',
});
export type CompleteRequest = Static<typeof CompleteRequest>;

/** POST /v1/transactions/{id}/capture (decisions: Day close). */
export const CaptureRequest = Type.Object(
  { tipAmount: Type.Optional(tipAmount) },
  { ...strict, description: 'Captures a sale that waits for its tip; without tipAmount as it was authorized.' },
);
export type CaptureRequest = Static<typeof CaptureRequest>;

/** What is known about the money; its home is outcome.ts, since errors carry it too. */
export const Outcome = OutcomeSchema;
export type Outcome = Static<typeof Outcome>;

export const DeclineCategory = oneOfStrings(
  [
    'INSUFFICIENT_FUNDS',
    'LIMIT_EXCEEDED',
    'AUTHENTICATION_REQUIRED',
    'PIN_INCORRECT',
    'PIN_TRIES_EXCEEDED',
    'EXPIRED_CARD',
    'INVALID_CARD',
    'LOST_OR_STOLEN',
    'PICK_UP_CARD',
    'SUSPECTED_FRAUD',
    'NOT_PERMITTED',
    'DO_NOT_HONOR',
    'INVALID_REQUEST',
    'ISSUER_UNAVAILABLE',
    'SYSTEM_ERROR',
    'OFFLINE_DECLINED',
    'CARDHOLDER_CANCELLED',
    'DUPLICATE',
    'UNKNOWN',
  ],
  'Why, in one word.',
);
export type DeclineCategory = Static<typeof DeclineCategory>;

export const RetryClass = oneOfStrings(
  ['LATER', 'FIX_AND_RETRY', 'OTHER_CARD', 'NEVER', 'UNKNOWN_OUTCOME'],
  'LATER: may work later. FIX_AND_RETRY: correct and try again. OTHER_CARD: ask for another card. NEVER: this card, this payment, not again. UNKNOWN_OUTCOME: ask first.',
);
export type RetryClass = Static<typeof RetryClass>;

export const DeferredAuthorization = oneOfStrings(
  ['WAITING', 'AUTHORIZED', 'DECLINED'],
  'Only of a sale that was accepted offline. WAITING: the issuer has not been asked yet; the sale counts as paid until it says otherwise. AUTHORIZED: it has approved afterwards. DECLINED: it has declined afterwards, and the shop bears the loss.',
);

/** Why a payment was declined (specification: Payment.decline; decisions section 4). */
export const Decline = Type.Object(
  {
    category: DeclineCategory,
    retryClass: RetryClass,
    retryable: Type.Boolean({ description: 'True for LATER and FIX_AND_RETRY only.' }),
    networkResponseCode: Type.Optional(Type.String({ description: "The issuer's own code, when one was given." })),
    customerMessage: Type.String({ description: 'What the customer may read; never reveals fraud, lost or stolen.' }),
    merchantMessage: Type.String({ description: 'What the shop reads.' }),
  },
  { ...strict, description: 'Why the payment was declined, and what may be tried.' },
);
export type Decline = Static<typeof Decline>;

/** In memory until completion only: never stored, never logged (decisions: chipData). */
export const ChipData = Type.Object(
  {
    emvTags: mapOf(Type.String({ pattern: '^([0-9A-Fa-f]{2})*$' }), {
      description: 'EMV tag name in hex → value in hex.',
    }),
    encryptedPinBlock: nullable(
      Type.String({ description: 'PIN block, encrypted by the terminal; null without one.' }),
    ),
    pinKsn: nullable(Type.String({ description: 'Key serial number of the PIN block; null without one.' })),
    pinBlockFormat: nullable(Type.String({ description: 'Format of the PIN block; null without one.' })),
  },
  { ...strict, description: 'Chip data for the authorization by the POS; with PENDING_ONLINE only.' },
);
export type ChipData = Static<typeof ChipData>;

const maskedPan = Type.String({
  description: 'Masked account number: first six and last four digits at most; absent when the terminal shows more.',
});
const aid = Type.String({ description: 'EMV application identifier, hex.' });
const applicationLabel = Type.String({ description: 'Application label of the card.' });
const authorizationCode = Type.String({ description: 'Authorization code of the issuer.' });

export const ReceiptData = Type.Object(
  {
    merchantName: Type.Optional(Type.String({ description: 'Name of the shop.' })),
    merchantId: Type.Optional(Type.String({ description: 'Merchant identifier.' })),
    terminalId: Type.Optional(Type.String({ description: 'Terminal identifier.' })),
    transactionId: TransactionId,
    dateTime: dateTime('When the transaction was finished, ISO 8601.'),
    cardScheme: Type.Optional(CardScheme),
    maskedPan: Type.Optional(maskedPan),
    applicationLabel: Type.Optional(applicationLabel),
    aid: Type.Optional(aid),
    authorizationCode: Type.Optional(authorizationCode),
    amount: minorUnits(0, amountDescription),
    tipAmount: Type.Optional(minorUnits(0, 'Tip in minor units.')),
    cashbackAmount: Type.Optional(minorUnits(0, 'Cash-back in minor units.')),
    totalAmount: minorUnits(0, 'amount + tipAmount + cashbackAmount, in minor units.'),
    entryMode: Type.Optional(EntryMode),
    cvmPerformed: Type.Optional(CvmResult),
    approvalStatus: Type.String({ description: 'The status in words of the receipt, e.g. APPROVED.' }),
  },
  { ...strict, description: 'What a receipt shows. What is unknown is absent.' },
);
export type ReceiptData = Static<typeof ReceiptData>;

export const TransactionResponse = Type.Object(
  {
    transactionId: TransactionId,
    status: TransactionStatus,
    type: TransactionType,
    amount: minorUnits(0, `${amountDescription} For BALANCE_INQUIRY the balance.`),
    currency: Currency,
    tipAmount: Type.Optional(minorUnits(0, 'Tip in minor units.')),
    cashbackAmount: Type.Optional(minorUnits(0, 'Cash-back in minor units.')),
    authorizationCode: Type.Optional(authorizationCode),
    responseCode: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Z]{2}$',
        description:
          'Two-character code of the host; 00 means approved. A code of the terminal itself never stands here.',
      }),
    ),
    cardScheme: Type.Optional(CardScheme),
    maskedPan: Type.Optional(maskedPan),
    entryMode: Type.Optional(EntryMode),
    aid: Type.Optional(aid),
    applicationLabel: Type.Optional(applicationLabel),
    cryptogramType: Type.Optional(CryptogramType),
    tvr: Type.Optional(
      Type.String({ pattern: '^([0-9A-Fa-f]{2})+$', description: 'EMV terminal verification results, hex.' }),
    ),
    cvmResult: Type.Optional(CvmResult),
    chipData: Type.Optional(ChipData),
    referenceId: Type.Optional(ReferenceId),
    originalTransactionId: Type.Optional(OriginalTransactionId),
    rrn: Type.Optional(Type.String({ description: 'Retrieval reference number.' })),
    timestamp: dateTime('When the transaction reached this status; ISO 8601, UTC.'),
    receiptData: Type.Optional(ReceiptData),
    metadata: Type.Optional(Metadata),
    outcome: Type.Optional(Outcome),
    decline: Type.Optional(Decline),
    deferredAuthorization: Type.Optional(DeferredAuthorization),
    errorCode: Type.Optional(ErrorCodeSchema),
    message: Type.Optional(Type.String({ description: 'What happened, in words, when status is ERROR or CANCELLED.' })),
    cancelledReason: Type.Optional(CancelledReason),
    possibleDuplicate: Type.Optional(
      Type.Boolean({
        description: 'True when another sale of the last 24 hours carries the same referenceId.',
      }),
    ),
    tipCapturePending: Type.Optional(
      Type.Boolean({
        description:
          'True while an approved sale is held and waits for its capture, with or without a tip: POST /v1/transactions/{id}/capture. It keeps the day open.',
      }),
    ),
    simulated: Type.Optional(Type.Boolean({ description: 'True where no real money can move.' })),
    simulatedRule: Type.Optional(Type.String({ description: 'The sandbox rule that chose the answer.' })),
    batchNumber: Type.Optional(Type.String({ description: 'Batch of the terminal that holds the transaction.' })),
    businessDate: Type.Optional(Type.String({ format: 'date', description: 'Business day of the shop, YYYY-MM-DD.' })),
    cardToken: Type.Optional(
      Type.String({ description: "Token of the card, on CARD_READ where the terminal's configuration gives one." }),
    ),
  },
  { ...strict, description: 'A transaction and what became of it. What is unknown is absent, not null.' },
);
export type TransactionResponse = Static<typeof TransactionResponse>;

/** One page of look-ups, newest first (decisions: Look-up). */
export const TransactionList = Type.Object(
  {
    data: Type.Array(TransactionResponse, { description: 'Newest first.' }),
    hasMore: Type.Boolean({ description: 'Whether another page follows.' }),
    nextCursor: nullable(Type.String({ description: 'Cursor of the next page; null when hasMore is false.' })),
  },
  { ...strict, description: 'One page of transactions.' },
);
export type TransactionList = Static<typeof TransactionList>;

/** Query of GET /v1/transactions, after query.ts has read the text. */
export const TransactionQuery = Type.Object(
  {
    referenceId: Type.Optional(ReferenceId),
    status: Type.Optional(TransactionStatus),
    type: Type.Optional(TransactionType),
    from: Type.Optional(dateTime('Transactions begun at or after; ISO 8601.')),
    to: Type.Optional(dateTime('Transactions begun before; ISO 8601.')),
    cursor: Type.Optional(Cursor),
    limit: PageLimit,
  },
  { ...strict, description: 'Filters and page of a look-up.' },
);
export type TransactionQuery = Static<typeof TransactionQuery>;
