// The book on disk: one JSON object a line. What happens in one turn of the event loop is synced together, and nothing of it is told before.
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { takeLock } from './book-lock.ts';
import type { BookEntry, StoredEntry } from './entries.ts';

/** A book that cannot be used, in a sentence for the person who started the simulator. */
class BookError extends Error {
  override readonly name = 'BookError';
}

export interface BookFile {
  readonly path: string;
  /** what stood in the file when it was opened */
  readonly initialEntries: readonly StoredEntry[];
  /** Writes an entry; it is on the medium when `afterSync` callbacks that were given later are called. */
  append(entry: BookEntry, at: string): StoredEntry;
  /** Calls back when everything that was appended before is on the medium. */
  afterSync(callback: () => void): void;
  /** reads the entries again from the file */
  read(): readonly StoredEntry[];
  close(): void;
}

export interface BookDeps {
  readonly nowIso: () => string;
  /** The disk refuses: the simulator must end, since its book no longer tells the truth. */
  readonly onFatal: (error: unknown) => void;
}

/**
 * Opens or creates a book. A last line that a kill left unfinished was never told to anybody and is cut off.
 * @throws BookError when another program holds it, or a line is damaged
 */
export function openBook(path: string, deps: BookDeps): BookFile {
  const lock = takeLock(path);
  if (!lock.ok) throw new BookError(`The book ${path} is in use by process ${lock.holderPid}.`);
  try {
    return openLocked(path, deps, lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openLocked(path: string, { nowIso, onFatal }: BookDeps, release: () => void): BookFile {
  const handle = openSync(path, 'a+');
  cutUnfinishedLine(path, handle);
  const found = readEntries(path);
  let sequence = found.length;
  let lines: string[] = [];
  let callbacks: (() => void)[] = [];
  let turn: NodeJS.Immediate | undefined;

  const write = () => {
    if (lines.length === 0) return;
    const bytes = Buffer.from(lines.join(''));
    lines = [];
    for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written);
    fsyncSync(handle);
  };
  const endTurn = () => {
    turn = undefined;
    try {
      write();
    } catch (error) {
      onFatal(error);
      return;
    }
    const due = callbacks;
    callbacks = [];
    for (const callback of due) callback();
  };
  const schedule = () => {
    turn ??= setImmediate(endTurn);
  };
  const append = (entry: BookEntry, at: string): StoredEntry => {
    sequence++;
    const stored: StoredEntry = { sequence, at, ...entry };
    lines.push(`${JSON.stringify(stored)}\n`);
    schedule();
    return stored;
  };
  const initialEntries = found.length > 0 ? found : [append({ kind: 'OPENED', version: 1 }, nowIso())];
  if (found.length === 0) {
    write();
    syncFolder(path);
  }
  return {
    path,
    initialEntries,
    append,
    afterSync(callback) {
      callbacks.push(callback);
      schedule();
    },
    read() {
      write();
      return readEntries(path);
    },
    close() {
      clearImmediate(turn);
      write();
      closeSync(handle);
      release();
    },
  };
}

function cutUnfinishedLine(path: string, handle: number): void {
  const content = readFileSync(path);
  const end = content.lastIndexOf(0x0a) + 1;
  if (end < content.length) ftruncateSync(handle, end);
}

/** Reads every whole line. @throws BookError naming the first damaged line */
function readEntries(path: string): readonly StoredEntry[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line, index) => {
    const entry = parseLine(line);
    if (entry?.sequence !== index + 1) throw new BookError(`Line ${index + 1} of the book ${path} is damaged.`);
    return entry;
  });
}

function parseLine(line: string): StoredEntry | undefined {
  try {
    return JSON.parse(line) as StoredEntry;
  } catch {
    return undefined;
  }
}

/** A new file's name is safe only when its folder is on the medium too. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
