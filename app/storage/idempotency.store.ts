import type { IdempotencyEntry } from '../domain/records.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import { instantText } from './cursor.ts';
import type { ReadHandle, WriteHandle } from './database.ts';
import { holdIsOpen } from './transactions.store.ts';

interface Stored {
  scope: string;
  key: string;
  body_hash: string;
  subject_id: string;
  created_at: string;
  status_code: number | null;
  answer: string | null;
}

/** Reads of the answers kept under their Idempotency-Key. */
export function createIdempotencyReader(handle: ReadHandle): Pick<JournalReader, 'findIdempotency'> {
  const find = handle.read<Stored>(
    'SELECT scope, key, body_hash, subject_id, created_at, status_code, answer FROM idempotency WHERE scope = ? AND key = ?',
  );
  return {
    findIdempotency(scope, key) {
      const row = find.get(scope, key);
      return row === undefined ? undefined : entryOf(row);
    },
  };
}

function entryOf(row: Stored): IdempotencyEntry {
  const { scope, key, body_hash: bodyHash, subject_id: subjectId, created_at: createdAt } = row;
  const entry = { scope, key, bodyHash, subjectId, createdAt };
  if (row.status_code === null || row.answer === null) return entry;
  return { ...entry, answer: { statusCode: row.status_code, body: row.answer } };
}

type IdempotencyWriter = Pick<
  JournalUnit,
  'reserveIdempotency' | 'saveAnswer' | 'releaseIdempotency' | 'expireIdempotency'
>;

/**
 * Subjects that still need their key: open, of unknown outcome, not settled, or a hold that is still open. A transaction that moved nothing has
 * nothing to settle (decisions: Idempotency-Key, "never dropped while unresolved or unsettled").
 */
const neededSubjects = `
  SELECT transaction_id FROM transactions AS kept WHERE kept.transaction_id = idempotency.subject_id AND kept.held = 1 AND (
    kept.state <> 'APPROVED'
    OR NOT EXISTS (SELECT 1 FROM settlements AS closed WHERE closed.terminal_id = kept.terminal_id AND closed.batch_number = kept.batch_number)
    OR (kept.type = 'PRE_AUTH' AND kept.mode = 'ORCHESTRATED' AND ${holdIsOpen('kept')})
  )
  UNION ALL SELECT day_close_id FROM day_closes WHERE day_close_id = idempotency.subject_id AND state IN ('INTENT', 'UNKNOWN')
  UNION ALL SELECT subject_id FROM recovery_tasks WHERE subject_id = idempotency.subject_id AND state <> 'RESOLVED'`;

/** Writes of the answers; used only inside a commit. They are no money, so they are in no journal row. */
export function createIdempotencyWriter(handle: WriteHandle): IdempotencyWriter {
  const insert = handle.write(
    'INSERT INTO idempotency (scope, key, body_hash, subject_id, created_at, status_code, answer) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const answer = handle.write('UPDATE idempotency SET status_code = ?, answer = ? WHERE subject_id = ?');
  const release = handle.write('DELETE FROM idempotency WHERE subject_id = ?');
  const expire = handle.write(
    `DELETE FROM idempotency WHERE created_at < ? AND answer IS NOT NULL AND NOT EXISTS (${neededSubjects})`,
  );
  return {
    reserveIdempotency(entry) {
      const { scope, key, bodyHash, subjectId, createdAt } = entry;
      insert.run(
        scope,
        key,
        bodyHash,
        subjectId,
        createdAt,
        entry.answer?.statusCode ?? null,
        entry.answer?.body ?? null,
      );
    },
    saveAnswer(subjectId, { statusCode, body }) {
      answer.run(statusCode, body, subjectId);
    },
    releaseIdempotency(subjectId) {
      release.run(subjectId);
    },
    expireIdempotency: (beforeIso) => expire.run(instantText(beforeIso, 'before')),
  };
}
