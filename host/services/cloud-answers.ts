import { BridgeError, errorCatalogue } from '../../app/contract/errors.ts';
import { TransactionResponse } from '../../app/contract/transactions.ts';
import { validate } from '../../app/contract/validate.ts';
import { isoOf } from '../../app/domain/instant.ts';
import type { CloudCallRecord, TerminalRecord } from '../ports/host-records.ts';
import type { PosAnswer, PosCall } from './host.ts';

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };
const unknownOutcome = {
  charged: 'UNKNOWN',
  safeToRetry: false,
  evidence: 'The link to the till was lost after the call may have reached it.',
} as const;

/** Fields of a request that its answer repeats. */
const repeated = [
  ...['type', 'amount', 'currency', 'tipAmount', 'cashbackAmount', 'referenceId'],
  ...['originalTransactionId', 'metadata'],
] as const;

/** What is kept of a request, for an answer in the till's place. Bodies of money requests hold no card data. */
export function requestText({ body }: PosCall, { currency }: TerminalRecord): string {
  const given = Object(body);
  const kept = Object.fromEntries(repeated.flatMap((name) => (name in given ? [[name, given[name]]] : [])));
  return JSON.stringify({ amount: 0, currency, ...kept });
}

/** The host's word on a transaction while its till says nothing (decisions: Cloud POS). */
export function hostView(record: CloudCallRecord, status: 'IN_PROGRESS' | 'ERROR'): PosAnswer {
  const { transactionId, request, createdAtMs } = record;
  const response = validate(TransactionResponse, {
    ...{ transactionId, status, ...JSON.parse(request), timestamp: isoOf(createdAtMs) },
    ...(status === 'IN_PROGRESS'
      ? {}
      : {
          outcome: unknownOutcome,
          errorCode: 'OUTCOME_UNKNOWN',
          message: 'the link to the till was lost; look the transaction up, and do not charge again',
        }),
  });
  const answer = { statusCode: 200, headers: jsonHeaders, body: JSON.stringify(response), transactionId };
  return status === 'ERROR' ? { ...answer, isHosts: true } : answer;
}

/** A first answer again, byte for byte. */
export function replayed({ transactionId, answer }: CloudCallRecord): PosAnswer | undefined {
  if (answer === undefined) return undefined;
  return { ...answer, headers: { ...jsonHeaders, 'idempotent-replayed': 'true' }, transactionId };
}

/** Whether an answer is kept under its key: not one that the till may still replace, and never chip data (decisions: chipData, Idempotency-Key). */
export function isDefinitive({ statusCode, body }: Pick<PosAnswer, 'statusCode' | 'body'>): boolean {
  if (statusCode !== 200) return false;
  const { status, errorCode } = read(body);
  return status !== 'PENDING_ONLINE' && status !== 'IN_PROGRESS' && errorCode !== 'OUTCOME_UNKNOWN';
}

/** Whether the till has refused the call and nothing came of it. */
export function isRefusal({ statusCode, body }: Pick<PosAnswer, 'statusCode' | 'body'>): boolean {
  const { error } = read(body);
  if (statusCode < 400 || typeof error !== 'string' || !Object.hasOwn(errorCatalogue, error)) return false;
  return errorCatalogue[error as keyof typeof errorCatalogue].moneyMayHaveMoved === 'NO';
}

export function isRunning({ body }: Pick<PosAnswer, 'body'>): boolean {
  return read(body).status === 'IN_PROGRESS';
}

function read(body: string): { readonly status?: unknown; readonly errorCode?: unknown; readonly error?: unknown } {
  try {
    return Object(JSON.parse(body));
  } catch {
    return {};
  }
}

export function notLinked(): BridgeError {
  return new BridgeError('TERMINAL_UNREACHABLE', 'the till that holds the terminal is not linked; nothing was sent');
}

/** A question whose answer was lost: it may be asked again. */
export function answerLost(): BridgeError {
  return new BridgeError('TERMINAL_UNREACHABLE', 'the link to the till was lost; no money was moved by this call');
}

/** A change of something that is there already: what became of it stands where it is looked up. */
export function changeLost(transactionId: string | undefined): BridgeError {
  const details = { ...(transactionId === undefined ? {} : { transactionId }), outcome: unknownOutcome };
  return new BridgeError('INTERNAL', 'the call may have reached the till before its link was lost; look it up', {
    details,
  });
}
