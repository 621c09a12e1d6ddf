import { type Static, Type } from 'typebox';
import { ConnectivityMethod, DeviceState, InputType } from './device.ts';
import { MAX_EVIDENCE_CHARACTERS, MAX_RESOLVER_CHARACTERS } from './limits.ts';
import {
  Currency,
  Cursor,
  count,
  dateTime,
  minorUnits,
  nullable,
  oneOfStrings,
  PageLimit,
  ReferenceId,
  TerminalId,
  TransactionId,
  text,
} from './parts.ts';
import { RequestedEntryMode, TransactionType } from './transactions.ts';

const strict = { additionalProperties: false } as const;

export const RecoveryTaskStatus = oneOfStrings(['OPEN', 'RESOLVED'], 'OPEN blocks the day close.');
export type RecoveryTaskStatus = Static<typeof RecoveryTaskStatus>;

/** A transaction or day close of unknown outcome, and what is being done about it (decisions: Final status, Resolve). */
export const RecoveryTask = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the task.' }),
    status: RecoveryTaskStatus,
    kind: oneOfStrings(['TRANSACTION', 'DAY_CLOSE'], 'What is of unknown outcome.'),
    transactionId: Type.Optional(TransactionId),
    terminalId: TerminalId,
    type: Type.Optional(TransactionType),
    amount: Type.Optional(minorUnits(0, 'Minor units.')),
    currency: Type.Optional(Currency),
    referenceId: Type.Optional(ReferenceId),
    reason: Type.String({ description: 'Why the outcome is unknown, in words.' }),
    attempts: count('How often the terminal was asked.'),
    lastAttemptAt: Type.Optional(dateTime('When it was last asked, ISO 8601.')),
    nextAttemptAt: Type.Optional(dateTime('When it is asked again; absent when only a person can resolve it.')),
    createdAt: dateTime('When the outcome became unknown, ISO 8601.'),
    resolvedAt: Type.Optional(dateTime('When it was resolved, ISO 8601.')),
    charged: Type.Optional(Type.Boolean({ description: 'How it was resolved.' })),
    evidence: Type.Optional(Type.String({ description: 'What that is known from.' })),
    resolvedBy: Type.Optional(Type.String({ description: 'Who resolved it: a person, or RECOVERY.' })),
  },
  { ...strict, description: 'Something of unknown outcome, and what is being done about it.' },
);
export type RecoveryTask = Static<typeof RecoveryTask>;

export const RecoveryTaskList = Type.Object(
  {
    data: Type.Array(RecoveryTask, { description: 'Oldest first.' }),
    hasMore: Type.Boolean({ description: 'Whether another page follows.' }),
    nextCursor: nullable(Type.String({ description: 'Cursor of the next page; null when hasMore is false.' })),
  },
  { ...strict, description: 'One page of recovery tasks.' },
);
export type RecoveryTaskList = Static<typeof RecoveryTaskList>;

/** Query of GET /v1/recovery-tasks, after query.ts has read the text. */
export const RecoveryTaskQuery = Type.Object(
  { status: Type.Optional(RecoveryTaskStatus), cursor: Type.Optional(Cursor), limit: Type.Optional(PageLimit) },
  { ...strict, description: 'Filter and page of the recovery tasks.' },
);
export type RecoveryTaskQuery = Static<typeof RecoveryTaskQuery>;

/** POST /v1/transactions/{id}/resolve (decisions: Resolve). */
export const ResolveRequest = Type.Object(
  {
    charged: Type.Boolean({ description: 'Whether the cardholder was charged (for a refund: credited).' }),
    evidence: text(MAX_EVIDENCE_CHARACTERS, 'What that is known from, e.g. the receipt or the acquirer on the phone.'),
    resolvedBy: Type.Optional(text(MAX_RESOLVER_CHARACTERS, 'Who says so; the name of the POS key when left out.')),
  },
  { ...strict, description: 'What a person has found out about a transaction of unknown outcome.' },
);
export type ResolveRequest = Static<typeof ResolveRequest>;

/** Answer of GET /health: no key, nothing but liveness and version (decisions: Service). */
export const HealthResponse = Type.Object(
  {
    status: Type.Literal('ok', { description: 'The service answers.' }),
    version: Type.String({ description: 'Version of the program.' }),
  },
  { ...strict, description: 'Liveness.' },
);
export type HealthResponse = Static<typeof HealthResponse>;

/** What a terminal can do, so that a POS need not find out by errors. */
export const TerminalCapabilities = Type.Object(
  {
    operations: Type.Array(TransactionType, { description: 'Operations of the orchestrated paths.' }),
    granular: Type.Boolean({ description: 'Whether initiate and complete work.' }),
    tip: Type.Boolean({ description: 'Whether tipAmount may be given.' }),
    cashback: Type.Boolean({ description: 'Whether cashbackAmount may be given.' }),
    partialCapture: Type.Boolean({ description: 'Whether a completion may be below the hold.' }),
    entryModes: Type.Array(RequestedEntryMode, { description: 'Entry modes that the terminal can force.' }),
    abort: Type.Boolean({ description: 'Whether a running transaction can be aborted.' }),
    display: Type.Boolean({ description: 'Whether text can be shown.' }),
    inputTypes: Type.Array(InputType, { description: 'Kinds of input that the terminal takes.' }),
    print: Type.Boolean({ description: 'Whether the terminal prints.' }),
    dayClose: Type.Boolean({ description: 'Whether the terminal has a day close of its own.' }),
    maxAmount: minorUnits(1, "Largest amount of the terminal's amount field, in minor units."),
  },
  { ...strict, description: 'What a terminal can do.' },
);
export type TerminalCapabilities = Static<typeof TerminalCapabilities>;

export const TerminalInfo = Type.Object(
  {
    terminalId: TerminalId,
    protocol: Type.String({ description: 'Protocol of its driver, e.g. zvt.' }),
    currency: Currency,
    state: DeviceState,
    connectivity: Type.Optional(ConnectivityMethod),
    simulated: Type.Boolean({ description: 'True where no real money can move.' }),
    capabilities: TerminalCapabilities,
  },
  { ...strict, description: 'A terminal of this till.' },
);
export type TerminalInfo = Static<typeof TerminalInfo>;

/** Answer of GET /v1/meta (decisions: Service, Versioning). */
export const MetaResponse = Type.Object(
  {
    version: Type.String({ description: 'Version of the program.' }),
    apiVersions: Type.Array(Type.String(), { description: 'Versions of the POS API, e.g. 1.0.0.' }),
    features: Type.Array(Type.String(), { description: 'Names of features beyond the specification.' }),
    training: Type.Boolean({ description: 'True where no real money can move.' }),
    terminals: Type.Array(TerminalInfo, { description: 'Terminals that the key may use.' }),
  },
  { ...strict, description: 'Versions, features and terminals.' },
);
export type MetaResponse = Static<typeof MetaResponse>;
