import { type Static, type TSchema, Type } from 'typebox';
import { HostTransactionType } from '../../app/contract/host/authorize.ts';
import { CaptureMethod } from '../../app/contract/host/payment.ts';
import { MAX_ID_CHARACTERS } from '../../app/contract/limits.ts';
import { Currency, count, minorUnits, oneOfStrings, taggedUnion, text } from '../../app/contract/parts.ts';
import { SimulatorRule } from './rules.ts';

/**
 * What host and simulator say to each other: JSON documents, one a line, over TCP. The host sends requests; each is answered by one document with
 * the same `reference`, in any order. No card data: the simulator is told which kinds there were, and what a chip has signed.
 */

/** Bytes of one line, in both directions. */
export const MAX_LINE_BYTES = 16_384;

const strict = { additionalProperties: false } as const;
const reference = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'UUID of a message.',
});

/** Every request. */
const message = {
  reference,
  stan: Type.Integer({ minimum: 1, maximum: 999_999 }),
  rrn: Type.String({ pattern: '^[0-9A-Za-z]{12}$' }),
  sentAtMs: Type.Integer({ minimum: 0 }),
  merchantId: text(MAX_ID_CHARACTERS, 'Merchant.'),
  terminalId: text(MAX_ID_CHARACTERS, 'Terminal.'),
};
const money = {
  amountMinor: minorUnits(1, 'Minor units, tip and cash-back included.'),
  currencyCode: Currency,
};

const chipValue = (bytes: number) => Type.String({ pattern: '^([0-9A-F]{2})+$', maxLength: 2 * bytes });

/** What a chip has signed, with its cryptogram: enough for its issuer to know it and to answer it, and nothing of the account. */
export const ChipTags = Type.Object(
  {
    '82': chipValue(2),
    '95': chipValue(5),
    '9A': chipValue(3),
    '9C': chipValue(1),
    '5F2A': chipValue(2),
    '9F02': chipValue(6),
    '9F03': chipValue(6),
    '9F10': chipValue(32),
    '9F1A': chipValue(2),
    '9F26': chipValue(8),
    '9F36': chipValue(2),
    '9F37': chipValue(4),
  },
  { ...strict, description: 'EMV tag → value, upper-case hex.' },
);
export type ChipTags = Static<typeof ChipTags>;

export const AuthorizeRequest = Type.Object(
  {
    type: Type.Literal('AUTHORIZE'),
    ...message,
    ...money,
    operation: HostTransactionType,
    captureMethod: CaptureMethod,
    tipMinor: minorUnits(0, 'Part of the amount.'),
    cashbackMinor: minorUnits(0, 'Part of the amount.'),
    entryMode: Type.Optional(text(32, 'How the card was read.')),
    account: oneOfStrings(['CLEAR', 'ENCRYPTED', 'NONE'], 'Which account data there were.'),
    hasPin: Type.Boolean(),
    hasChipData: Type.Boolean(),
    chip: Type.Optional(ChipTags),
    originalReference: Type.Optional(reference),
    simulate: Type.Optional(SimulatorRule),
  },
  strict,
);
export type AuthorizeRequest = Static<typeof AuthorizeRequest>;

const followUp = { ...message, ...money, originalReference: reference };
const CaptureRequest = Type.Object({ type: Type.Literal('CAPTURE'), ...followUp }, strict);
const AdjustTipRequest = Type.Object({ type: Type.Literal('ADJUST_TIP'), ...followUp }, strict);
const VoidRequest = Type.Object({ type: Type.Literal('VOID'), ...followUp }, strict);
const RefundRequest = Type.Object({ type: Type.Literal('REFUND'), ...followUp }, strict);
const ReverseRequest = Type.Object(
  { type: Type.Literal('REVERSE'), ...message, originalReference: reference, reason: text(32, 'Why.') },
  strict,
);
const AskRequest = Type.Object({ type: Type.Literal('ASK'), ...message, originalReference: reference }, strict);

