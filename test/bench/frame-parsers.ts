import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeStream, INITIAL_STREAM_STATE } from '../../drivers/framing/apdu-stream.ts';
import { decode, encodeFrame, INITIAL_DLE_STATE } from '../../drivers/framing/dle-crc-framing.ts';
import { encodeVivotech2Frame } from '../../drivers/framing/vivotech2-frame.ts';
import {
  decodeReport,
  encodeReports,
  HID_REPORT_BYTES,
  INITIAL_REPORT_STATE,
} from '../../drivers/framing/vivotech2-reports.ts';
import { decodeVivotech2, INITIAL_VIVOTECH2_STATE } from '../../drivers/framing/vivotech2-stream.ts';
import { projectRoot } from '../support/project-root.ts';
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import type { Figure } from './figure.ts';
import { linesOf } from './figure.ts';
import type { Report } from './statistics.ts';

const seed = 20_261_128;
const rounds = 9;
const promisedRatio = 20;
const megabyte = 1_000_000;

/** Fastest real rates in bytes a second. A read is at least one Ethernet frame: 84 bytes on the wire, 148,810 a second at 100 Mbit/s. */
const tcpRate = 100_000_000 / 8;
const tcpReadsPerSecond = 148_810;
const serialRate = 115_200 / 10;
/** One report each millisecond. */
const hidRate = HID_REPORT_BYTES * 1_000;

interface Framing {
  readonly name: string;
  readonly lineRate: number;
  /** The line's rate when each read brings one byte; absent where reads have a size of their own. */
  readonly singleByteRate?: number;
  /** Messages one after the other, as they travel; a HID report is one part. */
  readonly parts: readonly Uint8Array[];
  readonly frameCount: number;
  /** Parses all chunks. @returns how many frames it found */
  parse(chunks: readonly Uint8Array[]): number;
}

/** F6: how fast each framing is read, however the line cuts it, beside copying the same chunks. */
export async function frameParsers(): Promise<Report> {
  const random = seededRandom(seed);
  const figures = framings(random).flatMap((framing) => figuresOf(framing, random));
  return {
    isKept: figures.every(({ isKept }) => isKept),
    lines: [
      `F6 frame parsers, million bytes a second of processor time (fastest of ${rounds} rounds, seed ${seed}; promised ${promisedRatio} × the fastest real rate of the line)`,
      ...figures.flatMap(linesOf),
    ],
  };
}

function framings(random: SeededRandom): readonly Framing[] {
  const apdus = zvtMessages();
  const readerFrames = readerMessages(random);
  return [
    {
      name: 'ZVT over TCP (APDU stream)',
      lineRate: tcpRate,
      singleByteRate: tcpReadsPerSecond,
      ...repeated(apdus, 4 * megabyte),
      parse: (chunks) => countItems(chunks, INITIAL_STREAM_STATE, decodeStream, 'apdu'),
    },
    {
      name: 'ZVT over serial (DLE and CRC)',
      lineRate: serialRate,
      singleByteRate: serialRate,
      ...repeated(apdus.map(encodeFrame), megabyte / 4),
      parse: (chunks) => countItems(chunks, INITIAL_DLE_STATE, decode, 'frame'),
    },
    {
      name: 'NEO 2 over serial (ViVOtech2)',
      lineRate: serialRate,
      singleByteRate: serialRate,
      ...repeated(readerFrames, megabyte / 4),
      parse: (chunks) => countItems(chunks, INITIAL_VIVOTECH2_STATE, decodeVivotech2, 'frame'),
    },
    hidFraming(readerFrames),
  ];
}

function hidFraming(frames: readonly Uint8Array[]): Framing {
  const { parts: all, frameCount } = repeated(frames, megabyte);
  return {
    name: 'NEO 2 over HID (reports)',
    lineRate: hidRate,
    parts: all.flatMap((frame) => encodeReports(frame)),
    frameCount,
    parse: (chunks) => countItems(chunks, INITIAL_REPORT_STATE, decodeReport, 'frame'),
  };
}

type Decode<State> = (
  state: State,
  bytes: Uint8Array,
) => { readonly state: State; readonly items: readonly { readonly type: string }[] };

