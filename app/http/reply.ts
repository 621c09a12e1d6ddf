/** What goes out. */
export interface Reply {
  readonly statusCode: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the call was about, for the log. */
  readonly transactionId?: string;
}

export const jsonType = 'application/json; charset=utf-8';

/** A value as JSON. */
export function jsonReply(value: object, statusCode = 200): Reply {
  return { statusCode, body: JSON.stringify(value), headers: { 'content-type': jsonType } };
}

/** An answer whose bytes are kept under an Idempotency-Key. */
interface KeptAnswer {
  readonly statusCode: number;
  readonly body: string;
  readonly replayed: boolean;
}

/** The bytes of a kept answer, unchanged: a replay is the same byte for byte (decisions: Idempotency-Key). */
export function keptReply(answer: KeptAnswer, subjectId: string): Reply {
  return {
    statusCode: answer.statusCode,
    body: answer.body,
    headers: { 'content-type': jsonType, ...(answer.replayed ? { 'idempotent-replayed': 'true' } : {}) },
    transactionId: subjectId,
  };
}
