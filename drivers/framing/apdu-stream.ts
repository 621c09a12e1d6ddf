// TCP layer of ZVT: APDUs one after the other, no marks, no checksum; reads cut and join them anywhere.
import { EXTENDED_LENGTH_MARK, readApduHeader, SHORT_HEADER_BYTES } from '../zvt/codec/apdu.ts';
import { concatBytes } from './bytes.ts';

/** Longest APDU on the stream: header with extended length (5) and 65,535 data bytes. Bounds what is kept. */
export const MAX_STREAM_APDU_BYTES = 65_540;

/** Up to here a copy byte by byte is faster than one through a view. */
const SHORT_COPY_BYTES = 96;

/** Bytes skipped after garbage are reported in pieces of at most this size. */
const MAX_GARBAGE_ITEM_BYTES = 4096;

/** One thing a raw stream of APDUs held. Every byte belongs to one item or is still pending. */
export type StreamItem =
  | { readonly type: 'apdu'; readonly apdu: Uint8Array }
  /** bytes that cannot begin an APDU; after this no result of the connection should be trusted any more */
  | { readonly type: 'garbage'; readonly bytes: Uint8Array };

/** The unfinished APDU. A value: decodeStream never changes what a state means. */
export interface StreamState {
  readonly pending: PendingBytes | undefined;
  readonly pendingByteCount: number;
  /** length of the pending APDU, once its header is whole */
  readonly neededByteCount: number | undefined;
  /** an unreadable class byte was met: only a known control field ends the skipping */
  readonly isSkipping: boolean;
}

/**
 * Room for the whole pending APDU, so that each read is copied once, however the line cuts it. States that follow each other share it: only
 * what lies behind `used` is written, and a state that is continued a second time gets room of its own.
 */
interface PendingBytes {
  readonly room: Uint8Array;
  used: number;
}

const NO_BYTES = new Uint8Array(0);
const NO_ITEMS: readonly StreamItem[] = [];

export const INITIAL_STREAM_STATE: StreamState = {
  pending: undefined,
  pendingByteCount: 0,
  neededByteCount: undefined,
  isSkipping: false,
};

/** The classes ZVT has, a place for each byte; in an unbroken stream any instruction of them may come. */
const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) =>
  [0x04, 0x05, 0x06, 0x08, 0x0f, 0x80, 0x84].includes(byte) ? 1 : 0,
);

/** Control fields with which a stream may go on after garbage: what a terminal or till sends most. */
const RESUMING_FIELDS: ReadonlySet<number> = new Set([
  0x0401, 0x040d, 0x040f, 0x04ff, 0x0501, 0x0600, 0x0601, 0x060f, 0x061e, 0x0620, 0x06b0, 0x06d1, 0x06d3, 0x8000,
]);

/**
 * Takes the next bytes of the stream, in any fragmentation. Never throws.
 * @param bytes nobody changes them afterwards (a transport makes new ones for each read): an APDU that is whole within them is a part of them
 */
export function decodeStream(
  state: StreamState,
  bytes: Uint8Array,
): { state: StreamState; items: readonly StreamItem[] } {
  if (bytes.length === 0) return { state, items: NO_ITEMS };
  const { pendingByteCount, neededByteCount } = state;
  if (pendingByteCount === 0) return split(bytes, 0, state.isSkipping, []);
  if (neededByteCount === undefined) return split(concatBytes(pendingBytes(state), bytes), 0, state.isSkipping, []);
  const missing = neededByteCount - pendingByteCount;
  if (bytes.length < missing) return { state: append(state, neededByteCount, bytes), items: NO_ITEMS };
  // Full, the room is the message.
  const { room } = filled(state, neededByteCount, bytes, missing);
  return split(bytes, missing, false, [{ type: 'apdu', apdu: room }]);
}

/** The bytes of the APDU that is not whole yet. */
export function pendingBytes({ pending, pendingByteCount }: StreamState): Uint8Array {
  return pending?.room.subarray(0, pendingByteCount) ?? NO_BYTES;
}

/** Length of the APDU that begins at `offset`; undefined while that is not known. */
function neededAt(bytes: Uint8Array, offset: number): number | undefined {
  // A short header, as nearly all are, without making anything of it.
  const length = bytes[offset + 2];
  if (length !== undefined && length < EXTENDED_LENGTH_MARK) return SHORT_HEADER_BYTES + length;
  const header = readApduHeader(bytes, offset);
  return header === undefined ? undefined : header.headerByteCount + header.dataByteCount;
}

