// The book on disk: one JSON object a line, each line on the medium before anything that follows from it leaves the terminal.
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { acquireLock } from './book-lock.ts';
import type { BookEntry, BookProtocol, OpenedEntry, Stored } from './entries.ts';

/** A book that cannot be used, in a sentence for the person who started the terminal. */
class BookError extends Error {
  override readonly name = 'BookError';
}

/** @typeParam Entry what the terminal of this protocol writes */
export interface BookFile<Entry = BookEntry> {
  readonly path: string;
  /** what stood in the file when it was opened */
  readonly initialEntries: readonly Stored<Entry>[];
  /**
   * Writes an entry and waits until it is on the medium.
   * @throws when the disk refuses; the terminal must then stop, since its book no longer tells the truth
   */
  append(entry: Entry, at: string): Stored<Entry>;
  /** reads the entries again from the file */
  read(): readonly Stored<Entry>[];
  close(): void;
}

interface BookOwner {
  readonly terminalId: string;
  readonly currency: string;
  readonly protocol?: BookProtocol;
}

/**
 * Opens or creates a book. A last line that a kill or a power cut left unfinished was never visible to anybody and is cut off.
 * @throws BookError when another program holds it, when a line is damaged, or when it belongs to another currency
 * or protocol
 */
export function openBook<Entry = BookEntry>(
  path: string,
  owner: BookOwner,
  now: () => string,
): BookFile<Entry | OpenedEntry> {
  const lock = acquireLock(path);
  if (!lock.ok) throw new BookError(`The book ${path} is in use by process ${lock.holderPid}.`);
  try {
    return openLocked<Entry>(path, owner, now, lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openLocked<Entry>(
  path: string,
  owner: BookOwner,
  now: () => string,
  release: () => void,
): BookFile<Entry | OpenedEntry> {
  const isNew = !existsSync(path);
  const handle = openSync(path, 'a+');
  cutUnfinishedLine(path, handle);
  const initialEntries = readEntries<Entry | OpenedEntry>(path);
  let sequence = initialEntries.length;
  const append = (entry: Entry | OpenedEntry, at: string): Stored<Entry | OpenedEntry> => {
    const stored: Stored<Entry | OpenedEntry> = { sequence: sequence + 1, at, ...entry };
    const line = Buffer.from(`${JSON.stringify(stored)}\n`);
    let written = 0;
    while (written < line.length) written += writeSync(handle, line, written);
    fsyncSync(handle);
    sequence++;
    return stored;
  };
  const opened = readEntries<OpenedEntry>(path).find(({ kind }) => kind === 'OPENED');
  const refusal = opened === undefined ? undefined : refusalFor(opened, owner);
  if (refusal !== undefined) {
    closeSync(handle);
    throw new BookError(`The book ${path} is kept ${refusal}.`);
  }
  if (isNew) syncFolder(path);
  return {
    path,
    initialEntries: opened === undefined ? [append({ kind: 'OPENED', version: 1, ...owner }, now())] : initialEntries,
    append,
    read: () => readEntries(path),
    close: () => {
      closeSync(handle);
      release();
    },
  };
}

function refusalFor(opened: OpenedEntry, { currency, protocol }: BookOwner): string | undefined {
  if (opened.currency !== currency) return `in ${opened.currency}, not in ${currency}`;
  return opened.protocol === protocol ? undefined : 'by a terminal of another protocol';
}

function cutUnfinishedLine(path: string, handle: number): void {
  const content = readFileSync(path);
  const end = content.lastIndexOf(0x0a) + 1;
  if (end < fstatSync(handle).size) ftruncateSync(handle, end);
}

/** Reads every whole line. @throws BookError naming the first damaged line */
function readEntries<Entry>(path: string): readonly Stored<Entry>[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line, index) => {
    const entry = parseLine<Entry>(line);
    if (entry?.sequence !== index + 1) throw new BookError(`Line ${index + 1} of the book ${path} is damaged.`);
    return entry;
  });
}

function parseLine<Entry>(line: string): Stored<Entry> | undefined {
  try {
    return JSON.parse(line) as Stored<Entry>;
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
