import { type Static, type TSchema, Type } from 'typebox';
import {
  DEFAULT_PAGE_ITEMS,
  MAX_AMOUNT_MINOR,
  MAX_CURSOR_CHARACTERS,
  MAX_ID_CHARACTERS,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
  MAX_METADATA_KEYS,
  MAX_METADATA_VALUE_CHARACTERS,
  MAX_PAGE_ITEMS,
  MAX_REFERENCE_ID_CHARACTERS,
  MIN_PAGE_ITEMS,
} from './limits.ts';

/** Small schemas and builders that the wire shapes are made of. Formats are defined in validate.ts. */

/** A string out of a closed list. */
export function oneOfStrings<const Values extends readonly [string, ...string[]]>(values: Values, description: string) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description });
}

/** A string whose known values are listed and may grow: a reader must accept others (decisions: Open enums). */
export function openEnum<const Values extends readonly [string, ...string[]]>(values: Values, description: string) {
  return Type.Unsafe<Values[number]>({
    type: 'string',
    examples: [...values],
    description: `${description} Known values: ${values.join(', ')}; others may follow.`,
  });
}

/** Objects told apart by one field; the error of the chosen branch is reported, not one of each branch. */
export function taggedUnion<const Branches extends readonly [TSchema, ...TSchema[]]>(
  tag: string,
  branches: Branches,
  description: string,
) {
  return Type.Unsafe<Static<Branches[number]>>({
    type: 'object',
    description,
    discriminator: { propertyName: tag },
    required: [tag],
    properties: { [tag]: { type: 'string' } },
    oneOf: [...branches],
  });
}

/** A map from any key to one kind of value. (Type.Record writes a pattern that a line feed in a key escapes.) */
export function mapOf<Value extends TSchema>(value: Value, options: { description: string; maxProperties?: number }) {
  return Type.Unsafe<Record<string, Static<Value>>>({ type: 'object', additionalProperties: value, ...options });
}

/** Or null. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** Amount in minor units from `minimum` up. */
export function minorUnits(minimum: number, description: string) {
  return Type.Integer({ minimum, maximum: MAX_AMOUNT_MINOR, format: 'int64', description });
}

/** Amount in minor units that may be negative, as a net amount may. */
export function signedMinorUnits(description: string) {
  return Type.Integer({ minimum: -MAX_AMOUNT_MINOR, maximum: MAX_AMOUNT_MINOR, format: 'int64', description });
}

export function count(description: string) {
  return Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: 'int64', description });
}

export function dateTime(description: string) {
  return Type.String({ format: 'date-time', description });
}

/** A date of a shop's business, as app/domain/business-day.ts tells it (decisions: Business day). */
export function businessDate(description: string) {
  return Type.String({ format: 'date', description });
}

export function text(maxLength: number, description: string) {
  return Type.String({ minLength: 1, maxLength, description });
}

export const Currency = Type.String({
  format: 'iso4217',
  minLength: 3,
  maxLength: 3,
  description: 'ISO 4217 code, three capital letters.',
  examples: ['EUR'],
});

export const TransactionId = text(MAX_ID_CHARACTERS, 'Identifier of the transaction.');
export const TerminalId = text(MAX_ID_CHARACTERS, 'Identifier of the terminal, as GET /v1/meta lists it.');

/** What a POS client may be called, at the till and at the host. */
export const POS_CLIENT_NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$';

export const PosClientName = Type.String({
  pattern: POS_CLIENT_NAME_PATTERN,
  description: '1 to 64 letters, digits, spaces, dots, dashes or underscores.',
});

/** What people call a terminal: Counter 1, Bar. */
export const TerminalName = Type.String({
  minLength: 1,
  maxLength: 32,
  pattern: "^[\\p{L}\\p{N}]([\\p{L}\\p{M}\\p{N} .,'’()#&/-]*[\\p{L}\\p{M}\\p{N}.)])?$",
  description: '1 to 32 letters, digits, spaces and common signs.',
});

export const ReferenceId = Type.String({
  minLength: 0,
  maxLength: MAX_REFERENCE_ID_CHARACTERS,
  description: `Reference assigned by the POS, at most ${MAX_REFERENCE_ID_CHARACTERS} characters (Unicode code points); echoed in every answer. Text shaped like a card number is refused.`,
});

export const Metadata = mapOf(Type.String({ maxLength: MAX_METADATA_VALUE_CHARACTERS }), {
  maxProperties: MAX_METADATA_KEYS,
  description: `Key/value pairs of strings: at most ${MAX_METADATA_KEYS} keys, ${MAX_METADATA_VALUE_CHARACTERS} characters (Unicode code points) per value; echoed in the answer and carried by exports. Text shaped like a card number is refused.`,
});

export const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: MAX_IDEMPOTENCY_KEY_CHARACTERS,
  pattern: '^[\\x21-\\x7e]+$',
  description: `Key under which a repeat gets the first definitive answer again: 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters.`,
});

export const Cursor = text(MAX_CURSOR_CHARACTERS, 'nextCursor of the page before; opaque; left out on the first page.');

export const PageLimit = Type.Integer({
  minimum: MIN_PAGE_ITEMS,
  maximum: MAX_PAGE_ITEMS,
  default: DEFAULT_PAGE_ITEMS,
  description: `Items of the page: ${MIN_PAGE_ITEMS} to ${MAX_PAGE_ITEMS}; ${DEFAULT_PAGE_ITEMS} when left out.`,
});
