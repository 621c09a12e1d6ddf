import { join } from 'node:path';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import { journalFileName } from './create-journal.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { createClientReader, createClientWriter } from './pos-clients.store.ts';

export interface PosClients
  extends Pick<JournalReader, 'listClients' | 'findClientByKeyHash'>,
    Pick<JournalUnit, 'saveClient'> {
  close(): void;
}

/**
 * The POS clients of a data folder, for a program that works beside a running till (keys): it takes no lock, and writes no journal row.
 * @throws BridgeError JOURNAL_UNAVAILABLE
 */
export function openPosClients(dataDir: string): PosClients {
  const database = openDatabase(join(dataDir, journalFileName));
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  const { saveClient } = createClientWriter(database);
  return {
    ...createClientReader(database),
    saveClient: (client) => database.transaction(() => saveClient(client)),
    close: database.close,
  };
}
