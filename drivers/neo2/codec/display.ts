// 61-01: the reader asks the host to show a text, a menu or its lamps; 61-03: it asks for a swipe (guide 80139403-002, chapters 8.4.29–8.4.32).
// Fields of variable length have two bytes of length before them, low one first; so do numbers.
import { looksLikeCardNumber } from '../../../app/contract/card-number.ts';
import { Secret } from '../../../app/domain/secret.ts';
import { concatBytes } from '../../framing/bytes.ts';
import type { DisplayContent, DisplayLine, DisplayRequest, SwipeRequest } from './message-types.ts';
import { checked, packLowFirst, packText, readText } from './text.ts';

/** What the reader wants of the host's display. */
export const DISPLAY_MODES: ReadonlyMap<number, string> = new Map([
  [0x01, 'MENU'],
  [0x02, 'FUNCTION_KEY'],
  [0x03, 'SHOW'],
  [0x08, 'LANGUAGE_MENU'],
  [0x10, 'CLEAR'],
  [0x20, 'TOUCH'],
  [0x21, 'LAMP'],
  [0x22, 'KEYPAD'],
]);

/** Numbers of texts seen in published logs. They are prompts, not results. */
export const DISPLAY_TEXTS: ReadonlyMap<number, string> = new Map([
  [0x03, 'APPROVED'],
  [0x07, 'DECLINED'],
  [0x0b, 'PLEASE_WAIT'],
  [0x11, 'PLEASE_WAIT'],
  [0x15, 'PLEASE_WAIT'],
  [0x1a, 'PLEASE_WAIT'],
]);

const CLEAR = 0x10;
const TOUCH = 0x20;
const LAMP = 0x21;
const NUMBER_FOLLOWS = 0x80;
const LINE_END = 0x1c;
const MAX_LINES = 16;
const SHORT_BYTES = 4;
const LENGTH_BYTES = 2;
const LANGUAGE = /^[A-Z]{2}$/;

/** Reads 61-01. What is not understood, or shows a card number, is kept unread: a prompt never breaks an exchange. */
export function decodeDisplay(data: Uint8Array): DisplayRequest {
  const mode = data[0] ?? 0;
  const rest = data.subarray(1);
  const content = readFixed(mode, rest) ?? readLines(rest) ?? readShort(data);
  return { type: 'display', mode, content: content ?? { kind: 'UNREAD', bytes: new Secret(rest.slice()) } };
}

/** @throws RangeError when a value does not fit */
export function packDisplay({ mode, content }: DisplayRequest): Uint8Array {
  return concatBytes(Uint8Array.of(checked(mode, 0, 0xff)), packContent(content));
}

/** Reads 61-03; undefined when its fields do not fit. */
export function decodeSwipeRequest(data: Uint8Array): SwipeRequest | undefined {
  const { values, rest } = readFields(data, 2);
  const [timeout, language] = values;
  if (timeout === undefined || language === undefined) return undefined;
  return {
    type: 'swipe-request',
    timeoutSeconds: readNumber(timeout),
    language: readText(language),
    ...(rest.length === 0 ? {} : { rest }),
  };
}

/** @throws RangeError when a value does not fit */
export function packSwipeRequest({ timeoutSeconds, language, rest = new Uint8Array(0) }: SwipeRequest): Uint8Array {
  return concatBytes(packField(packLowFirst(timeoutSeconds)), packField(packLanguage(language)), rest);
}

function readFixed(mode: number, rest: Uint8Array): DisplayContent | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = rest;
  if (mode === CLEAR && rest.length === 0) return { kind: 'NOTHING' };
  if (mode === LAMP && rest.length === 2 && second <= 1) return { kind: 'LAMP', lamp: first, isOn: second === 1 };
  if (mode !== TOUCH || rest.length !== 5) return undefined;
  return { kind: 'TOUCH', event: first, x: third * 256 + second, y: fifth * 256 + fourth };
}

