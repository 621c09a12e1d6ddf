import { type Static, Type } from 'typebox';
import { DeviceState, displayFields, InputResult, inputFields } from './device.ts';
import { ErrorCodeSchema } from './errors.ts';
import {
  DEFAULT_EVENT_PAGE_ITEMS,
  MAX_CALL_TIMEOUT_SECONDS,
  MAX_EVENT_PAGE_ITEMS,
  MAX_REQUEST_ID_CHARACTERS,
  MIN_CALL_TIMEOUT_SECONDS,
  MIN_PAGE_ITEMS,
  SESSION_TICKET_TTL_SECONDS,
} from './limits.ts';
import { Outcome } from './outcome.ts';
import { Currency, dateTime, IdempotencyKey, openEnum, TerminalId, TransactionId, taggedUnion, text } from './parts.ts';
import {
  CancelledReason,
  CardScheme,
  ChipData,
  completeFields,
  SaleRequest,
  TransactionRequest,
  TransactionResponse,
} from './transactions.ts';

/** The WebSocket session at /v1/session (specification: Events; decisions: WebSocket, Events). */

const strict = { additionalProperties: false } as const;

const RequestId = text(
  MAX_REQUEST_ID_CHARACTERS,
  'Chosen by the client; echoed in the events and errors of the action.',
);

/** Fields that every action but auth takes. */
const addressed = { requestId: Type.Optional(RequestId), terminalId: Type.Optional(TerminalId) };
/** Fields of the actions that move money. */
const money = { ...addressed, idempotencyKey: Type.Optional(IdempotencyKey) };

const timeoutSeconds = Type.Optional(
  Type.Integer({
    minimum: MIN_CALL_TIMEOUT_SECONDS,
    maximum: MAX_CALL_TIMEOUT_SECONDS,
    description: 'Seconds within which the action is answered, as X-Timeout-Seconds.',
  }),
);

const request = TransactionRequest.properties;
const positiveAmount = SaleRequest.properties.amount;

const AuthAction = Type.Object(
  { action: Type.Literal('auth'), token: text(512, 'The POS key.') },
  { ...strict, description: 'First message of a browser, which cannot send headers; within 5 seconds.' },
);

const SaleAction = Type.Object(
  {
    action: Type.Literal('sale'),
    amount: positiveAmount,
    currency: Currency,
    entryMode: request.entryMode,
    referenceId: request.referenceId,
    tipAmount: request.tipAmount,
    cashbackAmount: request.cashbackAmount,
    metadata: request.metadata,
    allowDuplicate: request.allowDuplicate,
    granular: Type.Optional(Type.Boolean({ description: 'True selects granular mode: the POS authorizes.' })),
    timeoutSeconds,
    ...money,
  },
  { ...strict, description: 'Starts a sale.' },
);

const PreAuthAction = Type.Object(
  {
    action: Type.Literal('pre_auth'),
    amount: positiveAmount,
    currency: Currency,
    entryMode: request.entryMode,
    referenceId: request.referenceId,
    metadata: request.metadata,
    timeoutSeconds,
    ...money,
  },
  { ...strict, description: 'Starts a pre-authorization.' },
);

const CardReadAction = Type.Object(
  {
    action: Type.Literal('card_read'),
    entryMode: request.entryMode,
    referenceId: request.referenceId,
    timeoutSeconds,
    ...addressed,
  },
  { ...strict, description: 'Reads a card (token, loyalty); no money is moved.' },
);

const CompleteAction = Type.Object(
  { action: Type.Literal('complete'), ...completeFields, ...money },
  { ...strict, description: 'Brings the issuer answer of a granular payment.' },
);

const DisplayAction = Type.Object(
  { action: Type.Literal('display'), ...displayFields, ...addressed },
  { ...strict, description: "Shows text on the terminal's display." },
);

const InputAction = Type.Object(
  { action: Type.Literal('input'), ...inputFields, ...addressed },
  { ...strict, description: 'Asks the person at the terminal.' },
);

const AbortAction = Type.Object(
  { action: Type.Literal('abort'), transactionId: TransactionId, ...addressed },
  { ...strict, description: 'Aborts the running transaction; too late once the card is being authorized.' },
);

export const ReplayAction = Type.Object(
  {
    action: Type.Literal('replay'),
    after: Type.Integer({ minimum: 0, format: 'int64', description: 'The last sequence that the client has seen.' }),
    ...addressed,
  },
  { ...strict, description: 'Asks for the events that a lost connection has missed.' },
);
export type ReplayAction = Static<typeof ReplayAction>;

