import { type Static, Type } from 'typebox';
import { DayCloseBlocker } from '../errors.ts';
import { Cursor, dateTime, PageLimit, signedMinorUnits, TerminalId } from '../parts.ts';
import { OpenPreAuth, ReconciliationResponse, SettlementList, TransactionTotals } from '../settlements.ts';
import { CardScheme } from '../transactions.ts';
import { Approval, AttemptKey, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole, sellingRoles } from './roles.ts';

const terminal = { terminalId: Type.Optional(TerminalId) };

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
} as const satisfies Record<string, Procedure>;
