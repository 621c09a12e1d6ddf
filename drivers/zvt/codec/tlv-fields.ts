// What the tags of the TLV container mean: one table for both directions.
import { bcdDigits, bcdNumber, packDigits, packNumber } from '../../framing/bcd.ts';
import { charsetOfTag14, decodeText, encodeText, tag14OfCharset, type ZvtCharset } from './charset.ts';
import type { ReceiptType, TlvFields } from './message-types.ts';
import { findAllTlv, type TlvNode } from './tlv.ts';

type TlvKey = keyof TlvFields;
type TlvValues = Required<TlvFields>;

interface TagCodec<Value> {
  /** where the tag may stand, the place to write it to first */
  readonly paths: readonly (readonly number[])[];
  /** undefined: ignored, since all of this is informative */
  readonly read: (values: readonly Uint8Array[], charset: ZvtCharset) => Value | undefined;
  readonly pack: (value: Value, charset: ZvtCharset) => readonly Uint8Array[];
}

type TagTable = { readonly [Key in TlvKey]: TagCodec<TlvValues[Key]> };

/** The character set of the message itself. */
const CHARSET_TAG = 0x14;
const RECEIPT_TYPES: readonly (readonly [code: number, type: ReceiptType])[] = [
  [1, 'merchant'],
  [2, 'customer'],
  [3, 'administration'],
];

/** A tag that occurs once. */
function one<Value>(
  paths: readonly (readonly number[])[],
  read: (value: Uint8Array, charset: ZvtCharset) => Value | undefined,
  pack: (value: Value, charset: ZvtCharset) => Uint8Array,
): TagCodec<Value> {
  return {
    paths,
    read: ([first], charset) => (first === undefined ? undefined : read(first, charset)),
    pack: (value, charset) => [pack(value, charset)],
  };
}

/** A tag that occurs any number of times. */
function many<Value>(
  path: readonly number[],
  read: (value: Uint8Array, charset: ZvtCharset) => Value,
  pack: (value: Value, charset: ZvtCharset) => Uint8Array,
): TagCodec<readonly Value[]> {
  return {
    paths: [path],
    read: (values, charset) => (values.length === 0 ? undefined : values.map((value) => read(value, charset))),
    pack: (list, charset) => list.map((value) => pack(value, charset)),
  };
}

const readByte = (value: Uint8Array) => value[0];
const packByte = (value: number) => Uint8Array.of(value & 0xff);
const readNumber = (value: Uint8Array) => value.reduce((sum, byte) => sum * 256 + byte, 0);
const packTwoBytes = (value: number) => Uint8Array.of((value >> 8) & 0xff, value & 0xff);
/** Digits or hexadecimal, packed to whatever length they have. */
const packAll = (digits: string) => packDigits(digits, Math.ceil(digits.length / 2));

/** In the order in which they are written. */
const TAGS: TagTable = {
  receiptType: one<ReceiptType>(
    [[0x1f07]],
    (value) => RECEIPT_TYPES.find(([code]) => code === value[0])?.[1],
    (type) => Uint8Array.of(RECEIPT_TYPES.find(([, name]) => name === type)?.[0] ?? 0),
  ),
  printerWidth: one([[0x12]], bcdNumber, (value) => packNumber(value, 1)),
  charset: one<ZvtCharset>(
    [[CHARSET_TAG]],
    (value) => charsetOfTag14(value[0] ?? 0),
    (charset) => Uint8Array.of(tag14OfCharset(charset)),
  ),
  maxApduBytes: one([[0x1a]], readNumber, packTwoBytes),
  permittedCommands: many([0x26, 0x0a], readNumber, packTwoBytes),
  openReceipts: many([0x23, 0x08], bcdDigits, (receipt) => packDigits(receipt, 2)),
  texts: many([0x24, 0x07], decodeText, encodeText),
  technology: one([[0x2f, 0x1f12], [0x1f12]], readByte, packByte),
  cvm: one([[0x2f, 0x1f10], [0x1f10]], readByte, packByte),
  aid: one([[0x60, 0x43], [0x43]], bcdDigits, packAll),
  applicationName: one([[0x60, 0x44], [0x44]], decodeText, encodeText),
  extendedCardType: one([[0x41]], readNumber, packTwoBytes),
  emvReceiptCustomer: one([[0x46]], decodeText, encodeText),
  emvReceiptMerchant: one([[0x47]], decodeText, encodeText),
  uniqueId: one([[0x1f1f]], bcdDigits, packAll),
  longTrace: one([[0x1f2b]], bcdDigits, packAll),
  extendedErrorCode: one([[0x1f16]], bcdDigits, packAll),
  extendedErrorText: one([[0x1f17]], decodeText, encodeText),
  messageSequenceId: one([[0x1f73]], bcdDigits, (id) => packDigits(id, 3)),
};
const TLV_KEYS = Object.keys(TAGS) as readonly TlvKey[];

/** The character set the message names itself; undefined when it names none or one nobody knows. */
export function charsetInTlv(nodes: readonly TlvNode[]): ZvtCharset | undefined {
  return TAGS.charset.read(findAllTlv(nodes, CHARSET_TAG), 'cp437');
}

/** Gives tags their meaning; tags without one are left to the container itself. */
export function readTlvFields(nodes: readonly TlvNode[], charset: ZvtCharset): TlvFields {
  const fields: Record<string, unknown> = {};
  for (const key of TLV_KEYS) {
    const { paths, read } = TAGS[key];
    const values = paths.map((path) => findAllTlv(nodes, ...path)).find((found) => found.length > 0);
    const value = read(values ?? [], charset);
    if (value !== undefined) fields[key] = value;
  }
  return fields;
}

/** Builds the container of the given fields. */
export function packTlvFields(fields: TlvFields, charset: ZvtCharset): readonly TlvNode[] {
  const nodes: TlvNode[] = [];
  for (const key of TLV_KEYS) {
    const { path, values } = packOne(key, fields, charset);
    for (const value of values) addAt(nodes, path, value);
  }
  return nodes;
}

function packOne<Key extends TlvKey>(key: Key, fields: TlvFields, charset: ZvtCharset) {
  const value = fields[key] as TlvValues[Key] | undefined;
  const codec: TagTable[Key] = TAGS[key];
  return { path: codec.paths[0] ?? [], values: value === undefined ? [] : codec.pack(value, charset) };
}

function addAt(nodes: TlvNode[], path: readonly number[], value: Uint8Array): void {
  const [tag = 0, ...rest] = path;
  if (rest.length === 0) {
    nodes.push({ tag, value });
    return;
  }
  const index = nodes.findIndex((node) => node.tag === tag);
  const existing = nodes[index];
  const children = existing !== undefined && 'children' in existing ? [...existing.children] : [];
  addAt(children, rest, value);
  if (existing === undefined) nodes.push({ tag, children });
  else nodes[index] = { tag, children };
}
