// The book on disk: one JSON object a line, each line on the medium before anything that follows from it leaves the terminal.
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { acquireLock } from './book-lock.ts';
import type { BookEntry, StoredEntry } from './entries.ts';

/** A book that cannot be used, in a sentence for the person who started the terminal. */
class BookError extends Error {
  override readonly name = 'BookError';
}

export interface BookFile {
  readonly path: string;
  /** what stood in the file when it was opened */
  readonly initialEntries: readonly StoredEntry[];
  /**
   * Writes an entry and waits until it is on the medium.
   * @throws when the disk refuses; the terminal must then stop, since its book no longer tells the truth
   */
  append(entry: BookEntry, at: string): StoredEntry;
  /** reads the entries again from the file */
  read(): readonly StoredEntry[];
  close(): void;
}

/**
 * Opens or creates a book. A last line that a kill or a power cut left unfinished was never visible to anybody and is cut off.
 * @throws BookError when another program holds it, when a line is damaged, or when it belongs to another currency
 */
export function openBook(
  path: string,
  terminal: { readonly terminalId: string; readonly currency: string },
  now: () => string,
): BookFile {
  const lock = acquireLock(path);
  if (!lock.ok) throw new BookError(`The book ${path} is in use by process ${lock.holderPid}.`);
  try {
    return openLocked(path, terminal, now, lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openLocked(
  path: string,
  { terminalId, currency }: { readonly terminalId: string; readonly currency: string },
  now: () => string,
  release: () => void,
): BookFile {
  const isNew = !existsSync(path);
  const handle = openSync(path, 'a+');
  cutUnfinishedLine(path, handle);
  const initialEntries = readEntries(path);
  let sequence = initialEntries.length;
  const append = (entry: BookEntry, at: string): StoredEntry => {
    const stored: StoredEntry = { sequence: sequence + 1, at, ...entry };
    const line = Buffer.from(`${JSON.stringify(stored)}\n`);
    let written = 0;
    while (written < line.length) written += writeSync(handle, line, written);
    fsyncSync(handle);
    sequence++;
    return stored;
  };
  const opened = initialEntries.find((entry) => entry.kind === 'OPENED');
  if (opened !== undefined && opened.currency !== currency) {
    closeSync(handle);
    throw new BookError(`The book ${path} is kept in ${opened.currency}, not in ${currency}.`);
  }
  if (isNew) syncFolder(path);
  return {
    path,
    initialEntries:
      opened === undefined ? [append({ kind: 'OPENED', version: 1, terminalId, currency }, now())] : initialEntries,
    append,
    read: () => readEntries(path),
    close: () => {
      closeSync(handle);
      release();
    },
  };
}

function cutUnfinishedLine(path: string, handle: number): void {
  const content = readFileSync(path);
  const end = content.lastIndexOf(0x0a) + 1;
  if (end < fstatSync(handle).size) ftruncateSync(handle, end);
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
