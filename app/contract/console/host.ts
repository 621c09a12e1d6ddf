import { type Static, Type } from 'typebox';
import { SessionOperation } from '../host/payment-session.ts';
import { TerminalTipConfigResponse } from '../host/tip-config.ts';
import {
  Currency,
  dateTime,
  minorUnits,
  oneOfStrings,
  TerminalId,
  TerminalName,
  TransactionId,
  text,
} from '../parts.ts';
import { DayCutOff, TimeZone } from '../settings.ts';
import { Approval, Nothing, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole, sellingRoles } from './roles.ts';

const HostLinkState = oneOfStrings(
  ['NOT_PAIRED', 'TOKEN_MISSING', 'REFUSED', 'NOT_ASKED', 'ONLINE', 'OFFLINE'],
  [
    'NOT_PAIRED: no host. TOKEN_MISSING: paired, and this machine cannot open its token. REFUSED: the host takes its token no more.',
    'NOT_ASKED: since the start. ONLINE, OFFLINE: whether it answered when it was asked last.',
  ].join(' '),
);

/** How a terminal of the till stands with its host. The device token is no part of it, and never reaches a screen. */
export const HostLink = strictObject(
  {
    terminalId: TerminalId,
    name: Type.Optional(TerminalName),
    state: HostLinkState,
    pairing: Type.Optional(
      strictObject(
        {
          url: Type.String(),
          merchantId: Type.String(),
          merchantName: Type.String(),
          terminalId: Type.String({ description: 'Of the terminal at the host.' }),
          terminalName: Type.String(),
          pairedAt: dateTime('When it was paired last, ISO 8601.'),
        },
        'Whom it is paired with.',
      ),
    ),
    givenUrl: Type.Optional(
      Type.String({ description: 'Address of a host that was given at the start, without pairing.' }),
    ),
    lastAnswerAt: Type.Optional(
      dateTime('Last answer of the host, ISO 8601; absent when there was none since the start.'),
    ),
    trouble: Type.Optional(Type.String({ description: 'Why the last call had no answer, for support.' })),
    clockSkewSeconds: Type.Optional(
      Type.Number({ description: "How far the host's clock is ahead of the till's; negative when it is behind." }),
    ),
    isSimulated: Type.Optional(Type.Boolean({ description: "Whether the host's acquirer moves no real money." })),
    tips: Type.Optional(
      Type.Omit(TerminalTipConfigResponse, ['terminalId', 'merchantId'], {
        description: 'Tip configuration in force; absent before the host has told it.',
      }),
    ),
    businessDay: Type.Optional(
      strictObject(
        {
          timeZone: TimeZone,
          cutOff: DayCutOff,
          isTills: Type.Boolean({ description: "Whether the till's settings say the same." }),
        },
        'By what the host tells the business date of the terminal.',
      ),
    ),
    owedCount: Type.Integer({ minimum: 0, description: 'What the host is owed and has not taken yet.' }),
    owedSince: Type.Optional(dateTime('Since when the oldest of it waits, ISO 8601.')),
    setAsideCount: Type.Integer({ minimum: 0, description: 'What of it the host has refused for good.' }),
  },
  'How a terminal stands with its host.',
);
export type HostLink = Static<typeof HostLink>;

const HostSessionState = oneOfStrings(
  ['CLAIMED', 'STARTED', 'SUCCEEDED', 'DECLINED', 'CANCELLED', 'FAILED', 'GIVEN_UP'],
  [
    'CLAIMED: taken from the host, and not begun. STARTED: the terminal runs it. SUCCEEDED, DECLINED, CANCELLED, FAILED: how it ended.',
    'GIVEN_UP: the host took no more of it before it ended here.',
  ].join(' '),
);

/** What the merchant's server has asked a terminal of this till to do (specification: Remote terminal payment sessions). */
export const HostSession = strictObject(
  {
    sessionId: Type.String({ description: 'Of the session at the host.' }),
    terminalId: TerminalId,
    name: Type.Optional(TerminalName),
    operation: SessionOperation,
    amountMinor: minorUnits(0, 'Minor units, without tip.'),
    currency: Currency,
    state: HostSessionState,
    failureCode: Type.Optional(Type.String({ description: 'Why it ended without a payment.' })),
    transactionId: Type.Optional(TransactionId),
    isTold: Type.Boolean({ description: 'Whether the host has taken everything that there is to tell of it.' }),
    updatedAt: dateTime('When it changed here last, ISO 8601.'),
  },
  'A payment session of the host, as this till has it.',
);
export type HostSession = Static<typeof HostSession>;

const approval = Type.Optional(Approval);
const one = strictObject({ terminalId: TerminalId }, 'Which terminal.');

export const hostProcedures = {
  'host.links': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: Nothing,
    response: strictObject({ links: Type.Array(HostLink) }, 'One for each terminal of the till.'),
  },
  'host.sessions': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: Nothing,
    response: strictObject({ sessions: Type.Array(HostSession) }, 'The latest first.'),
  },
  'host.check': { kind: 'LOOK_UP', roles: everyRole, request: one, response: HostLink },
  'host.pair': {
    kind: 'COMMAND',
    roles: sellingRoles,
    approval: 'ALWAYS',
    request: strictObject(
      {
        terminalId: TerminalId,
        code: text(20, 'The pairing code, as somebody typed it.'),
        url: Type.Optional(text(500, 'Address of the host; the one before where it is left out.')),
        approval,
      },
      'Which terminal, and the code that the host has shown.',
    ),
    response: HostLink,
  },
  'host.unpair': {
    kind: 'COMMAND',
    roles: sellingRoles,
    approval: 'ALWAYS',
    request: strictObject({ terminalId: TerminalId, approval }, 'Which terminal.'),
    response: HostLink,
  },
} as const satisfies Record<string, Procedure>;
