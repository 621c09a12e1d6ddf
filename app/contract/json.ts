import { BridgeError } from './errors.ts';
import { fieldLabel, type PathStep } from './field-path.ts';
import { MAX_JSON_DEPTH } from './limits.ts';

/**
 * Reads one JSON document strictly (decisions: Accepted amounts, Characters, Limits). JSON.parse keeps the last of two equal
 * keys, and takes `1.0`, `1e3` and 2^53 for integers; a body that two readers may understand differently is refused here.
 *
 * Refused beyond what RFC 8259 refuses: duplicate keys, a key `__proto__`, a byte order mark, NUL and lone surrogates in any
 * string, nesting beyond 32, numbers that are not plain integers within ±(2^53 − 1), `-0`, and bytes that are not UTF-8.
 *
 * @throws BridgeError INVALID_REQUEST; names the field where there is one, never repeats a value.
 */
export function parseStrictJson(source: string | Uint8Array): unknown {
  const text = typeof source === 'string' ? source : decodeUtf8(source);
  if (text.startsWith('\uFEFF'))
    throw new BridgeError('INVALID_REQUEST', 'the body must not begin with a byte order mark');
  return createReader(text).document();
}

/** Strict UTF-8 by the language's own decoder of percent-encoded text, which refuses overlong forms and surrogates. */
function decodeUtf8(bytes: Uint8Array): string {
  let encoded = '';
  for (const byte of bytes) {
    encoded += byte >= 0x80 || byte === 0x25 ? `%${byte.toString(16).padStart(2, '0')}` : String.fromCharCode(byte);
  }
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new BridgeError('INVALID_REQUEST', 'the body is not valid UTF-8');
  }
}

const integerToken = /-?[0-9][0-9.eE+-]*/y;
const plainInteger = /^-?(0|[1-9][0-9]*)$/;
const jsonNumber = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
const literals = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function createReader(text: string) {
  const path: PathStep[] = [];
  let at = 0;

  function malformed(): BridgeError {
    return new BridgeError('INVALID_REQUEST', `the body is not valid JSON (at character ${at})`);
  }

  function refused(rule: string): BridgeError {
    const label = fieldLabel(path);
    return new BridgeError(
      'INVALID_REQUEST',
      `${label ?? 'the body'} ${rule}`,
      label === undefined ? {} : { field: label },
    );
  }

  function skipSpace(): void {
    while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at += 1;
  }

  function take(character: string): void {
    if (text.charAt(at) !== character) throw malformed();
    at += 1;
  }

  function match(pattern: RegExp): string {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  }

  /** Up to a quote, a backslash or a control character. */
  function plainText(): string {
    const begin = at;
    while (at < text.length && text.charCodeAt(at) >= 0x20 && text.charAt(at) !== '"' && text.charAt(at) !== '\\')
      at += 1;
    return text.slice(begin, at);
  }

  function escaped(): string {
    const kind = text.charAt(at);
    at += 1;
    if (kind !== 'u') {
      const plain = Object.hasOwn(escapes, kind) ? escapes[kind] : undefined;
      if (plain === undefined) throw malformed();
      return plain;
    }
    const digits = text.slice(at, at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw malformed();
    at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  function string(): string {
    take('"');
    let value = plainText();
    while (text.charAt(at) !== '"') {
      take('\\');
      value += escaped() + plainText();
    }
    at += 1;
    if (value.includes('\u0000')) throw refused('must not contain the character NUL');
    if (/\p{Surrogate}/u.test(value)) throw refused('must not contain half of a surrogate pair');
    return value;
  }

  function number(): number {
    const token = match(integerToken);
    if (!jsonNumber.test(token)) throw malformed();
    if (!plainInteger.test(token)) throw refused('must be an integer, written without fraction or exponent');
    const value = Number(token);
    if (Object.is(value, -0)) throw refused('must be an integer; -0 is none');
    if (!Number.isSafeInteger(value)) throw refused(`must be an integer of at most ${Number.MAX_SAFE_INTEGER}`);
    return value;
  }

  function object(): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    at += 1;
    skipSpace();
    if (text.charAt(at) === '}') {
      at += 1;
      return value;
    }
    for (;;) {
      skipSpace();
      const key = string();
      path.push(key);
      if (key === '__proto__') throw refused('is not allowed as a field name');
      if (Object.hasOwn(value, key)) throw refused('appears twice');
      skipSpace();
      take(':');
      value[key] = element();
      path.pop();
      if (text.charAt(at) === '}') break;
      take(',');
    }
    at += 1;
    return value;
  }

  function array(): unknown[] {
    const value: unknown[] = [];
    at += 1;
    skipSpace();
    if (text.charAt(at) === ']') {
      at += 1;
      return value;
    }
    for (;;) {
      path.push(value.length);
      value.push(element());
      path.pop();
      if (text.charAt(at) === ']') break;
      take(',');
    }
    at += 1;
    return value;
  }

  function nested<Value>(read: () => Value): Value {
    // The path holds one step for each level that is open.
    if (path.length >= MAX_JSON_DEPTH) {
      throw new BridgeError('INVALID_REQUEST', `the body must not be nested deeper than ${MAX_JSON_DEPTH} levels`);
    }
    return read();
  }

  function literal(): boolean | null {
    for (const [word, value] of literals) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return value;
      }
    }
    throw malformed();
  }

  function value(): unknown {
    const first = text.charAt(at);
    if (first === '{') return nested(object);
    if (first === '[') return nested(array);
    if (first === '"') return string();
    if (first === '-' || (first >= '0' && first <= '9')) return number();
    return literal();
  }

  /** A value with the space around it. */
  function element(): unknown {
    skipSpace();
    const read = value();
    skipSpace();
    return read;
  }

  function document(): unknown {
    const read = element();
    if (at < text.length) throw malformed();
    return read;
  }

  return { document };
}
