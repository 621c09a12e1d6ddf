import type { JournalDatabase } from './database.ts';
import { journalUnavailable } from './failures.ts';
import type { Migration } from './migration.ts';
import { journal001 } from './migrations/001-journal.ts';
import { staff002 } from './migrations/002-staff.ts';
import { search003 } from './migrations/003-search.ts';
import { clientKeys004 } from './migrations/004-client-keys.ts';
import { day005 } from './migrations/005-day.ts';
import { searchIndexes006 } from './migrations/006-search-indexes.ts';
import { printJobs007 } from './migrations/007-print-jobs.ts';
import { starters008 } from './migrations/008-starters.ts';
import { outbox009 } from './migrations/009-outbox.ts';
import { outboxSettled010 } from './migrations/010-outbox-settled.ts';
import { externalRecords011 } from './migrations/011-external-records.ts';
import { hostClients012 } from './migrations/012-host-clients.ts';
import { paymentSessions013 } from './migrations/013-payment-sessions.ts';
import { tipCaptures015 } from './migrations/015-tip-captures.ts';
import { deferredAuthorizations016 } from './migrations/016-deferred-authorizations.ts';

/** Every migration, oldest first; a number is never used twice, and none comes below one that a till may have run. */
export const migrations: readonly Migration[] = [
  journal001,
  staff002,
  search003,
  clientKeys004,
  day005,
  searchIndexes006,
  printJobs007,
  starters008,
  outbox009,
  outboxSettled010,
  externalRecords011,
  hostClients012,
  paymentSessions013,
  tipCaptures015,
  deferredAuthorizations016,
];

/**
 * Brings the schema to the newest version this program knows, each step in one transaction.
 * @throws BridgeError JOURNAL_UNAVAILABLE for a file that a newer program has written: it is left as it is.
 */
export function migrate(database: JournalDatabase, steps: readonly Migration[] = migrations): void {
  const newest = steps.at(-1)?.version ?? 0;
  const found = versionOf(database);
  if (found > newest) {
    throw journalUnavailable(
      `its version ${found} is newer than the ${newest} that this program knows; install the newer program`,
    );
  }
  for (const step of steps) {
    if (step.version <= found) continue;
    database.transaction(() => {
      // Another program may have been faster: the version is read again under the write lock.
      if (versionOf(database) >= step.version) return;
      database.script(step.sql);
      database.script(`PRAGMA user_version = ${step.version}`);
    });
  }
}

export function versionOf(database: Pick<JournalDatabase, 'read'>): number {
  return database.read<{ user_version: number }>('PRAGMA user_version').get()?.user_version ?? 0;
}
