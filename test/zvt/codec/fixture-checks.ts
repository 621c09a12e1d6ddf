// What the codec makes of an APDU, in the words of the fixture: one function per key of `expect`.
import { decodeStream, INITIAL_STREAM_STATE, pendingBytes } from '../../../drivers/framing/apdu-stream.ts';
import { type ApduResult, decodeApdu, encodeApdu } from '../../../drivers/zvt/codec/apdu.ts';
import { parseBmps } from '../../../drivers/zvt/codec/bmp.ts';
import { authorizationCodeOf } from '../../../drivers/zvt/codec/card-facts.ts';
import { tag14OfCharset } from '../../../drivers/zvt/codec/charset.ts';
import type { ZvtCommand } from '../../../drivers/zvt/codec/command-types.ts';
import { decodeCommand } from '../../../drivers/zvt/codec/commands.ts';
import { recogniseForeignGreeting } from '../../../drivers/zvt/codec/foreign-greeting.ts';
import type { DecodeContext, Malformed, ZvtMessage } from '../../../drivers/zvt/codec/message-types.ts';
import { decodeMessage } from '../../../drivers/zvt/codec/messages.ts';
import { printStyle } from '../../../drivers/zvt/codec/print.ts';
import { configByte } from '../../../drivers/zvt/codec/registration.ts';
import { judgePayment } from '../../../drivers/zvt/codec/result-codes.ts';
import { progressOf } from '../../../drivers/zvt/codec/status-tables.ts';
import { decodeTlv, encodeTlv, findAllTlv, type TlvNode } from '../../../drivers/zvt/codec/tlv.ts';
import type { FixtureItem } from './fixture.ts';
import { bytesOf, hexOf } from './support.ts';

type Decoded = ZvtMessage | ZvtCommand | Malformed;

export interface Facts {
  readonly item: FixtureItem;
  readonly bytes: Uint8Array;
  readonly apdu: ApduResult;
  readonly message: Decoded;
  /** the message with every field readable by name, whatever its type */
  readonly fields: Readonly<Record<string, unknown>>;
}

export function factsOf(item: FixtureItem, bytes = bytesOf(item.hex)): Facts {
  const message = item.direction === 'pt->ecr' ? decodeMessage(bytes, contextOf(item)) : decodeCommand(bytes);
  return { item, bytes, apdu: decodeApdu(bytes), message, fields: { ...message } };
}

/** What the till had asked; in the fixture a completion with BMP 19 answers a registration. */
export function contextOf(item: FixtureItem): DecodeContext {
  if (item.expect.context === 'answer to a status enquiry 05 01') return { answerTo: 'STATUS_ENQUIRY' };
  if (item.expect.command === '06 0F' && 'bmp19' in item.expect) return { answerTo: 'REGISTRATION' };
  return {};
}

const hexByte = (value: unknown) => (typeof value === 'number' ? hexOf(Uint8Array.of(value)) : undefined);
const hexField = (value: unknown) => (value instanceof Uint8Array ? hexOf(value) : undefined);
const revealed = (value: unknown) =>
  typeof value === 'object' && value !== null && 'reveal' in value && typeof value.reveal === 'function'
    ? value.reveal()
    : undefined;
const pairs = (value: unknown, separator: string) =>
  typeof value === 'string' ? value.match(/../g)?.join(separator) : undefined;
const plain =
  (name: string): Check =>
  ({ fields }) =>
    fields[name];
const asHex =
  (name: string): Check =>
  ({ fields }) =>
    hexByte(fields[name]);
const secret =
  (name: string): Check =>
  ({ fields }) =>
    revealed(fields[name]);
const dataOf = ({ apdu, bytes }: Facts) => (apdu.isComplete ? apdu.data : bytes.subarray(3));
const controlFieldHex = (controlField: number | undefined) =>
  controlField === undefined ? undefined : hexOf(Uint8Array.of(controlField >> 8, controlField & 0xff));

/** Where the BMP list of a message begins, as the manual's layouts say. */
function bmpListOf({ item, apdu, bytes, fields }: Facts) {
  const data = dataOf({ apdu, bytes } as Facts);
  const offsets: Readonly<Record<string, number>> = {
    '06 00': data.length > 4 ? 6 : 4,
    '06 30': 3,
    '06 31': 3,
    '06 20': 3,
    '05 01': 3,
    '06 C0': 1,
    '06 1E': 1,
    '04 FF': fields.timeoutMinutes === undefined ? 1 : 2,
  };
  return parseBmps(data.subarray(offsets[String(item.expect.command)] ?? 0));
}

function tlvOf(nodes: readonly TlvNode[]): unknown {
  return nodes.map((node) =>
    'children' in node
      ? { tag: tagHex(node.tag), length: encodeTlv(node.children).length, children: tlvOf(node.children) }
      : { tag: tagHex(node.tag), length: node.value.length, hex: hexOf(node.value) },
  );
}

