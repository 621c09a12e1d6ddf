// The serial side of ZVT (PA00P016) as a pure function: each frame is acknowledged at once, repeated when the other side says
// nothing or NAK, and handed on once however often it comes.

import { equalBytes } from '../../framing/bytes.ts';
import {
  type DleItem,
  type DleState,
  decode,
  encodeFrame,
  expireT1,
  INITIAL_DLE_STATE,
  isReceiving,
  replyTo,
} from '../../framing/dle-crc-framing.ts';
import type { Damage } from '../machine.ts';

/** Times a frame is sent before the line counts as broken. */
const MAX_SENDS = 3;
/** Frames that may wait for the one on its way. */
const MAX_WAITING_FRAMES = 50;
/** What noise puts on the line before a frame. */
export const NOISE_BYTES: readonly number[] = [0x00, 0xff, 0x41, 0x0d];

export interface SerialLineState {
  readonly receiver: DleState;
  readonly outstanding: { readonly frame: Uint8Array; readonly isReply: boolean; readonly sends: number } | null;
  readonly waiting: readonly { readonly apdu: Uint8Array; readonly damage?: Damage }[];
  /** the last APDU handed on, while a repeat of it can still be a repeat: until the other side acknowledged something newer */
  readonly repeatable: Uint8Array | null;
}

export const INITIAL_SERIAL_LINE: SerialLineState = {
  receiver: INITIAL_DLE_STATE,
  outstanding: null,
  waiting: [],
  repeatable: null,
};

export type SerialLineInput =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'send'; readonly apdu: Uint8Array; readonly damage?: Damage }
  | { readonly type: 't1' }
  | { readonly type: 't2' }
  /** the other side was silent for longer than it waits before it repeats: whatever comes now is said anew */
  | { readonly type: 'silence' }
  | { readonly type: 'flush' };

export type SerialLineOutput =
  | { readonly type: 'write'; readonly bytes: Uint8Array }
  | { readonly type: 'deliver'; readonly apdu: Uint8Array }
  | { readonly type: 'start-t1' }
  | { readonly type: 'stop-t1' }
  | { readonly type: 'start-t2' }
  | { readonly type: 'stop-t2' }
  /** MAX_SENDS were in vain */
  | { readonly type: 'failed' };

interface Work {
  state: SerialLineState;
  readonly outputs: SerialLineOutput[];
}

export function stepSerialLine(
  state: SerialLineState,
  input: SerialLineInput,
): { readonly state: SerialLineState; readonly outputs: readonly SerialLineOutput[] } {
  const work: Work = { state, outputs: [] };
  if (input.type === 'bytes') takeBytes(work, input.bytes);
  else if (input.type === 'send') queueFrame(work, input);
  else if (input.type === 't1') takeItems(work, expireT1(work.state.receiver));
  else if (input.type === 't2') sendAgain(work);
  else if (input.type === 'silence') change(work, { repeatable: null });
  else flush(work);
  return work;
}

function change(work: Work, next: Partial<SerialLineState>): void {
  work.state = { ...work.state, ...next };
}

function takeBytes(work: Work, bytes: Uint8Array): void {
  takeItems(work, decode(work.state.receiver, bytes));
  work.outputs.push({ type: isReceiving(work.state.receiver) ? 'start-t1' : 'stop-t1' });
}

function takeItems(
  work: Work,
  { state, items }: { readonly state: DleState; readonly items: readonly DleItem[] },
): void {
  change(work, { receiver: state });
  for (const item of items) {
    const reply = replyTo(item);
    if (reply !== undefined) work.outputs.push({ type: 'write', bytes: Uint8Array.of(reply) });
    if (item.type === 'ack') acknowledged(work);
    else if (item.type === 'nak') sendAgain(work);
    else if (item.type === 'frame') deliver(work, item.apdu);
  }
}

/** A frame that came before, while nothing newer was acknowledged, is the other side's repeat: its ACK was lost. */
function deliver(work: Work, apdu: Uint8Array): void {
  const { repeatable } = work.state;
  if (repeatable !== null && equalBytes(repeatable, apdu)) return;
  // The answer to a message shows that it arrived, whatever became of its ACK.
  if (isReply(apdu) && work.state.outstanding?.isReply === false) acknowledged(work);
  change(work, { repeatable: apdu });
  work.outputs.push({ type: 'deliver', apdu });
}

/** 80 00 or 84 xx: answers a command, and is not answered. */
function isReply([first]: Uint8Array): boolean {
  return first === 0x80 || first === 0x84;
}

function acknowledged(work: Work): void {
  if (work.state.outstanding === null) return;
  change(work, { outstanding: null, repeatable: null });
  work.outputs.push({ type: 'stop-t2' });
  sendNext(work);
}

function queueFrame(work: Work, frame: { readonly apdu: Uint8Array; readonly damage?: Damage }): void {
  if (work.state.waiting.length >= MAX_WAITING_FRAMES) return;
  change(work, { waiting: [...work.state.waiting, frame] });
  if (work.state.outstanding === null) sendNext(work);
}

function sendNext(work: Work): void {
  const [next, ...waiting] = work.state.waiting;
  if (next === undefined) return;
  const frame = encodeFrame(next.apdu);
  change(work, { waiting, outstanding: { frame, isReply: isReply(next.apdu), sends: 1 } });
  if (next.damage === 'NOISE') work.outputs.push({ type: 'write', bytes: Uint8Array.from(NOISE_BYTES) });
  const isHalf = next.damage === 'HALF';
  work.outputs.push(
    { type: 'write', bytes: isHalf ? frame.subarray(0, frame.length >> 1) : frame },
    { type: 'start-t2' },
  );
}

function sendAgain(work: Work): void {
  const { outstanding } = work.state;
  if (outstanding === null) return;
  if (outstanding.sends >= MAX_SENDS) {
    flush(work);
    work.outputs.push({ type: 'failed' });
    return;
  }
  change(work, { outstanding: { ...outstanding, sends: outstanding.sends + 1 } });
  work.outputs.push({ type: 'write', bytes: outstanding.frame }, { type: 'start-t2' });
}

function flush(work: Work): void {
  change(work, { outstanding: null, waiting: [] });
  work.outputs.push({ type: 'stop-t2' });
}
