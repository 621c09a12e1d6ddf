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
  | 'Service';

/** One endpoint as its row in endpoints.ts states it. */
export interface EndpointRow {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** Parameters in braces: /v1/transactions/{id}. */
  readonly path: string;
  readonly tag: EndpointTag;
  readonly summary: string;
  readonly description: string;
  readonly credential: 'pos' | 'none';
  readonly idempotency: 'none' | 'optional' | 'required';
  readonly movesMoney: boolean;
  /** Whether the call concerns one terminal, which X-Terminal-Id picks. */
  readonly picksTerminal: boolean;
  /** Whether the call waits for the terminal, so that X-Timeout-Seconds may lower its time. */
  readonly waitsForTerminal: boolean;
  readonly pathParameters?: Readonly<Record<string, TSchema>>;
  readonly requestSchema?: TSchema;
  readonly querySchema?: TObject;
  readonly successStatus: 200 | 101;
  /** JSON body of the success; absent for the session and for the pages. */
  readonly successSchema?: TSchema;
  readonly successMediaType: 'application/json' | 'text/html' | 'none';
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

/** All codes that an endpoint may answer, in the order of the catalogue. */
export function completeErrors(row: EndpointRow): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(row.errors);
  for (const code of [
    'HOST_NOT_ALLOWED',
    'ORIGIN_NOT_ALLOWED',
    'METHOD_NOT_ALLOWED',
    'RATE_LIMITED',
    'INTERNAL',
  ] as const) {
    codes.add(code);
  }
  if (row.credential === 'pos') codes.add('UNAUTHENTICATED').add('FORBIDDEN');
  if (row.requestSchema !== undefined) {
    codes.add('INVALID_REQUEST').add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
  }
  if (row.querySchema !== undefined || row.picksTerminal) codes.add('INVALID_REQUEST');
  if (row.pathParameters !== undefined) codes.add('NOT_FOUND');
  if (row.idempotency !== 'none')
    codes.add('INVALID_REQUEST').add('IDEMPOTENCY_IN_PROGRESS').add('IDEMPOTENCY_KEY_REUSED');
  return errorCodes.filter((code) => codes.has(code));
}
