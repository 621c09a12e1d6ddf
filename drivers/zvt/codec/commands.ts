// What a till sends, both ways: the till encodes it, the virtual terminal decodes it.
import { Secret } from '../../../app/domain/secret.ts';
import { bcdDigits, packDigits } from '../../framing/bcd.ts';
import { concatBytes } from '../../framing/bytes.ts';
import { encodeApdu } from './apdu.ts';
import * as codes from './command-codes.ts';
import type { ReadCardCommand, ReprintRangeCommand, StatusEnquiryCommand, ZvtCommand } from './command-types.ts';
import { decodeDisplay, encodeDisplay } from './display-commands.ts';
import { decodeFields, encodeFields } from './fields.ts';
import { malformed, openApdu } from './malformed.ts';
import type { DecodeContext, Malformed, ZvtFields } from './message-types.ts';
import { decodePaymentCommand, encodePaymentCommand, isPaymentCommand } from './payment-commands.ts';
import { decodePrintLine, decodeTextBlock, encodePrintLine, encodeTextBlock, PRINT_LINE, TEXT_BLOCK } from './print.ts';
import { decodeRegistration, encodeRegistration, PASSWORD_BYTES } from './registration.ts';
import { decodeReply, encodeReply, isReply } from './replies.ts';

const RECEIPT_BYTES = 2;

/** What the terminal agreed to and asked, as far as it changes how a till's APDU reads. */
export type CommandContext = Pick<DecodeContext, 'charset'>;

/** Decodes one APDU as the terminal sees it. Never throws. */
export function decodeCommand(apdu: Uint8Array, context: CommandContext = {}): ZvtCommand | Malformed {
  const opened = openApdu(apdu);
  if ('type' in opened) return opened;
  const { controlField, data } = opened;
  if (isReply(controlField)) return decodeReply(controlField, data, 'OTHER');
  if (isPaymentCommand(controlField)) return decodePaymentCommand(apdu, controlField, data);
  const display = codes.DISPLAY_COMMANDS.find(([field]) => field === controlField)?.[1];
  if (display !== undefined) return decodeDisplay(apdu, display, data, context.charset);
  switch (controlField) {
    case codes.REGISTRATION:
      return decodeRegistration(apdu, data);
    case PRINT_LINE:
      return decodePrintLine(data, context.charset);
    case TEXT_BLOCK:
      return decodeTextBlock(data, context.charset) ?? malformed(apdu, 'bad-field', { controlField, field: '06' });
    default:
      return decodeAdministration(apdu, controlField, data);
  }
}

/** Fixed bytes before the BMP list; undefined for a control field this codec has no meaning for. */
function prefixByteCount(controlField: number, data: Uint8Array): number | undefined {
  if (codes.PASSWORD_COMMANDS.some(([field]) => field === controlField)) return PASSWORD_BYTES;
  switch (controlField) {
    case codes.REPEAT_RECEIPT:
      return PASSWORD_BYTES;
    case codes.STATUS_ENQUIRY:
      return data.length === 0 ? 0 : PASSWORD_BYTES;
    case codes.REPRINT_RANGE:
      return PASSWORD_BYTES + (data.length >= PASSWORD_BYTES + 2 * RECEIPT_BYTES ? 2 : 1) * RECEIPT_BYTES;
    case codes.READ_CARD:
      return Math.min(1, data.length);
    case codes.DIAGNOSIS:
    case codes.ABORT_COMMAND:
    case codes.LOG_OFF:
      return 0;
    default:
      return undefined;
  }
}

function decodeAdministration(apdu: Uint8Array, controlField: number, data: Uint8Array): ZvtCommand | Malformed {
  const prefix = prefixByteCount(controlField, data);
  if (prefix === undefined) return { type: 'unknown', controlField, data: new Secret(data) };
  if (data.length < prefix) return malformed(apdu, 'missing-field', { controlField });
  const result = decodeFields(data.subarray(prefix), undefined);
  if (!result.ok) return malformed(apdu, 'bad-field', { controlField, field: result.field });
  return readAdministration(controlField, data.subarray(0, prefix), result.fields);
}

