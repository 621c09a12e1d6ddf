// Fields at fixed places of a text, counted from 1 as the tables of the specification count them.

/** Ends a decoding: the text is no sound message. Caught where the decoding began. */
export class FieldError extends Error {
  readonly reason: 'too-short' | 'bad-field';
  readonly field: string;

  constructor(reason: FieldError['reason'], field: string) {
    super(`${reason}: ${field}`);
    this.reason = reason;
    this.field = field;
  }
}

/** The characters of a field. @throws FieldError when the text ends before it does */
export function textAt(text: string, position: number, width: number, field: string): string {
  if (!reaches(text, position, width)) throw new FieldError('too-short', field);
  return text.slice(position - 1, position - 1 + width);
}

/** The digits of a field, zeros kept. @throws FieldError when it is cut or holds anything else */
export function digitsAt(text: string, position: number, width: number, field: string): string {
  const digits = textAt(text, position, width, field);
  if (!/^[0-9]+$/.test(digits)) throw new FieldError('bad-field', field);
  return digits;
}

/** The number a field of digits holds. @throws FieldError as digitsAt does, and for more than can be counted exactly */
export function numberAt(text: string, position: number, width: number, field: string): number {
  const value = Number(digitsAt(text, position, width, field));
  if (!Number.isSafeInteger(value)) throw new FieldError('bad-field', field);
  return value;
}

/** One of the values of a table; undefined for anything else, and where the text ends before. */
export function valueAt<T>(text: string, position: number, table: Readonly<Record<string, T>>): T | undefined {
  return table[text.charAt(position - 1)];
}

/** The digits of a field that is not missed: undefined where the text ends before it, and for anything but digits that are not all zero. */
export function numberedAt(text: string, position: number, width: number): string | undefined {
  const digits = text.slice(position - 1, position - 1 + width);
  return digits.length === width && /^[0-9]+$/.test(digits) && /[1-9]/.test(digits) ? digits : undefined;
}

/** A text without the blanks around it; undefined when nothing remains. */
export function wordsAt(text: string, position: number, width: number): string | undefined {
  const words = text.slice(position - 1, position - 1 + width).trim();
  return words === '' ? undefined : words;
}

export function reaches(text: string, position: number, width: number): boolean {
  return text.length >= position - 1 + width;
}

/** A number with zeros in front. @throws RangeError when it is negative, no integer or does not fit: nothing is cut */
export function digitsOf(value: number, width: number, field: string): string {
  const digits = String(value);
  if (!Number.isSafeInteger(value) || value < 0 || digits.length > width) {
    throw new RangeError(`The field ${field} of ${width} digits cannot hold ${value}`);
  }
  return digits.padStart(width, '0');
}

/** Exactly so many digits. @throws RangeError for anything else */
export function exactDigits(digits: string, width: number, field: string): string {
  if (digits.length !== width || !/^[0-9]+$/.test(digits)) throw new RangeError(`${field} must be ${width} digits`);
  return digits;
}

/** A text on the left of its field, or on the right. @throws RangeError when it does not fit or has a character that no message carries */
export function textOf(text: string, width: number, field: string, side: 'LEFT' | 'RIGHT' = 'LEFT'): string {
  if (text.length > width) throw new RangeError(`The field ${field} holds ${width} characters, not ${text.length}`);
  if (!isPrintable(text)) throw new RangeError(`The field ${field} holds characters of ISO 8859-1 only`);
  return side === 'LEFT' ? text.padEnd(width) : text.padStart(width);
}

export function zeros(count: number): string {
  return '0'.repeat(count);
}

function isPrintable(text: string): boolean {
  return Array.from(text).every((character) => character >= ' ' && character <= '\u00ff');
}
