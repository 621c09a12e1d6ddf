// What a terminal tells about a running or ended command: 04 0F, 04 FF, 06 0F, 06 1E, 04 01.

import { bcdNumber, packDigits, packNumber } from '../../framing/bcd.ts';
import { concatBytes } from '../../framing/bytes.ts';
import { maskPan } from '../../mask-pan.ts';
import { encodeApdu } from './apdu.ts';
import { lengthDigits, readLengthDigits, TLV_CONTAINER_BMP } from './bmp.ts';
import { decodeText, encodeText } from './charset.ts';
import { decodeFields, encodeContainer, encodeFields } from './fields.ts';
import { malformed } from './malformed.ts';
import type {
  Abort,
  Completion,
  DecodeContext,
  IntermediateStatus,
  Malformed,
  RegistrationStatus,
  SetClock,
  StatusInformation,
  ZvtFields,
} from './message-types.ts';
import { readBerLength } from './tlv.ts';

export const STATUS_INFORMATION = 0x040f;
export const INTERMEDIATE_STATUS = 0x04ff;
export const COMPLETION = 0x060f;
export const ABORT = 0x061e;
export const SET_CLOCK = 0x0401;

const LLL_DIGITS = 3;
const SOFTWARE_VERSION_CHARSET = 'iso-8859-1';

/** Decodes the data of 04 0F. */
export function decodeStatusInformation(
  apdu: Uint8Array,
  data: Uint8Array,
  context: DecodeContext,
): StatusInformation | Malformed {
  const result = decodeFields(data, context.charset);
  if (!result.ok) return malformed(apdu, 'bad-field', { controlField: STATUS_INFORMATION, field: result.field });
  const { pan } = result.fields;
  return {
    type: 'status-information',
    ...result.fields,
    ...(pan === undefined ? {} : { maskedPan: maskPan(pan.reveal()) }),
  };
}

/** Encodes 04 0F: result first, then the BMPs by number, the TLV container last. */
export function encodeStatusInformation(message: StatusInformation, context: DecodeContext): Uint8Array {
  return encodeApdu(STATUS_INFORMATION, encodeFields(message, { charset: context.charset }));
}

/** Decodes the data of 04 FF; what cannot be read is left out, since all of it is for display only. */
export function decodeIntermediateStatus(data: Uint8Array, context: DecodeContext): IntermediateStatus {
  const [status, second] = data;
  if (status === undefined) return { type: 'intermediate-status' };
  const hasTimeout = second !== undefined && !isContainer(data, 1);
  const timeoutMinutes = hasTimeout ? bcdNumber(data.subarray(1, 2)) : undefined;
  const fields = decodeFields(data.subarray(hasTimeout ? 2 : 1), context.charset);
  return {
    type: 'intermediate-status',
    status,
    ...(timeoutMinutes === undefined ? {} : { timeoutMinutes }),
    ...(fields.ok ? displayFields(fields.fields) : {}),
  };
}

/** True when a container begins at `offset` and fills the rest: a lone 06 is a time-out of six minutes. */
function isContainer(data: Uint8Array, offset: number): boolean {
  if (data[offset] !== TLV_CONTAINER_BMP) return false;
  const length = readBerLength(data, offset + 1);
  return length.ok && length.nextOffset + length.length === data.length;
}

function displayFields({ texts, charset, messageSequenceId, tlv }: ZvtFields) {
  return {
    ...(texts === undefined ? {} : { texts }),
    ...(charset === undefined ? {} : { charset }),
    ...(messageSequenceId === undefined ? {} : { messageSequenceId }),
    ...(tlv === undefined ? {} : { tlv }),
  };
}

/** Encodes 04 FF. */
export function encodeIntermediateStatus(message: IntermediateStatus, context: DecodeContext): Uint8Array {
  if (message.status === undefined) return encodeApdu(INTERMEDIATE_STATUS, new Uint8Array(0));
  const timeout = message.timeoutMinutes === undefined ? new Uint8Array(0) : packNumber(message.timeoutMinutes, 1);
  const container = encodeContainer(message, { charset: context.charset });
  return encodeApdu(INTERMEDIATE_STATUS, concatBytes(Uint8Array.of(message.status), timeout, container));
}

/** Decodes the data of 06 0F; the answer to 05 01 has a layout of its own. */
export function decodeCompletion(apdu: Uint8Array, data: Uint8Array, context: DecodeContext): Completion | Malformed {
  const head = context.answerTo === 'STATUS_ENQUIRY' ? readEnquiryHead(data) : { bytes: 0 };
  if (head === undefined) return malformed(apdu, 'bad-field', { controlField: COMPLETION, field: 'F0' });
  const result = decodeFields(data.subarray(head.bytes), context.charset);
  if (!result.ok) return malformed(apdu, 'bad-field', { controlField: COMPLETION, field: result.field });
  const { bytes: _headBytes, ...enquiry } = head;
  const statusByte = context.answerTo === 'REGISTRATION' ? result.fields.paymentType : undefined;
  return {
    type: 'completion',
    ...result.fields,
    ...enquiry,
    ...(statusByte === undefined ? {} : { registration: registrationStatus(statusByte) }),
  };
}

