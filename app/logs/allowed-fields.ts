import type { LogFields } from '../ports/log.ts';

/** Characters of one text field; a stack may be longer. */
const maxTextCharacters = 500;
const maxStackCharacters = 4_000;

type FieldKind = 'text' | 'number' | 'stack';

/** Every field that a log line may carry, and what kind of value it holds. Anything else is dropped. */
const kinds: Readonly<Record<keyof LogFields, FieldKind>> = {
  requestId: 'text',
  transactionId: 'text',
  terminalId: 'text',
  taskId: 'text',
  clientName: 'text',
  method: 'text',
  route: 'text',
  statusCode: 'number',
  durationMs: 'number',
  code: 'text',
  reason: 'text',
  state: 'text',
  protocol: 'text',
  command: 'text',
  attempt: 'number',
  byteCount: 'number',
  sequence: 'number',
  path: 'text',
  port: 'number',
  pid: 'number',
  stack: 'stack',
};

const fieldNames = Object.keys(kinds).filter((name): name is keyof LogFields => Object.hasOwn(kinds, name));

/**
 * The allowed fields of what was given, in a fixed order, each of its kind; values of another kind are dropped too.
 * @param clean what becomes of a text
 */
export function allowedFields(
  given: LogFields,
  clean: (text: string) => string = hideNumbers,
): Readonly<Record<string, string | number>> {
  const kept: Record<string, string | number> = {};
  for (const name of fieldNames) {
    const value: unknown = given[name];
    const kind = kinds[name];
    if (kind === 'number' && typeof value === 'number' && Number.isFinite(value)) kept[name] = written(value);
    if (kind === 'text' && typeof value === 'string') kept[name] = clean(value.slice(0, maxTextCharacters));
    if (kind === 'stack' && typeof value === 'string') kept[name] = clean(value.slice(0, maxStackCharacters));
  }
  return kept;
}

/** A number to three decimals: the sixteen digits of a fraction could be taken for a card number. */
function written(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toFixed(3));
}

/** Cuts a text to its limit and hides what looks like a card number. */
export function cleanText(text: string): string {
  return hideNumbers(text.slice(0, maxTextCharacters));
}

// A UUID stands first, so that its digits are not taken for a number. Then track 2 with its separator, expiry and service code, and any run of 12 or more
// digits with single spaces or dashes between them: wider than the card number test of requests on purpose, since a text needs no long number.
const uuidOrNumber =
  /(?<uuid>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|[0-9]{12,19}[=D][0-9]+|[0-9](?:[ -]?[0-9]){11,}/gi;

/** What each of these numbers holds: most texts hold none, and need no closer look. */
const longNumber = /[0-9](?:[ -]?[0-9]){11}/;

/** Hides what looks like a card number. */
export function hideNumbers(text: string): string {
  if (!longNumber.test(text)) return text;
  return text.replace(uuidOrNumber, (_, uuid: string | undefined) => uuid ?? '[hidden]');
}
