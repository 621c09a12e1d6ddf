import { Ajv } from 'ajv';
import type { TSchema } from 'typebox';
import { SESSION_PROCESSING_TIMEOUT_MINUTES } from '../../app/contract/host/host-limits.ts';
import { namedSchemas } from '../../app/contract/named-schemas.ts';
import type { SpecField, SpecFields } from './spec-document.ts';

/** A JSON schema as plain data. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly examples?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export function plain(schema: unknown): Schema {
  return JSON.parse(JSON.stringify(schema));
}

/** Schemas of a document by name. */
type Named = Readonly<Record<string, TSchema>>;

export function named(name: string, schemas: Named = namedSchemas): Schema {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`the contract has no schema ${name}`);
  return plain(schema);
}

/** Values that the decisions add to an enum of the specification. */
const addedValues: Readonly<Record<string, readonly string[]>> = { 'TransactionResponse.status': ['IN_PROGRESS'] };

/**
 * All differences between the fields of the specification and a schema; an empty list is agreement. A rule of a kind that is not
 * checked here is a difference, so that nothing of the specification is passed over.
 */
export function differences(
  owner: string,
  fields: SpecFields,
  schema: Schema,
  schemas: Named = namedSchemas,
): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const where = `${owner}.${name}`;
    const property = schema.properties?.[name];
    if (property === undefined) return [`${where} is missing`];
    const isRequired = schema.required?.includes(name) === true;
    return [
      ...(field.required === true && !isRequired ? [`${where} must be required`] : []),
      ...(field.required === false && isRequired ? [`${where} must be optional`] : []),
      ...fieldDifferences(where, field, property, schemas),
    ];
  });
}

function fieldDifferences(where: string, field: SpecField, property: Schema, schemas: Named): string[] {
  const allowsNull = property.anyOf?.some(({ type }) => type === 'null') === true;
  const inner = allowsNull ? (property.anyOf?.find(({ type }) => type !== 'null') ?? {}) : property;
  return [
    ...(field.nullable === true && !allowsNull ? [`${where} must allow null`] : []),
    ...typeDifferences(where, field, inner, schemas),
    ...Object.entries(field.rules ?? {}).flatMap(([rule, value]) => {
      const check = ruleChecks[rule];
      if (check === undefined) return [`${where}: rule ${rule} is not checked`];
      return check(inner, value) ? [] : [`${where}: rule ${rule} ${JSON.stringify(value)} does not hold`];
    }),
  ];
}

function typeDifferences(where: string, field: SpecField, property: Schema, schemas: Named): string[] {
  if (field.resource !== undefined)
    return same(property, named(field.resource, schemas)) ? [] : [`${where} must be a ${field.resource}`];
  if (field.fields !== undefined) return differences(where, field.fields, property, schemas);
  const isRight = field.type === null || typeChecks[field.type]?.(where, field, property, schemas) === true;
  return isRight ? [] : [`${where} must be ${field.type}, is ${JSON.stringify(property).slice(0, 120)}`];
}

const typeChecks: Readonly<
  Record<string, (where: string, field: SpecField, property: Schema, schemas: Named) => boolean>
> = {
  string: (_, __, { type }) => type === 'string',
  integer: (_, __, { type, const: constant }) => type === 'integer' || typeof constant === 'number',
  boolean: (_, __, { type }) => type === 'boolean',
  datetime: (_, __, { type, format }) => type === 'string' && format === 'date-time',
  map: (_, __, { additionalProperties }) => additionalProperties !== false && additionalProperties?.type === 'string',
  object: (_, __, { type }) => type === 'object',
  enum: (where, field, property) => same(property.enum, [...(field.enum ?? []), ...(addedValues[where] ?? [])]),
  array: (_, { items: wanted }, { items }, schemas) => {
    if (typeof wanted === 'string') return items?.type === wanted;
    return wanted?.resource === undefined || same(items, named(wanted.resource, schemas));
  },
};

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const documentary = () => true;