function countItems<State>(chunks: readonly Uint8Array[], first: State, step: Decode<State>, type: string): number {
  let state = first;
  let count = 0;
  for (const chunk of chunks) {
    const next = step(state, chunk);
    state = next.state;
    for (const item of next.items) if (item.type === type) count++;
  }
  return count;
}

/** Captured and specified messages, as a till sees them in a day. */
function zvtMessages(): readonly Uint8Array[] {
  const path = join(projectRoot, 'test/fixtures/protocols/zvt-apdu.json');
  const fixtures: readonly { readonly id: string; readonly hex: string }[] = JSON.parse(readFileSync(path, 'utf8'));
  const messages = fixtures.map(({ hex }) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex')));
  // Some fixtures are two messages in one segment, or broken on purpose: what is one whole APDU is taken.
  return messages.filter((bytes) => {
    const { state, items } = decodeStream(INITIAL_STREAM_STATE, bytes);
    return state.pendingByteCount === 0 && items.length === 1 && items[0]?.type === 'apdu';
  });
}

/** Replies as long as those of a transaction, filled at random. */
function readerMessages(random: SeededRandom): readonly Uint8Array[] {
  return Array.from({ length: 64 }, (_, index) => {
    const data = Uint8Array.from({ length: index % 4 === 0 ? 0 : random.between(1, 700) }, () =>
      random.between(0, 255),
    );
    return encodeVivotech2Frame({ kind: 'message', command: 0x60, code: 0x00, data }, 'HIGH_FIRST');
  });
}

function repeated(messages: readonly Uint8Array[], byteCount: number): Pick<Framing, 'parts' | 'frameCount'> {
  const parts: Uint8Array[] = [];
  for (let bytes = 0; bytes < byteCount; )
    for (const message of messages) {
      parts.push(message);
      bytes += message.length;
    }
  return { parts, frameCount: parts.length };
}

function figuresOf(framing: Framing, random: SeededRandom): readonly Figure[] {
  const { name, parts, lineRate, singleByteRate } = framing;
  const said = (chunking: string) => `${name}, ${chunking}`;
  if (singleByteRate === undefined) return [figureOf(framing, said('report by report'), parts, lineRate)];
  const all = Buffer.concat(parts);
  const cut = (size: () => number) => {
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < all.length; ) {
      const end = at + size();
      // As the transports hand them on: no part of a Buffer.
      chunks.push(new Uint8Array(all.subarray(at, end)));
      at = end;
    }
    return chunks;
  };
  return [
    figureOf(
      framing,
      said('reads of 64 KiB'),
      cut(() => 65_536),
      lineRate,
    ),
    figureOf(
      framing,
      said('reads of 1–1,460 bytes'),
      cut(() => random.between(1, 1_460)),
      lineRate,
    ),
    figureOf(
      framing,
      said('byte by byte'),
      cut(() => 1),
      singleByteRate,
    ),
  ];
}

function figureOf({ parse, frameCount }: Framing, text: string, chunks: readonly Uint8Array[], rate: number): Figure {
  const byteCount = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const copy = new Uint8Array(byteCount);
  const parsing: number[] = [];
  const copying: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = processorSeconds();
    const found = parse(chunks);
    const parsedAt = processorSeconds();
    let offset = 0;
    for (const chunk of chunks) {
      copy.set(chunk, offset);
      offset += chunk.length;
    }
    const copiedAt = processorSeconds();
    if (found !== frameCount) throw new Error(`${text}: ${found} frames of ${frameCount} were found`);
    parsing.push(byteCount / (parsedAt - startedAt));
    copying.push(byteCount / Math.max(copiedAt - parsedAt, 1e-6));
  }
  // What else the machine does can only slow a round down.
  const reached = Math.max(...parsing);
  return {
    text,
    value: millions(reached),
    promise: `≥ ${millions(promisedRatio * rate)}`,
    isKept: reached >= promisedRatio * rate,
    limits: `${(reached / rate).toFixed(0)} × the line; baseline, copying the same chunks: ${millions(Math.max(...copying))}`,
  };
}

/** Of this process alone: what else the machine does is not counted. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function millions(bytesPerSecond: number): string {
  return (bytesPerSecond / megabyte).toFixed(bytesPerSecond < 10 * megabyte ? 2 : 0);
}
