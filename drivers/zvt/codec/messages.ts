// What a terminal sends, both ways: the till decodes it, the virtual terminal encodes it.
import { Secret } from '../../../app/domain/secret.ts';
import { encodeApdu } from './apdu.ts';
import { malformed, openApdu } from './malformed.ts';
import type { DecodeContext, DialUp, Malformed, ZvtMessage } from './message-types.ts';
import { decodePrintLine, decodeTextBlock, encodePrintLine, encodeTextBlock, PRINT_LINE, TEXT_BLOCK } from './print.ts';
import { decodeReply, encodeReply, isReply } from './replies.ts';
import {
  ABORT,
  COMPLETION,
  decodeAbort,
  decodeCompletion,
  decodeIntermediateStatus,
  decodeSetClock,
  decodeStatusInformation,
  encodeAbort,
  encodeCompletion,
  encodeIntermediateStatus,
  encodeSetClock,
  encodeStatusInformation,
  INTERMEDIATE_STATUS,
  SET_CLOCK,
  STATUS_INFORMATION,
} from './status-messages.ts';

const INPUT_REQUEST = 0x040d;
const DIAL_UP: readonly (readonly [controlField: number, step: DialUp['step']])[] = [
  [0x06d8, 'dial'],
  [0x06d9, 'disconnect'],
  [0x06da, 'send'],
  [0x06db, 'receive'],
];

/** Decodes one APDU as the till sees it. Never throws. */
export function decodeMessage(apdu: Uint8Array, context: DecodeContext = {}): ZvtMessage | Malformed {
  const opened = openApdu(apdu);
  if ('type' in opened) return opened;
  const { controlField, data } = opened;
  if (isReply(controlField)) return decodeReply(controlField, data, context.answerTo ?? 'OTHER');
  switch (controlField) {
    case STATUS_INFORMATION:
      return decodeStatusInformation(apdu, data, context);
    case INTERMEDIATE_STATUS:
      return decodeIntermediateStatus(data, context);
    case COMPLETION:
      return decodeCompletion(apdu, data, context);
    case ABORT:
      return decodeAbort(apdu, data, context);
    case PRINT_LINE:
      return decodePrintLine(data, context.charset);
    case TEXT_BLOCK:
      return decodeTextBlock(data, context.charset) ?? malformed(apdu, 'bad-field', { controlField, field: '06' });
    case SET_CLOCK:
      return decodeSetClock(data);
    case INPUT_REQUEST:
      return { type: 'input-request', data: new Secret(data) };
    default:
      return decodeOther(controlField, data);
  }
}

function decodeOther(controlField: number, data: Uint8Array): ZvtMessage {
  const step = DIAL_UP.find(([field]) => field === controlField)?.[1];
  if (step !== undefined) return { type: 'dial-up', step, data: new Secret(data) };
  return { type: 'unknown', controlField, data: new Secret(data) };
}

/**
 * Encodes what a terminal sends as one APDU (without serial framing).
 * @throws RangeError when a value does not fit its field
 */
export function encodeMessage(message: ZvtMessage, context: DecodeContext = {}): Uint8Array {
  switch (message.type) {
    case 'positive':
    case 'negative':
      return encodeReply(message);
    case 'status-information':
      return encodeStatusInformation(message, context);
    case 'intermediate-status':
      return encodeIntermediateStatus(message, context);
    case 'completion':
      return encodeCompletion(message, context);
    case 'abort':
      return encodeAbort(message, context);
    case 'print-line':
      return encodePrintLine(message, context.charset);
    case 'text-block':
      return encodeTextBlock(message, context.charset);
    case 'set-clock':
      return encodeSetClock(message);
    case 'input-request':
      return encodeApdu(INPUT_REQUEST, message.data.reveal());
    case 'dial-up':
      return encodeApdu(dialUpField(message.step), message.data.reveal());
    case 'unknown':
      return encodeApdu(message.controlField, message.data.reveal());
  }
}

function dialUpField(step: DialUp['step']): number {
  return DIAL_UP.find(([, name]) => name === step)?.[0] ?? 0;
}