const tagHex = (tag: number) => tag.toString(16).toUpperCase().padStart(2, '0');

const KINDS: Readonly<Partial<Record<Decoded['type'], string>>> = {
  'status-information': 'status-information',
  'intermediate-status': 'intermediate-status',
  'text-block': 'print-text-block',
  'print-line': 'print-line',
  'set-clock': 'set-clock',
  positive: 'positive',
  completion: 'completion',
  abort: 'abort',
  registration: 'registration',
};

function kindOf({ message }: Facts): string | undefined {
  if (message.type === 'negative') return message.errorId === 0x9c ? 'repeat-later' : 'negative';
  if (message.type === 'malformed' || message.type === 'unknown') return undefined;
  return KINDS[message.type] ?? 'command';
}

function displayLines({ message }: Facts): unknown {
  if (message.type === 'text-block') return message.lines.map(({ text }) => text);
  if (!('lines' in message)) return undefined;
  return Object.fromEntries(message.lines.map((line, index) => [`F${index + 1}`, line]));
}

/** The fixture's name of the character set, if it decodes the raw bytes to the texts the codec gave. */
function charsetUsed({ item, message, bytes }: Facts): unknown {
  const name = String(item.expect.charsetUsed);
  const decoder = new TextDecoder(name);
  const rawAndText: (readonly [Uint8Array, string])[] = [];
  const streamed = item.expect.stream ? apdusIn(bytes).map((apdu) => decodeMessage(apdu)) : [message];
  for (const [index, one] of streamed.entries()) {
    const apdu = item.expect.stream ? apdusIn(bytes)[index] : bytes;
    if (one.type === 'print-line') rawAndText.push([(apdu ?? bytes).subarray(4, 4 + one.text.length), one.text]);
    if (one.type === 'text-block') {
      const raw = findAllTlv(one.tlv?.reveal() ?? [], 0x25, 0x07);
      rawAndText.push(...raw.map((value, line) => [value, one.lines[line]?.text ?? ''] as const));
    }
  }
  const isAbove7Bit = rawAndText.some(([raw]) => raw.some((byte) => byte > 0x7f));
  return isAbove7Bit && rawAndText.every(([raw, text]) => decoder.decode(raw) === text) ? name : 'another';
}

function apdusIn(bytes: Uint8Array): readonly Uint8Array[] {
  return decodeStream(INITIAL_STREAM_STATE, bytes).items.flatMap((item) => (item.type === 'apdu' ? [item.apdu] : []));
}

function isGarbage({ bytes }: Facts): boolean {
  const { items } = decodeStream(INITIAL_STREAM_STATE, bytes);
  return items.length > 0 && items.every(({ type }) => type === 'garbage');
}

function outcomeOf({ message }: Facts): string | undefined {
  if (message.type !== 'status-information') return undefined;
  const { kind } = judgePayment(message);
  return ['declined', 'cancelled', 'failed'].includes(kind) ? 'not-approved' : kind;
}

function totalsOf({ message }: Facts): unknown {
  if (message.type !== 'status-information' || message.totals === undefined) return undefined;
  const { receiptFrom, receiptTo, ...groups } = message.totals;
  const schemes = Object.entries(groups).map(([name, { count, amountMinor }]) => [
    name,
    { count, amount: amountMinor },
  ]);
  return { receiptFrom, receiptTo, schemes: Object.fromEntries(schemes) };
}

function malformedField({ message }: Facts): unknown {
  if (message.type === 'malformed') return message.field;
  return 'problems' in message ? message.problems?.find(({ reason }) => reason === 'bad-tlv')?.field : undefined;
}

function statusByteBits({ message }: Facts): unknown {
  if (message.type !== 'completion' || message.registration === undefined) return undefined;
  const { isInitialisationNeeded, isDiagnosisNeeded, isOpt, isVendingMachine } = message.registration;
  return [
    ...(isInitialisationNeeded ? ['initialisation needed'] : []),
    ...(isDiagnosisNeeded ? ['diagnosis needed'] : []),
    ...(isOpt ? ['OPT'] : []),
    ...(isVendingMachine ? ['vending-machine mode'] : []),
  ];
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  CORRECTION: 'correction',
  STOP: 'stop',
  INFO: 'info',
  UP: 'up',
  DOWN: 'down',
  TIMEOUT: 'timeout',
  CARD_PRESENT: 'card present',
};

function styleOf({ message }: Facts) {
  return message.type === 'print-line' && message.attribute !== undefined ? printStyle(message.attribute) : undefined;
}

function inputOf({ message }: Facts) {
  return 'input' in message ? message.input : undefined;
}

