import { canonicalJson } from '../domain/canonical-json.ts';
import type { JournalHead } from '../domain/records.ts';
import { chainHash, GENESIS, type JournalEntry, type RowKind } from './chain.ts';
import type { ReadHandle, WriteHandle } from './database.ts';
import type { Projection } from './projections.ts';

interface StoredEntry {
  seq: number;
  at: string;
  kind: RowKind;
  subject_id: string;
  terminal_id: string;
  actor: string;
  body: string;
  prev_hash: string;
  hash: string;
}

const selectEntries = 'SELECT seq, at, kind, subject_id, terminal_id, actor, body, prev_hash, hash FROM journal';

/**
 * In a SELECT from a projection: the record as its newest journal row holds it. It is stored once; a projection holds only what is searched by, so
 * that a revision writes few pages and the chain covers all that is read.
 */
export const newestBody = '(SELECT body FROM journal WHERE seq = last_seq) AS body';

/** A journal row with its place in the chain. */
export interface ChainedEntry extends JournalEntry {
  readonly prevHash: string;
  readonly hash: string;
}

/** The newest row; undefined in an empty journal. */
export function newestEntry(handle: ReadHandle): ChainedEntry | undefined {
  const row = handle.read<StoredEntry>(`${selectEntries} ORDER BY seq DESC LIMIT 1`).get();
  return row === undefined ? undefined : entryOf(row);
}

/** Every row, oldest first. */
export function* allEntries(handle: ReadHandle): IterableIterator<ChainedEntry> {
  for (const row of handle.read<StoredEntry>(`${selectEntries} ORDER BY seq`).iterate()) yield entryOf(row);
}

/** Hash of one row; undefined when there is none. Sequence 0 is the start of the chain. */
export function hashAt(handle: ReadHandle, sequence: number): string | undefined {
  if (sequence === GENESIS.sequence) return GENESIS.hash;
  return handle.read<{ hash: string }>('SELECT hash FROM journal WHERE seq = ?').get(sequence)?.hash;
}

function entryOf(row: StoredEntry): ChainedEntry {
  const { seq, at, kind, actor, body, hash } = row;
  return {
    seq,
    at,
    kind,
    subjectId: row.subject_id,
    terminalId: row.terminal_id,
    actor,
    body,
    prevHash: row.prev_hash,
    hash,
  };
}

/** Who and where of a row that is to be written. */
interface RowContext {
  readonly subjectId: string;
  readonly terminalId: string;
  readonly actor: string;
  /** 1 inserts; n replaces revision n − 1. */
  readonly revision: number;
}

export interface JournalWriter {
  head(): JournalHead;
  /** Back to what is on disk, after a roll-back. */
  rewind(head: JournalHead): void;
  /**
   * Writes a record: its projection, and the journal row that carries it.
   * @throws Error for a revision that does not follow the stored one: a lost update is a defect, not a merge.
   */
  append<T>(projection: Projection<T>, record: T, context: RowContext): void;
}

/** Appends to the chain. Used only inside a transaction. @param now the time that rows are stamped with, ISO 8601 UTC. */
export function createJournalWriter(handle: WriteHandle, start: JournalHead, now: () => string): JournalWriter {
  let head = start;
  const insert = handle.write(
    'INSERT INTO journal (seq, at, kind, subject_id, terminal_id, actor, body, prev_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  return {
    head: () => head,
    rewind: (to) => {
      head = to;
    },
    append(projection, record, context) {
      const seq = head.sequence + 1;
      const body = canonicalJson(record);
      // The projection first: when a rule of the schema refuses it, no journal row without a projection is left behind.
      project(handle, projection, record, { seq, context });
      const { subjectId, terminalId, actor } = context;
      const entry: JournalEntry = { seq, at: now(), kind: projection.kind, subjectId, terminalId, actor, body };
      const hash = chainHash(head.hash, entry);
      insert.run(seq, entry.at, entry.kind, subjectId, terminalId, actor, body, head.hash, hash);
      head = { sequence: seq, hash };
    },
  };
}

function project<T>(
  handle: WriteHandle,
  projection: Projection<T>,
  record: T,
  row: { readonly seq: number; readonly context: RowContext },
): void {
  const { subjectId, revision } = row.context;
  const columns = projection.columnsOf(record);
  if (revision === 1) {
    const names = Object.keys(columns);
    const marks = names.map(() => ', ?').join('');
    handle
      .write(`INSERT INTO ${projection.table} (first_seq, last_seq, ${names.join(', ')}) VALUES (?, ?${marks})`)
      .run(row.seq, row.seq, ...Object.values(columns));
    return;
  }
  const changing = Object.entries(columns).filter(([name]) => !projection.fixedColumns.includes(name));
  const changed = handle
    .write(
      `UPDATE ${projection.table} SET last_seq = ?${changing.map(([name]) => `, ${name} = ?`).join('')} WHERE ${projection.idColumn} = ? AND revision = ?`,
    )
    .run(row.seq, ...changing.map(([, value]) => value), subjectId, revision - 1);
  if (changed !== 1)
    throw new Error(`${projection.kind} ${subjectId}: revision ${revision} does not follow the stored one`);
}

/** How many rows the journal has, as far as its newest says. */
export function journalRows(handle: ReadHandle): number {
  return handle.read<{ rows: number | null }>('SELECT max(seq) AS rows FROM journal').get()?.rows ?? 0;
}
