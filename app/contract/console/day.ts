import { type Static, Type } from 'typebox';
import { ScheduledCloseTime } from '../close-schedule.ts';
import { DayCloseBlocker, ErrorCodeSchema } from '../errors.ts';
import {
  Currency,
  Cursor,
  count,
  dateTime,
  minorUnits,
  oneOfStrings,
  PageLimit,
  ReferenceId,
  signedMinorUnits,
  TerminalId,
  TransactionId,
} from '../parts.ts';
import {
  DayColumns,
  DayDifference,
  OpenPreAuth,
  ReconciliationResponse,
  Settlement,
  SettlementId,
  SettlementList,
  TransactionTotals,
} from '../settlements.ts';
import { CaptureRequest, TransactionResponse, TransactionType } from '../transactions.ts';
import { MAX_HISTORY_DAYS, MAX_PIECE_KINDS, MAX_PIECES } from './console-limits.ts';
import { Approval, AttemptKey, Nothing, strictObject } from './console-parts.ts';
import { candidateReasons, comparedTypes, countedTypes, differenceKinds } from './day-words.ts';
import type { Procedure } from './procedure.ts';
import { everyRole, sellingRoles } from './roles.ts';

const terminal = { terminalId: Type.Optional(TerminalId) };
const approval = Type.Optional(Approval);

/** One figure of a closed batch, as the journal has it and as the terminal told it. */
const BatchFigure = strictObject(
  {
    count: Type.Integer({ description: 'Payments and refunds, voided ones taken out.' }),
    amount: signedMinorUnits('Net sum, minor units.'),
  },
  'Count and net sum.',
);

/** What X and Z reports say beyond the totals, by one calculation (domain/breakdown.ts). */
const breakdown = {
  byCashier: Type.Array(
    strictObject(
      {
        actor: Type.String({ description: 'Who began the payments: console:<name>, pos:<client>.' }),
        saleCount: count('Sales, also when voided later.'),
        saleAmount: minorUnits(0, 'Their sum.'),
        refundCount: count('Refunds.'),
        refundAmount: minorUnits(0, 'Their sum.'),
        voidCount: count('Voids of sales.'),
        voidAmount: minorUnits(0, 'Their sum.'),
        tipAmount: signedMinorUnits('Tips, less those of voids.'),
        netAmount: signedMinorUnits('Sales less refunds and voids.'),
      },
      'What one person or POS took; minor units.',
    ),
  ),
  byType: Type.Array(
    strictObject(
      {
        type: oneOfStrings(countedTypes, 'Kind of payment.'),
        count: count('How many.'),
        amount: minorUnits(0, 'Their sum, minor units.'),
      },
      'One kind of payment.',
    ),
  ),
  tipAmount: signedMinorUnits('Tips, less those of voids.'),
  cashbackAmount: signedMinorUnits('Cash handed out at payments, less that of voids.'),
};

const SideFigure = strictObject(
  {
    count: Type.Optional(Type.Integer({ description: 'Absent where a side told only a sum.' })),
    amount: signedMinorUnits('Net sum, minor units.'),
  },
  'One side of a difference.',
);

/** A payment that may explain a difference. */
const DifferenceCandidate = strictObject(
  {
    transactionId: TransactionId,
    reason: oneOfStrings(candidateReasons, 'Why it may explain the difference (domain/batch-differences.ts).'),
    type: TransactionType,
    amount: minorUnits(0, 'All that was charged, minor units.'),
    createdAt: dateTime('When it began, ISO 8601.'),
    lastFour: Type.Optional(Type.String({ description: 'Last digits of the card.' })),
    batchNumber: Type.Integer({ minimum: 1, description: 'The close that it belongs to.' }),
  },
  'A payment that may explain a difference.',
);

/** One line in which the terminal's batch differs from the journal, and what may explain it. */
export const BatchDifference = strictObject(
  {
    kind: oneOfStrings(differenceKinds, 'What the difference is (domain/batch-differences.ts).'),
    scheme: Type.Optional(
      Type.String({ description: 'The card scheme; absent for all cards of a kind of payment, and for their total.' }),
    ),
    operation: Type.Optional(
      oneOfStrings(comparedTypes, 'The kind of payment, where the other side counts by it; SALE with completions.'),
    ),
    terminalScheme: Type.Optional(Type.String({ description: 'How the terminal names the scheme, where it differs.' })),
    journal: SideFigure,
    terminal: SideFigure,
    candidates: Type.Array(DifferenceCandidate),
  },
  'One line that differs.',
);
export type BatchDifference = Static<typeof BatchDifference>;

const CountedPieces = strictObject(
  {
    valueMinor: minorUnits(1, 'Value of one note or coin, minor units.'),
    quantity: Type.Integer({ minimum: 0, maximum: MAX_PIECES, description: 'How many were counted.' }),
  },
  'One kind of note or coin.',
);

