import type { ErrorObject } from 'ajv';
import type { PathStep } from './field-path.ts';
import { MAX_AMOUNT_MINOR } from './limits.ts';

/** The specification's words for what a schema refuses, e.g. "amount must be a positive integer". Values are never repeated. */

type SchemaView = Readonly<Record<string, unknown>>;

interface Violation {
  readonly path: readonly PathStep[];
  readonly rule: string;
}

/** @param path where in the document the error stands */
export function describeViolation(error: ErrorObject, path: readonly PathStep[]): Violation {
  const params: SchemaView = error.params;
  if (error.keyword === 'required') return { path: [...path, String(params.missingProperty)], rule: 'is required' };
  if (error.keyword === 'additionalProperties') {
    return { path: [...path, String(params.additionalProperty)], rule: 'is not a known field' };
  }
  if (error.keyword === 'discriminator') {
    const tag = String(params.tag);
    return { path: [...path, tag], rule: `must be one of ${tagsOf(error.parentSchema ?? {}, tag).join(', ')}` };
  }
  return { path, rule: ruleOf(error.keyword, error.parentSchema ?? {}) };
}

function ruleOf(keyword: string, schema: SchemaView): string {
  const limit = String(schema[keyword]);
  switch (keyword) {
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minLength':
      return schema.minLength === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxProperties':
      return `must have at most ${limit} keys`;
    case 'maxItems':
      return `must have at most ${limit} entries`;
    case 'minItems':
      return `must have at least ${limit} entries`;
    case 'enum':
    case 'const':
      return choiceRule(schema);
    case 'format':
    case 'type':
    case 'minimum':
    case 'maximum':
      return typeRule(schema);
    default:
      return documentedForm(schema);
  }
}

function documentedForm(schema: SchemaView): string {
  const { description } = schema;
  return typeof description === 'string'
    ? `does not have the documented form: ${description}`
    : 'does not have the documented form';
}

function choiceRule(schema: SchemaView): string {
  const choices = schema.enum;
  return Array.isArray(choices) ? `must be one of ${choices.join(', ')}` : `must be ${String(schema.const)}`;
}

const formatRules: Readonly<Record<string, string>> = {
  iso4217: 'must be an ISO 4217 currency code',
  'date-time': 'must be a date and time of ISO 8601 with an offset, as 2026-01-31T12:00:00Z',
  date: 'must be a date of ISO 8601, as 2026-01-31',
};

function typeRule(schema: SchemaView): string {
  const { type, format } = schema;
  if (type === 'integer') return integerRule(schema.minimum, schema.maximum);
  if (typeof format === 'string' && Object.hasOwn(formatRules, format))
    return formatRules[format] ?? 'must be a string';
  if (schema.const !== undefined || schema.enum !== undefined) return choiceRule(schema);
  if (type === 'boolean') return 'must be true or false';
  if (type === 'array') return 'must be an array';
  if (type === 'object') return 'must be an object';
  return 'must be a string';
}

function integerRule(minimum: unknown, maximum: unknown): string {
  const isOpenAbove = maximum === undefined || maximum === MAX_AMOUNT_MINOR;
  if (minimum === 1 && isOpenAbove) return `must be a positive integer up to ${MAX_AMOUNT_MINOR}`;
  if (minimum === 0 && isOpenAbove) return `must be an integer from 0 to ${MAX_AMOUNT_MINOR}`;
  return minimum === undefined
    ? 'must be an integer'
    : `must be an integer from ${String(minimum)} to ${String(maximum)}`;
}

function tagsOf(schema: SchemaView, tag: string): string[] {
  const branches = schema.oneOf;
  if (!Array.isArray(branches)) return [];
  return branches.map((branch: SchemaView) => {
    const properties = branch.properties as Readonly<Record<string, SchemaView>> | undefined;
    return String(properties?.[tag]?.const);
  });
}