/** Rule of the specification → whether the schema of the field keeps it. `documentary`: shown by tests of behaviour, not by a schema. */
const ruleChecks: Readonly<Record<string, (property: Schema, value: unknown) => boolean>> = {
  unit: (property, value) => {
    const { type, minimum, maximum } = property.items ?? property;
    const largest: Readonly<Record<string, number>> = {
      minor: Number.MAX_SAFE_INTEGER,
      count: Number.MAX_SAFE_INTEGER,
      basisPoints: 10_000,
    };
    return type === 'integer' && minimum !== undefined && maximum === largest[String(value)];
  },
  format: ({ format, pattern }, value) => {
    if (value === 'iso4217') return format === 'iso4217';
    if (value === 'hex') return accepts(pattern, 'A0b1') && !accepts(pattern, 'A0b') && !accepts(pattern, 'xy');
    const uuid = '6f1f3c52-2f2c-4b0a-9a55-0f6a1d3a7c10';
    return value === 'uuid' && accepts(pattern, uuid) && !accepts(pattern, uuid.slice(1)) && !accepts(pattern, 'T-1');
  },
  forms: ({ pattern }, value) =>
    Array.isArray(value) &&
    value.every((form) => accepts(pattern, String(form).replace(/<[a-z_]+>/, '1500'))) &&
    !accepts(pattern, 'preset:') &&
    !accepts(pattern, 'tip'),
  maxFirstDigits: ({ pattern }, value) =>
    accepts(pattern, `${'4'.repeat(Number(value))}******1111`) &&
    !accepts(pattern, `${'4'.repeat(Number(value) + 1)}*****1111`),
  maxLastDigits: ({ pattern }, value) =>
    accepts(pattern, `444444******${'1'.repeat(Number(value))}`) &&
    !accepts(pattern, `444444*****${'1'.repeat(Number(value) + 1)}`),
  // Values that a list must not have; for a field it says which other field it is not.
  not: ({ enum: values }, value) => !Array.isArray(value) || value.every((name) => values?.includes(name) === false),
  maxLength: ({ maxLength }, value) => maxLength === value,
  maxKeys: ({ maxProperties }, value) => maxProperties === value,
  maxValueLength: ({ additionalProperties }, value) =>
    additionalProperties !== false && additionalProperties?.maxLength === value,
  length: ({ pattern }, value) => {
    const text = '0'.repeat(Number(value));
    return accepts(pattern, text) && !accepts(pattern, `${text}0`) && !accepts(pattern, text.slice(1));
  },
  approvedValue: ({ pattern }, value) => accepts(pattern, String(value)),
  valuesSeen: ({ enum: values, examples }, value) =>
    Array.isArray(value) && value.every((seen) => (values ?? examples)?.includes(seen) !== false),
  open: documentary,
  minimum: ({ minimum }, value) => minimum === value,
  maximum: ({ maximum }, value) => maximum === value,
  default: ({ default: byDefault }, value) => byDefault === value,
  final: ({ enum: values }, value) => Array.isArray(value) && value.every((name) => values?.includes(name)),
  intermediate: ({ enum: values }, value) => Array.isArray(value) && value.every((name) => values?.includes(name)),
  timezone: documentary,
  presentWhen: documentary,
  keyType: documentary,
  valueType: ({ additionalProperties }, value) =>
    additionalProperties !== false &&
    (value === 'string' || accepts(additionalProperties?.pattern, 'A0')) &&
    additionalProperties?.type === 'string',
  echoOf: documentary,
  echoedInResponse: documentary,
  inReconciliationExports: documentary,
  assignedBy: documentary,
  refersTo: documentary,
  // Held against the schemas of the operations in specification.test.ts.
  fixedFor: documentary,
  appliesTo: documentary,
  requiredFor: documentary,
  formula: documentary,
  order: documentary,
  nullWhen: documentary,
  opaque: documentary,
  omitOnFirstPage: documentary,
  filters: documentary,
  bound: documentary,
  mayBeLessThan: documentary,
  nullUntil: documentary,
  echoedOnEveryRead: documentary,
  standard: documentary,
  dropWhenMoreRevealed: documentary,
  deadlineMinutes: (_, value) => value === SESSION_PROCESSING_TIMEOUT_MINUTES,
  equals: documentary,
  // Held against the rules of app/domain in host-specification.test.ts.
  sumOf: documentary,
  sumAppliesWhen: documentary,
  exclusiveWith: documentary,
  requires: documentary,
  keySerialOf: documentary,
  // Kept by card-data.ts, whose test shows that nothing of it can be written down.
  emvTag: documentary,
  clear: documentary,
  encryptedBy: documentary,
  scope: documentary,
  neverLog: documentary,
  neverPersist: documentary,
  neverLogOrPersistOutside: documentary,
};

function accepts(pattern: string | undefined, text: string): boolean {
  return pattern !== undefined && new RegExp(pattern, 'u').test(text);
}

/** Ajv with the meta-schema, to hold every schema against JSON Schema itself. */
export function createMetaAjv(): Ajv {
  const ajv = new Ajv({ strict: true, discriminator: true });
  for (const format of ['int64', 'iso4217', 'date-time', 'date']) ajv.addFormat(format, true);
  return ajv;
}