/** The fields of the body when the wrong length byte is put right. */
function bodyWithRightLength(facts: Facts): unknown {
  const controlField = facts.apdu.controlField ?? 0;
  const body = factsOf(facts.item, encodeApdu(controlField, facts.bytes.subarray(3)));
  return checkAll(body, Object.keys(facts.item.expect.bodyIfLengthIsIgnored ?? {}));
}

/** What the codec says for each of the keys; a key nobody checks is an error. */
export function checkAll(facts: Facts, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    keys.map((key) => {
      const check = CHECKS[key];
      if (check === undefined) throw new Error(`Nothing checks "${key}"`);
      return [key, check(facts)];
    }),
  );
}

function streamOf(facts: Facts): unknown {
  const expected = facts.item.expect.apdus;
  if (!Array.isArray(expected)) return undefined;
  return apdusIn(facts.bytes).map((apdu, index) => {
    const { dataLength, ...others } = expected[index] ?? {};
    const one = factsOf({ ...facts.item, expect: others }, apdu);
    return {
      ...checkAll(one, Object.keys(others)),
      ...(dataLength === undefined ? {} : { dataLength: dataOf(one).length }),
    };
  });
}

/** Keys that tell the reader something and hold no value to compare. */
export const NOTES = ['specificationSlip', 'context'];

type Check = (facts: Facts) => unknown;

