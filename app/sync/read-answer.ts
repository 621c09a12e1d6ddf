import type { TSchema } from 'typebox';
import { ErrorResponse, errorCatalogue } from '../contract/errors.ts';
import { parseStrictJson } from '../contract/json.ts';
import { validate } from '../contract/validate.ts';
import type { HostReply } from '../ports/host-client.ts';
import type { HttpReply } from './http-exchange.ts';
import { knownFields } from './known-fields.ts';

const FIRST_ERROR_STATUS = 400;
const OK = 200;

/** An answer that is none of the contract is no answer: whatever stands between may have given it, and the call may have arrived all the same. */
export function readAnswer<T>(
  schema: TSchema,
  { statusCode, body }: Extract<HttpReply, { kind: 'ANSWERED' }>,
): HostReply<T> {
  try {
    const document = parseStrictJson(body);
    if (statusCode === OK) return { kind: 'ANSWERED', body: validate(schema, knownFields(schema, document)) as T };
    if (statusCode < FIRST_ERROR_STATUS) return { kind: 'LOST', reason: `the answer has the status ${statusCode}` };
    const { error, message, field } = validate(ErrorResponse, knownFields(ErrorResponse, document));
    if (errorCatalogue[error].moneyMayHaveMoved !== 'NO') return { kind: 'LOST', reason: `the host answered ${error}` };
    return { kind: 'REFUSED', errorCode: error, message, ...(field === undefined ? {} : { field }) };
  } catch {
    return { kind: 'LOST', reason: `the answer with the status ${statusCode} cannot be read` };
  }
}
