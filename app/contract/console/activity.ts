import { type Static, Type } from 'typebox';
import { Outcome } from '../outcome.ts';
import {
  Currency,
  Cursor,
  dateTime,
  minorUnits,
  nullable,
  oneOfStrings,
  PageLimit,
  ReferenceId,
  TerminalId,
  TransactionId,
} from '../parts.ts';
import { RecoveryEvidence } from '../recovery.ts';
import { TransactionEvent } from '../session.ts';
import {
  CardScheme,
  DeferredAuthorization,
  TransactionResponse,
  TransactionStatus,
  TransactionType,
} from '../transactions.ts';
import { MAX_LISTED_STARTERS, MAX_SEARCH_CHARACTERS, MAX_STARTER_CHARACTERS } from './console-limits.ts';
import { Nothing, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole } from './roles.ts';

export const ActivityQuery = strictObject(
  {
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_SEARCH_CHARACTERS,
        description:
          'An amount as it is written (12.50, 12,50, 12), the last four digits of a card, or how a reference or transaction id begins.',
      }),
    ),
    status: Type.Optional(TransactionStatus),
    type: Type.Optional(TransactionType),
    startedBy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_STARTER_CHARACTERS,
        description: 'Who began it, as activity.starters names them.',
      }),
    ),
    from: Type.Optional(dateTime('Begun at or after; ISO 8601.')),
    to: Type.Optional(dateTime('Begun before; ISO 8601.')),
    cursor: Type.Optional(Cursor),
    limit: PageLimit,
  },
  'What is looked for; conditions are joined by and.',
);
export type ActivityQuery = Static<typeof ActivityQuery>;

const StartedBy = Type.String({ description: 'Who began it: pos:<client>, console:<name>, system.' });
const CreatedAt = dateTime('When it began, ISO 8601.');

export const ActivityRow = strictObject(
  {
    transactionId: TransactionId,
    terminalId: TerminalId,
    type: TransactionType,
    status: TransactionStatus,
    amount: minorUnits(0, 'Minor units, without tip and cash-back.'),
    totalAmount: minorUnits(0, 'Minor units, tip and cash-back included.'),
    currency: Currency,
    charged: Outcome.properties.charged,
    deferredAuthorization: Type.Optional(DeferredAuthorization),
    cardScheme: Type.Optional(CardScheme),
    lastFour: Type.Optional(Type.String({ description: 'Last digits of the card, when known.' })),
    referenceId: Type.Optional(ReferenceId),
    startedBy: StartedBy,
    createdAt: CreatedAt,
    possibleDuplicate: Type.Optional(
      Type.Boolean({ description: 'Another sale of the 24 hours before has the same reference.' }),
    ),
  },
  'One transaction of the list.',
);
export type ActivityRow = Static<typeof ActivityRow>;

/** One receipt that the terminal had printed; its lines are kept exactly. */
const ReceiptView = strictObject(
  {
    kind: oneOfStrings(['MERCHANT', 'CUSTOMER', 'ADMIN'], 'Whose copy.'),
    lines: Type.Array(
      strictObject(
        {
          text: Type.String(),
          centred: Type.Optional(Type.Boolean()),
          doubleWidth: Type.Optional(Type.Boolean()),
          doubleHeight: Type.Optional(Type.Boolean()),
        },
        'One line.',
      ),
    ),
  },
  "The terminal's own receipt.",
);

export const GiveBack = strictObject(
  {
    kind: oneOfStrings(
      ['VOID', 'REFUND', 'NONE'],
      'VOID takes back the whole, before the day close. REFUND gives back all or part. NONE: neither is possible.',
    ),
    reason: oneOfStrings(
      [
        ...['NOT_SETTLED', 'OPEN_HOLD', 'ALREADY_SETTLED', 'HAS_REFUNDS', 'TERMINAL_CANNOT_VOID'],
        ...['NOT_A_PAYMENT', 'NOT_APPROVED', 'OUTCOME_UNKNOWN', 'ALREADY_VOIDED', 'NOTHING_LEFT', 'PAID_THROUGH_POS'],
        ...['TERMINAL_CANNOT', 'ONLY_LAST_PAYMENT', 'CANNOT_RELEASE', 'CANNOT_REFUND'],
      ] as const,
      [
        'VOID: NOT_SETTLED (the day is still open), OPEN_HOLD (releases the hold).',
        'REFUND: ALREADY_SETTLED, HAS_REFUNDS, TERMINAL_CANNOT_VOID.',
        'NONE: NOT_A_PAYMENT, NOT_APPROVED, OUTCOME_UNKNOWN (of it, or of what takes it back), ALREADY_VOIDED, NOTHING_LEFT,',
        'PAID_THROUGH_POS (the POS authorized it itself), TERMINAL_CANNOT, ONLY_LAST_PAYMENT (it takes back no other),',
        'CANNOT_RELEASE (the terminal keeps its holds), CANNOT_REFUND (a void is no longer possible, and the terminal makes no refunds).',
      ].join(' '),
    ),
  },
  'How money of this transaction can be given back.',
);
export type GiveBack = Static<typeof GiveBack>;

export const ActivityDetail = strictObject(
  {
    transaction: TransactionResponse,
    terminalId: TerminalId,
    startedBy: StartedBy,
    createdAt: CreatedAt,
    events: Type.Array(TransactionEvent, { description: 'What happened, oldest first; without chip data.' }),
    evidence: Type.Array(RecoveryEvidence, {
      description: 'What the terminal was asked after something was lost, and its answers.',
    }),
    receipts: Type.Array(ReceiptView),
    refundedMinor: minorUnits(0, 'Given back already or being given back, minor units.'),
    refundableMinor: minorUnits(0, 'What a refund may still give back, minor units; 0 where the terminal makes none.'),
    giveBack: GiveBack,
    voidedBy: Type.Optional(TransactionId),
    completedBy: Type.Optional(TransactionId),
  },
  'A transaction with everything known about it.',
);
export type ActivityDetail = Static<typeof ActivityDetail>;

export const activityProcedures = {
  'activity.search': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: ActivityQuery,
    response: strictObject(
      { rows: Type.Array(ActivityRow), nextCursor: nullable(Type.String({ description: 'Null on the last page.' })) },
      'One page, newest first.',
    ),
  },
  'activity.starters': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: Nothing,
    response: strictObject(
      {
        starters: Type.Array(Type.String(), {
          description: `Who ever began a transaction, at most ${MAX_LISTED_STARTERS}: console:Anna, pos:till one.`,
        }),
      },
      'Whom one can search for.',
    ),
  },
  'activity.detail': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: strictObject({ transactionId: TransactionId }, 'Which.'),
    response: ActivityDetail,
  },
} as const satisfies Record<string, Procedure>;