const CHECKS: Readonly<Record<string, Check>> = {
  // the APDU and the stream
  command: ({ apdu }) => controlFieldHex(apdu.controlField),
  lengthField: ({ apdu }) => {
    const header = apdu.isComplete ? apdu : apdu.header;
    return header === undefined ? undefined : { form: header.lengthForm, dataLength: header.dataByteCount };
  },
  complete: ({ apdu, message }) =>
    apdu.isComplete || (message.type === 'malformed' && message.reason === 'incomplete' ? false : 'decoded'),
  missing: ({ apdu }) => (apdu.isComplete ? 0 : apdu.missingByteCount),
  dataBytesPresent: ({ bytes }) => bytes.length - 3,
  surplus: ({ apdu, message }) =>
    apdu.isComplete && message.type === 'malformed' && message.reason === 'surplus-bytes'
      ? hexOf(apdu.surplus)
      : undefined,
  stream: ({ bytes }) => apdusIn(bytes).length > 0,
  apduCount: ({ bytes }) => apdusIn(bytes).length,
  rest: ({ bytes }) => hexOf(pendingBytes(decodeStream(INITIAL_STREAM_STATE, bytes).state)),
  apdus: streamOf,
  bodyIfLengthIsIgnored: bodyWithRightLength,
  knownCommand: (facts) => !isGarbage(facts),
  zvt: (facts) => !isGarbage(facts),
  looksLike: ({ bytes }) => {
    const kind = recogniseForeignGreeting(bytes)?.kind;
    if (kind === undefined) return undefined;
    return kind === 'ecr17-nak' ? 'ECR17 NAK' : '4-byte big-endian length + text';
  },
  lrc: ({ bytes }) => {
    const greeting = recogniseForeignGreeting(bytes);
    return greeting?.kind === 'ecr17-nak' ? hexByte(greeting.lrc) : undefined;
  },
  bannerLength: ({ bytes }) => {
    const greeting = recogniseForeignGreeting(bytes);
    return greeting?.kind === 'length-prefixed-text' ? greeting.bannerLength : undefined;
  },
  // the BMP list and its container
  dataHex: (facts) => hexOf(dataOf(facts)),
  bmpListValid: (facts) => parseBmps(dataOf(facts)).end.kind === 'complete',
  bmps: (facts) => bmpListOf(facts).fields.map(({ bmp, value }) => ({ bmp: tagHex(bmp), hex: hexOf(value) })),
  tlv: ({ fields }) => tlvOf(revealed(fields.tlv)),
  tlvValid: (facts) => parseBmps(dataOf(facts)).fields.every(({ bmp, value }) => bmp !== 0x06 || decodeTlv(value).ok),
  malformed: malformedField,
  unknownBmp: ({ message }) =>
    'unparsed' in message && message.unparsed !== undefined ? tagHex(message.unparsed.bmp) : undefined,
  // meaning
  kind: kindOf,
  outcome: outcomeOf,
  note: ({ message }) =>
    'amountMinor' in message ? 'an amount' : 'no amount present: a driver must not fill it from the request silently',
  resultCode: ({ fields }) => hexByte(fields.resultCode) ?? null,
  responseCode: ({ message }) =>
    message.type === 'status-information' ? judgePayment(message).responseCode : undefined,
  resultCodeAs: asHex('hostResultCode'),
  amount: ({ fields }) => fields.amountMinor ?? fields.unusedAmountMinor,
  currency: plain('currency'),
  receipt: ({ fields }) => (fields.type === 'open-pre-authorizations' ? 'FFFF' : fields.receipt),
  query: ({ fields }) => fields.type === 'open-pre-authorizations',
  trace: plain('trace'),
  traceLong: plain('longTrace'),
  originalTrace: plain('originalTrace'),
  turnover: plain('turnover'),
  time: ({ fields }) => pairs(fields.time, ':'),
  date: ({ fields }) => (fields.fullDate === undefined ? pairs(fields.date, '-') : `20${pairs(fields.fullDate, '-')}`),
  expiry: plain('expiry'),
  cardSequence: plain('cardSequence'),
  cardType: plain('cardType'),
  cardTypeId: plain('cardTypeId'),
  cardTypeTag41: plain('extendedCardType'),
  cardName: plain('cardName'),
  bmp19: asHex('paymentType'),
  statusByteBits,
  pan: secret('pan'),
  track1: secret('track1'),
  track2: secret('track2'),
  terminalId: plain('terminalId'),
  vuNumber: plain('vuNumber'),
  authorisationAttribute: ({ fields }) => hexField(fields.authorizationAttribute),
  authorisationAttributeText: ({ fields }) =>
    fields.authorizationAttribute instanceof Uint8Array
      ? authorizationCodeOf(fields.authorizationAttribute)
      : undefined,
  additionalText: plain('additionalText'),
  blockedGoods: plain('blockedGoods'),
  totals: totalsOf,
  aid: plain('aid'),
  applicationName: plain('applicationName'),
  cvm: asHex('cvm'),
  technology: asHex('technology'),
  emvReceiptCustomer: plain('emvReceiptCustomer'),
  emvReceiptMerchant: plain('emvReceiptMerchant'),
  texts: plain('texts'),
  messageSequenceId: plain('messageSequenceId'),
  extendedError: ({ fields }) => pairs(fields.extendedErrorCode, ' '),
  extendedErrorText: plain('extendedErrorText'),
  openPreauth: ({ message }) => message.type === 'abort' && message.resultCode === 0xb8,
  openReceipts: plain('openReceipts'),
  // replies
  errorId: ({ message }) =>
    message.type === 'negative'
      ? hexByte(message.errorId)
      : message.type === 'positive' && message.isErrorZero
        ? '00'
        : undefined,
  data: ({ fields }) => hexField(fields.data),
  key: ({ fields }) => KEY_NAMES[String(fields.key)] ?? fields.key,
  digits: plain('digits'),
  // progress, completion, clock
  status: asHex('status'),
  timeoutMinutes: plain('timeoutMinutes'),
  tlvWithoutTimeout: ({ fields }) => fields.timeoutMinutes === undefined && fields.tlv !== undefined,
  autoReversal: ({ message }) =>
    message.type === 'intermediate-status' && progressOf(message.status ?? 0).kind === 'auto-reversal',
  terminalStatus: asHex('terminalStatus'),
  softwareVersion: plain('softwareVersion'),
  // print
  attribute: asHex('attribute'),
  text: ({ bytes, fields }) => {
    const greeting = recogniseForeignGreeting(bytes);
    return greeting?.kind === 'length-prefixed-text' ? greeting.text : fields.text;
  },
  lastLine: plain('isLastLine'),
  centred: (facts) => styleOf(facts)?.isCentred,
  indent: (facts) => styleOf(facts)?.indent,
  lineFeeds: plain('lineFeeds'),
  receiptType: plain('receiptType'),
  lines: displayLines,
  charset: ({ message }) =>
    'charset' in message && message.charset !== undefined ? hexByte(tag14OfCharset(message.charset)) : undefined,
  charsetUsed,
  // commands
  password: secret('password'),
  configByte: ({ message }) => (message.type === 'registration' ? hexByte(configByte(message.config)) : undefined),
  serviceByte: asHex('serviceByte'),
  serviceByteBits: ({ fields }) =>
    ['send status information', 'do not print'].filter((_, bit) => (Number(fields.serviceByte) & (1 << bit)) !== 0),
  timeoutSeconds: ({ fields }) => fields.timeoutSeconds ?? fields.goodsTimeoutSeconds,
  maxStatusInfos: plain('maxStatusMessages'),
  dialogControl: asHex('dialogControl'),
  receiptFrom: plain('receiptFrom'),
  receiptTo: plain('receiptTo'),
  displaySeconds: plain('durationSeconds'),
  beeps: plain('beepCount'),
  confirm: (facts) => inputOf(facts)?.confirm,
  echo: (facts) => hexByte(inputOf(facts)?.echo),
  maxLength: (facts) => inputOf(facts)?.maxLength,
  mac: (facts) => hexField(inputOf(facts)?.mac),
};
