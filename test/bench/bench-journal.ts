import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/project-root.ts';
import type { HistoryOptions } from '../support/shop-history.ts';
import { writeHistory } from '../support/write-history.ts';

/** Rises with each change of what the generator writes. */
const generation = 1;
/** Kept between runs, ignored by git. */
const folder = join(projectRoot, '.setup', 'bench-journals');

/** The benchmark's history: three years of one busy lane at a million transactions. */
export function benchHistory(transactions: number): HistoryOptions {
  return {
    ...{ seed: 4, transactions, terminalId: 'TRAINING-1' },
    ...{ endsAtMs: Date.UTC(2026, 10, 20, 20), transactionsPerDay: 900 },
  };
}

/** A folder with a journal of so many transactions, copied to `target` so that what a run adds to it stays in the run. */
export function copyBenchJournal(transactions: number, target: string, say: (text: string) => void): void {
  const made = join(folder, `${transactions}-${generation}`);
  if (!existsSync(made)) {
    say(`writing a journal of ${transactions.toLocaleString('en')} transactions; kept for the next run`);
    const unfinished = `${made}.tmp`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    writeHistory(unfinished, benchHistory(transactions));
    renameSync(unfinished, made);
  }
  cpSync(made, target, { recursive: true });
}
