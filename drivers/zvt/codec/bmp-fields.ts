// What the value of each BMP means: one table for both directions.
import { Secret } from '../../../app/domain/secret.ts';
import { bcdDigits, bcdNumber, packDigits, packNumber } from '../../framing/bcd.ts';
import { decodeText, encodeText, type ZvtCharset } from './charset.ts';
import { packTotals, readTotals } from './end-of-day-totals.ts';
import type { BmpField, BmpFields, FieldProblem } from './message-types.ts';
import { packCardDigits, readCardDigits } from './pan.ts';

interface FieldCodec<Value> {
  readonly bmp: number;
  /** undefined: the bytes are not what they should be */
  readonly read: (value: Uint8Array, charset: ZvtCharset) => Value | undefined;
  readonly pack: (value: Value, charset: ZvtCharset) => Uint8Array;
}

export type FieldKey = keyof BmpFields;
type FieldValues = Required<BmpFields>;
type FieldTable = { readonly [Key in FieldKey]: FieldCodec<FieldValues[Key]> };

const AMOUNT_BYTES = 6;
const GOODS_BYTES = 3;
const VU_NUMBER_CHARACTERS = 15;

function byte(bmp: number): FieldCodec<number> {
  return { bmp, read: (value) => value[0], pack: packByte };
}

function packByte(value: number): Uint8Array {
  if (!Number.isInteger(value) || value < 0 || value > 0xff) throw new RangeError(`${value} is no byte`);
  return Uint8Array.of(value);
}

function digits(bmp: number, byteCount: number): FieldCodec<string> {
  return { bmp, read: bcdDigits, pack: (value) => packDigits(value, byteCount) };
}

function secret<Value>(codec: FieldCodec<Value>): FieldCodec<Secret<Value>> {
  return {
    bmp: codec.bmp,
    read: (value, charset) => {
      const read = codec.read(value, charset);
      return read === undefined ? undefined : new Secret(read);
    },
    pack: (value, charset) => codec.pack(value.reveal(), charset),
  };
}

function cardDigits(bmp: number): FieldCodec<Secret<string>> {
  return secret({ bmp, read: readCardDigits, pack: packCardDigits });
}

/** The fixed-width fields of the standard's ASCII are read as ISO 8859-1, which keeps every byte. */
const ASCII: ZvtCharset = 'iso-8859-1';

const FIELDS: FieldTable = {
  resultCode: byte(0x27),
  goodsTimeoutSeconds: byte(0x01),
  maxStatusMessages: byte(0x02),
  serviceByte: byte(0x03),
  amountMinor: { bmp: 0x04, read: bcdNumber, pack: (value) => packNumber(value, AMOUNT_BYTES) },
  trace: digits(0x0b, 3),
  time: digits(0x0c, 3),
  date: digits(0x0d, 2),
  expiry: digits(0x0e, 2),
  cardSequence: digits(0x17, 2),
  paymentType: byte(0x19),
  pan: cardDigits(0x22),
  track2: cardDigits(0x23),
  track3: cardDigits(0x24),
  terminalId: digits(0x29, 4),
  vuNumber: {
    bmp: 0x2a,
    read: (value) => decodeText(value, ASCII).replace(/[ \0]+$/, ''),
    pack: (value) => encodeText(value.padEnd(VU_NUMBER_CHARACTERS), ASCII),
  },
  track1: secret({
    bmp: 0x2d,
    read: (value) => decodeText(value, ASCII),
    pack: (value) => encodeText(value, ASCII),
  }),
  originalTrace: digits(0x37, 3),
  authorizationAttribute: { bmp: 0x3b, read: (value) => value, pack: (value) => value },
  additionalText: { bmp: 0x3c, read: decodeText, pack: encodeText },
  currency: { bmp: 0x49, read: readCurrency, pack: packCurrency },
  blockedGoods: { bmp: 0x4c, read: readGoods, pack: packGoods },
  totals: { bmp: 0x60, read: readTotals, pack: packTotals },
  receipt: digits(0x87, 2),
  turnover: digits(0x88, 3),
  cardType: byte(0x8a),
  cardName: {
    bmp: 0x8b,
    read: (value, charset) => decodeText(value, charset).replace(/\0$/, ''),
    pack: (value, charset) => encodeText(`${value}\0`, charset),
  },
  cardTypeId: byte(0x8c),
  hostResultCode: byte(0xa0),
  fullDate: digits(0xaa, 3),
  dialogControl: byte(0xfc),
};

