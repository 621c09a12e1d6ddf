import { type Static, Type } from 'typebox';
import { DayCloseBlocker, ErrorCodeSchema } from './errors.ts';
import { MAX_ID_CHARACTERS } from './limits.ts';
import {
  businessDate,
  Currency,
  Cursor,
  count,
  dateTime,
  minorUnits,
  nullable,
  oneOfStrings,
  PageLimit,
  signedMinorUnits,
  TransactionId,
  text,
} from './parts.ts';

const strict = { additionalProperties: false } as const;

const settledTotals = {
  saleCount: count('Approved sales and completed pre-authorizations, also when voided later.'),
  saleAmount: minorUnits(0, 'Their sum in minor units, tips and cash-back included.'),
  refundCount: count('Approved refunds.'),
  refundAmount: minorUnits(0, 'Their sum in minor units.'),
  voidCount: count('Voids of what saleCount counts.'),
  voidAmount: minorUnits(0, 'Their sum in minor units.'),
};

/** Totals since the last day close (specification: TransactionTotals; decisions: Totals). */
export const TransactionTotals = Type.Object(
  {
    ...settledTotals,
    preAuthCount: count('Pre-authorizations still open; they carry over a day close.'),
    preAuthAmount: minorUnits(0, 'The sum held by them, in minor units.'),
    currency: Currency,
  },
  { ...strict, description: 'Counts and sums since the last day close.' },
);
export type TransactionTotals = Static<typeof TransactionTotals>;

/** Payments of a terminal's own acquirer that the host has on record: apart from the totals and from netAmount (decisions: EXTERNAL_RAIL). */
const externalTotals = Type.Optional(TransactionTotals);

export const SettlementStatus = oneOfStrings(['PENDING', 'SETTLED', 'FAILED', 'PARTIAL'], 'State of the settlement.');
export type SettlementStatus = Static<typeof SettlementStatus>;

export const Settlement = Type.Object(
  {
    id: Type.String({ description: 'Settlement batch identifier.' }),
    closedAt: dateTime('When the batch was closed (day end), ISO 8601.'),
    businessDate: Type.Optional(businessDate('Business date of the close, YYYY-MM-DD.')),
    terminalBusinessDate: Type.Optional(
      businessDate("Of a host: the business date of the close by the terminal's till, where it is another one."),
    ),
    status: SettlementStatus,
    currency: Currency,
    ...settledTotals,
    netAmount: signedMinorUnits('Sales minus refunds minus voids, in minor units; may be negative.'),
    acquirerBatchRef: Type.Optional(Type.String({ description: "The acquirer's batch reference." })),
    fundingDate: Type.Optional(dateTime('When the funds are expected on the merchant bank account, ISO 8601.')),
    merchantId: Type.String({ description: 'Merchant identifier.' }),
    terminalId: Type.String({ description: 'Terminal identifier.' }),
    externalTotals,
  },
  {
    ...strict,
    description:
      "One closed batch. List items leave out acquirerBatchRef and fundingDate. externalTotals, of a host, are the payments of the terminal's own acquirer, apart from the other figures.",
  },
);
export type Settlement = Static<typeof Settlement>;

export const SettlementList = Type.Object(
  {
    data: Type.Array(Settlement, { description: 'Newest first.' }),
    hasMore: Type.Boolean({ description: 'Whether another page follows.' }),
    nextCursor: nullable(Type.String({ description: 'Cursor of the next page; null when hasMore is false.' })),
  },
  { ...strict, description: 'One page of settlements.' },
);
export type SettlementList = Static<typeof SettlementList>;

/** Query of GET /v1/settlements, after query.ts has read the text. */
export const SettlementQuery = Type.Object(
  {
    cursor: Type.Optional(Cursor),
    limit: PageLimit,
    from: Type.Optional(dateTime('Settlements closed on or after; ISO 8601.')),
    to: Type.Optional(dateTime('Settlements closed before; ISO 8601.')),
    currency: Type.Optional(Currency),
  },
  { ...strict, description: 'Filters and page of the settlements.' },
);
export type SettlementQuery = Static<typeof SettlementQuery>;

export const ReconciliationRequest = Type.Object(
  {
    closeDay: Type.Boolean({
      description:
        'True closes the day: settles, resets the totals and creates a settlement. False only reads the totals.',
    }),
  },
  { ...strict, description: 'A day close, or a dry run of it.' },
);
export type ReconciliationRequest = Static<typeof ReconciliationRequest>;

export const ReconciliationStatus = oneOfStrings(
  ['SUCCESS', 'FAILED', 'PARTIAL'],
  'PARTIAL: closed, and the differences are listed. FAILED: nothing was closed.',
);
export type ReconciliationStatus = Static<typeof ReconciliationStatus>;

export const OpenPreAuth = Type.Object(
  {
    transactionId: TransactionId,
    amount: minorUnits(0, 'Minor units that are held.'),
    currency: Currency,
    timestamp: dateTime('When the hold was taken, ISO 8601.'),
  },
  { ...strict, description: 'A pre-authorization that is still open.' },
);
export type OpenPreAuth = Static<typeof OpenPreAuth>;

/** What the terminal told of its own batch; a protocol tells a total, sums by scheme, or nothing. */
const TerminalColumn = Type.Object(
  {
    netAmount: Type.Optional(signedMinorUnits('Its net total, minor units.')),
    schemes: Type.Array(
      Type.Object(
        {
          scheme: Type.String({ description: 'Card scheme, as the terminal names it.' }),
          count: Type.Integer({ description: 'Payments of it, as the terminal counts them.' }),
          amount: signedMinorUnits('Their net sum, minor units.'),
        },
        { ...strict, description: 'One card scheme.' },
      ),
      { description: 'Its sums by scheme; empty where it tells none.' },
    ),
  },
  { ...strict, description: "The terminal's own figures." },
);

