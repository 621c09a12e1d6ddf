// The serial layer's send–ack machine (ZVT PA00P016): each frame is answered by one byte; a frame that was not taken is repeated.
import { equalBytes } from '../framing/bytes.ts';
import {
  type DleItem,
  type DleState,
  decode,
  encodeFrame,
  expireT1,
  INITIAL_DLE_STATE,
  isReceiving,
  replyTo,
} from '../framing/dle-crc-framing.ts';

/** How often a frame is sent at most: once and two repeats. */
export const MAX_SENDS = 3;
/** Wait for the acknowledgement of a frame (T2). */
export const T2_MS = 5_000;

export interface SendAckOptions {
  /** True when `received` shows that the peer took `sent` although its acknowledgement got lost. */
  provesReceipt(sent: Uint8Array, received: Uint8Array): boolean;
}

interface Outgoing {
  readonly apdu: Uint8Array;
  readonly sendCount: number;
  /** Given up at once when the peer speaks at the same time: its message waits for an answer. */
  readonly yieldsToPeer: boolean;
  /** The peer sent something else meanwhile: both sides spoke at once. No repeat after that without its NAK. */
  readonly hasCollided: boolean;
}

/** A value; the transition function never changes the state it is given. */
export interface SendAckState {
  readonly receiver: DleState;
  readonly outgoing?: Outgoing;
  /** Came last, and nothing of ours was taken since: the same bytes again are a repeat, not a new message. */
  readonly lastReceived?: Uint8Array;
}

export const INITIAL_SEND_ACK_STATE: SendAckState = { receiver: INITIAL_DLE_STATE };

export type SendAckInput =
  | { readonly type: 'SEND'; readonly apdu: Uint8Array; readonly yieldsToPeer: boolean }
  | { readonly type: 'BYTES'; readonly bytes: Uint8Array }
  | { readonly type: 'T1_EXPIRED' }
  | { readonly type: 'T2_EXPIRED' };

export type SendAckAction =
  | { readonly type: 'WRITE'; readonly bytes: Uint8Array }
  | { readonly type: 'DELIVER'; readonly apdu: Uint8Array }
  /** The peer has the frame. */
  | { readonly type: 'SENT' }
  /** NOT_TAKEN: three sends without acknowledgement. COLLISION: the peer spoke at the same time; whether it took ours is not known. */
  | { readonly type: 'SEND_FAILED'; readonly reason: 'NOT_TAKEN' | 'COLLISION' | 'ALREADY_SENDING' }
  | { readonly type: 'START_T1' }
  | { readonly type: 'STOP_T1' }
  | { readonly type: 'START_T2' }
  | { readonly type: 'STOP_T2' }
  | { readonly type: 'REPORT'; readonly what: string; readonly byteCount: number };

export interface SendAckStep {
  readonly state: SendAckState;
  readonly actions: readonly SendAckAction[];
}

/** (state, input) → (state, actions). */
export function stepSendAck(options: SendAckOptions, state: SendAckState, input: SendAckInput): SendAckStep {
  switch (input.type) {
    case 'SEND':
      return send(state, input.apdu, input.yieldsToPeer);
    case 'BYTES': {
      const { state: receiver, items } = decode(state.receiver, input.bytes);
      return receive(options, { ...state, receiver }, items);
    }
    case 'T1_EXPIRED': {
      const { state: receiver, items } = expireT1(state.receiver);
      return receive(options, { ...state, receiver }, items);
    }
    case 'T2_EXPIRED':
      return repeat(state, state.outgoing?.hasCollided === true ? 'COLLISION' : undefined);
  }
}

function send(state: SendAckState, apdu: Uint8Array, yieldsToPeer: boolean): SendAckStep {
  if (state.outgoing !== undefined) return { state, actions: [{ type: 'SEND_FAILED', reason: 'ALREADY_SENDING' }] };
  return {
    state: { ...state, outgoing: { apdu, sendCount: 1, yieldsToPeer, hasCollided: false } },
    actions: [{ type: 'WRITE', bytes: encodeFrame(apdu) }, { type: 'START_T2' }],
  };
}

