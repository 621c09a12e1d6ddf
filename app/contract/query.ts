import { type Static, type TObject, Type } from 'typebox';
import { BridgeError } from './errors.ts';
import { MAX_CALL_TIMEOUT_SECONDS, MIN_CALL_TIMEOUT_SECONDS } from './limits.ts';
import { IdempotencyKey, TerminalId } from './parts.ts';
import { assertNoPan, isDate, isDateTime, validate } from './validate.ts';

/** Query strings and headers arrive as text. They are read here, explicitly: nothing else converts types. */

/** Names and texts as a server hands them over; an array where a name was given more than once. */
export type TextFields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers that a call may carry beside its credentials. */
export const CallHeaders = Type.Object(
  {
    'idempotency-key': Type.Optional(IdempotencyKey),
    'x-terminal-id': Type.Optional(TerminalId),
    'x-timeout-seconds': Type.Optional(
      Type.Integer({
        minimum: MIN_CALL_TIMEOUT_SECONDS,
        maximum: MAX_CALL_TIMEOUT_SECONDS,
        description: `Seconds within which the call is answered, ${MIN_CALL_TIMEOUT_SECONDS} to ${MAX_CALL_TIMEOUT_SECONDS}; ${MAX_CALL_TIMEOUT_SECONDS} when left out. At the deadline the payment is aborted, and its outcome may be unknown.`,
      }),
    ),
  },
  { additionalProperties: false },
);
export type CallHeaders = Static<typeof CallHeaders>;

/**
 * Reads a query string by its schema: integers from plain digits, times normalised to UTC (a plain date is its midnight in UTC),
 * defaults filled in.
 * @throws BridgeError INVALID_REQUEST naming the parameter: unknown, given twice, or not as documented (limit "0", "101", "1.5", "abc").
 */
export function parseQuery<Schema extends TObject>(schema: Schema, query: TextFields): Static<Schema> {
  for (const name of Object.keys(query)) {
    if (!Object.hasOwn(schema.properties, name)) throw refusal(name, 'is not a known parameter');
  }
  const values = parseFields(schema, query);
  assertNoPan(values);
  return values;
}

/** Reads the headers of a call, names in lower case; others are ignored. @throws BridgeError INVALID_REQUEST naming the header */
export function parseHeaders(headers: TextFields): CallHeaders {
  return parseFields(CallHeaders, headers);
}

function parseFields<Schema extends TObject>(schema: Schema, fields: TextFields): Static<Schema> {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = parseField(name, property, fields[name]);
    if (value !== undefined) values[name] = value;
  }
  return validate(schema, values);
}

interface PropertyView {
  readonly type?: unknown;
  readonly format?: unknown;
  readonly default?: unknown;
}

function parseField(name: string, property: PropertyView, text: string | readonly string[] | undefined): unknown {
  if (text === undefined) return property.default;
  if (typeof text !== 'string') throw refusal(name, 'must be given once');
  if (text.includes('\u0000') || /\p{Surrogate}/u.test(text))
    throw refusal(name, 'must be text without NUL and half characters');
  // Text that is no plain integer stays text, and the schema refuses it in its own words.
  if (property.type === 'integer') return /^(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text;
  if (property.format === 'date-time') return normalisedTime(text);
  return text;
}

function normalisedTime(text: string): string {
  return isDate(text) || isDateTime(text) ? new Date(text).toISOString() : text;
}

function refusal(name: string, rule: string): BridgeError {
  const isPlain = /^[A-Za-z0-9_-]{1,64}$/.test(name);
  return new BridgeError(
    'INVALID_REQUEST',
    `${isPlain ? name : 'a parameter'} ${rule}`,
    isPlain ? { field: name } : {},
  );
}
