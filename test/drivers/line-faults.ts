/** Which way bytes go. */
export type Direction = 'TO_TILL' | 'TO_TERMINAL';
export const directions: readonly Direction[] = ['TO_TILL', 'TO_TERMINAL'];

/** What one side gives to the line at once: a chunk of a stream, or a HID report. */
interface Write {
  readonly direction: Direction;
  readonly bytes: Uint8Array;
  /** How many of its direction came before it, and how many bytes those had, since the watch began. */
  readonly index: number;
  readonly offset: number;
}

/**
 * What leaves the line instead of a write. Steps of one direction follow each other: what is delayed holds up what comes after it. `joins`: comes
 * out in one read with all that is written within JOIN_MS. UNPLUG: the connection is lost, and the line is faithful from then on.
 */
export type Step = { readonly bytes: Uint8Array; readonly afterMs?: number; readonly joins?: true } | 'UNPLUG';

export const JOIN_MS = 20;

/** Something that goes wrong on the line, once or again and again. */
export interface LineFault {
  readonly name: string;
  /** Only a new connection ends it. */
  readonly lasts?: true;
  meddle(write: Write): readonly Step[];
}

/** A write that was seen on a line without faults: what the faults are laid out on. */
export type SeenWrite = Pick<Write, 'direction' | 'index' | 'offset'> & { readonly byteCount: number };

const untouched = ({ bytes }: Write): readonly Step[] => [{ bytes }];

function ofOne(seen: SeenWrite, what: string, meddle: (write: Write) => readonly Step[]): LineFault {
  return {
    name: `${what} write ${seen.index} ${seen.direction}`,
    meddle: (write) =>
      write.direction === seen.direction && write.index === seen.index ? meddle(write) : untouched(write),
  };
}

/** Every write comes out in two reads, cut after this byte. */
export function splitAt(at: number): LineFault {
  return {
    name: `split after byte ${at}`,
    meddle: ({ bytes }) => [bytes.slice(0, at), bytes.slice(at)].filter((part) => part.length > 0).map(stepOf),
  };
}

export const byteByByte: LineFault = {
  name: 'every byte by itself',
  meddle: ({ bytes }) => Array.from(bytes, (byte) => stepOf(Uint8Array.of(byte))),
};

export const joined: LineFault = { name: 'joined', meddle: ({ bytes }) => [{ bytes, joins: true }] };

/** The connection is lost after so many bytes of a direction. */
export function cutAfter(direction: Direction, byteCount: number): LineFault {
  return {
    name: `cut after byte ${byteCount} ${direction}`,
    meddle(write) {
      if (write.direction !== direction || write.offset + write.bytes.length <= byteCount) return untouched(write);
      const rest = write.bytes.slice(0, Math.max(0, byteCount - write.offset));
      return rest.length === 0 ? ['UNPLUG'] : [stepOf(rest), 'UNPLUG'];
    },
  };
}

/** After so many bytes of a direction nothing more comes that way, as long as the connection lasts: nobody closes it. */
export function silentAfter(direction: Direction, byteCount: number): LineFault {
  return {
    name: `silent after byte ${byteCount} ${direction}`,
    lasts: true,
    meddle(write) {
      if (write.direction !== direction || write.offset + write.bytes.length <= byteCount) return untouched(write);
      const rest = write.bytes.slice(0, Math.max(0, byteCount - write.offset));
      return rest.length === 0 ? [] : [stepOf(rest)];
    },
  };
}

/** The connection is lost as soon as a write has come through. */
export function cutBehind(seen: SeenWrite): LineFault {
  return ofOne(seen, 'cut behind', ({ bytes }) => [{ bytes }, 'UNPLUG']);
}

/** Only the first bytes of a write come through; the line stays up. */
export function truncated(seen: SeenWrite, byteCount: number): LineFault {
  return ofOne(seen, `only ${byteCount} bytes of`, ({ bytes }) =>
    byteCount === 0 ? [] : [stepOf(bytes.slice(0, byteCount))],
  );
}

export function lost(seen: SeenWrite): LineFault {
  return ofOne(seen, 'lost', () => []);
}

export function doubled(seen: SeenWrite): LineFault {
  return ofOne(seen, 'doubled', ({ bytes }) => [{ bytes }, { bytes }]);
}

/** A write comes, and later once more: among the answers to something else. */
export function echoed(seen: SeenWrite, afterMs: number): LineFault {
  return ofOne(seen, `an echo ${afterMs} ms behind`, ({ bytes }) => [{ bytes }, { bytes, afterMs }]);
}

export function late(seen: SeenWrite, afterMs: number): LineFault {
  return ofOne(seen, `${afterMs} ms late`, ({ bytes }) => [{ bytes, afterMs }]);
}

/** Bytes that nobody sent, before (0), within or behind a write. */
export function noisy(seen: SeenWrite, at: number, noise: Uint8Array): LineFault {
  return ofOne(seen, `noise at byte ${at} of`, ({ bytes }) => [
    stepOf(Uint8Array.from([...bytes.slice(0, at), ...noise, ...bytes.slice(at)])),
  ]);
}

/** A write that nobody made, before a write. */
export function strayBefore(seen: SeenWrite, stray: Uint8Array): LineFault {
  return ofOne(seen, 'stray write before', ({ bytes }) => [stepOf(stray), stepOf(bytes)]);
}

/** A write that nobody made, behind a write. */
export function strayBehind(seen: SeenWrite, stray: Uint8Array): LineFault {
  return ofOne(seen, 'stray write behind', ({ bytes }) => [stepOf(bytes), stepOf(stray)]);
}

/** One byte of a write arrives as another. */
export function damaged(seen: SeenWrite, at: number): LineFault {
  return ofOne(seen, `byte ${at} damaged of`, ({ bytes }) => [
    stepOf(bytes.map((byte, index) => (index === at ? byte ^ 0x55 : byte))),
  ]);
}

/** Something happens in the moment a write has come through. */
export function at(seen: SeenWrite, what: string, happen: () => void): LineFault {
  return ofOne(seen, what, ({ bytes }) => {
    queueMicrotask(() => queueMicrotask(happen));
    return [{ bytes }];
  });
}

/** Every place of each write: 0 up to its length. */
export function placesOf(writes: readonly SeenWrite[]): readonly (readonly [SeenWrite, number])[] {
  return writes.flatMap((seen) => Array.from({ length: seen.byteCount + 1 }, (_, place) => [seen, place] as const));
}

/** The places of each write that matter to a frame: its beginning, its end, and some in the middle. */
export function chosenPlacesOf(writes: readonly SeenWrite[]): readonly (readonly [SeenWrite, number])[] {
  return placesOf(writes).filter(
    ([{ byteCount }, place]) => place < EDGE_BYTES || place > byteCount - EDGE_BYTES || place % MIDDLE_STRIDE === 0,
  );
}

const EDGE_BYTES = 8;
const MIDDLE_STRIDE = 16;

function stepOf(bytes: Uint8Array): Step {
  return { bytes };
}