/** `[LLLVAR software version] status`, how many bytes it takes; undefined when the version reaches beyond the end. */
function readEnquiryHead(
  data: Uint8Array,
): { readonly bytes: number; readonly softwareVersion?: string; readonly terminalStatus?: number } | undefined {
  // F0 is also the terminal status "reconciliation needed": a version has three length digits and a text.
  const length = data.length > LLL_DIGITS ? readLengthDigits(data, 0, LLL_DIGITS) : undefined;
  const statusOffset = length === undefined ? 0 : LLL_DIGITS + length;
  if (statusOffset > data.length) return undefined;
  const terminalStatus = data[statusOffset];
  const version = length === undefined ? undefined : data.subarray(LLL_DIGITS, statusOffset);
  return {
    bytes: terminalStatus === undefined ? statusOffset : statusOffset + 1,
    ...(version === undefined ? {} : { softwareVersion: decodeText(version, SOFTWARE_VERSION_CHARSET) }),
    ...(terminalStatus === undefined ? {} : { terminalStatus }),
  };
}

function registrationStatus(statusByte: number): RegistrationStatus {
  return {
    isInitialisationNeeded: (statusByte & 0x01) !== 0,
    isDiagnosisNeeded: (statusByte & 0x02) !== 0,
    isOpt: (statusByte & 0x04) !== 0,
    isVendingMachine: (statusByte & 0x10) !== 0,
  };
}

/** Encodes 06 0F. */
export function encodeCompletion(message: Completion, context: DecodeContext): Uint8Array {
  const version =
    message.softwareVersion === undefined
      ? new Uint8Array(0)
      : encodeText(message.softwareVersion, SOFTWARE_VERSION_CHARSET);
  const head =
    message.softwareVersion === undefined ? version : concatBytes(lengthDigits(version.length, LLL_DIGITS), version);
  const status = message.terminalStatus === undefined ? [] : [message.terminalStatus];
  const paymentType = message.paymentType ?? statusByteOf(message.registration);
  const fields = { ...message, ...(paymentType === undefined ? {} : { paymentType }) };
  const bmps = encodeFields(fields, { charset: context.charset });
  return encodeApdu(COMPLETION, concatBytes(head, Uint8Array.from(status), bmps));
}

function statusByteOf(registration: RegistrationStatus | undefined): number | undefined {
  if (registration === undefined) return undefined;
  return (
    (registration.isInitialisationNeeded ? 0x01 : 0) +
    (registration.isDiagnosisNeeded ? 0x02 : 0) +
    (registration.isOpt ? 0x04 : 0) +
    (registration.isVendingMachine ? 0x10 : 0)
  );
}

/** Decodes the data of 06 1E: a result code (some terminals leave it out), then BMPs. */
export function decodeAbort(apdu: Uint8Array, data: Uint8Array, context: DecodeContext): Abort | Malformed {
  const [resultCode] = data;
  if (resultCode === undefined) return { type: 'abort' };
  const result = decodeFields(data.subarray(1), context.charset);
  if (!result.ok) return malformed(apdu, 'bad-field', { controlField: ABORT, field: result.field });
  return { type: 'abort', ...result.fields, resultCode };
}

/** Encodes 06 1E. */
export function encodeAbort(message: Abort, context: DecodeContext): Uint8Array {
  const { resultCode, ...fields } = message;
  const code = resultCode === undefined ? [] : [resultCode];
  return encodeApdu(ABORT, concatBytes(Uint8Array.from(code), encodeFields(fields, { charset: context.charset })));
}

/** Decodes the data of 04 01. */
export function decodeSetClock(data: Uint8Array): SetClock {
  const result = decodeFields(data, undefined);
  const { fullDate, time } = result.ok ? result.fields : {};
  return {
    type: 'set-clock',
    ...(fullDate === undefined ? {} : { fullDate }),
    ...(time === undefined ? {} : { time }),
  };
}

/** Encodes 04 01: date first. */
export function encodeSetClock({ fullDate, time }: SetClock): Uint8Array {
  const date = fullDate === undefined ? new Uint8Array(0) : concatBytes(Uint8Array.of(0xaa), packDigits(fullDate, 3));
  const clock = time === undefined ? new Uint8Array(0) : concatBytes(Uint8Array.of(0x0c), packDigits(time, 3));
  return encodeApdu(SET_CLOCK, concatBytes(date, clock));
}