/** Sends the outgoing frame again, or gives up. */
function repeat(state: SendAckState, giveUp: 'COLLISION' | undefined): SendAckStep {
  const { outgoing, ...rest } = state;
  if (outgoing === undefined) return { state, actions: [] };
  if (giveUp !== undefined || outgoing.sendCount >= MAX_SENDS)
    return { state: rest, actions: [{ type: 'STOP_T2' }, { type: 'SEND_FAILED', reason: giveUp ?? 'NOT_TAKEN' }] };
  return {
    state: { ...rest, outgoing: { ...outgoing, sendCount: outgoing.sendCount + 1 } },
    actions: [{ type: 'WRITE', bytes: encodeFrame(outgoing.apdu) }, { type: 'START_T2' }],
  };
}

function receive(options: SendAckOptions, start: SendAckState, items: readonly DleItem[]): SendAckStep {
  let state = start;
  const actions: SendAckAction[] = [];
  for (const item of items) {
    const step = take(options, state, item);
    state = step.state;
    actions.push(...step.actions);
  }
  actions.push({ type: isReceiving(state.receiver) ? 'START_T1' : 'STOP_T1' });
  return { state, actions };
}

function take(options: SendAckOptions, state: SendAckState, item: DleItem): SendAckStep {
  switch (item.type) {
    case 'ack':
      return state.outgoing === undefined
        ? { state, actions: [report('acknowledgement of nothing', 1)] }
        : taken(state);
    case 'nak':
      return state.outgoing === undefined
        ? { state, actions: [report('refusal of nothing', 1)] }
        : repeat(state, undefined);
    case 'frame':
      return takeFrame(options, state, item);
    default: {
      const reply = replyTo(item);
      const answer: SendAckAction[] = reply === undefined ? [] : [{ type: 'WRITE', bytes: Uint8Array.of(reply) }];
      return { state, actions: [...answer, reportItem(item)] };
    }
  }
}

/** The peer has what we sent: whatever comes now is new. */
function taken(state: SendAckState): SendAckStep {
  return { state: { receiver: state.receiver }, actions: [{ type: 'STOP_T2' }, { type: 'SENT' }] };
}

function takeFrame(options: SendAckOptions, state: SendAckState, item: DleItem & { type: 'frame' }): SendAckStep {
  const { apdu } = item;
  const reply = replyTo(item);
  const acknowledge: SendAckAction[] = reply === undefined ? [] : [{ type: 'WRITE', bytes: Uint8Array.of(reply) }];
  const { outgoing } = state;
  if (outgoing !== undefined && options.provesReceipt(outgoing.apdu, apdu) && !isRepeat(state, apdu)) {
    const step = taken(state);
    return {
      state: { ...step.state, lastReceived: apdu },
      actions: [...acknowledge, ...step.actions, { type: 'DELIVER', apdu }],
    };
  }
  if (isRepeat(state, apdu))
    return { state, actions: [...acknowledge, report('repeat of the last frame', apdu.length)] };
  const deliver: SendAckAction[] = [...acknowledge, { type: 'DELIVER', apdu }];
  if (outgoing === undefined) return { state: { ...state, lastReceived: apdu }, actions: deliver };
  const collided = { ...state, lastReceived: apdu, outgoing: { ...outgoing, hasCollided: true } };
  if (!outgoing.yieldsToPeer) return { state: collided, actions: deliver };
  const step = repeat(collided, 'COLLISION');
  return { state: step.state, actions: [...step.actions, ...deliver] };
}

function isRepeat(state: SendAckState, apdu: Uint8Array): boolean {
  return state.lastReceived !== undefined && equalBytes(state.lastReceived, apdu);
}

function report(what: string, byteCount: number): SendAckAction {
  return { type: 'REPORT', what, byteCount };
}

function reportItem(item: Exclude<DleItem, { type: 'frame' | 'ack' | 'nak' }>): SendAckAction {
  if (item.type === 'noise') return report('noise', item.bytes.length);
  if (item.type === 'bad-crc') return report('frame with a wrong checksum', item.apdu.length);
  return report(`broken frame: ${item.reason}`, item.discardedByteCount);
}
