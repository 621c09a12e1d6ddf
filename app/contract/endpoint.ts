import type { TObject, TSchema } from 'typebox';
import { type ErrorCode, errorCodes } from './errors.ts';

/** Sections of the documentation, in their order there. */
type EndpointTag =
  | 'Transactions'
  | 'Granular payments'
  | 'Look-up and recovery'
  | 'Device'
  | 'Reconciliation and settlements'
  | 'Session'
  | 'Terminal device API'
  | 'Payment sessions'
  | 'Payments'
  | 'Tip configuration'
  | 'Service';

/** Which kind of key a call takes: that of a POS, a terminal's device token, or a merchant's secret key (specification: Authentication). */
export type Credential = 'pos' | 'device' | 'secret' | 'none';

/** One endpoint as its row in a table of endpoints states it. */
export interface EndpointRow {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Parameters in braces: /v1/transactions/{id}. */
  readonly path: string;
  readonly tag: EndpointTag;
  readonly summary: string;
  readonly description: string;
  readonly credential: Credential;
  readonly idempotency: 'none' | 'optional' | 'required';
  readonly movesMoney: boolean;
  /** Whether the call concerns one terminal, which X-Terminal-Id picks. */
  readonly picksTerminal: boolean;
  /** Whether the call waits for the terminal, so that X-Timeout-Seconds may lower its time. */
  readonly waitsForTerminal: boolean;
  readonly pathParameters?: Readonly<Record<string, TSchema>>;
  readonly requestSchema?: TSchema;
  /** Whether the body may be left out, which then reads as an empty object. */
  readonly hasOptionalBody?: boolean;
  readonly querySchema?: TObject;
  readonly successStatus: 200 | 101;
  /** JSON body of the success; absent for the session and for the pages. */
  readonly successSchema?: TSchema;
  readonly successMediaType: 'application/json' | 'text/html' | 'text/csv' | 'application/openmetrics-text' | 'none';
  /** Whether the answer carries an ETag, and If-None-Match with it is answered 304 without a body. */
  readonly hasEtag?: boolean;
  /** Codes of this endpoint beyond those that follow from the other columns. */
  readonly errors: readonly ErrorCode[];
  /** A body for the documentation's example. */
  readonly example?: unknown;
}

/** Columns that most endpoints share. */
export const lookUp = {
  method: 'GET',
  credential: 'pos',
  idempotency: 'none',
  movesMoney: false,
  picksTerminal: false,
  waitsForTerminal: false,
  successStatus: 200,
  successMediaType: 'application/json',
} as const;

export const command = { ...lookUp, method: 'POST', picksTerminal: true, waitsForTerminal: true } as const;

export const moneyCommand = { ...command, idempotency: 'optional', movesMoney: true } as const;

/** Codes of a command that a terminal runs. */
export const terminalErrors = [
  'OPERATION_NOT_SUPPORTED',
  'TERMINAL_NOT_READY',
  'TERMINAL_UNREACHABLE',
  'TERMINAL_BUSY',
] as const satisfies readonly ErrorCode[];

/** Codes of a command that starts a transaction; the last three stand in the errorCode of an ERROR response. */
export const transactionErrors = [
  ...terminalErrors,
  'UNSUPPORTED_CURRENCY',
  'AMOUNT_TOO_LARGE',
  'TRANSACTION_IN_PROGRESS',
  'JOURNAL_UNAVAILABLE',
  'CARD_READ_FAILED',
  'TERMINAL_ERROR',
  'OUTCOME_UNKNOWN',
] as const satisfies readonly ErrorCode[];

/**
 * All codes that an endpoint may answer, in the order of the catalogue.
 * @param ofAddress codes that every endpoint of its address may answer, beyond those of every address
 */
export function completeErrors(row: EndpointRow, ofAddress: readonly ErrorCode[]): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(row.errors);
  for (const code of [...ofAddress, 'METHOD_NOT_ALLOWED', 'RATE_LIMITED', 'INTERNAL'] as const) codes.add(code);
  if (row.credential !== 'none') codes.add('UNAUTHENTICATED').add('FORBIDDEN');
  if (row.requestSchema !== undefined) {
    codes.add('INVALID_REQUEST').add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
  }
  if (row.querySchema !== undefined || row.picksTerminal) codes.add('INVALID_REQUEST');
  if (row.pathParameters !== undefined) codes.add('NOT_FOUND');
  if (row.idempotency !== 'none')
    codes.add('INVALID_REQUEST').add('IDEMPOTENCY_IN_PROGRESS').add('IDEMPOTENCY_KEY_REUSED');
  return errorCodes.filter((code) => codes.has(code));
}
