import { type Static, Type } from 'typebox';
import { MAX_ID_CHARACTERS, MAX_ISSUER_AUTH_DATA_HEX_CHARACTERS, MAX_ISSUER_SCRIPT_HEX_CHARACTERS } from '../limits.ts';
import { Currency, IdempotencyKey, Metadata, mapOf, minorUnits, oneOfStrings, ReferenceId, text } from '../parts.ts';
import {
  MAX_CLAIM_TOKEN_CHARACTERS,
  MAX_EMV_TAGS,
  MAX_EMV_VALUE_HEX_CHARACTERS,
  MAX_ENCRYPTED_PAN_HEX_CHARACTERS,
  MAX_KSN_HEX_CHARACTERS,
  MAX_MASKED_PAN_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_PIN_BLOCK_HEX_CHARACTERS,
} from './host-limits.ts';
import {
  DeviceId,
  HostTerminalId,
  HostTransactionId,
  hex,
  openName,
  SessionId,
  strict,
  TipSource,
} from './host-parts.ts';
import { Payment } from './payment.ts';

export const HostTransactionType = oneOfStrings(
  ['purchase', 'pre_auth', 'refund'],
  'The operation; purchase when left out. A refund names its original.',
);
export type HostTransactionType = Static<typeof HostTransactionType>;

export const AccountDataKeyScheme = oneOfStrings(
  ['TDES_DUKPT', 'AES_DUKPT'],
  'How the key of panEncrypted is derived; with panEncrypted only.',
);

/** Who pays what where. */
const payment = {
  deviceId: DeviceId,
  terminalId: HostTerminalId,
  transactionId: Type.Optional(HostTransactionId),
  paymentSessionId: Type.Optional(SessionId),
  claimToken: Type.Optional(
    text(MAX_CLAIM_TOKEN_CHARACTERS, 'Token of the claim of paymentSessionId; required with it.'),
  ),
  amount: minorUnits(1, 'Minor units: baseAmountMinor + tipAmountMinor.'),
  baseAmountMinor: Type.Optional(
    minorUnits(0, 'Minor units without tip: goods and cash-back. When given, base + tip must equal amount.'),
  ),
  tipAmountMinor: Type.Optional(minorUnits(0, 'Tip in minor units, taken before the authorization.')),
  tipSource: Type.Optional(TipSource),
  cashbackAmountMinor: Type.Optional(minorUnits(0, 'Cash-back in minor units, a part of the base; purchases only.')),
  currencyCode: Currency,
  transactionType: Type.Optional(HostTransactionType),
  originalTransactionId: Type.Optional(
    text(MAX_ID_CHARACTERS, 'The payment that a refund gives back; required for a refund.'),
  ),
  referenceId: Type.Optional(ReferenceId),
  metadata: Type.Optional(Metadata),
};

/** How the card was read, and what the chip told. Nothing of it is sensitive, except what emvTlv may hold. */
const reading = {
  entryMode: openName(['CONTACT', 'CONTACTLESS', 'MAGSTRIPE', 'FALLBACK', 'MANUAL'], 'How the card was read.'),
  completionMode: Type.Optional(
    text(MAX_NAME_CHARACTERS, 'How device and kernel complete the payment in this acceptance mode.'),
  ),
  railId: Type.Optional(text(MAX_ID_CHARACTERS, 'Rail that the payment is to take.')),
  vendor: Type.Optional(text(MAX_NAME_CHARACTERS, 'Vendor of the terminal.')),
  acceptanceMode: Type.Optional(text(MAX_NAME_CHARACTERS, 'How the terminal accepted the card.')),
  cardScheme: Type.Optional(text(MAX_NAME_CHARACTERS, 'Card scheme; what is no known one is kept as OTHER.')),
  maskedPan: Type.Optional(
    text(MAX_MASKED_PAN_CHARACTERS, 'Masked account number; dropped when it shows more than first six and last four.'),
  ),
  emvTlv: Type.Optional(
    mapOf(Type.String({ pattern: '^([0-9A-Fa-f]{2})*$', maxLength: MAX_EMV_VALUE_HEX_CHARACTERS }), {
      maxProperties: MAX_EMV_TAGS,
      description: 'EMV tag in hex → value in hex.',
    }),
  ),
  cryptogram: Type.Optional(hex(16, 'Application cryptogram (9F26), hex.')),
  cid: Type.Optional(hex(2, 'Cryptogram information data (9F27), hex.')),
  atc: Type.Optional(hex(4, 'Application transaction counter (9F36), hex.')),
  tvr: Type.Optional(hex(10, 'Terminal verification results (95), hex.')),
  iad: Type.Optional(hex(64, 'Issuer application data (9F10), hex.')),
  unpredictableNumber: Type.Optional(hex(8, 'Unpredictable number (9F37), hex.')),
  cvm: Type.Optional(
    openName(
      ['NO_CVM', 'ONLINE_PIN', 'OFFLINE_PIN', 'OFFLINE_PIN_AND_SIGNATURE', 'SIGNATURE', 'CDCVM', 'FAILED'],
      'How the cardholder was verified.',
    ),
  ),
};

