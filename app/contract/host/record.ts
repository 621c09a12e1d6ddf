import { type Static, Type } from 'typebox';
import { Currency, dateTime, Metadata, minorUnits, oneOfStrings, ReferenceId, text } from '../parts.ts';
import { MAX_CLAIM_TOKEN_CHARACTERS, MAX_MASKED_PAN_CHARACTERS, MAX_NAME_CHARACTERS } from './host-limits.ts';
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
import { ResponseCode } from './payment.ts';

/**
 * POST /api/v1/terminal/transactions/record: a payment that the terminal's own acquirer authorized, told for reporting (decisions:
 * EXTERNAL_RAIL). Sent again as REVERSED when it was taken back. Answered with the Payment.
 */
export const RecordRequest = Type.Object(
  {
    deviceId: DeviceId,
    terminalId: HostTerminalId,
    transactionId: HostTransactionId,
    type: oneOfStrings(
      ['SALE', 'PRE_AUTH', 'REFUND'],
      'The operation. PRE_AUTH: a completed pre-authorization; an open one is not recorded.',
    ),
    status: oneOfStrings(
      ['SUCCEEDED', 'DECLINED', 'REVERSED'],
      'What the terminal told. REVERSED: it was charged and taken back.',
    ),
    paymentSessionId: Type.Optional(SessionId),
    claimToken: Type.Optional(
      text(MAX_CLAIM_TOKEN_CHARACTERS, 'Token of the claim of paymentSessionId; required with it.'),
    ),
    amount: minorUnits(1, 'Minor units that were charged or given back: baseAmountMinor + tipAmountMinor.'),
    baseAmountMinor: Type.Optional(minorUnits(0, 'Minor units without tip: goods and cash-back.')),
    tipAmountMinor: Type.Optional(minorUnits(0, 'Tip in minor units.')),
    tipSource: Type.Optional(TipSource),
    cashbackAmountMinor: Type.Optional(minorUnits(0, 'Cash-back in minor units, a part of the base.')),
    currencyCode: Currency,
    originalTransactionId: Type.Optional(HostTransactionId),
    referenceId: Type.Optional(ReferenceId),
    metadata: Type.Optional(Metadata),
    authorizationCode: Type.Optional(text(MAX_NAME_CHARACTERS, 'Authorization code of the issuer.')),
    responseCode: Type.Optional(ResponseCode),
    rrn: Type.Optional(text(MAX_NAME_CHARACTERS, 'Retrieval reference number.')),
    cardScheme: Type.Optional(text(MAX_NAME_CHARACTERS, 'Card scheme; what is no known one is kept as OTHER.')),
    maskedPan: Type.Optional(
      text(
        MAX_MASKED_PAN_CHARACTERS,
        'Masked account number; dropped when it shows more than first six and last four.',
      ),
    ),
    entryMode: Type.Optional(
      openName(['CONTACT', 'CONTACTLESS', 'MAGSTRIPE', 'FALLBACK', 'MANUAL'], 'How the card was read.'),
    ),
    acceptanceMode: Type.Optional(text(MAX_NAME_CHARACTERS, 'How the terminal accepted the card.')),
    aid: Type.Optional(hex(32, 'EMV application identifier, hex.')),
    applicationLabel: Type.Optional(text(MAX_NAME_CHARACTERS, 'Application label of the card.')),
    cryptogramType: Type.Optional(openName(['TC', 'ARQC', 'AAC'], 'Kind of EMV cryptogram.')),
    tvr: Type.Optional(hex(10, 'EMV terminal verification results, hex.')),
    cvmResult: Type.Optional(
      openName(
        ['NO_CVM', 'ONLINE_PIN', 'OFFLINE_PIN', 'OFFLINE_PIN_AND_SIGNATURE', 'SIGNATURE', 'CDCVM', 'FAILED'],
        'How the cardholder was verified.',
      ),
    ),
    occurredAt: dateTime('When the terminal finished it, ISO 8601.'),
  },
  { ...strict, description: "A payment of the terminal's own acquirer. It carries no card data." },
);
export type RecordRequest = Static<typeof RecordRequest>;
