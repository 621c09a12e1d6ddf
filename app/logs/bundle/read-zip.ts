import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import type { Finding } from '../scanner/finding.ts';
import { scanBytes } from '../scanner/scan-bytes.ts';
import { createStreamScanner } from '../scanner/stream-scanner.ts';

/** An archive within the archive is held in memory while it is looked into; a larger one is a finding. */
const maxNestedBytes = 32 * 1024 * 1024;
const maxNesting = 3;
const zipMark = 'PK\u0003\u0004';
const gzipMark = '\u001f\u008b';

/** One entry as it was read back. */
export interface EntryScan {
  readonly name: string;
  readonly byteCount: number;
  /** `sha256-` and base64, as in web pages: hexadecimal digits could be taken for a card number. */
  readonly sha256: string;
  readonly findings: readonly Finding[];
}

export function openZip(path: string): Promise<ZipFile> {
  return yauzl.openPromise(path, { autoClose: false, decodeStrings: true });
}

/**
 * Reads a finished archive from its own table of contents and looks into every entry, entry names and archives within it included.
 * @param only names of the entries to look into; all when absent
 */
export async function scanZip(
  zip: ZipFile,
  onEntry: (scan: EntryScan) => void = () => {},
  only?: readonly string[],
): Promise<readonly EntryScan[]> {
  const scans: EntryScan[] = [];
  for await (const entry of entriesOf(zip)) {
    if (only !== undefined && !only.includes(entry.fileName)) continue;
    const scan = await scanEntry(zip, entry, 0);
    scans.push(scan);
    onEntry(scan);
  }
  return scans;
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for await (const entry of zip.eachEntry()) yield entry;
}

async function scanEntry(zip: ZipFile, entry: Entry, depth: number): Promise<EntryScan> {
  const stream = await zip.openReadStreamPromise(entry);
  const hash = createHash('sha256');
  const scanner = createStreamScanner();
  const inner: Inner = { first: true, kind: 'PLAIN', chunks: [], byteCount: 0 };
  let byteCount = 0;
  const findings: Finding[] = [...scanBytes(Buffer.from(`${entry.fileName}\n${entry.fileComment}`))];
  const gunzip = createGunzip();
  const innerScanner = createStreamScanner();
  let gzipFailed = false;
  gunzip.on('data', (chunk: Buffer) => innerScanner.write(chunk));
  gunzip.on('error', () => {
    gzipFailed = true;
  });
  for await (const chunk of stream as Readable & AsyncIterable<Buffer>) {
    hash.update(chunk);
    scanner.write(chunk);
    byteCount += chunk.length;
    await takeInner(inner, chunk, gunzip, () => gzipFailed);
  }
  if (inner.kind === 'GZIP') {
    await ended(gunzip, () => gzipFailed);
    if (gzipFailed) findings.push({ kind: 'UNREADABLE', offset: 0, through: ['gzip'] });
    findings.push(
      ...innerScanner.end().map((finding) => ({ ...finding, through: ['gzip' as const, ...finding.through] })),
    );
  }
  // What gzip holds was read as a whole; piece by piece its end cannot be seen.
  const own = scanner.end();
  findings.push(...(inner.kind === 'GZIP' ? own.filter(({ kind }) => kind !== 'UNREADABLE') : own));
  if (inner.kind === 'ZIP') findings.push(...(await scanNested(inner, depth)));
  return { name: entry.fileName, byteCount, sha256: `sha256-${hash.digest('base64')}`, findings };
}

interface Inner {
  first: boolean;
  kind: 'PLAIN' | 'ZIP' | 'GZIP';
  chunks: Buffer[];
  byteCount: number;
}

async function takeInner(
  inner: Inner,
  chunk: Buffer,
  gunzip: ReturnType<typeof createGunzip>,
  hasFailed: () => boolean,
): Promise<void> {
  if (inner.first) {
    if (chunk.toString('latin1', 0, 4) === zipMark) inner.kind = 'ZIP';
    if (chunk.toString('latin1', 0, 2) === gzipMark) inner.kind = 'GZIP';
    inner.first = false;
  }
  inner.byteCount += chunk.length;
  if (inner.kind === 'ZIP' && inner.byteCount <= maxNestedBytes) inner.chunks.push(chunk);
  if (inner.kind !== 'GZIP' || hasFailed() || gunzip.write(chunk)) return;
  await new Promise<void>((resolve) => {
    gunzip.once('drain', resolve);
    gunzip.once('error', () => resolve());
  });
}

async function ended(gunzip: ReturnType<typeof createGunzip>, hasFailed: () => boolean): Promise<void> {
  if (hasFailed()) return;
  await new Promise<void>((resolve) => {
    gunzip.once('end', resolve);
    gunzip.once('error', () => resolve());
    gunzip.end();
  });
}

async function scanNested(inner: Inner, depth: number): Promise<readonly Finding[]> {
  const unreadable: Finding = { kind: 'UNREADABLE', offset: 0, through: ['zip'] };
  if (inner.byteCount > maxNestedBytes || depth >= maxNesting) return [unreadable];
  try {
    const zip = await yauzl.fromBufferPromise(Buffer.concat(inner.chunks), { decodeStrings: true });
    const found: Finding[] = [];
    for await (const entry of entriesOf(zip)) {
      const { findings } = await scanEntry(zip, entry, depth + 1);
      found.push(...findings.map((finding) => ({ ...finding, through: ['zip' as const, ...finding.through] })));
    }
    return found;
  } catch {
    return [unreadable];
  }
}
