import { closeSync, openSync, writeSync } from 'node:fs';
import { closeFacts, settlementFacts, taskFacts } from '../app/logs/bundle/journal-facts.ts';
import { safeText } from '../app/logs/bundle/safe-text.ts';
import { transactionFacts } from '../app/logs/bundle/transaction-facts.ts';
import type { ReadHandle } from '../app/storage/database.ts';
import { createDayCloseReader } from '../app/storage/day-closes.store.ts';
import { journalRows } from '../app/storage/journal-rows.store.ts';
import { readBeside } from '../app/storage/read-beside.ts';
import { createTaskReader } from '../app/storage/recovery-tasks.store.ts';
import { createSettlementReader } from '../app/storage/settlements.store.ts';
import { createTransactionReader } from '../app/storage/transactions.store.ts';
import { verifyJournal } from '../app/storage/verify-journal.ts';

const pageRows = 100;

/** What the bundle takes from the journal beside the transactions, and how many rows that has. */
export interface JournalExtract {
  readonly rows: number;
  readonly openTasks: readonly object[];
  readonly openCloses: readonly object[];
  readonly settlements: readonly object[];
}

/** Reads one state of the journal. The transactions since a time go straight into a file, newest first: their number does not matter to memory. */
export function extractJournal(dataDir: string, transactionsPath: string, from: string): JournalExtract {
  return readBeside(dataDir, (handle) => {
    writeTransactions(handle, transactionsPath, from);
    return {
      rows: journalRows(handle),
      openTasks: createTaskReader(handle).openTasks().map(taskFacts),
      openCloses: createDayCloseReader(handle).openDayCloses().map(closeFacts),
      settlements: createSettlementReader(handle).listSettlements({ from, limit: pageRows }).rows.map(settlementFacts),
    };
  });
}

function writeTransactions(handle: ReadHandle, path: string, from: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const { listTransactions } = createTransactionReader(handle);
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = listTransactions({ from, limit: pageRows, ...(cursor === undefined ? {} : { cursor }) });
      writeSync(file, page.rows.map((record) => `${JSON.stringify(transactionFacts(record))}\n`).join(''));
      cursor = page.nextCursor;
    }
  } finally {
    closeSync(file);
  }
}

/** Whether the journal is as it was written. */
export function verification(dataDir: string, onProgress: (rows: number) => void) {
  const { ok, head, findings, checked } = verifyJournal(dataDir, [], onProgress);
  return {
    ok,
    rows: head.sequence,
    head: { sequence: head.sequence, hash: `sha256-${Buffer.from(head.hash, 'hex').toString('base64')}` },
    findings: findings.map(({ text }) => safeText(text)),
    checked,
  };
}