function readAdministration(controlField: number, prefix: Uint8Array, fields: ZvtFields): ZvtCommand {
  const password = new Secret(bcdDigits(prefix.subarray(0, PASSWORD_BYTES)));
  switch (controlField) {
    case codes.REPEAT_RECEIPT:
      return { type: 'repeat-receipt', ...fields, password };
    case codes.STATUS_ENQUIRY:
      return { type: 'status-enquiry', ...fields, ...(prefix.length === 0 ? {} : { password }) };
    case codes.REPRINT_RANGE:
      return { type: 'reprint-range', ...fields, password, ...readRange(prefix.subarray(PASSWORD_BYTES)) };
    case codes.READ_CARD:
      return { type: 'read-card', ...fields, ...(prefix[0] === undefined ? {} : { timeoutSeconds: prefix[0] }) };
    case codes.DIAGNOSIS:
      return { type: 'diagnosis', ...fields };
    case codes.ABORT_COMMAND:
      return { type: 'abort-command', ...fields };
    case codes.LOG_OFF:
      return { type: 'log-off' };
    default: {
      const type = codes.PASSWORD_COMMANDS.find(([field]) => field === controlField)?.[1] ?? 'turnover-totals';
      return { type, ...fields, password };
    }
  }
}

function readRange(bytes: Uint8Array): Pick<ReprintRangeCommand, 'receiptFrom' | 'receiptTo'> {
  const receiptFrom = bcdDigits(bytes.subarray(0, RECEIPT_BYTES));
  if (bytes.length === RECEIPT_BYTES) return { receiptFrom };
  return { receiptFrom, receiptTo: bcdDigits(bytes.subarray(RECEIPT_BYTES)) };
}

/**
 * Encodes what a till sends as one APDU (without serial framing).
 * @throws RangeError when a value does not fit its field (an amount above twelve digits, a password that is not six digits)
 */
export function encodeCommand(command: ZvtCommand, context: CommandContext = {}): Uint8Array {
  switch (command.type) {
    case 'registration':
      return encodeRegistration(command);
    case 'positive':
    case 'negative':
      return encodeReply(command);
    case 'print-line':
      return encodePrintLine(command, context.charset);
    case 'text-block':
      return encodeTextBlock(command, context.charset);
    case 'display':
    case 'display-key':
    case 'numeric-input':
      return encodeDisplay(command, context.charset);
    case 'end-of-day':
    case 'turnover-totals':
    case 'initialisation':
    case 'repeat-receipt':
    case 'reprint-range':
    case 'diagnosis':
    case 'status-enquiry':
    case 'read-card':
    case 'abort-command':
    case 'log-off':
      return encodeAdministration(command);
    case 'unknown':
      return encodeApdu(command.controlField, command.data.reveal());
    default:
      return encodePaymentCommand(command);
  }
}

type AdministrationCommand = Extract<
  ZvtCommand,
  {
    type:
      | 'end-of-day'
      | 'turnover-totals'
      | 'initialisation'
      | 'repeat-receipt'
      | 'reprint-range'
      | 'diagnosis'
      | 'status-enquiry'
      | 'read-card'
      | 'abort-command'
      | 'log-off';
  }
>;

function encodeAdministration(command: AdministrationCommand): Uint8Array {
  switch (command.type) {
    case 'repeat-receipt':
      return assemble(codes.REPEAT_RECEIPT, packPassword(command.password), command);
    case 'reprint-range':
      return assemble(codes.REPRINT_RANGE, packRange(command), command);
    case 'diagnosis':
      return assemble(codes.DIAGNOSIS, new Uint8Array(0), command);
    case 'status-enquiry':
      return assemble(codes.STATUS_ENQUIRY, packEnquiryPassword(command), command);
    case 'read-card':
      return assemble(codes.READ_CARD, packTimeout(command), command);
    case 'abort-command':
      return assemble(codes.ABORT_COMMAND, new Uint8Array(0), command);
    case 'log-off':
      return assemble(codes.LOG_OFF, new Uint8Array(0), {});
    default: {
      const controlField = codes.PASSWORD_COMMANDS.find(([, type]) => type === command.type)?.[0] ?? 0;
      return assemble(controlField, packPassword(command.password), command);
    }
  }
}

function assemble(controlField: number, prefix: Uint8Array, fields: ZvtFields): Uint8Array {
  return encodeApdu(controlField, concatBytes(prefix, encodeFields(fields)));
}

function packPassword(password: Secret<string>): Uint8Array {
  return packDigits(password.reveal(), PASSWORD_BYTES);
}

function packEnquiryPassword({ password }: StatusEnquiryCommand): Uint8Array {
  return password === undefined ? new Uint8Array(0) : packPassword(password);
}

function packTimeout({ timeoutSeconds }: ReadCardCommand): Uint8Array {
  return timeoutSeconds === undefined ? new Uint8Array(0) : Uint8Array.of(timeoutSeconds & 0xff);
}

function packRange({ password, receiptFrom, receiptTo }: ReprintRangeCommand): Uint8Array {
  const to = receiptTo === undefined ? new Uint8Array(0) : packDigits(receiptTo, RECEIPT_BYTES);
  return concatBytes(packPassword(password), packDigits(receiptFrom, RECEIPT_BYTES), to);
}
