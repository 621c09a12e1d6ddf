// Serial layer of ZVT (PA00P016): 10 02 <APDU, every 10 doubled> 10 03 CRClo CRChi, answered by one unframed byte.
import { crcKermit } from './crc-kermit.ts';

const DLE = 0x10;
const STX = 0x02;
const ETX = 0x03;
/** Unframed byte that acknowledges one frame. */
export const ACK_BYTE = 0x06;
/** Unframed byte that asks for the last frame again. */
export const NAK_BYTE = 0x15;

/** Longest APDU a frame can carry: control field (2), extended length (3) and 65,535 data bytes. */
export const MAX_FRAME_APDU_BYTES = 65_540;
/** Time between two bytes of one frame after which the receiver gives the frame up (T1). */
export const T1_MS = 200;

/** Why a started frame was given up. */
export type DleMalformedReason =
  /** inside a frame a 10 was followed by something that is neither 10, 02 nor 03 (`found`) */
  | 'undoubled-dle'
  /** 10 02 inside a frame: the sender broke off and began anew */
  | 'start-mark-inside-frame'
  /** more than MAX_FRAME_APDU_BYTES */
  | 'too-long'
  /** the line fell silent within the frame (expireT1) */
  | 't1-expired';

/** One thing the receiver saw. Every received byte belongs to exactly one item or is still pending. */
export type DleItem =
  | { readonly type: 'frame'; readonly apdu: Uint8Array; readonly crc: number; readonly doubledBytes: number }
  | { readonly type: 'ack' }
  | { readonly type: 'nak' }
  | {
      readonly type: 'bad-crc';
      readonly apdu: Uint8Array;
      readonly receivedCrc: number;
      readonly expectedCrc: number;
    }
  | {
      readonly type: 'malformed';
      readonly reason: DleMalformedReason;
      /** the byte after the single 10 (reason `undoubled-dle`) */
      readonly found?: number;
      /** wire bytes that were discarded with the frame */
      readonly discardedByteCount: number;
    }
  | { readonly type: 'noise'; readonly bytes: Uint8Array };

interface BrokenFrame {
  readonly reason: DleMalformedReason;
  readonly found?: number;
}

/** What is known of the frame being received. A value: decode never changes the state it is given. */
export interface DleState {
  readonly phase: 'idle' | 'start' | 'data' | 'data-dle' | 'crc-low' | 'crc-high';
  /** wire bytes since the 10 of the start mark; stops growing once the frame is broken */
  readonly wire: Uint8Array;
  /** all wire bytes of the frame, also those no longer stored */
  readonly wireByteCount: number;
  readonly apdu: Uint8Array;
  readonly broken?: BrokenFrame;
}

const NO_BYTES = new Uint8Array(0);

/** The state before anything was received. */
export const INITIAL_DLE_STATE: DleState = { phase: 'idle', wire: NO_BYTES, wireByteCount: 0, apdu: NO_BYTES };

/** True while a frame (or its start mark) has begun: the time in which T1 runs. */
export function isReceiving(state: DleState): boolean {
  return state.phase !== 'idle';
}

/** The wire bytes of the frame being received; none once it is known to be broken, since they are only counted then. */
export function pendingWireBytes(state: DleState): Uint8Array {
  return state.wire;
}

/**
 * Frames an APDU for the serial line.
 * @throws RangeError above MAX_FRAME_APDU_BYTES
 */
export function encodeFrame(apdu: Uint8Array): Uint8Array {
  if (apdu.length > MAX_FRAME_APDU_BYTES) {
    throw new RangeError(`An APDU of ${apdu.length} bytes is longer than ${MAX_FRAME_APDU_BYTES}`);
  }
  const doubled: number[] = [];
  for (const byte of apdu) {
    doubled.push(byte);
    if (byte === DLE) doubled.push(DLE);
  }
  const crc = frameCrc(apdu);
  return Uint8Array.from([DLE, STX, ...doubled, DLE, ETX, crc & 0xff, crc >> 8]);
}

/** The single byte a receiver answers an item with; undefined where it stays silent. */
export function replyTo(item: DleItem): number | undefined {
  if (item.type === 'frame') return ACK_BYTE;
  if (item.type === 'bad-crc') return NAK_BYTE;
  // A frame that begins anew is on its way: its own end will be answered.
  if (item.type === 'malformed' && item.reason !== 'start-mark-inside-frame') return NAK_BYTE;
  return undefined;
}

/**
 * Takes the next bytes from the line, in any chunking. Never throws; what is no part of a frame comes back as noise, and
 * after a broken frame the rest of it is skipped up to its end mark and CRC, so that a NAK does not run into the sender.
 */
export function decode(state: DleState, bytes: Uint8Array): { state: DleState; items: readonly DleItem[] } {
  const receiver = createReceiver(state, bytes.length);
  for (const byte of bytes) receiver.take(byte);
  return receiver.finish();
}

