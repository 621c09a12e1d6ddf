// NEO 2 frames on a serial line: one after the other, between them nothing that counts.
import { type GrownBytes, grownContent, NO_GROWN_BYTES, withBytes } from './grown-bytes.ts';
import {
  findFrameStart,
  MAX_VIVOTECH2_FRAME_BYTES,
  type ReadFrame,
  readFrame,
  readFrameLayout,
} from './vivotech2-frame.ts';

/** Silence within a frame after which the caller gives it up (our own bound: the guide names none; a whole frame takes 0.13 s at 115,200 baud). */
export const MAX_VIVOTECH2_SILENCE_MS = 1000;

/** Why a frame that had begun was given up. What it held is not told: it may be card data. */
type Vivotech2FaultReason =
  /** the CRC fits in neither order */
  | 'bad-crc'
  /** it says to be longer than MAX_VIVOTECH2_FRAME_BYTES */
  | 'too-long'
  /** the line fell silent within it (giveUpVivotech2) */
  | 'incomplete';

/** One thing the receiver saw. Every received byte belongs to exactly one item or is still pending. */
export type Vivotech2Item =
  | ({ readonly type: 'frame' } & ReadFrame)
  | { readonly type: 'fault'; readonly reason: Vivotech2FaultReason; readonly discardedByteCount: number }
  | { readonly type: 'noise'; readonly bytes: Uint8Array };

/** What is known of the frame that is not whole yet. A value: decoding never changes it. */
export interface Vivotech2State {
  /** fewer than MAX_VIVOTECH2_FRAME_BYTES */
  readonly pending: GrownBytes;
  /** length of the frame, once its header is whole */
  readonly neededByteCount?: number;
}

interface Step {
  readonly state: Vivotech2State;
  readonly items: readonly Vivotech2Item[];
}

const NO_ITEMS: readonly Vivotech2Item[] = [];

export const INITIAL_VIVOTECH2_STATE: Vivotech2State = { pending: NO_GROWN_BYTES };

/** True while a frame has begun: the time in which MAX_VIVOTECH2_SILENCE_MS runs. */
export function isReceivingVivotech2({ pending }: Vivotech2State): boolean {
  return pending.length > 0;
}

/** Takes the next bytes from the line, in any chunking. Never throws. */
export function decodeVivotech2(state: Vivotech2State, bytes: Uint8Array): Step {
  if (bytes.length === 0) return { state, items: NO_ITEMS };
  if (state.pending.length === 0) return split(bytes);
  const pending = withBytes(state.pending, bytes);
  const { neededByteCount } = state;
  // Until its end has come nothing of the frame need be looked at again.
  if (neededByteCount !== undefined && pending.length < neededByteCount)
    return { state: { pending, neededByteCount }, items: NO_ITEMS };
  return split(grownContent(pending), pending);
}

/** The line fell silent within a frame: it is given up. A whole frame that its wrong length had swallowed is found. */
export function giveUpVivotech2(state: Vivotech2State): Step {
  const items: Vivotech2Item[] = [];
  let { pending } = state;
  while (pending.length > 0) {
    const bytes = grownContent(pending);
    const next = findFrameStart(bytes, 1);
    const isFrame = readFrameLayout(bytes) !== undefined;
    if (isFrame) items.push({ type: 'fault', reason: 'incomplete', discardedByteCount: next });
    else pushNoise(items, bytes, 0, next);
    const step = split(bytes.subarray(next));
    items.push(...step.items);
    pending = step.state.pending;
  }
  return { state: INITIAL_VIVOTECH2_STATE, items };
}

/** @param grown the same bytes as a value that can be kept; otherwise what remains is copied */
function split(bytes: Uint8Array, grown?: GrownBytes): Step {
  const items: Vivotech2Item[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const start = findFrameStart(bytes, offset);
    pushNoise(items, bytes, offset, start);
    offset = start;
    const layout = readFrameLayout(bytes, offset);
    if (layout === undefined) break;
    const isTooLong = layout.byteCount > MAX_VIVOTECH2_FRAME_BYTES;
    const end = offset + (isTooLong ? layout.prefixByteCount : layout.byteCount);
    if (end > bytes.length) break;
    const span = bytes.subarray(offset, end);
    const read = isTooLong ? undefined : readFrame(span, layout);
    // A frame that was cut off swallows the beginning of the next one: the search goes on within what it took.
    const taken = read === undefined ? findFrameStart(span, 1) : span.length;
    if (read !== undefined) items.push({ type: 'frame', ...read });
    else items.push({ type: 'fault', reason: isTooLong ? 'too-long' : 'bad-crc', discardedByteCount: taken });
    offset += taken;
  }
  return { state: stateFrom(bytes, offset, grown), items };
}

/** What remains from `offset` on. */
function stateFrom(bytes: Uint8Array, offset: number, grown: GrownBytes | undefined): Vivotech2State {
  if (offset >= bytes.length) return INITIAL_VIVOTECH2_STATE;
  const pending = offset === 0 && grown ? grown : withBytes(NO_GROWN_BYTES, bytes.subarray(offset));
  const layout = readFrameLayout(bytes, offset);
  return layout === undefined ? { pending } : { pending, neededByteCount: layout.byteCount };
}

function pushNoise(items: Vivotech2Item[], bytes: Uint8Array, from: number, to: number): void {
  if (to > from) items.push({ type: 'noise', bytes: bytes.slice(from, to) });
}
