import { detectPackedDigits } from './binary-digits.ts';
import { blobsOfRun, isReadable, isSpacedHex, spacedHexOf } from './blobs.ts';
import { type CleanRuns, createCleanRuns } from './clean-runs.ts';
import { decompressedIn } from './decompress.ts';
import { detect, detectInRun, kindOfByteCount } from './detectors.ts';
import type { Encoding, Finding, Report } from './finding.ts';
import { eachRun } from './runs.ts';
import { viewsOf } from './text-views.ts';

/** Encodings within each other that are followed. */
const maxDepth = 5;
/** Findings of one scan; more would not say more. */
const maxFindings = 100;
/** Bytes that are no text: only among them packed digits are looked for outside of an encoding. */
const controls = /[^\P{Cc}\t\n\r]/u;

/**
 * Looks for card data and keys in these bytes, through every encoding that is known.
 * @param offset where they begin
 * @param clean what was looked into before, for whoever scans much of the same kind; it changes the time that a scan takes, not what it finds
 */
export function scanBytes(bytes: Buffer, offset = 0, clean = createCleanRuns()): readonly Finding[] {
  const findings: Finding[] = [];
  const text = bytes.toString('latin1');
  scan({ bytes, text, at: (index) => offset + index, through: [], isAlone: false }, { findings, clean });
  return findings;
}

interface Scan {
  readonly findings: Finding[];
  readonly clean: CleanRuns;
}

interface Piece {
  /** Absent for a text that was rewritten. */
  readonly bytes?: Buffer;
  readonly text: string;
  at(index: number): number;
  readonly through: readonly Encoding[];
  /** Came out of an encoding as one value. */
  readonly isAlone: boolean;
}

function scan(piece: Piece, to: Scan): void {
  const { bytes, text, through, isAlone } = piece;
  const report = (kind: Finding['kind'], index: number) => {
    if (!isFull(to)) to.findings.push({ kind, offset: piece.at(index), through });
  };
  if (isFull(to)) return;
  if (bytes === undefined || !isAlone || isReadable(bytes)) scanText(piece, report, to);
  if (bytes === undefined) return;
  if (isAlone || controls.test(text)) detectPackedDigits(bytes, report);
  if (through.length >= maxDepth) return;
  for (const { encoding, index, bytes: inner, isWhole } of decompressedIn(bytes, text, isAlone)) {
    if (!isWhole) report('UNREADABLE', index);
    scanInner(piece, inner, index, encoding, to);
  }
}

function scanText(piece: Piece, report: Report, to: Scan): void {
  const { text, through } = piece;
  detect(
    eachRun(text, (run, index) => scanRun(piece, run, index, report, to)),
    report,
  );
  if (through.length >= maxDepth) return;
  for (const { encoding, text: rewritten } of viewsOf(text)) {
    const begin = piece.at(0);
    scan({ text: rewritten, at: () => begin, through: [...through, encoding], isAlone: false }, to);
  }
  for (const { encoding, index, bytes } of spacedHexOf(text)) {
    scanInner(piece, bytes, index, encoding, to);
    const kind = isSpacedHex(text, index) ? kindOfByteCount(bytes.length) : undefined;
    if (kind !== undefined) report(kind, index);
  }
}

function scanRun(piece: Piece, run: string, index: number, report: Report, to: Scan): void {
  const depth = piece.through.length;
  if (to.clean.has(run, depth)) return;
  const before = to.findings.length;
  detectInRun(run, (kind, within) => report(kind, index + within));
  for (const blob of depth < maxDepth ? blobsOfRun(run) : []) {
    scanInner(piece, blob.bytes, index + blob.index, blob.encoding, to);
  }
  if (to.findings.length === before && !isFull(to)) to.clean.add(run, depth);
}

function scanInner(outer: Piece, bytes: Buffer, index: number, encoding: Encoding, to: Scan): void {
  const begin = outer.at(index);
  const through = [...outer.through, encoding];
  scan({ bytes, text: bytes.toString('latin1'), at: () => begin, through, isAlone: true }, to);
}

function isFull({ findings }: Scan): boolean {
  return findings.length >= maxFindings;
}
