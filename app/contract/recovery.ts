import { type Static, Type } from 'typebox';
import { InputType } from './device.ts';
import { MAX_EVIDENCE_CHARACTERS, MAX_RESOLVER_CHARACTERS } from './limits.ts';
import { Currency, count, dateTime, minorUnits, oneOfStrings, ReferenceId, TerminalId, text } from './parts.ts';
import { TransactionType } from './transactions.ts';

const strict = { additionalProperties: false } as const;

export const RecoveryTaskState = oneOfStrings(
  ['ASKING', 'NEEDS_PERSON', 'RESOLVED'],
  'ASKING: the terminal is asked again. NEEDS_PERSON: nothing but a person can answer. RESOLVED: closed.',
);
export type RecoveryTaskState = Static<typeof RecoveryTaskState>;

/** What the host does not do of what it is told; the payment itself has ended. */
const hostReasonCodes = ['REVERSAL_REFUSED', 'REVERSAL_WAITS', 'CAPTURE_REFUSED', 'RECORD_REFUSED'] as const;
export type HostReasonCode = (typeof hostReasonCodes)[number];

/** Why an outcome is unknown, for whoever says it in another language than `reason`. */
export const RecoveryReasonCode = oneOfStrings(
  [
    ...(['ANSWER_LOST', 'NOT_REACHED', 'NO_ANSWER', 'NOT_READY', 'BUSY', 'CARD_INSIDE', 'TERMINAL_GONE'] as const),
    ...(['NO_RECEIPT', 'RECEIPT_UNCLEAR', 'NO_TOTALS', 'TOTALS_UNCLEAR', 'ISSUER_UNSURE', 'RESULT_DIFFERS'] as const),
    'OFFLINE_DECLINED',
    ...hostReasonCodes,
  ],
  [
    'ANSWER_LOST: the terminal took the command, its result did not arrive. NOT_REACHED, NO_ANSWER, NOT_READY, BUSY, CARD_INSIDE: it cannot be asked just now.',
    'TERMINAL_GONE: it is no longer of this till. NO_RECEIPT, RECEIPT_UNCLEAR: its last receipt does not tell. NO_TOTALS, TOTALS_UNCLEAR: the totals of its batch do not.',
    'ISSUER_UNSURE: the issuer answered that it does not know. RESULT_DIFFERS: the result is not of what was asked.',
    'OFFLINE_DECLINED: a sale was taken offline, and the issuer has declined it afterwards.',
    'REVERSAL_REFUSED, REVERSAL_WAITS: a payment that was not finished may still stand at the host, which refuses to take it back, or has not taken it back yet.',
    'CAPTURE_REFUSED: a payment was approved, and the host refuses to collect it.',
    "RECORD_REFUSED: a payment of the terminal's own acquirer has ended, and the host refuses to have it told.",
  ].join(' '),
);
export type RecoveryReasonCode = Static<typeof RecoveryReasonCode>;

/** What was asked; COMMAND is the command itself whose answer was lost. */
export const EvidenceQuestionCode = oneOfStrings(
  ['COMMAND', 'REGISTRATION', 'ABORT', 'LAST_RECEIPT', 'STATUS', 'TOTALS', 'OUTCOME', 'PERSON', 'NONE'],
  'What was asked. COMMAND: the command itself. OUTCOME: what became of it. PERSON: a person answered. NONE: the terminal acted by itself.',
);
export type EvidenceQuestionCode = Static<typeof EvidenceQuestionCode>;

export const EvidenceAnswerCode = oneOfStrings(
  [
    ...(['LOST', 'NO_ANSWER', 'REFUSED', 'READY', 'STOPPED', 'RECEIPT', 'NO_RECEIPT', 'STATUS'] as const),
    ...(['FIGURES', 'NO_FIGURES', 'UNCLEAR', 'CLOSED', 'DONE', 'NOT_DONE'] as const),
  ],
  'What the answer was, in kind; `answer` has its particulars.',
);
export type EvidenceAnswerCode = Static<typeof EvidenceAnswerCode>;

/** Whether it is the host, not the terminal, that does not do what it is told. */
export function isHostReason(code: RecoveryReasonCode | undefined): code is HostReasonCode {
  return hostReasonCodes.some((known) => known === code);
}

