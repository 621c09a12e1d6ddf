// What every message begins with: terminal id (1–8), a reserved 0 (9), code (10).
import { Secret } from '../../../app/domain/secret.ts';
import { exactDigits, FieldError } from './fields.ts';
import type { Malformed } from './message-types.ts';

const CODE_INDEX = 9;

/** The header of a text; undefined when it has none. */
export function readHeader(text: string): { readonly terminalId: string; readonly code: string } | undefined {
  const terminalId = text.slice(0, 8);
  const code = text.charAt(CODE_INDEX);
  return /^[0-9]{8}$/.test(terminalId) && code !== '' ? { terminalId, code } : undefined;
}

/** @throws RangeError when the terminal id is not eight digits */
export function headerOf(terminalId: string, code: string): string {
  return `${exactDigits(terminalId, 8, 'terminal id')}0${code}`;
}

/** What follows the code. */
export function bodyOf(text: string): string {
  return text.slice(CODE_INDEX + 1);
}

/** Runs a decoding; a field at fault makes the whole text malformed. */
export function orMalformed<T>(text: string, decode: () => T): T | Malformed {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return malformed(text, error.reason, error.field);
  }
}

/** A report on a text that nothing may be concluded from. */
export function malformed(text: string, reason: Malformed['reason'], field?: string): Malformed {
  const header = readHeader(text);
  return {
    type: 'malformed',
    reason,
    ...(header === undefined ? {} : { code: header.code }),
    ...(field === undefined ? {} : { field }),
    text: new Secret(text),
  };
}
