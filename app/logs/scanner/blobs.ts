import type { Encoding } from './finding.ts';

/** Bytes that stand encoded in a text. */
export interface Blob {
  readonly encoding: Encoding;
  /** Where the encoding begins in the text. */
  readonly index: number;
  readonly bytes: Buffer;
}

/** Least characters: thirteen digits need eighteen in base64, twenty-six in hex; packed ones ten and fourteen. */
const base64Run = /[A-Za-z0-9+/_-]{10,}/g;
const hexRun = /(?:[0-9A-Fa-f]{2}){13,}[0-9A-Fa-f]?|(?:[0-9A-Fa-f]{2}[\s:,-]{1,2}){7,}[0-9A-Fa-f]{2}/g;
/** A hash as manifests write it: it stands for content that is scanned itself. */
const integrity = /^sha256-[A-Za-z0-9+/]{43}$/;
const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** The day of a time as logs write it, up to its first colon. */
const isDay = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}$/;
const minPackedBytes = 7;

/** Everything in the text that may be bytes in base64 or hex, at each alignment that it may have. */
export function* blobsOf(text: string): Generator<Blob> {
  for (const match of text.matchAll(base64Run)) {
    const [run] = match;
    // Words, paths and names in small letters are no bytes: these would hold capitals.
    if (!/[A-Z]/.test(run) || integrity.test(run) || isUuid.test(run) || isDay.test(run)) continue;
    for (let shift = 0; shift < 4; shift += 1) {
      const bytes = Buffer.from(run.slice(shift), 'base64');
      if (bytes.length >= minPackedBytes) yield { encoding: 'base64', index: match.index + shift, bytes };
    }
  }
  for (const match of text.matchAll(hexRun)) {
    const hex = match[0].replace(/[^0-9A-Fa-f]/g, '');
    yield { encoding: 'hex', index: match.index, bytes: Buffer.from(hex, 'hex') };
    yield { encoding: 'hex', index: match.index + 1, bytes: Buffer.from(hex.slice(1), 'hex') };
  }
}

/** Readable bytes in a row out of which a value begins to be possible; chance seldom gives so many. */
const minReadableBytes = 10;

/** Whether the bytes hold anything to read: text in some encoding. The rest is judged as packed digits or compressed bytes. */
export function isReadable(bytes: Buffer): boolean {
  let run = 0;
  for (const byte of bytes) {
    const isText = (byte >= 0x20 && byte < 0x7f) || byte === 0 || (byte >= 0x09 && byte <= 0x0d);
    run = isText ? run + 1 : 0;
    if (run >= minReadableBytes) return true;
  }
  return bytes.length < minReadableBytes && run === bytes.length;
}