/** Every message that a client may send, told apart by `action`. */
export const ClientAction = taggedUnion(
  'action',
  [
    AuthAction,
    SaleAction,
    PreAuthAction,
    CardReadAction,
    CompleteAction,
    DisplayAction,
    InputAction,
    AbortAction,
    ReplayAction,
  ],
  'A message of the client.',
);
export type ClientAction = Static<typeof ClientAction>;

const Sequence = Type.Integer({
  minimum: 1,
  format: 'int64',
  description: 'Number of the event, per terminal; rising, gaps allowed, never used twice.',
});

/** Fields of every event (decisions: Events). */
const numbered = {
  sequence: Sequence,
  at: dateTime('When, ISO 8601, UTC.'),
  terminalId: TerminalId,
  requestId: Type.Optional(RequestId),
};

const message = Type.String({ description: 'Text for people.' });

const WaitingForCardEvent = Type.Object(
  { event: Type.Literal('waiting_for_card'), ...numbered, transactionId: TransactionId, message },
  { ...strict, description: 'The terminal is ready for tap, insert or swipe.' },
);

/** A terminal may see a card before it tells how; the specification requires the field, so it then says UNKNOWN. */
const DetectedEntryMode = openEnum(
  ['CONTACT', 'CONTACTLESS', 'MAGSTRIPE', 'FALLBACK', 'MANUAL', 'UNKNOWN'],
  'Entry mode used; UNKNOWN while the terminal has not told it.',
);

const CardDetectedEvent = Type.Object(
  {
    event: Type.Literal('card_detected'),
    ...numbered,
    transactionId: TransactionId,
    entryMode: DetectedEntryMode,
    cardScheme: Type.Optional(CardScheme),
    scheme: Type.Optional(CardScheme),
    maskedPan: Type.Optional(Type.String({ description: 'Masked account number, when known.' })),
  },
  { ...strict, description: 'A card is presented and being read.' },
);

const ProcessingEvent = Type.Object(
  { event: Type.Literal('processing'), ...numbered, transactionId: TransactionId, message },
  { ...strict, description: 'The payment is being processed.' },
);

const PinRequiredEvent = Type.Object(
  { event: Type.Literal('pin_required'), ...numbered, transactionId: TransactionId },
  { ...strict, description: 'The terminal asks for the PIN. Follows card_detected; may repeat.' },
);

const OnlineAuthorizationEvent = Type.Object(
  { event: Type.Literal('online_authorization'), ...numbered, transactionId: TransactionId, chipData: ChipData },
  { ...strict, description: 'Chip data are ready; the POS authorizes and sends complete.' },
);

const ResultEvent = Type.Object(
  { event: Type.Literal('result'), ...numbered, response: TransactionResponse },
  { ...strict, description: 'The final result.' },
);

const ErrorEvent = Type.Object(
  {
    event: Type.Literal('error'),
    ...numbered,
    transactionId: Type.Optional(TransactionId),
    errorCode: ErrorCodeSchema,
    message,
    field: Type.Optional(Type.String({ description: 'Path of the offending field.' })),
    outcome: Type.Optional(Outcome),
  },
  { ...strict, description: 'An error occurred at the terminal or in a transaction.' },
);

/** Refusal of one client's message: answered to it alone, so it is in no terminal's numbering and is not replayed. */
export const RefusalEvent = Type.Object(
  {
    event: Type.Literal('error'),
    at: numbered.at,
    requestId: numbered.requestId,
    terminalId: Type.Optional(TerminalId),
    transactionId: Type.Optional(TransactionId),
    errorCode: ErrorCodeSchema,
    message,
    field: Type.Optional(Type.String({ description: 'Path of the offending field.' })),
    outcome: Type.Optional(Outcome),
    retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0, description: 'Seconds to wait before a repeat.' })),
  },
  { ...strict, description: 'A message of this client was refused; without sequence, and not replayed.' },
);
export type RefusalEvent = Static<typeof RefusalEvent>;

