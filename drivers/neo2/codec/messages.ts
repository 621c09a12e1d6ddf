// What a reader sends, both ways: the driver decodes it, the virtual reader encodes it.
import { Secret } from '../../../app/domain/secret.ts';
import {
  type CrcOrder,
  encodeVivotech2Frame,
  type Vivotech2Frame,
  type Vivotech2Message,
} from '../../framing/vivotech2-frame.ts';
import { commandCodes } from './command-codes.ts';
import { decodeDisplay, decodeSwipeRequest, packDisplay, packSwipeRequest } from './display.ts';
import { decodeAmountReply, decodeFunctionKeyReply, decodePinReply, packEntryReply } from './entries.ts';
import { malformed } from './malformed.ts';
import type {
  ClearCardData,
  Malformed,
  NeoMessage,
  PlainReply,
  ReplyContext,
  ReplyHead,
  TransactionReply,
} from './message-types.ts';
import {
  STATUS_FAILED,
  STATUS_OK,
  STATUS_ONLINE,
  STATUS_USER_INTERFACE_EVENT,
  STATUS_WORKING,
} from './status-codes.ts';
import { checked, readText } from './text.ts';
import { decodeNeoTlv, encodeNeoTlv } from './tlv.ts';
import { decodeTransaction, packTransaction } from './transaction-data.ts';
import { decodeUserInterfaceEvents, packUserInterfaceEvents } from './user-interface-events.ts';

/** What a reader asks of the host on its own: the second byte is a sub-command, not a status. */
const READER_REQUEST = 0x61;
const DISPLAY = 0x01;
const SWIPE = 0x03;

const ACTIVATE = 0x02;
const CONTACT = 0x60;

type Decoded = NeoMessage | ClearCardData | Malformed;

/** Decodes a frame as the host sees it. Never throws. */
export function decodeMessage(frame: Vivotech2Frame, given: ReplyContext = {}): Decoded {
  if (frame.kind === 'event') return decodeUserInterfaceEvents(frame.data) ?? malformed(frame, 'bad-field');
  // A reader that acknowledges a host's answer to 61-xx sends a status and no data.
  if (frame.command === READER_REQUEST && frame.data.length > 0) return decodeRequest(frame);
  const context = applicable(frame, given);
  const head = { command: frame.command, status: frame.code };
  switch (frame.code) {
    case STATUS_WORKING:
      return { type: 'first-response', ...head };
    case STATUS_USER_INTERFACE_EVENT: {
      const [transactionStatus] = frame.data;
      return { type: 'progress', ...head, ...(transactionStatus === undefined ? {} : { transactionStatus }) };
    }
    case STATUS_OK:
      return decodeAnswer(frame, context, head);
    case STATUS_ONLINE:
    case STATUS_FAILED:
      return decodeUnsuccessful(frame, context, head);
    default:
      return plain(frame, head);
  }
}

/** Whether the exchange ends with this message; otherwise the answer that counts is still to come. */
export function isFinal(message: Decoded): boolean {
  switch (message.type) {
    case 'first-response':
    case 'progress':
    case 'display':
    case 'swipe-request':
    case 'unknown':
    case 'user-interface':
      return false;
    case 'malformed':
      return message.command !== undefined && message.command !== READER_REQUEST;
    default:
      return true;
  }
}

/** A late answer to an earlier command is not read as one to the command that waits now. */
function applicable({ command }: Vivotech2Message, { answerTo, ...context }: ReplyContext): ReplyContext {
  const fits = answerTo !== undefined && answerTo !== 'unknown' && commandCodes(answerTo).command === command;
  return fits ? { ...context, answerTo } : context;
}

function decodeRequest(frame: Vivotech2Message): Decoded {
  const { command, code, data } = frame;
  if (code === DISPLAY) return decodeDisplay(data);
  if (code === SWIPE) return decodeSwipeRequest(data) ?? malformed(frame, 'bad-field');
  return { type: 'unknown', command, code, data: new Secret(data) };
}

