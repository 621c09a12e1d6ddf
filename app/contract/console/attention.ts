import { type Static, Type } from 'typebox';
import {
  Currency,
  dateTime,
  minorUnits,
  oneOfStrings,
  ReferenceId,
  TerminalId,
  TerminalName,
  TransactionId,
} from '../parts.ts';
import { RecoveryTaskView, ResolveRequest } from '../recovery.ts';
import { Approval, Nothing, strictObject } from './console-parts.ts';
import { ScheduledCloseView } from './day.ts';
import { OfflineSalesView } from './offline-sales.ts';
import { PrinterTrouble } from './printing.ts';
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

/** A terminal that has been gone, or has wanted help, for longer than a short outage. */
export const TerminalTrouble = strictObject(
  {
    terminalId: TerminalId,
    name: Type.Optional(TerminalName),
    kind: oneOfStrings(
      ['UNREACHABLE', 'WANTS_HELP'],
      'UNREACHABLE: it does not answer. WANTS_HELP: it answers, and cannot work.',
    ),
    since: dateTime('When it began, ISO 8601; at the earliest when the till was started.'),
    lastSeenAt: Type.Optional(dateTime('Its last sign of life, ISO 8601; absent when there was none since the start.')),
  },
  'A terminal that cannot work.',
);
export type TerminalTrouble = Static<typeof TerminalTrouble>;

/** A terminal that its host takes no more, or whose token cannot be opened here: it must be paired again. */
export const HostTrouble = strictObject(
  {
    terminalId: TerminalId,
    name: Type.Optional(TerminalName),
    kind: oneOfStrings(['REFUSED', 'TOKEN_MISSING'], 'As host.links has it.'),
  },
  'A terminal that must be paired again.',
);
export type HostTrouble = Static<typeof HostTrouble>;

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
        terminalTroubles: Type.Array(TerminalTrouble),
        printerTroubles: Type.Array(PrinterTrouble),
        hostTroubles: Type.Array(HostTrouble),
        lateOfflineSales: Type.Array(OfflineSalesView, {
          description: 'One when sales have waited for their issuer for twelve hours.',
        }),
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
