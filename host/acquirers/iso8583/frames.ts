import { MAX_MESSAGE_BYTES, MIN_MESSAGE_BYTES } from './codec.ts';

const LENGTH_BYTES = 2;

export interface FrameReader {
  /** Messages that are complete now. `isBroken`: a length cannot be one, so where the next message begins is unknown for good. */
  push(bytes: Buffer): { readonly frames: readonly Buffer[]; readonly isBroken: boolean };
  reset(): void;
}

/** Splits what arrives into messages: two bytes of length, highest first, which do not count themselves; then the message. */
export function createFrameReader(): FrameReader {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(bytes) {
      rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes]);
      const frames: Buffer[] = [];
      while (rest.length >= LENGTH_BYTES) {
        const length = rest.readUInt16BE();
        if (length < MIN_MESSAGE_BYTES || length > MAX_MESSAGE_BYTES) return { frames, isBroken: true };
        const end = LENGTH_BYTES + length;
        if (rest.length < end) break;
        frames.push(rest.subarray(LENGTH_BYTES, end));
        rest = rest.subarray(end);
      }
      return { frames, isBroken: false };
    },
    reset() {
      rest = Buffer.alloc(0);
    },
  };
}
