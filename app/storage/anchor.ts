import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalHead } from '../domain/records.ts';
import { journalUnavailable } from './failures.ts';

/** Name of the anchor in the data folder. */
const anchorFileName = 'journal.head';
/** Width of the sequence number: the digits of 2^53 − 1. Every anchor has the same length and is replaced in place by one write. */
const SEQUENCE_DIGITS = 16;

/** The head as the file holds it: `0000000000000042 <hash>` and a line feed. */
export function anchorText(head: JournalHead): string {
  return `${String(head.sequence).padStart(SEQUENCE_DIGITS, '0')} ${head.hash}\n`;
}

/** The head that the folder's anchor names; undefined without one, `damaged` when its text is none. */
export function readAnchor(dataDir: string): JournalHead | 'damaged' | undefined {
  let text: string;
  try {
    text = readFileSync(join(dataDir, anchorFileName), 'latin1');
  } catch {
    return undefined;
  }
  const parts = /^(\d{16}) ([0-9a-f]{64})\n$/.exec(text);
  if (parts === null) return 'damaged';
  return { sequence: Number(parts[1]), hash: parts[2] ?? '' };
}

export interface Anchor {
  /** Names the head of a commit that is on disk. Not fsynced: it may lag after a power cut, it never leads. @throws for a failing disk */
  write(head: JournalHead): void;
  close(): void;
}

/** Opens the anchor for writing and stores `head` in it durably. @throws BridgeError JOURNAL_UNAVAILABLE */
export function openAnchor(dataDir: string, head: JournalHead): Anchor {
  try {
    return open(dataDir, head);
  } catch (error) {
    throw journalUnavailable(`${anchorFileName} cannot be written in ${dataDir}`, error);
  }
}

function open(dataDir: string, head: JournalHead): Anchor {
  const descriptor = openSync(join(dataDir, anchorFileName), writeFlags(dataDir), 0o600);
  const write = (next: JournalHead) => {
    writeSync(descriptor, anchorText(next), 0, 'latin1');
  };
  write(head);
  fsyncSync(descriptor);
  return {
    write,
    close: () => {
      fsyncSync(descriptor);
      closeSync(descriptor);
    },
  };
}

/** An anchor of the right length is written over in place; anything else is made anew. */
function writeFlags(dataDir: string): 'r+' | 'w' {
  try {
    const descriptor = openSync(join(dataDir, anchorFileName), 'r');
    try {
      return fstatSync(descriptor).size === anchorText({ sequence: 0, hash: '0'.repeat(64) }).length ? 'r+' : 'w';
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return 'w';
  }
}