function decodeAnswer(frame: Vivotech2Message, context: ReplyContext, head: ReplyHead): Decoded {
  const isEmpty = frame.data.length === 0;
  switch (context.answerTo) {
    case 'get-encrypted-pin':
      return isEmpty ? { type: 'first-response', ...head } : decodePinReply(frame);
    case 'get-function-key':
      return isEmpty ? { type: 'first-response', ...head } : decodeFunctionKeyReply(frame);
    case 'get-amount':
      return isEmpty ? { type: 'first-response', ...head } : decodeAmountReply(frame);
    case 'get-firmware':
      return { type: 'firmware', ...head, text: readText(frame.data).replace(/\0+$/, '') };
    case 'get-configuration':
      return decodeConfiguration(frame, head);
    case 'exchange-apdu':
      return { type: 'apdu', ...head, apdu: new Secret(frame.data) };
    default:
      return !isEmpty && isAboutTransaction(frame, context) ? decodeTransaction(frame, context) : plain(frame, head);
  }
}

/** Online wanted, or failed: transaction data, the state of an entry, or (in older layouts) an error code. */
function decodeUnsuccessful(frame: Vivotech2Message, context: ReplyContext, head: ReplyHead): Decoded {
  if (frame.data.length === 0) return plain(frame, head);
  if (isEntry(context)) return decodeAnswer(frame, context, head);
  if (!isAboutTransaction(frame, context)) return plain(frame, head);
  const decoded = decodeTransaction(frame, context);
  return decoded.type === 'malformed' && frame.code === STATUS_FAILED ? plain(frame, head) : decoded;
}

function isEntry({ answerTo }: ReplyContext): boolean {
  return answerTo === 'get-encrypted-pin' || answerTo === 'get-function-key' || answerTo === 'get-amount';
}

function isAboutTransaction({ command }: Vivotech2Message, { answerTo }: ReplyContext): boolean {
  return command === CONTACT || command === ACTIVATE || answerTo === 'get-transaction-result';
}

function decodeConfiguration(frame: Vivotech2Message, head: ReplyHead): Decoded {
  const result = decodeNeoTlv(frame.data);
  return result.ok ? { type: 'configuration', ...head, tags: result.tags } : malformed(frame, 'bad-tlv', result.tag);
}

function plain({ data }: Vivotech2Message, head: ReplyHead): PlainReply {
  return { type: 'reply', ...head, ...(data.length === 0 ? {} : { data: new Secret(data) }) };
}

/** What of a transaction reply is sent; everything else in it is read from these. */
export type EncodableMessage =
  | Exclude<NeoMessage, TransactionReply>
  | Pick<TransactionReply, 'type' | 'command' | 'status' | 'attribution' | 'tags'>;

/**
 * Encodes what a reader sends as one frame.
 * @param crcOrder only for a test peer: replies and events carry the CRC high byte first, requests (61-xx) low byte first otherwise
 * @throws RangeError when a value does not fit its field
 */
export function encodeMessage(message: EncodableMessage, crcOrder?: CrcOrder): Uint8Array {
  const frame = packFrame(message);
  const isRequest = frame.kind === 'message' && frame.command === READER_REQUEST && frame.data.length > 0;
  return encodeVivotech2Frame(frame, crcOrder ?? (isRequest ? 'LOW_FIRST' : 'HIGH_FIRST'));
}

function packFrame(message: EncodableMessage): Vivotech2Frame {
  switch (message.type) {
    case 'user-interface':
      return { kind: 'event', data: packUserInterfaceEvents(message) };
    case 'display':
      return { kind: 'message', command: READER_REQUEST, code: DISPLAY, data: packDisplay(message) };
    case 'swipe-request':
      return { kind: 'message', command: READER_REQUEST, code: SWIPE, data: packSwipeRequest(message) };
    case 'unknown':
      return { kind: 'message', command: message.command, code: message.code, data: message.data.reveal() };
    default: {
      const { command, status } = message;
      return { kind: 'message', command, code: checked(status, 0, 0xff), data: packReply(message) };
    }
  }
}

type Reply = Exclude<EncodableMessage, { type: 'user-interface' | 'display' | 'swipe-request' | 'unknown' }>;

function packReply(reply: Reply): Uint8Array {
  switch (reply.type) {
    case 'reply':
      return reply.data?.reveal() ?? new Uint8Array(0);
    case 'first-response':
      return new Uint8Array(0);
    case 'progress':
      return reply.transactionStatus === undefined ? new Uint8Array(0) : Uint8Array.of(reply.transactionStatus);
    case 'firmware':
      return Uint8Array.from(`${reply.text}\0`, (character) => character.charCodeAt(0));
    case 'configuration':
      return encodeNeoTlv(reply.tags);
    case 'transaction':
      return packTransaction(reply);
    case 'pin':
    case 'function-key':
    case 'amount':
      return packEntryReply(reply);
    case 'apdu':
      return reply.apdu.reveal();
  }
}
