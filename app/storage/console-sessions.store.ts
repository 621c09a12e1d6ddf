import type { ConsoleSession } from '../domain/staff.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { ReadHandle, WriteHandle } from './database.ts';

interface Stored {
  session_id: string;
  created_at: string;
  touched_at: string;
  staff_id: string | null;
}

/** Reads of the browsers that were let in. */
export function createConsoleSessionReader(handle: ReadHandle): Pick<JournalReader, 'listConsoleSessions'> {
  const all = handle.read<Stored>(
    'SELECT session_id, created_at, touched_at, staff_id FROM console_sessions ORDER BY touched_at, session_id',
  );
  return { listConsoleSessions: () => all.all().map(sessionOf) };
}

function sessionOf(row: Stored): ConsoleSession {
  return {
    sessionId: row.session_id,
    createdAt: row.created_at,
    touchedAt: row.touched_at,
    ...(row.staff_id === null ? {} : { staffId: row.staff_id }),
  };
}

/** Writes of the browsers that were let in; used only inside a commit. */
export function createConsoleSessionWriter(
  handle: WriteHandle,
): Pick<JournalUnit, 'saveConsoleSession' | 'forgetConsoleSession'> {
  const save = handle.write(
    `INSERT INTO console_sessions (session_id, created_at, touched_at, staff_id) VALUES (?, ?, ?, ?)
     ON CONFLICT (session_id) DO UPDATE SET touched_at = excluded.touched_at, staff_id = excluded.staff_id`,
  );
  const forget = handle.write('DELETE FROM console_sessions WHERE session_id = ?');
  return {
    saveConsoleSession({ sessionId, createdAt, touchedAt, staffId }) {
      save.run(sessionId, createdAt, touchedAt, staffId ?? null);
    },
    forgetConsoleSession(sessionId) {
      forget.run(sessionId);
    },
  };
}