/** T1 has passed without a byte: a begun frame is given up (to be answered with NAK), a lone 10 was noise. */
export function expireT1(state: DleState): { state: DleState; items: readonly DleItem[] } {
  if (state.phase === 'idle') return { state, items: [] };
  if (state.phase === 'start') return { state: INITIAL_DLE_STATE, items: [{ type: 'noise', bytes: state.wire }] };
  const broken = state.broken ?? { reason: 't1-expired' as const };
  return {
    state: INITIAL_DLE_STATE,
    items: [{ type: 'malformed', ...broken, discardedByteCount: state.wireByteCount }],
  };
}

function frameCrc(apdu: Uint8Array): number {
  return crcKermit([ETX], crcKermit(apdu));
}

/** The mutable working copy of one decode call; nothing of it outlives finish(). */
function createReceiver(state: DleState, incomingByteCount: number) {
  const items: DleItem[] = [];
  let { phase, wireByteCount, broken } = state;
  let wire = withRoom(state.wire, incomingByteCount);
  let wireLength = state.wire.length;
  let apdu = withRoom(state.apdu, incomingByteCount);
  let apduLength = state.apdu.length;
  const noise: number[] = [];

  const flushNoise = () => {
    if (noise.length > 0) items.push({ type: 'noise', bytes: Uint8Array.from(noise.splice(0)) });
  };
  const emit = (item: DleItem) => {
    flushNoise();
    items.push(item);
  };
  const keepWire = (byte: number) => {
    wireByteCount++;
    if (broken === undefined) wire[wireLength++] = byte;
  };
  const breakFrame = (cause: BrokenFrame) => {
    broken ??= cause;
    wireLength = 0;
    apduLength = 0;
  };
  const reset = (nextPhase: DleState['phase']) => {
    phase = nextPhase;
    wireByteCount = 0;
    wireLength = 0;
    apduLength = 0;
    broken = undefined;
  };
  const beginFrame = () => {
    reset('data');
    keepWire(DLE);
    keepWire(STX);
  };
  const addData = (byte: number) => {
    phase = 'data';
    if (broken !== undefined) return;
    if (apduLength >= MAX_FRAME_APDU_BYTES) breakFrame({ reason: 'too-long' });
    else apdu[apduLength++] = byte;
  };

  const takeIdle = (byte: number) => {
    if (byte === DLE) {
      phase = 'start';
      keepWire(byte);
    } else if (byte === ACK_BYTE) emit({ type: 'ack' });
    else if (byte === NAK_BYTE) emit({ type: 'nak' });
    else noise.push(byte);
  };
  const takeAfterFirstDle = (byte: number) => {
    if (byte === STX) {
      beginFrame();
      return;
    }
    // Outside a frame a 10 is no doubled byte: the first was noise, this one may be the real start.
    noise.push(DLE);
    reset('idle');
    takeIdle(byte);
  };
  const takeAfterDle = (byte: number) => {
    if (byte === STX) {
      const cause = broken ?? { reason: 'start-mark-inside-frame' as const };
      emit({ type: 'malformed', ...cause, discardedByteCount: wireByteCount - 1 });
      beginFrame();
      return;
    }
    keepWire(byte);
    if (byte === DLE) addData(byte);
    else if (byte === ETX) phase = 'crc-low';
    else {
      breakFrame({ reason: 'undoubled-dle', found: byte });
      phase = 'data';
    }
  };
  const endFrame = (byte: number) => {
    keepWire(byte);
    emit(closeFrame());
    reset('idle');
  };
  const closeFrame = (): DleItem => {
    if (broken !== undefined) return { type: 'malformed', ...broken, discardedByteCount: wireByteCount };
    const content = apdu.slice(0, apduLength);
    const receivedCrc = (wire[wireLength - 2] ?? 0) + (wire[wireLength - 1] ?? 0) * 256;
    const expectedCrc = frameCrc(content);
    if (receivedCrc !== expectedCrc) return { type: 'bad-crc', apdu: content, receivedCrc, expectedCrc };
    const doubledBytes = content.reduce((count, dataByte) => (dataByte === DLE ? count + 1 : count), 0);
    return { type: 'frame', apdu: content, crc: receivedCrc, doubledBytes };
  };

  const takers: Record<DleState['phase'], (byte: number) => void> = {
    idle: takeIdle,
    start: takeAfterFirstDle,
    data: (byte) => {
      keepWire(byte);
      if (byte === DLE) phase = 'data-dle';
      else addData(byte);
    },
    'data-dle': takeAfterDle,
    'crc-low': (byte) => {
      keepWire(byte);
      phase = 'crc-high';
    },
    'crc-high': endFrame,
  };
  return {
    take: (byte: number) => takers[phase](byte),
    finish: () => {
      flushNoise();
      const pending: DleState = {
        phase,
        wire: wire.slice(0, wireLength),
        wireByteCount,
        apdu: apdu.slice(0, apduLength),
        ...(broken === undefined ? {} : { broken }),
      };
      wire = NO_BYTES;
      apdu = NO_BYTES;
      return { state: pending, items };
    },
  };
}

/** A copy of `bytes` with room for `more`: decode must not write into the state it was given. */
function withRoom(bytes: Uint8Array, more: number): Uint8Array {
  const copy = new Uint8Array(bytes.length + more + 2);
  copy.set(bytes);
  return copy;
}
