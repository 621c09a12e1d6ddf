import { type Static, Type } from 'typebox';
import { Currency, dateTime, minorUnits, ReferenceId, TerminalId, TransactionId } from '../parts.ts';
import { RecoveryTaskView, ResolveRequest } from '../recovery.ts';
import { Approval, Nothing, strictObject } from './console-parts.ts';
import { ScheduledCloseView } from './day.ts';
import type { Procedure } from './procedure.ts';
import { everyRole, sellingRoles } from './roles.ts';

/** Two charged sales of one reference within 24 hours, none of them taken back. */
export const PossibleDuplicate = strictObject(
  {
    transactionId: TransactionId,
    earlierTransactionId: TransactionId,
    terminalId: TerminalId,
    amount: minorUnits(0, 'Minor units, tip and cash-back included.'),
    currency: Currency,
    referenceId: ReferenceId,
    createdAt: dateTime('When the later one began, ISO 8601.'),
  },
  'A sale that may have charged twice.',
);
export type PossibleDuplicate = Static<typeof PossibleDuplicate>;

export const attentionProcedures = {
  'attention.list': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: Nothing,
    response: strictObject(
      {
        tasks: Type.Array(RecoveryTaskView),
        possibleDuplicates: Type.Array(PossibleDuplicate),
        blockedCloses: Type.Array(ScheduledCloseView),
      },
      'What needs a person, or is being found out.',
    ),
  },
  'attention.resolve': {
    kind: 'COMMAND',
    roles: sellingRoles,
    approval: 'ALWAYS',
    request: strictObject(
      {
        transactionId: TransactionId,
        charged: ResolveRequest.properties.charged,
        evidence: ResolveRequest.properties.evidence,
        approval: Type.Optional(Approval),
      },
      'What a person has found out. transactionId may also name a day close of unknown outcome.',
    ),
    response: RecoveryTaskView,
  },
} as const satisfies Record<string, Procedure>;
