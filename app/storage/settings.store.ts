import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { ReadHandle, WriteHandle } from './database.ts';

/** Reads of the small named values that the till keeps beside its journal. */
export function createSettingReader(handle: ReadHandle): Pick<JournalReader, 'setting'> {
  const find = handle.read<{ value: string }>('SELECT value FROM settings WHERE name = ?');
  return { setting: (name) => find.get(name)?.value };
}

export function createSettingWriter(handle: WriteHandle): Pick<JournalUnit, 'saveSetting'> {
  const save = handle.write(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  return {
    saveSetting(name, value) {
      save.run(name, value);
    },
  };
}
