// What may be seen of a message on the line: its name, and the bytes of the fields on a list. Everything else is only counted.
import type { TracedField, TracedMessage } from '../../../app/ports/wire-traces.ts';
import { decodeApdu } from './apdu.ts';
import { parseBmps, TLV_CONTAINER_BMP } from './bmp.ts';
import { bmpName } from './bmp-fields.ts';
import * as codes from './command-codes.ts';
import { PRINT_LINE, TEXT_BLOCK } from './print.ts';
import { ABORT, COMPLETION, INTERMEDIATE_STATUS, SET_CLOCK, STATUS_INFORMATION } from './status-messages.ts';

const PASSWORD_BYTES = 3;

/** How the data of a message begin. PASSWORD: three bytes, then fields. FIRST_BYTE: a code that may be seen, the rest is hidden. HIDDEN: texts. */
type Layout = 'FIELDS' | 'PASSWORD' | 'FIRST_BYTE' | 'HIDDEN';

const messages: ReadonlyMap<number, readonly [name: string, layout: Layout]> = new Map<
  number,
  readonly [string, Layout]
>([
  [codes.REGISTRATION, ['registration', 'HIDDEN']],
  [codes.AUTHORIZATION, ['authorization', 'FIELDS']],
  [codes.LOG_OFF, ['log off', 'FIELDS']],
  [codes.BALANCE, ['balance', 'FIELDS']],
  [codes.REPRINT_RANGE, ['reprint', 'HIDDEN']],
  [codes.REPEAT_RECEIPT, ['repeat receipt', 'PASSWORD']],
  [codes.PRE_AUTHORIZATION, ['pre-authorization', 'FIELDS']],
  [codes.PARTIAL_REVERSAL, ['partial reversal', 'FIELDS']],
  [codes.BOOK_TOTAL, ['book total', 'FIELDS']],
  [codes.PRE_AUTHORIZATION_REVERSAL, ['pre-authorization reversal', 'FIELDS']],
  [codes.REVERSAL, ['reversal', 'PASSWORD']],
  [codes.REFUND, ['refund', 'PASSWORD']],
  [codes.DIAGNOSIS, ['diagnosis', 'FIELDS']],
  [codes.ABORT_COMMAND, ['abort', 'FIELDS']],
  [codes.READ_CARD, ['read card', 'FIRST_BYTE']],
  [codes.STATUS_ENQUIRY, ['status enquiry', 'PASSWORD']],
  ...codes.PASSWORD_COMMANDS.map(([code, type]) => [code, [type.replaceAll('-', ' '), 'PASSWORD']] as const),
  ...codes.DISPLAY_COMMANDS.map(([code, type]) => [code, [type.replaceAll('-', ' '), 'HIDDEN']] as const),
  [STATUS_INFORMATION, ['status information', 'FIELDS']],
  [INTERMEDIATE_STATUS, ['intermediate status', 'FIRST_BYTE']],
  [COMPLETION, ['completion', 'FIELDS']],
  [ABORT, ['aborted', 'FIRST_BYTE']],
  [SET_CLOCK, ['set clock', 'HIDDEN']],
  [PRINT_LINE, ['print line', 'HIDDEN']],
  [TEXT_BLOCK, ['print text', 'HIDDEN']],
]);

/**
 * Fields whose bytes may be seen: codes, amounts, numbers of receipts and traces, times. None is longer than six bytes, so that no value that is shown
 * has the digits of a card number. Card data, texts and containers are on no list.
 */
const seenBmps: ReadonlySet<number> = new Set([
  ...[0x01, 0x02, 0x03, 0x04, 0x0b, 0x0c, 0x0d, 0x19, 0x27, 0x29, 0x37, 0x49],
  ...[0x87, 0x88, 0x8a, 0x8c, 0xa0, 0xaa, 0xfc],
]);

/** A message as it may be kept and shown. Never throws. */
export function traceMessage(direction: TracedMessage['direction'], bytes: Uint8Array): TracedMessage {
  const apdu = decodeApdu(bytes);
  const byteCount = bytes.length;
  if (!apdu.isComplete) return { direction, name: 'not readable', byteCount, fields: rest(bytes) };
  const { controlField, data } = apdu;
  const [name, layout] = meaningOf(controlField);
  return { direction, name: `${hex(bytes.subarray(0, 2))} ${name}`, byteCount, fields: fieldsOf(layout, data) };
}

function meaningOf(controlField: number): readonly [name: string, layout: Layout] {
  if (controlField === 0x8000) return ['positive reply', 'FIELDS'];
  if (controlField >> 8 === 0x84) return ['negative reply', 'FIELDS'];
  return messages.get(controlField) ?? ['other message', 'HIDDEN'];
}

function fieldsOf(layout: Layout, data: Uint8Array): readonly TracedField[] {
  switch (layout) {
    case 'HIDDEN':
      return rest(data);
    case 'FIRST_BYTE':
      return data.length === 0 ? [] : [{ tag: 'code', shown: hex(data.subarray(0, 1)) }, ...rest(data.subarray(1))];
    case 'PASSWORD':
      return [...hidden('password', data.subarray(0, PASSWORD_BYTES)), ...bmpsOf(data.subarray(PASSWORD_BYTES))];
    case 'FIELDS':
      return bmpsOf(data);
  }
}

function bmpsOf(data: Uint8Array): readonly TracedField[] {
  const { fields, end } = parseBmps(data);
  // A list that cannot be read to its end may have been read wrongly from its beginning: nothing of it is shown.
  if (end.kind !== 'complete') return rest(data);
  return fields.flatMap(({ bmp, value }) =>
    seenBmps.has(bmp)
      ? [{ tag: bmpName(bmp), shown: hex(value) }]
      : hidden(bmp === TLV_CONTAINER_BMP ? 'container' : bmpName(bmp), value),
  );
}

function rest(bytes: Uint8Array): readonly TracedField[] {
  return hidden('data', bytes);
}

function hidden(tag: string, bytes: Uint8Array): readonly TracedField[] {
  return bytes.length === 0 ? [] : [{ tag, hiddenBytes: bytes.length }];
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('');
}
