// What a terminal sends, both ways: the driver decodes it, the virtual terminal encodes it.
import { Secret } from '../../../app/domain/secret.ts';
import { bodyOf, headerOf, malformed, orMalformed, readHeader } from './header.ts';
import type { Ecr17Message, Malformed } from './message-types.ts';
import { type AnswerTo, decodePaymentReply, encodePaymentReply } from './payment-replies.ts';
import {
  decodeIncrementReply,
  decodePreAuthorizationReply,
  encodeIncrementReply,
  encodePreAuthorizationReply,
} from './pre-authorization-replies.ts';
import { decodeReceiptPart, encodeReceiptPart } from './receipt-text.ts';
import {
  decodeAdditionalDataReply,
  decodeServiceReply,
  encodeAdditionalDataReply,
  encodeServiceReply,
} from './services.ts';
import {
  decodeCloseReply,
  decodeStatusReply,
  decodeTotalsReply,
  encodeCloseReply,
  encodeStatusReply,
  encodeTotalsReply,
} from './session-replies.ts';

/** Decodes one message as the till sees it. Never throws. */
export function decodeMessage(text: string): Ecr17Message | Malformed {
  const header = readHeader(text);
  if (header === undefined) return malformed(text, 'no-header');
  return orMalformed(text, () => decodeBody(header.terminalId, header.code, text));
}

function decodeBody(terminalId: string, code: string, text: string): Ecr17Message {
  switch (code) {
    case 'E':
    case 'V':
    case 'c':
    case 'v':
      return decodePaymentReply(terminalId, code, text);
    case 'e':
      return decodePreAuthorizationReply(terminalId, text);
    case 'i':
      return decodeIncrementReply(terminalId, text);
    case 's':
      return decodeStatusReply(terminalId, text);
    case 'T':
      return decodeTotalsReply(terminalId, text);
    case 'C':
      return decodeCloseReply(terminalId, text);
    case 'S':
      return decodeReceiptPart(terminalId, text);
    case 'K':
      return decodeServiceReply(terminalId, text);
    case 'U':
      return decodeAdditionalDataReply(terminalId, text);
    default:
      return { type: 'unknown', terminalId, code, text: new Secret(bodyOf(text)) };
  }
}

/**
 * The text of a message of a terminal.
 * @throws RangeError when a value does not fit its field
 */
export function encodeMessage(message: Ecr17Message, answerTo: AnswerTo = 'OTHER'): string {
  switch (message.type) {
    case 'payment-reply':
      return encodePaymentReply(message, answerTo);
    case 'pre-authorization-reply':
      return encodePreAuthorizationReply(message);
    case 'increment-reply':
      return encodeIncrementReply(message);
    case 'status-reply':
      return encodeStatusReply(message);
    case 'totals-reply':
      return encodeTotalsReply(message);
    case 'close-reply':
      return encodeCloseReply(message);
    case 'receipt-part':
      return encodeReceiptPart(message);
    case 'service-reply':
      return encodeServiceReply(message);
    case 'additional-data-reply':
      return encodeAdditionalDataReply(message);
    case 'unknown':
      return `${headerOf(message.terminalId, message.code)}${message.text.reveal()}`;
  }
}
