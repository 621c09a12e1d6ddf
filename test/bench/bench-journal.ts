import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { journalFileName } from '../../app/storage/create-journal.ts';
import { openDatabase } from '../../app/storage/database.ts';
import { migrate } from '../../app/storage/migrate.ts';
import { projectRoot } from '../support/project-root.ts';
import type { HistoryOptions } from '../support/shop-history.ts';
import { writeHistory } from '../support/write-history.ts';

/** Rises with each change of what the generator writes. */
const generation = 1;
/** Kept between runs, ignored by git. */
const folder = join(projectRoot, '.setup', 'bench-journals');

/** The benchmark's history: three years of one busy lane at a million transactions. */
function benchHistory(transactions: number): HistoryOptions {
  return {
    ...{ seed: 4, transactions, terminalId: 'TRAINING-1' },
    ...{ endsAtMs: Date.UTC(2026, 10, 20, 20), transactionsPerDay: 900 },
  };
}

/** The folder of a journal of so many transactions, made once and brought to the newest schema; to be read only. */
export function benchJournal(transactions: number, say: (text: string) => void): string {
  const made = join(folder, `${transactions}-${generation}`);
  if (!existsSync(made)) {
    say(`writing a journal of ${transactions.toLocaleString('en')} transactions; kept for the next run`);
    const unfinished = `${made}.tmp`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    writeHistory(unfinished, benchHistory(transactions));
    renameSync(unfinished, made);
  }
  const database = openDatabase(join(made, journalFileName));
  migrate(database);
  database.close();
  return made;
}
