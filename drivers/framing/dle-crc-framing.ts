// Serial layer of ZVT (PA00P016): 10 02 <APDU, every 10 doubled> 10 03 CRClo CRChi, answered by one unframed byte.
import { crcKermit } from './crc-kermit.ts';
import { type GrownBytes, grownContent, NO_GROWN_BYTES, withByte } from './grown-bytes.ts';

const DLE = 0x10;
const STX = 0x02;
const ETX = 0x03;
/** Unframed byte that acknowledges one frame. */
const ACK_BYTE = 0x06;
/** Unframed byte that asks for the last frame again. */
const NAK_BYTE = 0x15;

/** Longest APDU a frame can carry: control field (2), extended length (3) and 65,535 data bytes. */
export const MAX_FRAME_APDU_BYTES = 65_540;
/** Time between two bytes of one frame after which the receiver gives the frame up (T1). */
export const T1_MS = 200;

/** Why a started frame was given up. */
type DleMalformedReason =
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
  readonly wire: GrownBytes;
  /** all wire bytes of the frame, also those no longer stored */
  readonly wireByteCount: number;
  readonly apdu: GrownBytes;
  readonly broken?: BrokenFrame;
}

/** The state before anything was received. */
export const INITIAL_DLE_STATE: DleState = {
  phase: 'idle',
  wire: NO_GROWN_BYTES,
  wireByteCount: 0,
  apdu: NO_GROWN_BYTES,
};

/** True while a frame (or its start mark) has begun: the time in which T1 runs. */
export function isReceiving(state: DleState): boolean {
  return state.phase !== 'idle';
}

/** The wire bytes of the frame being received; none once it is known to be broken, since they are only counted then. */
export function pendingWireBytes(state: DleState): Uint8Array {
  return grownContent(state.wire);
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
  const receiver = new FrameReceiver(state);
  for (const byte of bytes) receiver.take(byte);
  return receiver.finish();
}

/** T1 has passed without a byte: a begun frame is given up (to be answered with NAK), a lone 10 was noise. */
export function expireT1(state: DleState): { state: DleState; items: readonly DleItem[] } {
  if (state.phase === 'idle') return { state, items: [] };
  if (state.phase === 'start')
    return { state: INITIAL_DLE_STATE, items: [{ type: 'noise', bytes: grownContent(state.wire) }] };
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
class FrameReceiver {
  #phase: DleState['phase'];
  #broken: BrokenFrame | undefined;
  #wireByteCount: number;
  #wire: GrownBytes;
  #apdu: GrownBytes;
  readonly #noise: number[] = [];
  readonly #items: DleItem[] = [];

  constructor(state: DleState) {
    this.#phase = state.phase;
    this.#broken = state.broken;
    this.#wireByteCount = state.wireByteCount;
    this.#wire = state.wire;
    this.#apdu = state.apdu;
  }

  take(byte: number): void {
    switch (this.#phase) {
      case 'idle':
        this.#takeIdle(byte);
        return;
      case 'start':
        this.#takeAfterFirstDle(byte);
        return;
      case 'data':
        this.#countWire(byte);
        if (byte === DLE) this.#phase = 'data-dle';
        else this.#addData(byte);
        return;
      case 'data-dle':
        this.#takeAfterDle(byte);
        return;
      case 'crc-low':
        this.#countWire(byte);
        this.#phase = 'crc-high';
        return;
      case 'crc-high':
        this.#countWire(byte);
        this.#emit(this.#closeFrame());
        this.#reset('idle');
    }
  }

  finish(): { state: DleState; items: readonly DleItem[] } {
    this.#flushNoise();
    return { state: this.#state(), items: this.#items };
  }

  #state(): DleState {
    if (this.#phase === 'idle') return INITIAL_DLE_STATE;
    const received = {
      phase: this.#phase,
      wire: this.#wire,
      wireByteCount: this.#wireByteCount,
      apdu: this.#apdu,
    };
    return this.#broken === undefined ? received : { ...received, broken: this.#broken };
  }

  #takeIdle(byte: number): void {
    if (byte === DLE) {
      this.#phase = 'start';
      this.#countWire(byte);
    } else if (byte === ACK_BYTE) this.#emit({ type: 'ack' });
    else if (byte === NAK_BYTE) this.#emit({ type: 'nak' });
    else this.#noise.push(byte);
  }

  #takeAfterFirstDle(byte: number): void {
    if (byte === STX) {
      this.#beginFrame();
      return;
    }
    // Outside a frame a 10 is no doubled byte: the first was noise, this one may be the real start.
    this.#noise.push(DLE);
    this.#reset('idle');
    this.#takeIdle(byte);
  }

  #takeAfterDle(byte: number): void {
    if (byte === STX) {
      const cause = this.#broken ?? { reason: 'start-mark-inside-frame' as const };
      // The 10 just counted belongs to the new start mark.
      this.#emit({ type: 'malformed', ...cause, discardedByteCount: this.#wireByteCount - 1 });
      this.#beginFrame();
      return;
    }
    this.#countWire(byte);
    if (byte === DLE) this.#addData(byte);
    else if (byte === ETX) this.#phase = 'crc-low';
    else {
      this.#breakFrame({ reason: 'undoubled-dle', found: byte });
      this.#phase = 'data';
    }
  }

  #closeFrame(): DleItem {
    if (this.#broken !== undefined) {
      return { type: 'malformed', ...this.#broken, discardedByteCount: this.#wireByteCount };
    }
    const apdu = grownContent(this.#apdu).slice();
    const [low = 0, high = 0] = grownContent(this.#wire).subarray(-2);
    const receivedCrc = low + high * 256;
    const expectedCrc = frameCrc(apdu);
    if (receivedCrc !== expectedCrc) return { type: 'bad-crc', apdu, receivedCrc, expectedCrc };
    const doubledBytes = apdu.reduce((count, byte) => (byte === DLE ? count + 1 : count), 0);
    return { type: 'frame', apdu, crc: receivedCrc, doubledBytes };
  }

  #beginFrame(): void {
    this.#reset('data');
    this.#countWire(DLE);
    this.#countWire(STX);
  }

  #addData(byte: number): void {
    this.#phase = 'data';
    if (this.#broken !== undefined) return;
    if (this.#apdu.length >= MAX_FRAME_APDU_BYTES) this.#breakFrame({ reason: 'too-long' });
    else this.#apdu = withByte(this.#apdu, byte);
  }

  /** The rest of a broken frame is only counted. */
  #breakFrame(cause: BrokenFrame): void {
    this.#broken ??= cause;
    this.#wire = NO_GROWN_BYTES;
    this.#apdu = NO_GROWN_BYTES;
  }

  #countWire(byte: number): void {
    this.#wireByteCount++;
    if (this.#broken === undefined) this.#wire = withByte(this.#wire, byte);
  }

  #reset(phase: DleState['phase']): void {
    this.#phase = phase;
    this.#broken = undefined;
    this.#wireByteCount = 0;
    this.#wire = NO_GROWN_BYTES;
    this.#apdu = NO_GROWN_BYTES;
  }

  #emit(item: DleItem): void {
    this.#flushNoise();
    this.#items.push(item);
  }

  #flushNoise(): void {
    if (this.#noise.length > 0) this.#items.push({ type: 'noise', bytes: Uint8Array.from(this.#noise.splice(0)) });
  }
}
