// What may be seen of a message on the line: its name, and the bytes of the fields on a list. Everything else is only counted.
import type { TracedField, TracedMessage } from '../../../app/ports/wire-traces.ts';
import { decodeTlv, type TlvField } from '../../framing/ascii-tlv.ts';
import { toHex } from '../../framing/bytes.ts';
import { readOperation } from './fields.ts';

/**
 * Fields that may be seen, and how long they may be at most: codes, the amount, numbers of till and currency. None has room for the digits of a card
 * number.
 */
const seen: ReadonlyMap<string, number> = new Map([
  ...['CZ', 'CA', 'CE', 'BA', 'CD', 'CC', 'CI', 'AE', 'AF'].map((tag) => [tag, 4] as const),
  ['CB', 12],
]);

/** A message as it may be kept and shown. Never throws. */
export function traceMessage(direction: TracedMessage['direction'], bytes: Uint8Array): TracedMessage {
  const { fields, end } = decodeTlv(bytes);
  // A list that cannot be read to its end may have been read wrongly from its beginning: nothing of it is shown.
  if (end !== 'WHOLE' || fields.length === 0)
    return { direction, name: 'not readable', byteCount: bytes.length, fields: hidden('data', bytes.length) };
  const name = direction === 'TO_TERMINAL' ? requestName(fields) : replyName(fields);
  return { direction, name, byteCount: bytes.length, fields: fields.flatMap(traced) };
}

/** The field that tells most, and its value in two digits. */
function requestName(fields: readonly TlvField[]): string {
  const code = fieldOf(fields, 'CD') ?? '';
  const operation = readOperation(code);
  return operation === undefined ? 'CD-- request' : `CD0${code} ${operation.toLowerCase()} request`;
}

function replyName(fields: readonly TlvField[]): string {
  const status = fieldOf(fields, 'AE') ?? '';
  return /^[0-9A-Z]{2}$/.test(status) ? `AE${status} reply` : 'AE-- reply';
}

function fieldOf(fields: readonly TlvField[], tag: string): string | undefined {
  return fields.find((field) => field.tag === tag)?.value;
}

function traced({ tag, value }: TlvField): readonly TracedField[] {
  if (value.length > (seen.get(tag) ?? 0)) return hidden(tag, value.length);
  return value === '' ? [] : [{ tag, shown: toHex(Uint8Array.from(value, (character) => character.charCodeAt(0))) }];
}

function hidden(tag: string, count: number): readonly TracedField[] {
  return count === 0 ? [] : [{ tag, hiddenBytes: count }];
}