const HostColumnView = Type.Object(
  {
    state: oneOfStrings(
      ['TOLD', 'NOT_YET', 'REFUSED'],
      'TOLD: its figures stand here. NOT_YET: it is still owed the close, and is told as soon as it can be reached. REFUSED: it does not take the close.',
    ),
    totals: Type.Optional(TransactionTotals),
    settlementId: Type.Optional(Type.String({ description: "The host's settlement of the batch." })),
    businessDate: Type.Optional(businessDate("The host's business date of the close, YYYY-MM-DD.")),
    message: Type.Optional(Type.String({ description: 'Why it is not told, in words.' })),
  },
  { ...strict, description: "Our host's figures." },
);

/** The three columns of a day close (decisions: Day close, EXTERNAL_RAIL); the journal's are the totals themselves. */
export const DayColumns = Type.Object(
  { terminal: Type.Optional(TerminalColumn), host: Type.Optional(HostColumnView) },
  {
    ...strict,
    description: 'What terminal and host count of the same batch; absent where a side has no figures of its own.',
  },
);
export type DayColumns = Static<typeof DayColumns>;

export const DifferingSide = oneOfStrings(['TERMINAL', 'HOST'], 'Whose figures differ from the journal.');
export type DifferingSide = Static<typeof DifferingSide>;

export const DifferenceCause = oneOfStrings(
  [
    'NOT_FORWARDED',
    'TIP_LATE',
    'VOID_AFTER_CUT_OFF',
    'TERMINAL_ONLY',
    'OPEN_AUTHORIZATION',
    'BUSINESS_DATE',
    'UNKNOWN',
  ],
  'What it is. NOT_FORWARDED: the host has it not on record. TIP_LATE: one side lacks a tip. VOID_AFTER_CUT_OFF: the sides count a void in different batches. TERMINAL_ONLY: a payment without the till. OPEN_AUTHORIZATION: an open hold is counted as paid. BUSINESS_DATE: the sides close on different business dates, by another time zone, cut-off or clock; no money differs. UNKNOWN: an outcome that was found out late, or nothing that is known explains it.',
);
export type DifferenceCause = Static<typeof DifferenceCause>;

export const DifferenceOwner = oneOfStrings(
  ['TILL', 'SHOP', 'ACQUIRER', 'HOST'],
  'Who clears it up. TILL: it tells the host. SHOP: its staff know what was done. ACQUIRER: it holds the money. HOST: whoever runs our host.',
);
export type DifferenceOwner = Static<typeof DifferenceOwner>;

export const DayDifference = Type.Object(
  {
    side: DifferingSide,
    cause: DifferenceCause,
    owner: DifferenceOwner,
    scheme: Type.Optional(Type.String({ description: 'Card scheme of the line that differs.' })),
    operation: Type.Optional(Type.String({ description: 'Kind of payment of the line that differs.' })),
    transactionId: Type.Optional(TransactionId),
    count: Type.Optional(Type.Integer({ description: 'Payments that the side has more than the journal.' })),
    amount: signedMinorUnits('What the side has more than the journal, minor units.'),
  },
  { ...strict, description: 'One difference of a day close, with what it is and who clears it up.' },
);
export type DayDifference = Static<typeof DayDifference>;

export const ReconciliationResponse = Type.Object(
  {
    status: ReconciliationStatus,
    totals: TransactionTotals,
    externalTotals,
    timestamp: dateTime('When, ISO 8601, UTC.'),
    businessDate: Type.Optional(businessDate('Business date of the close, or of now, YYYY-MM-DD.')),
    settlementId: Type.Optional(Type.String({ description: 'The settlement that a close created.' })),
    differences: Type.Optional(
      Type.Array(Type.String(), { description: 'Each difference from the terminal or host, when status is PARTIAL.' }),
    ),
    columns: Type.Optional(DayColumns),
    namedDifferences: Type.Optional(
      Type.Array(DayDifference, {
        description: 'Each difference with its cause, its owner and, where known, its payment.',
      }),
    ),
    openPreAuths: Type.Optional(
      Type.Array(OpenPreAuth, { description: 'Open pre-authorizations; they carry over the close.' }),
    ),
    journalHead: Type.Optional(
      Type.Object(
        {
          sequence: count('Sequence number of the last journal row.'),
          hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Its SHA-256 chain value, hex.' }),
        },
        { ...strict, description: 'Head of the journal at a close: keep it to prove later that nothing is missing.' },
      ),
    ),
    errorCode: Type.Optional(ErrorCodeSchema),
    message: Type.Optional(Type.String({ description: 'Why, in words, when status is FAILED or PARTIAL.' })),
  },
  { ...strict, description: 'Result of a day close or dry run.' },
);
export type ReconciliationResponse = Static<typeof ReconciliationResponse>;

/** Answer of GET /v1/reconciliation/totals (decisions: Totals). */
export const TotalsResponse = Type.Object(
  {
    totals: TransactionTotals,
    externalTotals,
    timestamp: dateTime('When, ISO 8601, UTC.'),
    blockers: Type.Optional(Type.Array(DayCloseBlocker, { description: 'What would keep the day from being closed.' })),
    openPreAuths: Type.Optional(Type.Array(OpenPreAuth, { description: 'Open pre-authorizations.' })),
  },
  { ...strict, description: 'Totals since the last day close.' },
);
export type TotalsResponse = Static<typeof TotalsResponse>;

export const SettlementId = text(MAX_ID_CHARACTERS, 'Settlement batch identifier.');