function append(state: StreamState, neededByteCount: number, bytes: Uint8Array): StreamState {
  const pending = filled(state, neededByteCount, bytes, bytes.length);
  return { pending, pendingByteCount: pending.used, neededByteCount, isSkipping: false };
}

/** The room of the pending APDU with the next bytes in it. */
function filled(state: StreamState, neededByteCount: number, bytes: Uint8Array, byteCount: number): PendingBytes {
  const before = state.pendingByteCount;
  const isNewest = state.pending?.used === before && state.pending.room.length === neededByteCount;
  const pending = isNewest && state.pending ? state.pending : roomFor(neededByteCount, pendingBytes(state));
  copyInto(pending.room, before, bytes, 0, byteCount);
  pending.used = before + byteCount;
  return pending;
}

/** Without a view of the bytes where a loop is faster than making one. */
function copyInto(room: Uint8Array, at: number, bytes: Uint8Array, from: number, byteCount: number): void {
  if (byteCount > SHORT_COPY_BYTES) room.set(bytes.subarray(from, from + byteCount), at);
  else for (let index = 0; index < byteCount; index++) room[at + index] = bytes[from + index] ?? 0;
}

function roomFor(byteCount: number, bytes: Uint8Array, from = 0): PendingBytes {
  const room = new Uint8Array(byteCount);
  copyInto(room, 0, bytes, from, bytes.length - from);
  return { room, used: bytes.length - from };
}

/** Splits what begins at `start` into items, after those already found. */
function split(
  bytes: Uint8Array,
  start: number,
  wasSkipping: boolean,
  items: StreamItem[],
): { state: StreamState; items: readonly StreamItem[] } {
  let isSkipping = wasSkipping;
  let offset = start;
  // What a view is made of, taken once: a fifth of the time of reads with many short APDUs.
  const { buffer, byteOffset } = bytes;
  while (offset < bytes.length) {
    if (!isSkipping && CLASSES[bytes[offset] ?? 0] !== 1) isSkipping = true;
    if (isSkipping) {
      const resume = findResumption(bytes, offset);
      pushGarbage(items, bytes.subarray(offset, resume.offset));
      offset = resume.offset;
      isSkipping = !resume.isFound;
      if (isSkipping) break;
    }
    const needed = neededAt(bytes, offset);
    if (needed === undefined || offset + needed > bytes.length) break;
    items.push({ type: 'apdu', apdu: new Uint8Array(buffer, byteOffset + offset, needed) });
    offset += needed;
  }
  return { state: stateOf(bytes, offset, isSkipping), items };
}

/** What remains from `offset` on. */
function stateOf(bytes: Uint8Array, offset: number, isSkipping: boolean): StreamState {
  const pendingByteCount = bytes.length - offset;
  if (pendingByteCount <= 0) return isSkipping ? { ...INITIAL_STREAM_STATE, isSkipping } : INITIAL_STREAM_STATE;
  const neededByteCount = isSkipping ? undefined : neededAt(bytes, offset);
  return {
    pending: roomFor(neededByteCount ?? pendingByteCount, bytes, offset),
    pendingByteCount,
    neededByteCount,
    isSkipping,
  };
}

/** Where the first known control field begins; a class byte at the very end may be the start of one and is kept. */
function findResumption(bytes: Uint8Array, from: number): { readonly offset: number; readonly isFound: boolean } {
  for (let offset = from; offset < bytes.length; offset++) {
    const first = bytes[offset] ?? 0;
    const second = bytes[offset + 1];
    if (second === undefined) return { offset: CLASSES[first] === 1 ? offset : offset + 1, isFound: false };
    if (RESUMING_FIELDS.has(first * 256 + second)) return { offset, isFound: true };
  }
  return { offset: bytes.length, isFound: false };
}

function pushGarbage(items: StreamItem[], bytes: Uint8Array): void {
  for (let start = 0; start < bytes.length; start += MAX_GARBAGE_ITEM_BYTES) {
    items.push({ type: 'garbage', bytes: bytes.slice(start, start + MAX_GARBAGE_ITEM_BYTES) });
  }
}
