import { type Static, Type } from 'typebox';
import { DayCloseBlocker } from '../errors.ts';
import { Cursor, count, dateTime, PageLimit, signedMinorUnits, TerminalId } from '../parts.ts';
import {
  OpenPreAuth,
  ReconciliationResponse,
  Settlement,
  SettlementId,
  SettlementList,
  TransactionTotals,
} from '../settlements.ts';
import { CardScheme } from '../transactions.ts';
import { Approval, AttemptKey, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole, sellingRoles } from './roles.ts';

const terminal = { terminalId: Type.Optional(TerminalId) };

/** One figure of a closed batch, as the journal has it and as the terminal told it. */
const BatchFigure = strictObject(
  {
    count: Type.Integer({ description: 'Payments and refunds, voided ones taken out.' }),
    amount: signedMinorUnits('Net sum, minor units.'),
  },
  'Count and net sum.',
);

/** The Z report of one closed batch: what is printed, and what later proves that nothing is missing. */
export const DayReport = strictObject(
  {
    settlement: Settlement,
    number: Type.Integer({ minimum: 1, description: 'Number of the report, per terminal; rising by one.' }),
    businessDate: Type.String({ format: 'date', description: 'Business day of the shop, YYYY-MM-DD.' }),
    closedBy: Type.Optional(Type.String({ description: 'Who closed: console:<name>, pos:<client>, system.' })),
    journalHead: strictObject(
      {
        sequence: count('Sequence number of the last journal row.'),
        hash: Type.String({ description: 'SHA-256, hex.' }),
      },
      'Head of the journal when the batch was cut.',
    ),
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
    differences: Type.Array(
      strictObject(
        {
          field: Type.String({ description: 'What differs: totalAmount, VISA.count, VISA.amount …' }),
          journal: Type.Integer(),
          terminal: Type.Integer(),
        },
        'One figure in which the terminal differs from the journal.',
      ),
    ),
    preAuthCount: count('Holds that were open at the close and carried over.'),
  },
  'Report of one closed batch.',
);
export type DayReport = Static<typeof DayReport>;

export const DayPreview = strictObject(
  {
    terminalId: TerminalId,
    totals: TransactionTotals,
    netAmount: signedMinorUnits('Sales minus refunds minus voids, minor units; may be negative.'),
    timestamp: dateTime('When, ISO 8601.'),
    blockers: Type.Array(DayCloseBlocker, { description: 'What keeps the day from being closed.' }),
    openPreAuths: Type.Array(OpenPreAuth, { description: 'Holds that carry over the close.' }),
    byScheme: Type.Array(
      strictObject(
        {
          scheme: CardScheme,
          count: Type.Integer({ description: 'Payments and refunds, voided ones taken out.' }),
          amount: signedMinorUnits('Net sum in minor units.'),
        },
        'One card scheme.',
      ),
    ),
  },
  'The open day of one terminal.',
);
export type DayPreview = Static<typeof DayPreview>;

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
    request: strictObject(
      { ...terminal, idempotencyKey: AttemptKey, approval: Type.Optional(Approval) },
      'Closes the day of one terminal.',
    ),
    response: ReconciliationResponse,
  },
  'day.settlements': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: strictObject({ cursor: Type.Optional(Cursor), limit: PageLimit }, 'Which page.'),
    response: SettlementList,
  },
  'day.report': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: strictObject({ settlementId: SettlementId }, 'Which.'),
    response: DayReport,
  },
} as const satisfies Record<string, Procedure>;
