import { Secret } from '../../../app/domain/secret.ts';
import { fields, type IsoField } from './fields.ts';

/** Bytes of one message; DE 48 and 61 alone may fill half of it. */
export const MAX_MESSAGE_BYTES = 4096;
/** MTI and one bitmap. */
export const MIN_MESSAGE_BYTES = 12;
const MTI_BYTES = 4;
const BITMAP_BYTES = 8;
const LENGTH_BYTES = 2;

/** Text as the field's kind says; bytes as upper-case hex. What must not be shown is a Secret. */
type FieldValue = string | Secret<string>;

export interface IsoMessage {
  /** Four digits. */
  readonly mti: string;
  readonly fields: ReadonlyMap<number, FieldValue>;
}

type Decoded = { readonly ok: true; readonly message: IsoMessage } | { readonly ok: false; readonly problem: string };

const patterns: Readonly<Record<IsoField['kind'], RegExp>> = {
  n: /^[0-9]*$/,
  an: /^[0-9A-Za-z]*$/,
  ans: /^[\x20-\x7e]*$/,
  z: /^[0-9=D]*$/,
  xn: /^[CD][0-9]*$/,
  b: /^([0-9A-F]{2})*$/,
};

/** The text of an open field; undefined when it is absent or secret. */
export function textOf(message: IsoMessage, number: number): string | undefined {
  const value = message.fields.get(number);
  return typeof value === 'string' ? value : undefined;
}

/**
 * A message with its two bytes of length in front, in a buffer of its own. Secrets are opened here and nowhere else; whoever sends the buffer
 * fills it with zeros afterwards.
 * @throws RangeError naming the field whose value does not fit; the value is not repeated
 */
export function encodeFrame(message: IsoMessage): Buffer {
  const buffer = Buffer.alloc(LENGTH_BYTES + MAX_MESSAGE_BYTES);
  const numbers = [...message.fields.keys()].sort((a, b) => a - b);
  const bitmapBytes = (numbers.at(-1) ?? 0) > 64 ? 2 * BITMAP_BYTES : BITMAP_BYTES;
  const bitmap = buffer.subarray(LENGTH_BYTES + MTI_BYTES, LENGTH_BYTES + MTI_BYTES + bitmapBytes);
  buffer.write(message.mti, LENGTH_BYTES, 'latin1');
  if (bitmapBytes > BITMAP_BYTES) setBit(bitmap, 1);
  let offset = LENGTH_BYTES + MTI_BYTES + bitmapBytes;
  try {
    for (const number of numbers) {
      offset += writeField(buffer, offset, number, message.fields.get(number));
      setBit(bitmap, number);
    }
  } catch (error) {
    buffer.fill(0);
    throw error;
  }
  buffer.writeUInt16BE(offset - LENGTH_BYTES);
  return buffer.subarray(0, offset);
}

function writeField(buffer: Buffer, offset: number, number: number, value: FieldValue | undefined): number {
  const field = fields.get(number);
  if (field === undefined || value === undefined) throw new RangeError(`DE ${number} is not known`);
  if (field.isOpen !== (typeof value === 'string'))
    throw new RangeError(`DE ${number} must ${field.isOpen ? 'not ' : ''}be a secret`);
  const text = fitted(field, number, typeof value === 'string' ? value : value.reveal());
  const length = lengthOf(field, text);
  if (offset + field.lengthDigits + length > buffer.length)
    throw new RangeError(`DE ${number} does not fit into the message`);
  const prefix = field.lengthDigits === 0 ? '' : String(length).padStart(field.lengthDigits, '0');
  const start = offset + buffer.write(prefix, offset, 'latin1');
  buffer.write(text, start, field.kind === 'b' ? 'hex' : 'latin1');
  return field.lengthDigits + length;
}

/** @throws RangeError: nothing is ever cut off to make it fit */
function fitted(field: IsoField, number: number, text: string): string {
  const isFixed = field.lengthDigits === 0;
  const full = isFixed && field.kind === 'ans' ? text.padEnd(field.length) : text;
  const length = lengthOf(field, full);
  if (!patterns[field.kind].test(full)) throw new RangeError(`DE ${number} holds characters that its kind does not`);
  if (isFixed ? length !== field.length : length > field.length)
    throw new RangeError(`DE ${number} has a length that does not fit`);
  return full;
}

function lengthOf(field: IsoField, text: string): number {
  return field.kind === 'b' ? text.length / 2 : text.length;
}

/** Reads one message without its length. Never throws; a problem names a field, never a value. */
export function decodeMessage(bytes: Buffer): Decoded {
  if (bytes.length < MIN_MESSAGE_BYTES) return problem('it is too short');
  const mti = bytes.toString('latin1', 0, MTI_BYTES);
  if (!/^[0-9]{4}$/.test(mti)) return problem('its type is no number');
  const hasSecond = hasBit(bytes.subarray(MTI_BYTES), 1);
  const start = MTI_BYTES + (hasSecond ? 2 * BITMAP_BYTES : BITMAP_BYTES);
  if (bytes.length < start) return problem('its second bitmap is cut off');
  const bitmap = bytes.subarray(MTI_BYTES, start);
  const values = new Map<number, FieldValue>();
  let offset = start;
  for (let number = 2; number <= bitmap.length * 8; number++) {
    if (!hasBit(bitmap, number)) continue;
    const field = fields.get(number);
    if (field === undefined) return problem(`DE ${number} is not known`);
    const read = readField(bytes, offset, field);
    if (read === undefined) return problem(`DE ${number} is malformed or cut off`);
    values.set(number, field.isOpen ? read.text : new Secret(read.text));
    offset = read.end;
  }
  if (offset !== bytes.length) return problem('bytes follow its last field');
  return { ok: true, message: { mti, fields: values } };
}

function problem(text: string): Decoded {
  return { ok: false, problem: text };
}

function readField(
  bytes: Buffer,
  offset: number,
  field: IsoField,
): { readonly text: string; readonly end: number } | undefined {
  const start = offset + field.lengthDigits;
  const prefix = bytes.toString('latin1', offset, start);
  if (field.lengthDigits > 0 && !new RegExp(`^[0-9]{${field.lengthDigits}}$`).test(prefix)) return undefined;
  const length = field.lengthDigits === 0 ? field.length : Number(prefix);
  const end = start + length;
  if (length > field.length || end > bytes.length) return undefined;
  const text =
    field.kind === 'b' ? bytes.toString('hex', start, end).toUpperCase() : bytes.toString('latin1', start, end);
  if (!patterns[field.kind].test(text)) return undefined;
  return { text: field.kind === 'ans' && field.lengthDigits === 0 ? text.trimEnd() : text, end };
}

/** Bit 1 is the highest of the first byte. */
function setBit(bitmap: Buffer, number: number): void {
  const index = (number - 1) >> 3;
  bitmap.writeUInt8(bitmap.readUInt8(index) | (0x80 >> ((number - 1) & 7)), index);
}

function hasBit(bitmap: Buffer, number: number): boolean {
  return (bitmap.readUInt8((number - 1) >> 3) & (0x80 >> ((number - 1) & 7))) !== 0;
}

/** A message for a log: open fields as they are, of all others only that they are there. */
export function renderForLog({ mti, fields: values }: IsoMessage): string {
  const parts = [...values].map(
    ([number, value]) => `${number}=${typeof value === 'string' && fields.get(number)?.isOpen === true ? value : '•'}`,
  );
  return [mti, ...parts].join(' ');
}