/** The first answer again, for a client that repeated its Idempotency-Key: announced once before, so it has no new number. */
export const RepeatedResultEvent = Type.Object(
  {
    event: Type.Literal('result'),
    at: numbered.at,
    requestId: numbered.requestId,
    terminalId: Type.Optional(TerminalId),
    replayed: Type.Literal(true, { description: 'The action was not run again.' }),
    response: TransactionResponse,
  },
  {
    ...strict,
    description: 'The first answer again, to the client that repeated its key; without sequence, and not replayed.',
  },
);
export type RepeatedResultEvent = Static<typeof RepeatedResultEvent>;

const CancelledEvent = Type.Object(
  { event: Type.Literal('cancelled'), ...numbered, transactionId: TransactionId, reason: CancelledReason },
  { ...strict, description: 'The transaction was cancelled or aborted.' },
);

const DisplayShownEvent = Type.Object(
  { event: Type.Literal('display_shown'), ...numbered, lines: displayFields.lines },
  { ...strict, description: 'The display shows what an action asked for.' },
);

const InputResultEvent = Type.Object(
  { event: Type.Literal('input_result'), ...numbered, result: InputResult },
  { ...strict, description: 'What the person at the terminal entered.' },
);

const StatusChangedEvent = Type.Object(
  {
    event: Type.Literal('status_changed'),
    ...numbered,
    state: DeviceState,
    connected: Type.Boolean({ description: 'Whether the terminal answers.' }),
    currentTransactionId: Type.Optional(TransactionId),
  },
  { ...strict, description: 'The terminal has another state.' },
);

const OutcomeResolvedEvent = Type.Object(
  {
    event: Type.Literal('outcome_resolved'),
    ...numbered,
    transactionId: TransactionId,
    response: TransactionResponse,
  },
  {
    ...strict,
    description: 'The truth about a transaction of unknown outcome was found; response is the record as it reads now.',
  },
);

/** Every message that the service sends, told apart by `event`. */
export const TransactionEvent = taggedUnion(
  'event',
  [
    WaitingForCardEvent,
    CardDetectedEvent,
    ProcessingEvent,
    PinRequiredEvent,
    OnlineAuthorizationEvent,
    ResultEvent,
    ErrorEvent,
    CancelledEvent,
    DisplayShownEvent,
    InputResultEvent,
    StatusChangedEvent,
    OutcomeResolvedEvent,
  ],
  'A message of the service.',
);
export type TransactionEvent = Static<typeof TransactionEvent>;

/** Query of GET /v1/events, after query.ts has read the text. */
export const EventQuery = Type.Object(
  {
    after: Type.Integer({
      minimum: 0,
      format: 'int64',
      default: 0,
      description: 'The last sequence that the client has seen.',
    }),
    limit: Type.Integer({
      minimum: MIN_PAGE_ITEMS,
      maximum: MAX_EVENT_PAGE_ITEMS,
      default: DEFAULT_EVENT_PAGE_ITEMS,
      description: `Events of the page: ${MIN_PAGE_ITEMS} to ${MAX_EVENT_PAGE_ITEMS}; ${DEFAULT_EVENT_PAGE_ITEMS} when left out.`,
    }),
  },
  { ...strict, description: 'Where the events go on.' },
);
export type EventQuery = Static<typeof EventQuery>;

/** Answer of GET /v1/events. */
export const EventList = Type.Object(
  {
    data: Type.Array(TransactionEvent, { description: 'Oldest first.' }),
    hasMore: Type.Boolean({ description: 'Whether more follow; ask again after the last sequence.' }),
    lastSequence: Type.Integer({
      minimum: 0,
      format: 'int64',
      description: 'Sequence of the last event of this page; the value of after when the page is empty.',
    }),
  },
  { ...strict, description: 'Events of one terminal.' },
);
export type EventList = Static<typeof EventList>;

/** Answer of POST /v1/session/ticket (decisions: WebSocket). */
export const SessionTicket = Type.Object(
  {
    ticket: Type.String({
      description: `Opens one session as ?ticket=… within ${SESSION_TICKET_TTL_SECONDS} seconds; used once.`,
    }),
    expiresAt: dateTime('When it lapses, ISO 8601, UTC.'),
  },
  { ...strict, description: 'A one-time ticket for the WebSocket session.' },
);
export type SessionTicket = Static<typeof SessionTicket>;

export const SessionQuery = Type.Object(
  { ticket: Type.Optional(text(128, 'A one-time ticket of POST /v1/session/ticket.')) },
  { ...strict, description: 'Credential of a browser.' },
);
export type SessionQuery = Static<typeof SessionQuery>;
