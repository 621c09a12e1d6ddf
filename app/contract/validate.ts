import { Ajv, type ErrorObject } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { assertNoCardDataPrompt, assertNoPanIn } from './card-number.ts';
import { isCurrency } from './currencies.ts';
import { BridgeError } from './errors.ts';
import { fieldLabel, type PathStep } from './field-path.ts';
import { describeViolation } from './violation.ts';

/**
 * The one validator of the product. No coercion, no removal of unknown fields, no defaults; string lengths count Unicode code
 * points (decisions: Accepted amounts, Characters). A schema is compiled when it is first used, and kept by Ajv.
 */
const ajv = new Ajv({
  strict: true,
  allErrors: false,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  discriminator: true,
  verbose: true,
  // Our schemas are held against the meta-schema by a test, not at every start.
  meta: false,
  validateSchema: false,
});
ajv.addFormat('int64', {
  type: 'number',
  validate: (value: number) => Number.isSafeInteger(value) && !Object.is(value, -0),
});
ajv.addFormat('iso4217', isCurrency);
ajv.addFormat('date-time', isDateTime);
ajv.addFormat('date', isDate);

/** Whether `text` is a calendar date of ISO 8601, YYYY-MM-DD, that exists. */
export function isDate(text: string): boolean {
  const milliseconds = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse takes 31 February for 3 March.
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(text);
}

/** Whether `text` is a date and time of ISO 8601 with seconds and an offset (or Z) that exists. */
export function isDateTime(text: string): boolean {
  const parts =
    /^([0-9-]{10})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/;
  const found = parts.exec(text);
  return found !== null && isDate(found[1] ?? '');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws BridgeError INVALID_REQUEST whose message and `field` name what is wrong; no value is repeated. */
export function validate<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const problem = operationMismatch(schema, value) ?? unknownField(schema, value) ?? violation(schema, value);
  if (problem !== undefined) throw problem;
  return value as Static<Schema>;
}

/** Validates a request of a caller: its shape, and what a schema cannot say (card numbers, prompts, dependent fields). */
export function validateRequest<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const request = validate(schema, value);
  assertNoPan(request);
  assertHarmlessPrompt(request);
  assertDependentFields(request);
  return request;
}

/** A body that names another operation than its path is told so first (decisions: `type` in the body). */
function operationMismatch(schema: TSchema, value: unknown): BridgeError | undefined {
  const operation = constantOf(propertiesOf(schema).type);
  if (typeof operation !== 'string' || !isRecord(value)) return undefined;
  if (value.type === undefined || value.type === operation) return undefined;
  return refusal(['type'], `must be ${operation}, the operation of this path`);
}

/** A misspelt field is named before a field that it left missing (decisions: Unknown body fields). */
function unknownField(schema: TSchema, value: unknown): BridgeError | undefined {
  if (!isRecord(value)) return undefined;
  const branch = branchOf(schema, value);
  if (branch.additionalProperties !== false) return undefined;
  const known = propertiesOf(branch);
  const stranger = Object.keys(value).find((name) => !Object.hasOwn(known, name));
  if (stranger === undefined) return undefined;
  const operation = constantOf(known.type);
  const rule = typeof operation === 'string' ? `is not a field of a ${operation} request` : 'is not a known field';
  return refusal([stranger], rule);
}

function violation(schema: TSchema, value: unknown): BridgeError | undefined {
  const check = ajv.compile(schema);
  if (check(value)) return undefined;
  // Where branches were tried, the last error is that of the choice between them.
  const error = check.errors?.at(-1);
  if (error === undefined) return new BridgeError('INVALID_REQUEST', 'the request is not valid');
  const { path, rule } = describeViolation(error, pathOf(error, value));
  return refusal(path, rule);
}

/** Steps of a JSON pointer; only a step into an array is an index, for keys may be digits too. */
function pathOf(error: ErrorObject, document: unknown): PathStep[] {
  let at = document;
  return error.instancePath
    .split('/')
    .slice(1)
    .map((step) => {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const isIndex = Array.isArray(at);
      at = Object(at)[key];
      return isIndex ? Number(key) : key;
    });
}

function refusal(path: readonly PathStep[], rule: string): BridgeError {
  const label = fieldLabel(path);
  const subject = label ?? (path.length === 0 ? 'the body' : 'a field');
  return new BridgeError('INVALID_REQUEST', `${subject} ${rule}`, label === undefined ? {} : { field: label });
}

function asSchema(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  return asSchema(asSchema(schema).properties);
}

function constantOf(schema: unknown): unknown {
  return asSchema(schema).const;
}

/** The branch of a tagged union that the value's tag chooses, or the schema itself. */
function branchOf(schema: TSchema, value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const union = asSchema(schema);
  const tag = asSchema(union.discriminator).propertyName;
  const branches = union.oneOf;
  if (typeof tag !== 'string' || !Array.isArray(branches)) return union;
  return asSchema(branches.find((branch) => constantOf(propertiesOf(branch)[tag]) === value[tag]));
}

/**
 * Free texts of a request must not hold card numbers, for they are stored and shown (decisions: PAN-shaped text).
 * @throws BridgeError INVALID_REQUEST naming the field; the value is not repeated.
 */
export function assertNoPan(request: unknown): void {
  if (!isRecord(request)) return;
  for (const field of ['referenceId', 'evidence', 'resolvedBy', 'prompt', 'reason'] as const) {
    const text = request[field];
    if (typeof text === 'string') assertNoPanIn(field, text);
  }
  for (const field of ['lines', 'options'] as const) {
    const texts = request[field];
    if (!Array.isArray(texts)) continue;
    for (const [index, text] of texts.entries()) assertNoPanIn(`${field}[${index}]`, String(text));
  }
  const metadata = request.metadata;
  if (!isRecord(metadata)) return;
  for (const [key, text] of Object.entries(metadata)) {
    assertNoPanIn('metadata', key);
    assertNoPanIn(fieldLabel(['metadata', key]) ?? 'metadata', String(text));
  }
}

/** Only the terminal's own protected dialogue may ask for a PIN or card number (decisions: display / input). */
function assertHarmlessPrompt(request: unknown): void {
  if (!isRecord(request)) return;
  const { lines, prompt, options } = request;
  if (Array.isArray(lines)) assertNoCardDataPrompt('lines', lines.join(' '));
  if (typeof prompt === 'string') assertNoCardDataPrompt('prompt', prompt);
  if (Array.isArray(options)) assertNoCardDataPrompt('options', options.join(' '));
}

const approvingCodes: readonly unknown[] = ['00', '08', '11'];

/** Fields whose presence or value depends on another field. */
function assertDependentFields(request: unknown): void {
  if (!isRecord(request)) return;
  const { status, responseCode, authorizationCode, inputType, options, minLength, maxLength } = request;
  // A record of a finished payment carries its status; its terminal may have told no authorization code.
  if (status === undefined && approvingCodes.includes(responseCode) && authorizationCode === undefined) {
    throw refusal(['authorizationCode'], 'is required when responseCode approves');
  }
  if (inputType === 'MENU' && options === undefined) throw refusal(['options'], 'is required when inputType is MENU');
  if (inputType !== undefined && inputType !== 'MENU' && options !== undefined) {
    throw refusal(['options'], 'is allowed only when inputType is MENU');
  }
  if (typeof minLength === 'number' && typeof maxLength === 'number' && minLength > maxLength) {
    throw refusal(['minLength'], 'must not be larger than maxLength');
  }
}
