import type { Encoding } from './finding.ts';

/** Bytes that stand encoded in a text. */
export interface Blob {
  readonly encoding: Encoding;
  /** Where the encoding begins in what was given. */
  readonly index: number;
  readonly bytes: Buffer;
}

/** Thirteen digits need twenty-six in hex. */
const hexRun = /(?:[0-9A-Fa-f]{2}){13,}[0-9A-Fa-f]?/g;
/** Seven packed bytes or more in pairs of digits with something between them, from the first such sign on: whether there are any. */
const spacedPairs = /[\s:,-](?:[0-9A-Fa-f]{2}[\s:,-]{1,2}){6}[0-9A-Fa-f]{2}/;
/** Pairs begin after hex without signs, and such hex begins after pairs that take its first digits. */
const hexRunOrPairs = /(?:[0-9A-Fa-f]{2}){13,}[0-9A-Fa-f]?|(?:[0-9A-Fa-f]{2}[\s:,-]{1,2}){7,}[0-9A-Fa-f]{2}/g;
/** A hash as manifests write it: it stands for content that is scanned itself. */
const integrity = /^sha256-[A-Za-z0-9+/]{43}$/;
/** The day of a time as logs write it, up to its first colon. */
const isDay = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}$/;
const minPackedBytes = 7;

/** Everything that a run of characters may be in base64 or hex, at each alignment that it may have. */
export function* blobsOfRun(given: string): Generator<Blob> {
  const run = given.endsWith('=') ? given.slice(0, -1) : given;
  // Words, paths and names in small letters are no bytes: these would hold capitals.
  if (/[A-Z]/.test(run) && !integrity.test(run) && !isDay.test(run)) {
    for (let shift = 0; shift < 4; shift += 1) {
      const bytes = Buffer.from(run.slice(shift), 'base64');
      if (bytes.length >= minPackedBytes) yield { encoding: 'base64', index: shift, bytes };
    }
  }
  for (const match of run.matchAll(hexRun)) yield* hexOf(match[0], match.index);
}

/** Everything in hex in a text in which some is written in pairs with something between them; nothing in others. */
export function* spacedHexOf(text: string): Generator<Blob> {
  if (!spacedPairs.test(text)) return;
  for (const match of text.matchAll(hexRunOrPairs)) {
    yield* hexOf(match[0].replace(/[^0-9A-Fa-f]/g, ''), match.index);
  }
}

/** Whether the first digit of such a pair stands there. */
export function isSpacedHex(text: string, index: number): boolean {
  return /^[0-9A-Fa-f]{2}[\s:,-]/.test(text.slice(index, index + 3));
}

function* hexOf(hex: string, index: number): Generator<Blob> {
  yield { encoding: 'hex', index, bytes: Buffer.from(hex, 'hex') };
  yield { encoding: 'hex', index: index + 1, bytes: Buffer.from(hex.slice(1), 'hex') };
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
