/** Room in which bytes grow at their end. Values that follow each other share it; only what lies behind `used` is ever written. */
interface Room {
  readonly bytes: Uint8Array;
  used: number;
}

/**
 * Bytes of a message that is not whole yet, as a value: adding to it makes the next value and leaves this one as it is. A line that brings its bytes
 * one by one does not cost a copy of all that came before; a value that is continued a second time gets a room of its own.
 */
export interface GrownBytes {
  readonly length: number;
  readonly room: Room;
}

/** First size of a room: most messages fit. */
const MIN_ROOM_BYTES = 64;

export const NO_GROWN_BYTES: GrownBytes = { length: 0, room: { bytes: new Uint8Array(0), used: 0 } };

/** The value with one more byte. */
export function withByte(grown: GrownBytes, byte: number): GrownBytes {
  const { length } = grown;
  const room = roomBehind(grown, 1);
  room.bytes[length] = byte;
  room.used = length + 1;
  return { length: length + 1, room };
}

/** The value with these bytes behind it; they are copied. */
export function withBytes(grown: GrownBytes, bytes: Uint8Array): GrownBytes {
  const { length } = grown;
  if (bytes.length === 0) return grown;
  if (bytes.length === 1) return withByte(grown, bytes[0] ?? 0);
  const room = roomBehind(grown, bytes.length);
  room.bytes.set(bytes, length);
  room.used = length + bytes.length;
  return { length: room.used, room };
}

/** The bytes, to be read only: they are part of the room. */
export function grownContent({ room, length }: GrownBytes): Uint8Array {
  return room.bytes.subarray(0, length);
}

/** The room of this value where nobody else has written behind it and it is wide enough, otherwise a copy with twice the room. */
function roomBehind({ room, length }: GrownBytes, byteCount: number): Room {
  const needed = length + byteCount;
  if (room.used === length && needed <= room.bytes.length) return room;
  const bytes = new Uint8Array(Math.max(MIN_ROOM_BYTES, 2 * needed));
  bytes.set(room.bytes.subarray(0, length));
  return { bytes, used: length };
}