function readLines(data: Uint8Array): DisplayContent | undefined {
  const { values, rest } = readFields(data, 4);
  const [timeout, language, control, backlight] = values;
  const lines = control && readDisplayLines(control);
  const holdsCardNumber = lines?.some(({ text = '' }) => looksLikeCardNumber(text)) ?? false;
  if (timeout === undefined || language === undefined || lines === undefined || rest.length > 0) return undefined;
  if (holdsCardNumber || !LANGUAGE.test(readText(language))) return undefined;
  return {
    kind: 'LINES',
    timeoutSeconds: readNumber(timeout),
    language: readText(language),
    lines,
    ...(backlight === undefined ? {} : { backlightSeconds: readNumber(backlight) }),
  };
}

function readShort(data: Uint8Array): DisplayContent | undefined {
  const language = readText(data.subarray(1, 3));
  const messageId = data[3];
  if (data.length !== SHORT_BYTES || messageId === undefined || !LANGUAGE.test(language)) return undefined;
  return { kind: 'SHORT', language, messageId };
}

function readDisplayLines(control: Uint8Array): readonly DisplayLine[] | undefined {
  const lines: DisplayLine[] = [];
  let offset = 0;
  while (offset < control.length && lines.length < MAX_LINES) {
    const head = control[offset] ?? 0;
    const line = head & ~NUMBER_FOLLOWS;
    const isNumber = head !== line;
    // The number of a text may be 1C itself.
    const end = isNumber ? offset + 2 : control.indexOf(LINE_END, offset + 1);
    if (control[end] !== LINE_END || line < 1 || line > MAX_LINES) return undefined;
    const value = control.subarray(offset + 1, end);
    lines.push(isNumber ? { line, messageId: value[0] ?? 0 } : { line, text: readText(value) });
    offset = end + 1;
  }
  return offset === control.length ? lines : undefined;
}

/** Up to `count` fields with their length before them, and what follows the last one that is whole. */
function readFields(data: Uint8Array, count: number): { values: readonly Uint8Array[]; rest: Uint8Array } {
  const values: Uint8Array[] = [];
  let offset = 0;
  while (values.length < count) {
    const [low, high] = data.subarray(offset);
    if (low === undefined || high === undefined) break;
    const end = offset + LENGTH_BYTES + high * 256 + low;
    if (end > data.length) break;
    values.push(data.subarray(offset + LENGTH_BYTES, end));
    offset = end;
  }
  return { values, rest: data.slice(offset) };
}

function readNumber(bytes: Uint8Array): number {
  return bytes.subarray(0, LENGTH_BYTES).reduceRight((sum, byte) => sum * 256 + byte, 0);
}

function packContent(content: DisplayContent): Uint8Array {
  switch (content.kind) {
    case 'NOTHING':
      return new Uint8Array(0);
    case 'UNREAD':
      return content.bytes.reveal();
    case 'LAMP':
      return Uint8Array.of(checked(content.lamp, 0, 0xff), content.isOn ? 1 : 0);
    case 'TOUCH':
      return concatBytes(Uint8Array.of(content.event), packLowFirst(content.x), packLowFirst(content.y));
    case 'SHORT':
      return concatBytes(packLanguage(content.language), Uint8Array.of(checked(content.messageId, 0, 0xff)));
    case 'LINES':
      return concatBytes(
        packField(packLowFirst(content.timeoutSeconds)),
        packField(packLanguage(content.language)),
        packField(concatBytes(...content.lines.map(packLine))),
        content.backlightSeconds === undefined ? new Uint8Array(0) : packField(packLowFirst(content.backlightSeconds)),
      );
  }
}

function packLine({ line, text = '', messageId }: DisplayLine): Uint8Array {
  const number = checked(line, 1, MAX_LINES);
  if (messageId !== undefined) return Uint8Array.of(number | NUMBER_FOLLOWS, checked(messageId, 0, 0xff), LINE_END);
  return concatBytes(Uint8Array.of(number), packText(text, { min: 0, max: 16 }), Uint8Array.of(LINE_END));
}

function packLanguage(language: string): Uint8Array {
  if (!LANGUAGE.test(language)) throw new RangeError('A language is two capital letters');
  return packText(language, { min: 2, max: 2 });
}

function packField(value: Uint8Array): Uint8Array {
  return concatBytes(packLowFirst(value.length), value);
}
