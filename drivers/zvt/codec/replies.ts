// 80 00 and 84 xx: what each side answers a command of the other with.
import { Secret } from '../../../app/domain/secret.ts';
import { bcdNumber, packNumber } from '../../framing/bcd.ts';
import { concatBytes } from '../../framing/bytes.ts';
import { encodeApdu } from './apdu.ts';
import { parseBmps, TLV_CONTAINER_BMP } from './bmp.ts';
import { packCurrency, readCurrency } from './bmp-fields.ts';
import { encodeContainer } from './fields.ts';
import type { AnswerTo, NegativeReply, PositiveReply, ZvtKey } from './message-types.ts';
import { decodeTlv } from './tlv.ts';
import { readTlvFields } from './tlv-fields.ts';

const POSITIVE = 0x8000;
const NEGATIVE = 0x8400;
const CAUSE_IN_DATA = 0x1e;
const WRONG_CURRENCY = 0x6f;
const GOODS_PARTLY_ISSUED = 0x9d;
const AMOUNT_BMP = 0x04;

/** Key codes of 06 E1. */
const KEYS: readonly (readonly [code: number, key: ZvtKey])[] = [
  [0x0d, 'OK'],
  [0x18, 'CORRECTION'],
  [0x1b, 'STOP'],
  [0x46, 'INFO'],
  [0x55, 'UP'],
  [0x44, 'DOWN'],
  [0x31, 'F1'],
  [0x32, 'F2'],
  [0x33, 'F3'],
  [0x34, 'F4'],
  [0x6c, 'TIMEOUT'],
  [0xdc, 'CARD_PRESENT'],
];

/** The byte a key is answered with (06 E1). */
function keyCode(key: ZvtKey): number {
  return KEYS.find(([, name]) => name === key)?.[0] ?? 0;
}

/** True for 80 00 and every 84 xx. */
export function isReply(controlField: number): boolean {
  return controlField === POSITIVE || controlField >> 8 === NEGATIVE >> 8;
}

/** Decodes 80 00 or 84 xx. 84 00 means the same as 80 00. */
export function decodeReply(controlField: number, data: Uint8Array, answerTo: AnswerTo): PositiveReply | NegativeReply {
  const errorId = controlField & 0xff;
  if (controlField === POSITIVE) return decodePositive(data, answerTo);
  if (errorId === 0) return { ...decodePositive(data, answerTo), isErrorZero: true };
  return decodeNegative(errorId, data);
}

function decodePositive(data: Uint8Array, answerTo: AnswerTo): PositiveReply {
  if (data.length === 0) return { type: 'positive' };
  const nodes = onlyContainer(data);
  if (nodes !== undefined) return { type: 'positive', ...sequenceId(nodes), tlv: new Secret(nodes) };
  return { type: 'positive', data, ...readKey(data, answerTo), ...readDigits(data, answerTo) };
}

function onlyContainer(data: Uint8Array) {
  const { fields, end } = parseBmps(data);
  const [container] = fields;
  if (end.kind !== 'complete' || fields.length !== 1 || container?.bmp !== TLV_CONTAINER_BMP) return undefined;
  const result = decodeTlv(container.value);
  return result.ok ? result.nodes : undefined;
}

function sequenceId(nodes: Parameters<typeof readTlvFields>[0]): Pick<PositiveReply, 'messageSequenceId'> {
  const { messageSequenceId } = readTlvFields(nodes, 'cp437');
  return messageSequenceId === undefined ? {} : { messageSequenceId };
}

/** A single byte is a key unless a number was asked for: 31 is F1 in 06 E1 and the digit 1 in 06 E2. */
function readKey(data: Uint8Array, answerTo: AnswerTo): Pick<PositiveReply, 'key'> {
  if (data.length !== 1) return {};
  const key = KEYS.find(([code]) => code === data[0])?.[1];
  const isAboutDigits = answerTo === 'NUMERIC_INPUT';
  if (key === undefined || (isAboutDigits && readDigits(data, answerTo).digits !== undefined)) return {};
  return { key };
}

function readDigits(data: Uint8Array, answerTo: AnswerTo): Pick<PositiveReply, 'digits'> {
  if (answerTo === 'DISPLAY_KEY' || (data.length === 1 && answerTo !== 'NUMERIC_INPUT')) return {};
  const text = String.fromCharCode(...data.subarray(0, 256));
  return /^[0-9]+$/.test(text) ? { digits: text } : {};
}

function decodeNegative(errorId: number, data: Uint8Array): NegativeReply {
  const reply: NegativeReply = { type: 'negative', errorId, ...(data.length === 0 ? {} : { data }) };
  const [cause] = data;
  if (errorId === CAUSE_IN_DATA && cause !== undefined) {
    const currency = cause === WRONG_CURRENCY ? readCurrency(data.subarray(1, 3)) : undefined;
    return { ...reply, resultCode: cause, ...(currency === undefined ? {} : { currency }) };
  }
  if (errorId === GOODS_PARTLY_ISSUED) {
    const amount = parseBmps(data).fields.find(({ bmp }) => bmp === AMOUNT_BMP)?.value;
    const amountMinor = amount === undefined ? undefined : bcdNumber(amount);
    return amountMinor === undefined ? reply : { ...reply, amountMinor };
  }
  return reply;
}

/** Encodes 80 00 or 84 xx. Explicit `data` is sent as it is; otherwise it is built from the other fields. */
export function encodeReply(reply: PositiveReply | NegativeReply): Uint8Array {
  if (reply.type === 'positive') {
    return encodeApdu(reply.isErrorZero === true ? NEGATIVE : POSITIVE, positiveData(reply));
  }
  if (!Number.isInteger(reply.errorId) || reply.errorId < 1 || reply.errorId > 0xff) {
    throw new RangeError(`${reply.errorId} is no error id`);
  }
  return encodeApdu(NEGATIVE + reply.errorId, reply.data ?? negativeData(reply));
}

function positiveData(reply: PositiveReply): Uint8Array {
  if (reply.data !== undefined) return reply.data;
  if (reply.key !== undefined) return Uint8Array.of(keyCode(reply.key));
  if (reply.digits !== undefined) return Uint8Array.from(reply.digits, (digit) => digit.charCodeAt(0));
  return encodeContainer(reply);
}

function negativeData(reply: NegativeReply): Uint8Array {
  if (reply.amountMinor !== undefined) return concatBytes(Uint8Array.of(AMOUNT_BMP), packNumber(reply.amountMinor, 6));
  if (reply.resultCode === undefined) return new Uint8Array(0);
  const currency = reply.currency === undefined ? new Uint8Array(0) : packCurrency(reply.currency);
  return concatBytes(Uint8Array.of(reply.resultCode), currency);
}
