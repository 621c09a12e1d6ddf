// Fields of two letters, three digits of length and a value, one after the other (Caisse-AP over IP). There is no frame around them: neither a
// terminator nor a checksum. Where a message ends is the business of whoever knows what it must hold.
import { concatBytes } from './bytes.ts';

/** A field; each character of its value is one byte. */
export interface TlvField {
  /** Two capital letters. */
  readonly tag: string;
  readonly value: string;
}

/** A field, or bytes that begin none: nobody knows where the next one would begin, so that everything after them is of this kind. */
export type TlvItem =
  | ({ readonly type: 'field' } & TlvField)
  | { readonly type: 'garbage'; readonly bytes: Uint8Array };

export interface TlvStreamState {
  /** A field that has only come in part; at most 1,003 bytes. */
  readonly pending: Uint8Array;
  /** Garbage was seen. */
  readonly isLost: boolean;
}

export const INITIAL_TLV_STATE: TlvStreamState = { pending: new Uint8Array(), isLost: false };

const HEAD_BYTES = 5;
const TAG_BYTES = 2;
const MAX_VALUE_LENGTH = 999;

/** Nothing is half there: a message may end here. */
export function isOnBoundary(state: TlvStreamState): boolean {
  return !state.isLost && state.pending.length === 0;
}

/** Takes the next bytes of a stream, in any fragmentation. */
export function decodeTlvStream(
  state: TlvStreamState,
  bytes: Uint8Array,
): { readonly state: TlvStreamState; readonly items: readonly TlvItem[] } {
  if (state.isLost) return { state, items: bytes.length === 0 ? [] : [{ type: 'garbage', bytes: bytes.slice() }] };
  const items: TlvItem[] = [];
  let rest = concatBytes(state.pending, bytes);
  while (rest.length > 0) {
    if (!canBeField(rest)) {
      items.push({ type: 'garbage', bytes: rest });
      return { state: { pending: new Uint8Array(), isLost: true }, items };
    }
    const length = HEAD_BYTES + valueLength(rest);
    if (rest.length < HEAD_BYTES || rest.length < length) break;
    items.push({
      type: 'field',
      tag: textOf(rest.subarray(0, TAG_BYTES)),
      value: textOf(rest.subarray(HEAD_BYTES, length)),
    });
    rest = rest.slice(length);
  }
  return { state: { pending: rest, isLost: false }, items };
}

/** Judged as early as possible: what is no field will not become one. */
function canBeField(bytes: Uint8Array): boolean {
  const value = bytes.subarray(HEAD_BYTES, HEAD_BYTES + valueLength(bytes));
  return (
    bytes.subarray(0, TAG_BYTES).every((byte) => byte >= 0x41 && byte <= 0x5a) &&
    bytes.subarray(TAG_BYTES, HEAD_BYTES).every((byte) => byte >= 0x30 && byte <= 0x39) &&
    value.every(isPrintable)
  );
}

/** 0 as long as the length has not come. */
function valueLength(bytes: Uint8Array): number {
  return bytes.length < HEAD_BYTES ? 0 : Number(textOf(bytes.subarray(TAG_BYTES, HEAD_BYTES)));
}

/** No control character; letters with accents travel as single bytes. */
function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte !== 0x7f;
}

function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** The fields of bytes that are said to be a message. GARBAGE: bytes that begin no field. CUT: they end within one. */
export function decodeTlv(bytes: Uint8Array): {
  readonly fields: readonly TlvField[];
  readonly end: 'WHOLE' | 'CUT' | 'GARBAGE';
} {
  const { state, items } = decodeTlvStream(INITIAL_TLV_STATE, bytes);
  const fields = items.flatMap((item) => (item.type === 'field' ? [{ tag: item.tag, value: item.value }] : []));
  if (state.isLost) return { fields, end: 'GARBAGE' };
  return { fields, end: isOnBoundary(state) ? 'WHOLE' : 'CUT' };
}

/** @throws RangeError for a tag that is not two capital letters, or a value that does not fit */
export function encodeTlv(fields: readonly TlvField[]): Uint8Array {
  return concatBytes(...fields.map(encodeField));
}

function encodeField({ tag, value }: TlvField): Uint8Array {
  const codes = Array.from(value, (character) => character.charCodeAt(0));
  if (!/^[A-Z]{2}$/.test(tag)) throw new RangeError('A tag is two capital letters');
  if (codes.length > MAX_VALUE_LENGTH || codes.some((code) => code > 0xff || !isPrintable(code)))
    throw new RangeError(
      `The value of ${tag} is longer than ${MAX_VALUE_LENGTH} characters or has one that is no byte of text`,
    );
  const head = `${tag}${String(codes.length).padStart(3, '0')}`;
  return Uint8Array.from([...Array.from(head, (character) => character.charCodeAt(0)), ...codes]);
}