const countedCash = {
  openingFloat: minorUnits(0, 'What lay in the drawer when the day began, minor units.'),
  pieces: Type.Array(CountedPieces, { maxItems: MAX_PIECE_KINDS, description: 'Notes and coins.' }),
  other: minorUnits(0, 'Counted without its pieces, minor units.'),
};

/** A cash count, and what the till can say about it: it knows card payments only, and of cash just what was handed out with them. */
export const CashCountView = strictObject(
  {
    ...countedCash,
    counted: minorUnits(0, 'All that was counted, minor units.'),
    cashback: signedMinorUnits('Cash handed out with card payments, minor units.'),
    fromCashSales: signedMinorUnits(
      'What is left for cash sales: counted less float, cash-back put back; minor units.',
    ),
    currency: Currency,
    countedAt: dateTime('When, ISO 8601.'),
    countedBy: Type.String({ description: 'Who: console:<name>.' }),
    countNumber: Type.Integer({ minimum: 1, description: 'The first count of the day, the second …' }),
  },
  'What was counted in the drawer.',
);
export type CashCountView = Static<typeof CashCountView>;

const JournalHeadView = strictObject(
  {
    sequence: count('Sequence number of the last journal row.'),
    hash: Type.String({ description: 'SHA-256, hex.' }),
  },
  'Head of the journal when the batch was cut, or the figures were read.',
);

/** The Z report of one closed batch: what is printed, and what later proves that nothing is missing. */
export const DayReport = strictObject(
  {
    settlement: Settlement,
    number: Type.Integer({ minimum: 1, description: 'Number of the report, per terminal; rising by one.' }),
    businessDate: Type.String({ format: 'date', description: 'Business day of the shop, YYYY-MM-DD.' }),
    closedBy: Type.Optional(Type.String({ description: 'Who closed: console:<name>, pos:<client>, system.' })),
    journalHead: JournalHeadView,
    schemes: Type.Array(
      strictObject(
        {
          scheme: Type.String({ description: 'The card scheme, as journal and terminal name it.' }),
          journal: BatchFigure,
          terminal: Type.Optional(BatchFigure),
        },
        'One card scheme; terminal is absent where it did not report by scheme.',
      ),
    ),
    terminalTotal: Type.Optional(signedMinorUnits('Net sum as the terminal told it, minor units.')),
    isComparedByKind: Type.Optional(
      Type.Boolean({ description: 'The other side told each kind of payment, not only a total.' }),
    ),
    differences: Type.Array(BatchDifference),
    columns: Type.Optional(DayColumns),
    namedDifferences: Type.Array(DayDifference, { description: 'Each difference with its cause and its owner.' }),
    ...breakdown,
    cashCount: Type.Optional(CashCountView),
    preAuthCount: count('Holds that were open at the close and carried over.'),
  },
  'Report of one closed batch.',
);
export type DayReport = Static<typeof DayReport>;

/** A sale that our host holds until its tip is known (decisions: Tip after authorization). */
const WaitingCapture = strictObject(
  {
    transactionId: TransactionId,
    amount: minorUnits(0, 'What is held, minor units.'),
    currency: Currency,
    timestamp: dateTime('When it was made, ISO 8601.'),
    referenceId: Type.Optional(ReferenceId),
    lastFour: Type.Optional(Type.String({ description: 'Last digits of the card, when known.' })),
    isOwed: Type.Boolean({ description: 'Its capture is on its way: nothing is to be entered.' }),
    refusal: Type.Optional(ErrorCodeSchema),
  },
  'A sale that waits for its tip and its capture; refusal: why the host did not take the tip that was entered last.',
);
export type WaitingCapture = Static<typeof WaitingCapture>;

export const DayPreview = strictObject(
  {
    terminalId: TerminalId,
    totals: TransactionTotals,
    netAmount: signedMinorUnits('Sales minus refunds minus voids, minor units; may be negative.'),
    timestamp: dateTime('When, ISO 8601.'),
    blockers: Type.Array(DayCloseBlocker, { description: 'What keeps the day from being closed.' }),
    openPreAuths: Type.Array(OpenPreAuth, { description: 'Holds that carry over the close.' }),
    waitingCaptures: Type.Array(WaitingCapture, {
      description: 'Sales that keep the day open until they are captured.',
    }),
    cash: Type.Optional(
      strictObject(
        {
          denominations: Type.Array(minorUnits(1, 'Minor units.'), { description: 'Notes and coins, largest first.' }),
          count: Type.Optional(CashCountView),
        },
        'The blind cash count; absent where the shop does not count at the close.',
      ),
    ),
  },
  'The open day of one terminal.',
);
export type DayPreview = Static<typeof DayPreview>;

