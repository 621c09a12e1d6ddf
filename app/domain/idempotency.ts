import { canonicalJson } from './canonical-json.ts';
import type { IdempotencyEntry } from './records.ts';

/** Who calls what where: the scope within which a key is one key (decisions: Idempotency-Key). */
export interface IdempotencyScope {
  readonly clientId: string;
  readonly terminalId: string;
  /** Method and path with its ids, e.g. `POST /v1/transaction/sale`. */
  readonly route: string;
}

type Answer = NonNullable<IdempotencyEntry['answer']>;

/** The scope as text; the parts cannot run into each other. The key in use and the address are no part of it. */
export function scopeText(scope: IdempotencyScope): string {
  return canonicalJson([scope.clientId, scope.terminalId, scope.route]);
}

/**
 * What two requests under one key are compared by: a keyed hash over scope and canonical body. Bodies of money requests hold no card data.
 * @param keyedHash e.g. HMAC-SHA-256 in hex with a key of this till, so that a stored hash gives nothing away.
 */
export function requestHash(scope: string, body: unknown, keyedHash: (text: string) => string): string {
  return keyedHash(canonicalJson([scope, body]));
}

/** Whether an answer is kept under its key: an outcome is (200), a refusal given before anything was sent is not (decisions: Idempotency-Key). */
export function isStorable(statusCode: number): boolean {
  return statusCode === 200;
}

/**
 * Whether a stored answer gives way to another one: only an unknown outcome, and only to the truth; a definitive answer is repeated byte for
 * byte for ever (decisions: Final status, Idempotency-Key).
 */
export function mayReplace(stored: Answer, next: Answer): boolean {
  return isStorable(next.statusCode) && isUnknownAnswer(stored.body) && !isUnknownAnswer(next.body);
}

/** Whether a stored body says OUTCOME_UNKNOWN, waits for the issuer answer of a granular payment, or tells of a host payment whose outcome is unknown. */
function isUnknownAnswer(body: string): boolean {
  const response: unknown = JSON.parse(body);
  if (typeof response !== 'object' || response === null) return false;
  if ('status' in response && response.status === 'PENDING_ONLINE') return true;
  if (isUnknownPayment(response) || ('payment' in response && isUnknownPayment(response.payment))) return true;
  return 'errorCode' in response && response.errorCode === 'OUTCOME_UNKNOWN';
}

/** A host Payment says FAILED while nobody knows what became of it; a day close that says so has moved nothing. */
function isUnknownPayment(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!('acceptanceChannel' in value) || !('status' in value)) return false;
  return value.status === 'FAILED' || value.status === 'PROCESSING';
}
