import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface RotatingFileOptions {
  /** The current file, e.g. `…/till.log`; older ones are `till.1.log`, `till.2.log` … beside it. */
  readonly path: string;
  readonly maxFileBytes: number;
  /** Files that are kept, the current one included; at least 1. */
  readonly maxFiles: number;
  /** Called once when the disk begins to refuse, and again only after a line could be written in between. */
  readonly onLost: (reason: string) => void;
}

export interface RotatingFile {
  write(line: string): void;
  close(): void;
}

/**
 * A file of lines that never outgrows maxFileBytes × maxFiles. Each line is written before the call returns, so the last lines before a crash
 * are there; the till writes a few lines per payment, which a worker thread would only make harder to keep.
 */
export function openRotatingFile(options: RotatingFileOptions): RotatingFile {
  mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
  let file = openForAppend(options.path);
  let closed = false;
  let isLosing = false;

  function rotate(): void {
    closeSync(file.descriptor);
    file = { descriptor: -1, byteCount: 0 };
    shift(options.path, options.maxFiles);
    file = openForAppend(options.path);
  }

  function append(line: string): void {
    if (file.descriptor === -1) file = openForAppend(options.path);
    const bytes = Buffer.from(line);
    if (file.byteCount > 0 && file.byteCount + bytes.length > options.maxFileBytes) rotate();
    file.byteCount += writeSync(file.descriptor, bytes);
  }

  return {
    write(line) {
      if (closed) return;
      try {
        append(line);
        isLosing = false;
      } catch (error) {
        if (!isLosing) options.onLost(error instanceof Error ? error.message : 'unknown');
        isLosing = true;
      }
    },
    close() {
      if (!closed && file.descriptor !== -1) closeSync(file.descriptor);
      closed = true;
    },
  };
}

interface OpenFile {
  readonly descriptor: number;
  byteCount: number;
}

function openForAppend(path: string): OpenFile {
  const descriptor = openSync(path, 'a', 0o600);
  return { descriptor, byteCount: fstatSync(descriptor).size };
}

/** till.log → till.1.log → till.2.log …; the oldest is removed. */
function shift(path: string, maxFiles: number): void {
  rmSync(numbered(path, maxFiles - 1), { force: true });
  for (let index = maxFiles - 2; index >= 0; index -= 1) {
    if (existsSync(numbered(path, index))) renameSync(numbered(path, index), numbered(path, index + 1));
  }
}

function numbered(path: string, index: number): string {
  return index === 0 ? path : path.replace(/(\.[^./\\]*)?$/, (extension) => `.${index}${extension}`);
}
