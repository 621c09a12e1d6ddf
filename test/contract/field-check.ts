import { Ajv } from 'ajv';
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

export function named(name: string): Schema {
  const schema = namedSchemas[name];
  if (schema === undefined) throw new Error(`the contract has no schema ${name}`);
  return plain(schema);
}

/** Values that the decisions add to an enum of the specification. */
const addedValues: Readonly<Record<string, readonly string[]>> = { 'TransactionResponse.status': ['IN_PROGRESS'] };

/**
 * All differences between the fields of the specification and a schema; an empty list is agreement. A rule of a kind that is not
 * checked here is a difference, so that nothing of the specification is passed over.
 */
export function differences(owner: string, fields: SpecFields, schema: Schema): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const where = `${owner}.${name}`;
    const property = schema.properties?.[name];
    if (property === undefined) return [`${where} is missing`];
    const isRequired = schema.required?.includes(name) === true;
    return [
      ...(field.required === true && !isRequired ? [`${where} must be required`] : []),
      ...(field.required === false && isRequired ? [`${where} must be optional`] : []),
      ...fieldDifferences(where, field, property),
    ];
  });
}

function fieldDifferences(where: string, field: SpecField, property: Schema): string[] {
  const allowsNull = property.anyOf?.some(({ type }) => type === 'null') === true;
  const inner = allowsNull ? (property.anyOf?.find(({ type }) => type !== 'null') ?? {}) : property;
  return [
    ...(field.nullable === true && !allowsNull ? [`${where} must allow null`] : []),
    ...typeDifferences(where, field, inner),
    ...Object.entries(field.rules ?? {}).flatMap(([rule, value]) => {
      const check = ruleChecks[rule];
      if (check === undefined) return [`${where}: rule ${rule} is not checked`];
      return check(inner, value) ? [] : [`${where}: rule ${rule} ${JSON.stringify(value)} does not hold`];
    }),
  ];
}

function typeDifferences(where: string, field: SpecField, property: Schema): string[] {
  if (field.resource !== undefined)
    return same(property, named(field.resource)) ? [] : [`${where} must be a ${field.resource}`];
  if (field.fields !== undefined) return differences(where, field.fields, property);
  const isRight = field.type === null || typeChecks[field.type]?.(where, field, property) === true;
  return isRight ? [] : [`${where} must be ${field.type}, is ${JSON.stringify(property).slice(0, 120)}`];
}

const typeChecks: Readonly<Record<string, (where: string, field: SpecField, property: Schema) => boolean>> = {
  string: (_, __, { type }) => type === 'string',
  integer: (_, __, { type, const: constant }) => type === 'integer' || typeof constant === 'number',
  boolean: (_, __, { type }) => type === 'boolean',
  datetime: (_, __, { type, format }) => type === 'string' && format === 'date-time',
  map: (_, __, { additionalProperties }) => additionalProperties !== false && additionalProperties?.type === 'string',
  object: (_, __, { type }) => type === 'object',
  enum: (where, field, property) => same(property.enum, [...(field.enum ?? []), ...(addedValues[where] ?? [])]),
  array: (_, field, { items }) => field.items?.resource === undefined || same(items, named(field.items.resource)),
};

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const documentary = () => true;

/** Rule of the specification → whether the schema of the field keeps it. `documentary`: shown by tests of behaviour, not by a schema. */
const ruleChecks: Readonly<Record<string, (property: Schema, value: unknown) => boolean>> = {
  unit: ({ type, minimum, maximum }, value) =>
    ['minor', 'count'].includes(String(value)) &&
    type === 'integer' &&
    minimum !== undefined &&
    maximum === Number.MAX_SAFE_INTEGER,
  format: ({ format, pattern }, value) =>
    value === 'iso4217'
      ? format === 'iso4217'
      : value === 'hex' && accepts(pattern, 'A0b1') && !accepts(pattern, 'A0b') && !accepts(pattern, 'xy'),
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