const inMemoryOnly = 'In memory for this authorization only: never logged, never stored.';

/** Account and PIN data. Which go together is the truth table of account-data.ts; card-data.ts takes them out of the request. */
const cardFields = {
  applicationPan: Type.Optional(
    Type.String({
      pattern: '^[0-9]{12,19}$',
      description: `Clear account number (5A); not with panEncrypted. ${inMemoryOnly}`,
    }),
  ),
  panEncrypted: Type.Optional(
    hex(
      MAX_ENCRYPTED_PAN_HEX_CHARACTERS,
      `Account number encrypted by the device, hex; needs accountDataKsn and accountDataKeyScheme; not with applicationPan or track2. ${inMemoryOnly}`,
    ),
  ),
  accountDataKsn: Type.Optional(
    hex(MAX_KSN_HEX_CHARACTERS, 'Key serial number of panEncrypted, hex; not that of the PIN.'),
  ),
  accountDataKeyScheme: Type.Optional(AccountDataKeyScheme),
  track2: Type.Optional(
    Type.String({
      pattern: '^[0-9]{12,19}[=Dd][0-9]{0,24}[Ff]?$',
      description: `Clear track 2; not with panEncrypted. ${inMemoryOnly}`,
    }),
  ),
  pinBlock: Type.Optional(
    hex(MAX_PIN_BLOCK_HEX_CHARACTERS, `PIN block encrypted by the device, hex; needs ksn. ${inMemoryOnly}`),
  ),
  ksn: Type.Optional(hex(MAX_KSN_HEX_CHARACTERS, 'Key serial number of pinBlock, hex; not that of panEncrypted.')),
  pinBlockFormat: Type.Optional(text(MAX_NAME_CHARACTERS, 'Format of pinBlock; with it only.')),
  pinKeyScheme: Type.Optional(text(MAX_NAME_CHARACTERS, 'How the key of pinBlock is derived; with it only.')),
};

/**
 * Request of POST /api/v1/terminal/transactions/authorize and of offline-complete, which has the same fields (specification: Terminal device
 * API; decisions: authorize additions). What offline-complete refuses of them by name is in offline-tags.ts.
 */
export const AuthorizeRequest = Type.Object(
  { ...payment, ...reading, ...cardFields },
  {
    ...strict,
    description:
      'A payment that a terminal has collected. transactionId is chosen by the till before the first try, so that a reversal or a look-up can name the payment when no answer came; the host chooses one where it is left out.',
  },
);
export type AuthorizeRequest = Static<typeof AuthorizeRequest>;

const issuerData = {
  issuerAuthData: Type.Optional(
    hex(MAX_ISSUER_AUTH_DATA_HEX_CHARACTERS, 'Issuer authentication data (EMV tag 91), hex.'),
  ),
  issuerScript71: Type.Optional(
    hex(MAX_ISSUER_SCRIPT_HEX_CHARACTERS, 'Issuer script before the final cryptogram (EMV tag 71), hex.'),
  ),
  issuerScript72: Type.Optional(
    hex(MAX_ISSUER_SCRIPT_HEX_CHARACTERS, 'Issuer script after the final cryptogram (EMV tag 72), hex.'),
  ),
};

export const IssuerEmvData = Type.Object(
  {
    arc: Type.Optional(
      Type.String({ pattern: '^[0-9A-Z]{2}$', description: 'Authorization response code (EMV tag 8A) for the card.' }),
    ),
    ...issuerData,
  },
  { ...strict, description: 'What the terminal brings to the chip to finish the payment.' },
);

export const AuthorizeResponse = Type.Object(
  {
    payment: Payment,
    emv: IssuerEmvData,
    transactionId: HostTransactionId,
    approved: Type.Boolean({
      description: 'Whether the payment was approved; false also while the outcome is unknown (payment.status FAILED).',
    }),
    responseCode: Type.String({
      pattern: '^([0-9A-Z]{2})?$',
      description: 'Two-character code of the issuer; 00 means approved; empty when the issuer gave none.',
    }),
    authorizationCode: Type.Optional(Type.String({ description: 'Authorization code of the issuer.' })),
    rrn: Type.Optional(Type.String({ description: 'Retrieval reference number.' })),
    ...issuerData,
    message: Type.Optional(Type.String({ description: 'What happened, in words.' })),
  },
  { ...strict, description: 'What the issuer answered, and the payment as it stands.' },
);
export type AuthorizeResponse = Static<typeof AuthorizeResponse>;

/** Query of GET /api/v1/terminal/transactions: one of the two (decisions: Lost responses). */
export const TransactionLookUpQuery = Type.Object(
  { idempotencyKey: Type.Optional(IdempotencyKey), transactionId: Type.Optional(HostTransactionId) },
  {
    ...strict,
    description: 'The Idempotency-Key of an earlier call, or the transactionId that it named: one of them.',
  },
);
export type TransactionLookUpQuery = Static<typeof TransactionLookUpQuery>;
