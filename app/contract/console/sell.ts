import { type Static, Type } from 'typebox';
import { TipSource } from '../host/host-parts.ts';
import { TerminalTipConfigRequest } from '../host/tip-config.ts';
import { Currency, ReferenceId, TerminalId, TransactionId, taggedUnion } from '../parts.ts';
import { OpenPreAuth } from '../settlements.ts';
import {
  BalanceInquiryRequest,
  CardReadRequest,
  CardScheme,
  PreAuthCompleteRequest,
  PreAuthRequest,
  RefundRequest,
  SaleRequest,
  TransactionResponse,
  VoidRequest,
} from '../transactions.ts';
import { Approval, AttemptKey, Nothing, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole, sellingRoles } from './roles.ts';

/** What a call of the console carries beside the request itself. */
const callFields = {
  terminalId: Type.Optional(TerminalId),
  idempotencyKey: AttemptKey,
  approval: Type.Optional(Approval),
};

/** The strict requests of the POS API, each with the call's fields. */
export const StartRequest = taggedUnion(
  'type',
  [
    strictObject({ ...SaleRequest.properties, tipSource: Type.Optional(TipSource), ...callFields }, 'Sale.'),
    strictObject({ ...PreAuthRequest.properties, ...callFields }, 'Pre-authorization.'),
    strictObject({ ...PreAuthCompleteRequest.properties, ...callFields }, 'Completion of a pre-authorization.'),
    strictObject({ ...RefundRequest.properties, ...callFields }, 'Refund.'),
    strictObject({ ...VoidRequest.properties, ...callFields }, 'Void.'),
    strictObject({ ...CardReadRequest.properties, ...callFields }, 'Card read.'),
    strictObject({ ...BalanceInquiryRequest.properties, ...callFields }, 'Balance inquiry.'),
  ],
  'What the terminal is to run. Its events carry idempotencyKey as their requestId.',
);
export type StartRequest = Static<typeof StartRequest>;

const OpenPreAuthView = strictObject(
  {
    ...OpenPreAuth.properties,
    terminalId: TerminalId,
    referenceId: Type.Optional(ReferenceId),
    cardScheme: Type.Optional(CardScheme),
    lastFour: Type.Optional(Type.String({ description: 'Last digits of the card, when known.' })),
    canRelease: Type.Boolean({
      description: 'Whether its terminal can release it; otherwise it lapses, or the bank does.',
    }),
  },
  'A hold that is neither completed nor released.',
);

const { postAuthAdjustEnabled: _afterAuthorization, ...tipChoices } = TerminalTipConfigRequest.properties;
const OfferedTips = strictObject(
  {
    ...tipChoices,
    configVersion: Type.Integer({ minimum: 0, description: 'Version of the configuration.' }),
    currency: Currency,
    largestTotalMinor: Type.Integer({ minimum: 1, description: 'Most that the acquirer takes in one payment.' }),
  },
  'The tip configuration that the terminal has downloaded last.',
);
export type OfferedTips = Static<typeof OfferedTips>;

export const sellProcedures = {
  /** Resolves with the final answer, after up to four minutes. */
  'sell.start': {
    kind: 'COMMAND',
    roles: sellingRoles,
    approval: 'ABOVE_REFUND_LIMIT',
    request: StartRequest,
    response: TransactionResponse,
  },
  /** Resolves when the terminal has confirmed the end. */
  'sell.abort': {
    kind: 'COMMAND',
    roles: sellingRoles,
    request: strictObject({ transactionId: TransactionId }, 'What is to stop.'),
    response: TransactionResponse,
  },
  'sell.tips': {
    kind: 'LOOK_UP',
    roles: sellingRoles,
    request: strictObject({ terminalId: TerminalId }, 'Which terminal.'),
    response: strictObject({ tips: Type.Optional(OfferedTips) }, 'The tips of a terminal; none where it has no host.'),
  },
  'sell.openPreAuths': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: Nothing,
    response: strictObject({ preAuths: Type.Array(OpenPreAuthView) }, 'Open holds of every terminal, oldest first.'),
  },
} as const satisfies Record<string, Procedure>;