/** Result first, then by number: the order most captured terminals follow. */
const FIELD_ORDER = Object.keys(FIELDS) as readonly FieldKey[];
const KEY_BY_BMP: ReadonlyMap<number, FieldKey> = new Map(FIELD_ORDER.map((key) => [FIELDS[key].bmp, key]));

/** Four BCD digits with a leading zero; undefined otherwise. */
export function readCurrency(bytes: Uint8Array): string | undefined {
  const text = bcdDigits(bytes);
  return /^0[0-9]{3}$/.test(text) ? text.slice(1) : undefined;
}

/** @throws RangeError unless it is three digits */
export function packCurrency(currency: string): Uint8Array {
  if (!/^[0-9]{3}$/.test(currency)) throw new RangeError(`${currency} is no numeric currency code`);
  return packDigits(`0${currency}`, 2);
}

function readGoods(bytes: Uint8Array): readonly string[] | undefined {
  if (bytes.length % GOODS_BYTES !== 0) return undefined;
  return Array.from({ length: bytes.length / GOODS_BYTES }, (_, index) =>
    bcdDigits(bytes.subarray(index * GOODS_BYTES, (index + 1) * GOODS_BYTES)),
  );
}

function packGoods(goods: readonly string[]): Uint8Array {
  return packDigits(goods.join(''), goods.length * GOODS_BYTES);
}

export interface ReadBmpFields {
  readonly fields: BmpFields;
  /** BMPs this table has no meaning for */
  readonly others: readonly BmpField[];
  readonly problems: readonly FieldProblem[];
}

/** Gives BMPs their meaning. The first of a repeated number counts; a repeat that says something else is a problem. */
export function readBmpFields(bmps: readonly BmpField[], charset: ZvtCharset): ReadBmpFields {
  const fields: Record<string, unknown> = {};
  const others: BmpField[] = [];
  const problems: FieldProblem[] = [];
  const seen = new Map<number, Uint8Array>();
  for (const field of bmps) {
    const name = bmpName(field.bmp);
    const earlier = seen.get(field.bmp);
    if (earlier !== undefined) {
      if (bcdDigits(earlier) !== bcdDigits(field.value)) problems.push({ field: name, reason: 'contradicting-repeat' });
      continue;
    }
    seen.set(field.bmp, field.value);
    const key = KEY_BY_BMP.get(field.bmp);
    if (key === undefined) {
      others.push(field);
      continue;
    }
    const value = FIELDS[key].read(field.value, charset);
    if (value === undefined) problems.push({ field: name, reason: 'bad-value' });
    else fields[key] = value;
  }
  return { fields, others, problems };
}

/** Number of a BMP as two hexadecimal digits. */
export function bmpName(bmp: number): string {
  return bmp.toString(16).padStart(2, '0').toUpperCase();
}

/** The BMPs of the given fields: those of `first` in that order, then the others in FIELD_ORDER. */
export function packBmpFields(fields: BmpFields, first: readonly FieldKey[], charset: ZvtCharset): readonly BmpField[] {
  const order = [...first, ...FIELD_ORDER.filter((key) => !first.includes(key))];
  return order.flatMap((key) => packOne(key, fields, charset));
}

function packOne<Key extends FieldKey>(key: Key, fields: BmpFields, charset: ZvtCharset): readonly BmpField[] {
  const value = fields[key] as FieldValues[Key] | undefined;
  if (value === undefined) return [];
  const codec: FieldTable[Key] = FIELDS[key];
  return [{ bmp: codec.bmp, value: codec.pack(value, charset) }];
}
