import { createHash } from 'node:crypto';
import type { JournalHead } from '../domain/records.ts';

/** What a journal row is about. */
export type RowKind = 'TRANSACTION' | 'TASK' | 'DAY_CLOSE' | 'SETTLEMENT';

/** A journal row without its hashes. `body` is the canonical JSON of the whole record, kept as text: each byte of it is covered. */
export interface JournalEntry {
  readonly seq: number;
  readonly at: string;
  readonly kind: RowKind;
  readonly subjectId: string;
  readonly terminalId: string;
  readonly actor: string;
  readonly body: string;
}

/** Head of an empty journal. */
export const GENESIS: JournalHead = { sequence: 0, hash: '0'.repeat(64) };

/** SHA-256 over the previous hash (its 64 hex characters) and the canonical JSON of the row, in lower-case hex. */
export function chainHash(previousHash: string, entry: JournalEntry): string {
  const { seq, at, kind, subjectId, terminalId, actor, body } = entry;
  return (
    createHash('sha256')
      .update(previousHash)
      // Written in the order of RFC 8785: texts and one integer are canonical as JSON.stringify gives them.
      .update(JSON.stringify({ actor, at, body, kind, seq, subjectId, terminalId }))
      .digest('hex')
  );
}
