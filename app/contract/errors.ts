import { type Static, Type } from 'typebox';
import { MAX_ID_CHARACTERS } from './limits.ts';
import { Outcome } from './outcome.ts';
import { Currency, dateTime, minorUnits, oneOfStrings, TransactionId, text } from './parts.ts';

/** May money have moved when this code is answered? UNKNOWN: ask for the transaction before doing anything else. */
type MoneyMayHaveMoved = 'NO' | 'UNKNOWN';

export interface ErrorEntry {
  /** HTTP status of the answer; 200 for codes that stand in the errorCode of a transaction with status ERROR. */
  readonly httpStatus: number;
  readonly moneyMayHaveMoved: MoneyMayHaveMoved;
  /** What the caller does next, in one sentence. */
  readonly retryAdvice: string;
  /** Key of the console's text in every language. */
  readonly consoleTextKey: string;
}

/** Upper-snake code → its entry's console text key, e.g. ABORT_TOO_LATE → errors.abortTooLate. */
function textKey(code: string): string {
  return `errors.${code.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}

type Row = readonly [httpStatus: number, moneyMayHaveMoved: MoneyMayHaveMoved, retryAdvice: string];

/** Every error code of the product (decisions section 3). docs/reference/errors.md is generated from it. */
const rows = {
  INVALID_REQUEST: [400, 'NO', 'Correct the field that the message names, then send again.'],
  UNSUPPORTED_CURRENCY: [400, 'NO', "Use the terminal's currency, as GET /v1/meta names it."],
  AMOUNT_TOO_LARGE: [400, 'NO', 'Use an amount that fits the terminal, or split the payment.'],
  OPERATION_NOT_SUPPORTED: [400, 'NO', 'Do not repeat; GET /v1/meta lists what the terminal can do.'],
  REFUND_EXCEEDS_ORIGINAL: [400, 'NO', 'Refund at most what remains of the original.'],
  CAPTURE_EXCEEDS_AUTHORIZATION: [400, 'NO', 'Complete at most the amount that is held.'],
  PAIRING_CODE_INVALID: [400, 'NO', 'Ask for a new pairing code and enter that one.'],
  UNAUTHENTICATED: [401, 'NO', 'Send a valid key; do not repeat with the same one.'],
  FORBIDDEN: [403, 'NO', 'Use the kind of credential that this call takes.'],
  HOST_NOT_ALLOWED: [403, 'NO', 'Call the address under a name that the operator has allowed.'],
  ORIGIN_NOT_ALLOWED: [403, 'NO', 'Have the operator allow the page that calls.'],
  NOT_FOUND: [404, 'NO', 'Check the path or the identifier.'],
  ORIGINAL_NOT_FOUND: [
    404,
    'NO',
    'Check originalTransactionId; an original of another terminal or till is not found here.',
  ],
  METHOD_NOT_ALLOWED: [405, 'NO', 'Use a method that the Allow header lists.'],
  TRANSACTION_IN_PROGRESS: [409, 'NO', 'Wait for the transaction that is named, or abort it, then send again.'],
  NOT_PENDING_ONLINE: [409, 'NO', 'Look the transaction up; it no longer waits for an issuer answer.'],
  ABORT_TOO_LATE: [409, 'UNKNOWN', 'Wait for the result of the transaction; void it if it is approved and unwanted.'],
  ALREADY_VOIDED: [409, 'NO', 'Nothing to do: the original is void.'],
  ALREADY_SETTLED: [409, 'NO', 'Refund the original instead.'],
  ALREADY_COMPLETED: [409, 'NO', 'Nothing to do: the pre-authorization was completed before.'],
  HAS_REFUNDS: [409, 'NO', 'Refund what remains instead.'],
  AUTH_EXPIRED: [409, 'NO', 'Take a new payment: the hold has lapsed.'],
  ILLEGAL_STATE: [409, 'NO', 'Look the object up; its state does not allow this call.'],
  DAY_CLOSE_BLOCKED: [409, 'NO', 'Finish or resolve each transaction that is listed, then close again.'],
  POSSIBLE_DUPLICATE: [
    409,
    'NO',
    'Find out what became of the earlier sale; send again with allowDuplicate true only if a second charge is meant.',
  ],
  IDEMPOTENCY_IN_PROGRESS: [409, 'UNKNOWN', 'Repeat the same call with the same key after Retry-After.'],
  TERMINAL_HAS_OPEN_SESSION: [409, 'NO', 'Wait for the open payment session of the terminal, or cancel it.'],
  SESSION_ALREADY_CLAIMED: [409, 'NO', 'Poll the payment session; its terminal has taken it.'],
  STALE_CLAIM_TOKEN: [409, 'NO', 'Stop: another claim of the session has replaced this one.'],
  EVENT_SEQUENCE: [409, 'NO', 'Send the events without a gap, each as it was first sent.'],
  PAYLOAD_TOO_LARGE: [413, 'NO', 'Send a smaller body.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'NO', 'Send the body as application/json.'],
  IDEMPOTENCY_KEY_REUSED: [422, 'NO', 'Use a new key for a new request; repeat a request unchanged under its own key.'],
  TIP_ADJUST_NOT_SUPPORTED: [422, 'NO', 'Take the tip before authorization: the acquirer cannot adjust it.'],
  UPGRADE_REQUIRED: [426, 'NO', 'Open the address as a WebSocket.'],
  RATE_LIMITED: [429, 'NO', 'Repeat after Retry-After.'],
  PAIRING_LOCKED: [429, 'NO', 'Wait for Retry-After, then ask for a new pairing code.'],
  INTERNAL: [
    500,
    'UNKNOWN',
    'Look the transaction up, or repeat under the same Idempotency-Key; never under a new one.',
  ],
  TERMINAL_NOT_READY: [503, 'NO', 'Repeat when GET /v1/device/health answers 200.'],
  TERMINAL_UNREACHABLE: [503, 'NO', 'Check the terminal and its cable or network, then repeat.'],
  TERMINAL_BUSY: [503, 'NO', 'Repeat when the terminal is idle.'],
  HOST_UNREACHABLE: [503, 'NO', 'Repeat when the network is back.'],
  BALANCE_NOT_CONFIGURED: [503, 'NO', 'Do not repeat until a balance integration is configured.'],
  JOURNAL_UNAVAILABLE: [503, 'NO', 'Free disk space or repair the data folder, then repeat.'],
  CARD_READ_FAILED: [200, 'NO', 'Try again, with another card or entry mode if it fails twice.'],
  TERMINAL_ERROR: [200, 'NO', 'Try again; nothing was charged.'],
  OUTCOME_UNKNOWN: [200, 'UNKNOWN', 'Do not charge again; look the transaction up until its outcome is known.'],
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof rows;

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(rows, code);
}

/** Every code, in the order of the catalogue. */
export const errorCodes: readonly ErrorCode[] = Object.keys(rows).filter(isErrorCode);

function entryOf(code: ErrorCode): ErrorEntry {
  const [httpStatus, moneyMayHaveMoved, retryAdvice] = rows[code];
  return { httpStatus, moneyMayHaveMoved, retryAdvice, consoleTextKey: textKey(code) };
}

/** Code → entry, for every code. */
export const errorCatalogue = Object.fromEntries(errorCodes.map((code) => [code, entryOf(code)])) as Readonly<
  Record<ErrorCode, ErrorEntry>
>;

export const ErrorCodeSchema = Type.Unsafe<ErrorCode>({
  type: 'string',
  enum: [...errorCodes],
  description: 'Code for machines; the error catalogue says what each means and what to do.',
});

/** One thing that keeps the day from being closed (decisions: Day close). */
export const DayCloseBlocker = Type.Object(
  {
    transactionId: TransactionId,
    reason: oneOfStrings(
      ['IN_PROGRESS', 'OUTCOME_UNKNOWN', 'TIP_CAPTURE_PENDING', 'NOT_FORWARDED'],
      'IN_PROGRESS: still running. OUTCOME_UNKNOWN: has an open recovery task. TIP_CAPTURE_PENDING: waits for its tip capture. NOT_FORWARDED: was accepted offline, and its issuer has not answered yet.',
    ),
    recoveryTaskId: Type.Optional(text(MAX_ID_CHARACTERS, 'The recovery task, when the outcome is unknown.')),
    amount: Type.Optional(minorUnits(0, 'NOT_FORWARDED only: what waits, minor units, tip included.')),
    currency: Type.Optional(Currency),
    since: Type.Optional(dateTime('NOT_FORWARDED only: since when it waits, ISO 8601.')),
    owner: Type.Optional(
      oneOfStrings(['TILL'], 'NOT_FORWARDED only: who clears it up. TILL: it asks the issuer as soon as it can.'),
    ),
  },
  { additionalProperties: false, description: 'One thing that keeps the day from being closed.' },
);
export type DayCloseBlocker = Static<typeof DayCloseBlocker>;

/** Body of every answer with a status from 400 up (specification: ErrorResponse; decisions: Errors). */
export const ErrorResponse = Type.Object(
  {
    error: ErrorCodeSchema,
    message: Type.String({ description: 'Text for people; names the offending field, never repeats its value.' }),
    field: Type.Optional(Type.String({ description: 'Path of the offending field, e.g. metadata.table.' })),
    transactionId: Type.Optional(TransactionId),
    outcome: Type.Optional(Outcome),
    retryAfterSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Seconds to wait before a repeat; the Retry-After header says the same.',
      }),
    ),
    blockers: Type.Optional(Type.Array(DayCloseBlocker, { description: 'What blocks the day close.' })),
  },
  { additionalProperties: false, description: 'An error: a code for machines and a text for people.' },
);
export type ErrorResponse = Static<typeof ErrorResponse>;

/** What an error may tell beside its code. `cause` stays inside the process. */
export interface BridgeErrorOptions {
  readonly field?: string;
  readonly details?: BridgeErrorDetails;
  readonly cause?: unknown;
}

export type BridgeErrorDetails = Readonly<
  Pick<ErrorResponse, 'transactionId' | 'outcome' | 'retryAfterSeconds' | 'blockers'>
>;

/** The one error class of the product: a code of the catalogue, and a message that a caller may read. */
export class BridgeError extends Error {
  override readonly name = 'BridgeError';
  readonly code: ErrorCode;
  readonly field?: string;
  readonly details?: BridgeErrorDetails;

  constructor(code: ErrorCode, message: string, options: BridgeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.field !== undefined) this.field = options.field;
    if (options.details !== undefined) this.details = options.details;
  }

  get httpStatus(): number {
    return errorCatalogue[this.code].httpStatus;
  }

  /** The wire shape. Nothing of `cause` or the stack is in it. */
  toResponse(): ErrorResponse {
    return {
      error: this.code,
      message: this.message,
      ...(this.field === undefined ? {} : { field: this.field }),
      ...this.details,
    };
  }
}
