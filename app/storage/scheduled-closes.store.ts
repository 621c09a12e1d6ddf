import type { ScheduledCloseRecord } from '../domain/close-schedule.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { ReadHandle, WriteHandle } from './database.ts';

/** Reads of the newest scheduled close of each terminal. */
export function createScheduledCloseReader(handle: ReadHandle): Pick<JournalReader, 'scheduledClose'> {
  const one = handle.read<{ body: string }>('SELECT body FROM scheduled_closes WHERE terminal_id = ?');
  return {
    scheduledClose(terminalId) {
      const row = one.get(terminalId);
      return row === undefined ? undefined : (JSON.parse(row.body) as ScheduledCloseRecord);
    },
  };
}

/** Writes of the scheduled closes; used only inside a commit. */
export function createScheduledCloseWriter(handle: WriteHandle): Pick<JournalUnit, 'saveScheduledClose'> {
  const save = handle.write(
    'INSERT INTO scheduled_closes (terminal_id, body) VALUES (?, ?) ON CONFLICT (terminal_id) DO UPDATE SET body = excluded.body',
  );
  return {
    saveScheduledClose(record) {
      save.run(record.terminalId, JSON.stringify(record));
    },
  };
}
