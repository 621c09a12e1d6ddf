// The fields of a message as a map, and the values that both directions have in common.
import { decodeTlv, type TlvField } from '../../framing/ascii-tlv.ts';
import type { CaisseApOperation, Malformed } from './message-types.ts';

/** CZ of the version that is spoken here. */
export const PROTOCOL_VERSION = '0300';
/** CB has two to twelve digits. */
export const MAX_AMOUNT_MINOR = 999_999_999_999;
const MIN_AMOUNT_DIGITS = 2;

export type Fields = ReadonlyMap<string, string>;

/** A field that comes twice with the same value is one; with two values the message contradicts itself. */
export function readFields(bytes: Uint8Array): Fields | Malformed {
  const { fields, end } = decodeTlv(bytes);
  if (end === 'GARBAGE' || (fields.length === 0 && end === 'WHOLE')) return { type: 'malformed', reason: 'NO_FIELDS' };
  if (end === 'CUT') return { type: 'malformed', reason: 'CUT' };
  if (fields[0]?.tag !== 'CZ') return { type: 'malformed', reason: 'NO_VERSION' };
  const found = new Map<string, string>();
  for (const { tag, value } of fields) {
    const before = found.get(tag);
    if (before !== undefined && before !== value) return { type: 'malformed', reason: 'CONTRADICTION', tag };
    found.set(tag, value);
  }
  return found;
}

const operationByCode: ReadonlyMap<string, CaisseApOperation> = new Map<string, CaisseApOperation>([
  ['0', 'SALE'],
  ['1', 'REFUND'],
  ['2', 'CANCEL'],
]);

export function readOperation(code: string): CaisseApOperation | undefined {
  return operationByCode.get(code);
}

export function packOperation(operation: CaisseApOperation): string {
  for (const [code, known] of operationByCode) if (known === operation) return code;
  throw new RangeError('There is no code for the operation');
}

/** Minor units of one to twelve digits; undefined for anything else. */
export function readAmount(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** @throws RangeError for an amount that has more than twelve digits, or is no number of minor units */
export function packAmount(amountMinor: number): string {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0 || amountMinor > MAX_AMOUNT_MINOR)
    throw new RangeError('An amount has two to twelve digits');
  return String(amountMinor).padStart(MIN_AMOUNT_DIGITS, '0');
}

/** What is not among the known tags. */
export function otherFields(fields: Fields, known: ReadonlySet<string>): readonly TlvField[] {
  return [...fields].flatMap(([tag, value]) => (known.has(tag) ? [] : [{ tag, value }]));
}

/** The fields that have a value. */
export function present(fields: readonly (readonly [tag: string, value: string | undefined])[]): readonly TlvField[] {
  return fields.flatMap(([tag, value]) => (value === undefined ? [] : [{ tag, value }]));
}
