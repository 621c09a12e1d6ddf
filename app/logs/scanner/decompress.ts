import { constants, inflateRawSync } from 'node:zlib';
import { mayBeDeflate } from './deflate-sign.ts';
import type { Encoding } from './finding.ts';

/** Bytes that one compressed piece may grow to while it is looked into. */
const maxOutputBytes = 4 * 1024 * 1024;
/** Fewest bytes out of which a try makes sense when nothing announces that they are compressed. */
const minRawBytes = 12;
const gzipMark = '\x1f\x8b\x08';
/** The header that nearly every zlib stream has: an x, and what is no letter or digit after it. */
const zlibMark = 'x';
const ofWords = /[A-Za-z0-9 ]/;

/** What became of compressed bytes. `isWhole` false: they go on where nothing more could be read. */
export interface Decompressed {
  readonly encoding: Extract<Encoding, 'gzip' | 'deflate'>;
  readonly index: number;
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/** Everything in these bytes that can be decompressed. `isAlone`: they are one value, which may be raw deflate without any mark. */
export function* decompressedIn(bytes: Buffer, text: string, isAlone: boolean): Generator<Decompressed> {
  for (let index = text.indexOf(gzipMark); index >= 0; index = text.indexOf(gzipMark, index + 1)) {
    const found = attempt('gzip', index, bytes.subarray(index + gzipHeaderBytes(bytes, index)));
    if (found !== undefined) yield found;
  }
  for (let index = text.indexOf(zlibMark); index >= 0; index = text.indexOf(zlibMark, index + 1)) {
    // The two bytes of a header are a multiple of 31 (RFC 1950).
    const isHeader = index + 1 < bytes.length && bytes.readUInt16BE(index) % 31 === 0;
    if (!isHeader || ofWords.test(text.charAt(index + 1))) continue;
    const found = attempt('deflate', index, bytes.subarray(index + zlibHeaderBytes));
    if (found !== undefined) yield found;
  }
  if (!isAlone || bytes.length < minRawBytes || !mayBeDeflate(bytes)) return;
  const raw = attempt('deflate', 0, bytes);
  if (raw?.isWhole === true) yield raw;
}

const zlibHeaderBytes = 2;

/** Ten bytes, and the fields that the fourth announces (RFC 1952). */
function gzipHeaderBytes(bytes: Buffer, index: number): number {
  const flags = bytes[index + 3] ?? 0;
  let at = index + 10;
  if ((flags & 0x04) !== 0) at += 2 + (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256;
  for (const flag of [0x08, 0x10]) if ((flags & flag) !== 0) at = bytes.indexOf(0, at) + 1 || bytes.length;
  if ((flags & 0x02) !== 0) at += 2;
  return at - index;
}

/** All is read as raw deflate: what follows its end does not matter then. */
function attempt(encoding: Decompressed['encoding'], index: number, bytes: Buffer): Decompressed | undefined {
  try {
    return {
      encoding,
      index,
      bytes: inflateRawSync(bytes, { maxOutputLength: maxOutputBytes }),
      isWhole: true,
    };
  } catch (error) {
    if (error instanceof RangeError) return { encoding, index, bytes: Buffer.alloc(0), isWhole: false };
    if (!isCut(error)) return undefined;
  }
  try {
    const part = inflateRawSync(bytes, { maxOutputLength: maxOutputBytes, finishFlush: constants.Z_SYNC_FLUSH });
    // A mark that came about by chance gives a few bytes at most.
    return part.length === 0 ? undefined : { encoding, index, bytes: part, isWhole: part.length < minRawBytes };
  } catch {
    return undefined;
  }
}

/** Whether all was as it should be up to the end of the bytes. */
function isCut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
}
