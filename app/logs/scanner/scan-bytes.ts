import { detectPackedDigits } from './binary-digits.ts';
import { blobsOf, isReadable } from './blobs.ts';
import { decompressedIn } from './decompress.ts';
import { detect, kindOfByteCount } from './detectors.ts';
import type { Encoding, Finding } from './finding.ts';
import { viewsOf } from './text-views.ts';

/** Encodings within each other that are followed. */
const maxDepth = 5;
/** Findings of one scan; more would not say more. */
const maxFindings = 100;
/** Bytes that are no text: only among them packed digits are looked for outside of an encoding. */
const controls = /[^\P{Cc}\t\n\r]/u;

/** Looks for card data and keys in these bytes, through every encoding that is known. `offset`: where they begin. */
export function scanBytes(bytes: Buffer, offset = 0): readonly Finding[] {
  const findings: Finding[] = [];
  scan({ bytes, text: bytes.toString('latin1'), at: (index) => offset + index, through: [], isAlone: false }, findings);
  return findings;
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

function scan(piece: Piece, findings: Finding[]): void {
  const { text, through } = piece;
  const report = (kind: Finding['kind'], index: number) => {
    if (findings.length < maxFindings) findings.push({ kind, offset: piece.at(index), through });
  };
  const isText = piece.bytes === undefined || !piece.isAlone || isReadable(piece.bytes);
  if (isText) detect(text, report);
  if (piece.bytes !== undefined && (piece.isAlone || controls.test(text))) detectPackedDigits(piece.bytes, report);
  if (through.length >= maxDepth) return;
  for (const { encoding, text: rewritten } of isText ? viewsOf(text) : []) {
    const begin = piece.at(0);
    scan({ text: rewritten, at: () => begin, through: [...through, encoding], isAlone: false }, findings);
  }
  for (const { encoding, index, bytes } of isText ? blobsOf(text) : []) {
    scanInner(piece, bytes, index, encoding, findings);
    const kind = encoding === 'hex' && isSpaced(text, index) ? kindOfByteCount(bytes.length) : undefined;
    if (kind !== undefined) report(kind, index);
  }
  if (piece.bytes === undefined) return;
  for (const { encoding, index, bytes, isWhole } of decompressedIn(piece.bytes, text, piece.isAlone)) {
    if (!isWhole) report('UNREADABLE', index);
    scanInner(piece, bytes, index, encoding, findings);
  }
}

function scanInner(outer: Piece, bytes: Buffer, index: number, encoding: Encoding, findings: Finding[]): void {
  const begin = outer.at(index);
  const through = [...outer.through, encoding];
  scan({ bytes, text: bytes.toString('latin1'), at: () => begin, through, isAlone: true }, findings);
}

/** Pairs of hexadecimal digits with something between them; without it the token itself has been judged. */
function isSpaced(text: string, index: number): boolean {
  return /^[0-9A-Fa-f]{2}[\s:,-]/.test(text.slice(index, index + 3));
}