/** The day so far, by the same calculation as its close. */
export const XReport = strictObject(
  {
    terminalId: TerminalId,
    timestamp: dateTime('When, ISO 8601.'),
    number: Type.Integer({ minimum: 1, description: 'Number that the close will have.' }),
    totals: TransactionTotals,
    netAmount: signedMinorUnits('Sales minus refunds minus voids, minor units; may be negative.'),
    schemes: Type.Array(strictObject({ scheme: Type.String(), journal: BatchFigure }, 'One card scheme.')),
    journalHead: JournalHeadView,
    ...breakdown,
  },
  'X report.',
);
export type XReport = Static<typeof XReport>;

/** What the newest scheduled close of a terminal came to. */
export const ScheduledCloseView = strictObject(
  {
    terminalId: TerminalId,
    time: Type.String({ description: 'HH:MM in the time zone of the shop.' }),
    day: Type.String({ format: 'date', description: 'Local date on which it was due.' }),
    state: oneOfStrings(
      ['SKIPPED', 'NOTHING', 'DUE', 'BLOCKED', 'CLOSED'],
      'NOTHING: nothing had been paid. BLOCKED: it waits and is tried again.',
    ),
    attempts: count('How often it was tried.'),
    lastAttemptAt: Type.Optional(dateTime('The newest try, ISO 8601.')),
    errorCode: Type.Optional(ErrorCodeSchema),
    blockers: Type.Array(DayCloseBlocker, { description: 'What is open now.' }),
  },
  'The newest scheduled close of a terminal.',
);
export type ScheduledCloseView = Static<typeof ScheduledCloseView>;

export const DaySettings = strictObject(
  {
    schedule: Type.Optional(ScheduledCloseTime),
    blindCashCount: Type.Boolean({ description: 'Cash is counted at the close before the expected sum is shown.' }),
  },
  'How the day is closed. Without schedule a person closes it.',
);
export type DaySettings = Static<typeof DaySettings>;

export const DaySchedule = strictObject(
  {
    settings: DaySettings,
    next: Type.Optional(dateTime('When the next scheduled close is due, ISO 8601.')),
    closes: Type.Array(ScheduledCloseView, { description: 'The newest one of each terminal.' }),
  },
  'The scheduled close.',
);
export type DaySchedule = Static<typeof DaySchedule>;

const range = {
  from: dateTime('Closed, or begun, on or after; ISO 8601.'),
  to: dateTime('Closed, or begun, before; ISO 8601.'),
};

export const dayProcedures = {
  'day.preview': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: strictObject(terminal, 'Which terminal; may be left out with one.'),
    response: DayPreview,
  },
  'day.close': {
    kind: 'COMMAND',
    roles: sellingRoles,
    approval: 'ALWAYS',
    request: strictObject({ ...terminal, idempotencyKey: AttemptKey, approval }, 'Closes the day of one terminal.'),
    response: ReconciliationResponse,
  },
  /** Resolves when it is known what became of it, or the host cannot be reached. */
  'day.capture': {
    kind: 'COMMAND',
    roles: sellingRoles,
    request: strictObject(
      { transactionId: TransactionId, ...CaptureRequest.properties, idempotencyKey: AttemptKey },
      'Captures a sale that waits for its tip; without tipAmount as it was authorized.',
    ),
    response: TransactionResponse,
  },
  'day.xReport': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: strictObject(terminal, 'Which terminal; may be left out with one.'),
    response: XReport,
  },
  'day.countCash': {
    kind: 'COMMAND',
    roles: sellingRoles,
    request: strictObject({ ...terminal, ...countedCash }, 'What was counted in the drawer.'),
    response: CashCountView,
  },
  'day.schedule': { kind: 'LOOK_UP', roles: everyRole, request: Nothing, response: DaySchedule },
  'day.changeSettings': {
    kind: 'COMMAND',
    roles: sellingRoles,
    approval: 'ALWAYS',
    request: strictObject({ ...DaySettings.properties, approval }, 'How the day is to be closed.'),
    response: DaySettings,
  },
  'day.history': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: strictObject(range, 'Which days.'),
    response: strictObject(
      {
        days: Type.Array(
          strictObject(
            {
              businessDate: Type.String({ format: 'date', description: 'Business day of the shop, YYYY-MM-DD.' }),
              currency: Currency,
              closes: count('Closes of the day.'),
              saleCount: count('Sales.'),
              netAmount: signedMinorUnits('Net sum, minor units.'),
            },
            'One business day in one currency.',
          ),
          { description: `Newest first, at most ${MAX_HISTORY_DAYS}.` },
        ),
      },
      'The closed days.',
    ),
  },
  'day.settlements': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: strictObject(
      { cursor: Type.Optional(Cursor), limit: PageLimit, from: Type.Optional(range.from), to: Type.Optional(range.to) },
      'Which page.',
    ),
    response: SettlementList,
  },
  'day.report': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: strictObject({ settlementId: SettlementId }, 'Which.'),
    response: DayReport,
  },
} as const satisfies Record<string, Procedure>;