/** One question and its answer. */
export const RecoveryEvidence = Type.Object(
  {
    at: dateTime('When, ISO 8601.'),
    question: Type.String({ description: 'What the terminal was asked.' }),
    answer: Type.String({ description: 'What it answered.' }),
    questionCode: Type.Optional(EvidenceQuestionCode),
    answerCode: Type.Optional(EvidenceAnswerCode),
  },
  { ...strict, description: 'One question and its answer.' },
);

/** A transaction or day close of unknown outcome, and what is being done about it (decisions: Final status, Resolve). */
export const RecoveryTaskView = Type.Object(
  {
    taskId: Type.String({ description: 'Identifier of the task.' }),
    state: RecoveryTaskState,
    terminalId: TerminalId,
    subject: Type.Object(
      {
        kind: oneOfStrings(['TRANSACTION', 'DAY_CLOSE'], 'What is of unknown outcome.'),
        id: Type.String({ description: 'The transactionId, or the identifier of the day close.' }),
      },
      { ...strict, description: 'What is of unknown outcome.' },
    ),
    type: Type.Optional(TransactionType),
    amount: Type.Optional(minorUnits(0, 'Amount of the transaction in minor units, without tip and cash-back.')),
    currency: Type.Optional(Currency),
    referenceId: Type.Optional(ReferenceId),
    reason: Type.String({ description: 'Why the outcome is unknown, in words.' }),
    reasonCode: Type.Optional(RecoveryReasonCode),
    attempts: count('How often the terminal was asked.'),
    nextAttemptAt: Type.Optional(
      dateTime(
        'When the terminal is asked next by itself, ISO 8601; not later than now while it is being asked. Absent when nothing but its next sign of life, or a person, moves the task on.',
      ),
    ),
    openedAt: dateTime('When the outcome became unknown, ISO 8601.'),
    updatedAt: dateTime('When the task last changed, ISO 8601.'),
    evidence: Type.Array(RecoveryEvidence, { description: 'What was asked, and the answers.' }),
    resolution: Type.Optional(
      Type.Object(
        {
          by: Type.String({ description: 'Who resolved it: a person, or the recovery itself.' }),
          charged: Type.Boolean({ description: 'Whether the cardholder was charged (for a refund: credited).' }),
          text: Type.String({ description: 'What that is known from.' }),
          at: dateTime('When, ISO 8601.'),
        },
        { ...strict, description: 'How the task was closed.' },
      ),
    ),
  },
  { ...strict, description: 'Something of unknown outcome, and what is being done about it. Blocks the day close.' },
);
export type RecoveryTaskView = Static<typeof RecoveryTaskView>;

/** Open tasks only: each terminal runs one transaction at a time, so they are few. */
export const RecoveryTaskList = Type.Object(
  { data: Type.Array(RecoveryTaskView, { description: 'Open tasks, oldest first.' }) },
  { ...strict, description: 'The open recovery tasks.' },
);
export type RecoveryTaskList = Static<typeof RecoveryTaskList>;

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
export const CapabilityView = Type.Object(
  {
    operations: Type.Array(
      oneOfStrings(
        [
          ...['SALE', 'PRE_AUTH', 'PRE_AUTH_COMPLETE', 'REFUND', 'VOID', 'CARD_READ', 'BALANCE_INQUIRY'],
          ...['GRANULAR', 'DAY_CLOSE', 'DISPLAY', 'INPUT', 'PRINT'],
        ] as const,
        'One operation.',
      ),
      { description: 'Operations that the terminal can do; any other answers OPERATION_NOT_SUPPORTED.' },
    ),
    cashback: Type.Boolean({ description: 'Whether cashbackAmount may be given.' }),
    maxAmountMinor: minorUnits(1, 'Largest amount + tip + cash-back that the terminal takes, in minor units.'),
    inputTypes: Type.Array(InputType, { description: 'Kinds of input that the terminal takes.' }),
    abort: Type.Boolean({
      description:
        'Whether the terminal can be told to stop; false: it is cancelled at its own keys, and an abort answers ABORT_TOO_LATE.',
    }),
  },
  { ...strict, description: 'What a terminal can do.' },
);
export type CapabilityView = Static<typeof CapabilityView>;

export const TerminalInfo = Type.Object(
  {
    terminalId: TerminalId,
    protocol: Type.String({ description: 'Protocol of its driver, e.g. zvt.' }),
    currency: Currency,
    capabilities: CapabilityView,
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