export const Totals = Type.Object(
  {
    saleCount: count('Captured, also when voided later.'),
    saleAmountMinor: minorUnits(0, 'Of them.'),
    refundCount: count('Refunds.'),
    refundAmountMinor: minorUnits(0, 'Of them.'),
    voidCount: count('Voids of captures.'),
    voidAmountMinor: minorUnits(0, 'Of them.'),
  },
  strict,
);
export type Totals = Static<typeof Totals>;

const CloseBatchRequest = Type.Object(
  { type: Type.Literal('CLOSE_BATCH'), ...message, currencyCode: Currency, totals: Totals },
  strict,
);

export const SimulatorRequest = taggedUnion(
  'type',
  [
    AuthorizeRequest,
    CaptureRequest,
    AdjustTipRequest,
    VoidRequest,
    RefundRequest,
    ReverseRequest,
    AskRequest,
    CloseBatchRequest,
  ],
  'A message of the host.',
);
export type SimulatorRequest = Static<typeof SimulatorRequest>;

type RequestOf<Type extends SimulatorRequest['type']> = Extract<SimulatorRequest, { readonly type: Type }>;
export type FollowUpRequest = RequestOf<'CAPTURE' | 'ADJUST_TIP' | 'VOID' | 'REFUND'>;
export type ReverseRequest = RequestOf<'REVERSE'>;
export type CloseBatchRequest = RequestOf<'CLOSE_BATCH'>;
/** What the book keeps: everything but questions. */
export type BookedRequest = Exclude<SimulatorRequest, { readonly type: 'ASK' }>;

const responseCode = Type.String({ pattern: '^[0-9A-Z]{2}$', description: 'Code of the issuer or the acquirer.' });
const hexData = Type.String({ pattern: '^([0-9A-F]{2})+$', maxLength: 512 });

/** The answer to whatever moves money. It repeats the facts that it is about. */
export const MoneyAnswer = Type.Object(
  {
    responseCode,
    stan: message.stan,
    rrn: message.rrn,
    merchantId: message.merchantId,
    terminalId: message.terminalId,
    operation: HostTransactionType,
    ...money,
    authorizationCode: Type.Optional(Type.String({ pattern: '^[0-9A-Z]{6}$' })),
    // For the chip: EMV tags 91, 71 and 72.
    issuerAuthData: Type.Optional(hexData),
    issuerScript71: Type.Optional(hexData),
    issuerScript72: Type.Optional(hexData),
    rule: Type.Optional(text(64, 'The rule that chose the answer.')),
  },
  strict,
);
export type MoneyAnswer = Static<typeof MoneyAnswer>;

export const Standing = oneOfStrings(['HELD', 'CAPTURED', 'DECLINED', 'TAKEN_BACK'], 'How the book has it now.');
export type Standing = Static<typeof Standing>;

const reply = { reference };
export const SimulatorReply = taggedUnion(
  'type',
  [
    Type.Object({ type: Type.Literal('ANSWER'), ...reply, answer: MoneyAnswer }, strict),
    Type.Object(
      {
        type: Type.Literal('REVERSED'),
        ...reply,
        result: oneOfStrings(['CONFIRMED', 'UNKNOWN_ORIGINAL', 'REFUSED'], 'What became of the reversal.'),
        responseCode,
      },
      strict,
    ),
    Type.Object({ type: Type.Literal('FOUND'), ...reply, answer: MoneyAnswer, standing: Standing }, strict),
    Type.Object({ type: Type.Literal('NOT_FOUND'), ...reply }, strict),
    Type.Object(
      {
        type: Type.Literal('CLOSED'),
        ...reply,
        isAgreed: Type.Boolean(),
        totals: Totals,
        batchReference: text(64, 'The batch, as the acquirer names it.'),
        fundingDate: Type.String({ format: 'date' }),
      },
      strict,
    ),
    Type.Object({ type: Type.Literal('REFUSED'), ...reply, responseCode }, strict),
  ],
  'An answer of the simulator.',
);
export type SimulatorReply = Static<typeof SimulatorReply>;

/** A document as a line. */
export function lineOf(document: Static<TSchema>): string {
  return `${JSON.stringify(document)}\n`;
}
