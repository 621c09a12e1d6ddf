// APDU = CLASS INSTR LEN data; LEN is one byte up to FE, or FF and two bytes, low one first (PA00P015, chapter 1).
import { concatBytes } from '../../framing/bytes.ts';

/** Most data bytes an APDU can carry. */
const MAX_APDU_DATA_BYTES = 0xffff;
export const EXTENDED_LENGTH_MARK = 0xff;
export const SHORT_HEADER_BYTES = 3;
const EXTENDED_HEADER_BYTES = 5;

/** How the length was written. FF is allowed for short data too. */
type LengthForm = 'short' | 'extended';

export interface ApduHeader {
  /** CLASS × 256 + INSTR, e.g. 0x040f */
  readonly controlField: number;
  readonly lengthForm: LengthForm;
  readonly headerByteCount: number;
  readonly dataByteCount: number;
}

export type ApduResult =
  | (ApduHeader & {
      readonly isComplete: true;
      readonly data: Uint8Array;
      /** bytes after the APDU */
      readonly surplus: Uint8Array;
    })
  | {
      readonly isComplete: false;
      /** known once two bytes are there */
      readonly controlField?: number;
      /** known once the length is there */
      readonly header?: ApduHeader;
      /** how many bytes are missing, once the length is there */
      readonly missingByteCount?: number;
    };

/** Reads the header at `offset`; undefined while it is not whole. */
export function readApduHeader(bytes: Uint8Array, offset = 0): ApduHeader | undefined {
  const classByte = bytes[offset];
  const instruction = bytes[offset + 1];
  const length = bytes[offset + 2];
  const low = bytes[offset + 3];
  const high = bytes[offset + 4];
  if (classByte === undefined || instruction === undefined || length === undefined) return undefined;
  const controlField = classByte * 256 + instruction;
  if (length !== EXTENDED_LENGTH_MARK) {
    return { controlField, lengthForm: 'short', headerByteCount: SHORT_HEADER_BYTES, dataByteCount: length };
  }
  if (low === undefined || high === undefined) return undefined;
  return {
    controlField,
    lengthForm: 'extended',
    headerByteCount: EXTENDED_HEADER_BYTES,
    dataByteCount: high * 256 + low,
  };
}

/** Splits bytes into one APDU and what follows it, or says what is missing. */
export function decodeApdu(bytes: Uint8Array): ApduResult {
  const header = readApduHeader(bytes);
  if (header === undefined) {
    const [classByte, instruction] = bytes;
    if (classByte === undefined || instruction === undefined) return { isComplete: false };
    return { isComplete: false, controlField: classByte * 256 + instruction };
  }
  const end = header.headerByteCount + header.dataByteCount;
  if (bytes.length < end) {
    return {
      isComplete: false,
      controlField: header.controlField,
      header,
      missingByteCount: end - bytes.length,
    };
  }
  return { isComplete: true, ...header, data: bytes.slice(header.headerByteCount, end), surplus: bytes.slice(end) };
}

/** Builds an APDU with the shortest length form. */
export function encodeApdu(controlField: number, data: Uint8Array): Uint8Array {
  if (data.length > MAX_APDU_DATA_BYTES) {
    throw new RangeError(`APDU data of ${data.length} bytes is longer than ${MAX_APDU_DATA_BYTES}`);
  }
  const length =
    data.length < EXTENDED_LENGTH_MARK
      ? Uint8Array.of(data.length)
      : Uint8Array.of(EXTENDED_LENGTH_MARK, data.length & 0xff, data.length >> 8);
  return concatBytes(Uint8Array.of(controlField >> 8, controlField & 0xff), length, data);
}
