import { join } from 'node:path';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import { journalFileName } from './create-journal.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { createOutboxReader } from './outbox.store.ts';
import { createSettingReader, createSettingWriter } from './settings.store.ts';
import { createStaffWriter } from './staff.store.ts';

/** The small named values of a data folder, and what its host is owed. */
export interface TillSettings
  extends Pick<JournalReader, 'setting' | 'openOutboxItems'>,
    Pick<JournalUnit, 'saveSetting' | 'appendAudit'> {
  close(): void;
}

/**
 * For a program that works beside a running till (pair): it takes no lock, and writes no journal row.
 * @throws BridgeError JOURNAL_UNAVAILABLE
 */
export function openTillSettings(dataDir: string): TillSettings {
  const database = openDatabase(join(dataDir, journalFileName));
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  const { saveSetting } = createSettingWriter(database);
  const { appendAudit } = createStaffWriter(database);
  return {
    ...createSettingReader(database),
    openOutboxItems: createOutboxReader(database).openOutboxItems,
    saveSetting: (name, value) => database.transaction(() => saveSetting(name, value)),
    appendAudit: (entry) => database.transaction(() => appendAudit(entry)),
    close: database.close,
  };
}
