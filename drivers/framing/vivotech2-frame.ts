// One frame of an ID TECH NEO 2 reader (guide 80139403-002, chapters 2.1 and 3.3):
// message: "ViVOtech2\0", command, sub-command or status, length (high byte first), data, CRC; event: 45 00 55 00, length (one byte), data, CRC.
import { concatBytes } from './bytes.ts';
import { crcCcitt } from './crc-ccitt.ts';

/** Longest message with its header and CRC. */
export const MAX_VIVOTECH2_FRAME_BYTES = 1500;
const CRC_BYTES = 2;
const MESSAGE_HEADER = Uint8Array.from('ViVOtech2\0', (character) => character.charCodeAt(0));
const EVENT_HEADER = Uint8Array.of(0x45, 0x00, 0x55, 0x00);
/** Header, command, code and length. */
const MESSAGE_PREFIX_BYTES = MESSAGE_HEADER.length + 4;
/** Header and length. */
const EVENT_PREFIX_BYTES = EVENT_HEADER.length + 1;
const MAX_MESSAGE_DATA_BYTES = MAX_VIVOTECH2_FRAME_BYTES - MESSAGE_PREFIX_BYTES - CRC_BYTES;
const MAX_EVENT_DATA_BYTES = 0xff;

/** Which byte of the CRC travels first: low (hosts, and what a reader sends unasked) or high (a reader's replies, pass-through commands). */
export type CrcOrder = 'LOW_FIRST' | 'HIGH_FIRST';

/** A command or a reply. */
export interface Vivotech2Message {
  readonly kind: 'message';
  readonly command: number;
  /** the sub-command of what a host sends or a reader asks for; the status of a reader's reply */
  readonly code: number;
  readonly data: Uint8Array;
}

/** What a reader in event mode does with its display, lamps and buzzer. */
interface Vivotech2Event {
  readonly kind: 'event';
  readonly data: Uint8Array;
}

export type Vivotech2Frame = Vivotech2Message | Vivotech2Event;

/** How a frame that has begun goes on. */
export interface FrameLayout {
  readonly kind: Vivotech2Frame['kind'];
  readonly prefixByteCount: number;
  readonly byteCount: number;
}

/** A frame that was read, with the order its CRC came in. */
export interface ReadFrame {
  readonly frame: Vivotech2Frame;
  readonly crcOrder: CrcOrder;
}

/**
 * Builds a frame.
 * @throws RangeError for data that are longer than a frame can carry
 */
export function encodeVivotech2Frame(frame: Vivotech2Frame, crcOrder: CrcOrder): Uint8Array {
  const { data } = frame;
  const longest = frame.kind === 'message' ? MAX_MESSAGE_DATA_BYTES : MAX_EVENT_DATA_BYTES;
  if (data.length > longest) throw new RangeError(`Data of ${data.length} bytes are longer than ${longest}`);
  const prefix =
    frame.kind === 'message'
      ? [...MESSAGE_HEADER, frame.command, frame.code, data.length >> 8, data.length & 0xff]
      : [...EVENT_HEADER, data.length];
  const body = concatBytes(Uint8Array.from(prefix), data);
  const crc = crcCcitt(body);
  const low = crc & 0xff;
  const high = crc >> 8;
  return concatBytes(body, crcOrder === 'LOW_FIRST' ? Uint8Array.of(low, high) : Uint8Array.of(high, low));
}

/** Where the next frame, or at the very end what may be the beginning of one, begins; the length when nothing does. */
export function findFrameStart(bytes: Uint8Array, from: number): number {
  for (let offset = from; offset < bytes.length; offset++) {
    if (beginsWith(bytes, offset, MESSAGE_HEADER) || beginsWith(bytes, offset, EVENT_HEADER)) return offset;
  }
  return bytes.length;
}

/** Reads header and length of the frame at `offset`; undefined while they are not whole, or when no frame begins there. */
export function readFrameLayout(bytes: Uint8Array, offset = 0): FrameLayout | undefined {
  if (beginsWith(bytes, offset, MESSAGE_HEADER)) {
    const high = bytes[offset + MESSAGE_PREFIX_BYTES - 2];
    const low = bytes[offset + MESSAGE_PREFIX_BYTES - 1];
    if (high === undefined || low === undefined) return undefined;
    return layout('message', MESSAGE_PREFIX_BYTES, high * 256 + low);
  }
  const length = bytes[offset + EVENT_PREFIX_BYTES - 1];
  if (length === undefined || !beginsWith(bytes, offset, EVENT_HEADER)) return undefined;
  return layout('event', EVENT_PREFIX_BYTES, length);
}

/** Reads bytes that are one frame by their length; undefined when the CRC fits in neither order. */
export function readFrame(bytes: Uint8Array, { kind, prefixByteCount, byteCount }: FrameLayout): ReadFrame | undefined {
  const crcOrder = crcOrderOf(bytes.subarray(0, byteCount));
  if (crcOrder === undefined) return undefined;
  const data = bytes.slice(prefixByteCount, byteCount - CRC_BYTES);
  if (kind === 'event') return { frame: { kind, data }, crcOrder };
  const command = bytes[MESSAGE_HEADER.length] ?? 0;
  const code = bytes[MESSAGE_HEADER.length + 1] ?? 0;
  return { frame: { kind, command, code, data }, crcOrder };
}

function layout(kind: FrameLayout['kind'], prefixByteCount: number, dataByteCount: number): FrameLayout {
  return { kind, prefixByteCount, byteCount: prefixByteCount + dataByteCount + CRC_BYTES };
}

/** Published logs show both orders from both sides, so a receiver accepts either. Equal bytes count as high first. */
function crcOrderOf(frame: Uint8Array): CrcOrder | undefined {
  const [first = 0, second = 0] = frame.subarray(-CRC_BYTES);
  const crc = crcCcitt(frame.subarray(0, -CRC_BYTES));
  if (crc === first * 256 + second) return 'HIGH_FIRST';
  return crc === second * 256 + first ? 'LOW_FIRST' : undefined;
}

/** Whether the header begins at `offset`, as far as there are bytes. */
function beginsWith(bytes: Uint8Array, offset: number, header: Uint8Array): boolean {
  const there = Math.min(header.length, bytes.length - offset);
  for (let index = 0; index < there; index++) if (bytes[offset + index] !== header[index]) return false;
  return true;
}
