import { join } from 'node:path';
import type { JournalUnit } from '../../app/ports/journal.ts';
import { openAnchor } from '../../app/storage/anchor.ts';
import { GENESIS } from '../../app/storage/chain.ts';
import { journalFileName } from '../../app/storage/create-journal.ts';
import { type JournalDatabase, openDatabase } from '../../app/storage/database.ts';
import { createJournalWriter } from '../../app/storage/journal-rows.store.ts';
import { migrate } from '../../app/storage/migrate.ts';
import { createSettlementWriter } from '../../app/storage/settlements.store.ts';
import { createTotalsReader } from '../../app/storage/totals.store.ts';
import { createTransactionReader, createTransactionWriter } from '../../app/storage/transactions.store.ts';
import { seededRandom } from './seeded-random.ts';
import { type HistoryOptions, type ShopDay, shopHistory } from './shop-history.ts';

const rowsPerCommit = 10_000;
/** Nobody's money is in the file yet, and one that was not finished is thrown away: nothing has to outlive a power cut, nothing is rolled back. */
const withoutSafety = 'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA secure_delete = OFF';
/** The pages that random ids touch again and again stay in memory: 256 MiB. */
const roomyCache = 'PRAGMA cache_size = -262144';
/** Indexes that rows reach in no order. They are built in one go when all rows are there, which is many times faster. */
const builtLast = ['transactions_by_reference', 'transactions_by_card', 'transactions_by_amount'];

/**
 * Writes a shop's history into a new data folder through the stores' own writers, at a speed that no till needs; every day but the last is closed. The
 * folder is one that `verify-journal` accepts, and memory does not grow with it.
 */
export function writeHistory(dataDir: string, options: HistoryOptions): void {
  const database = openDatabase(join(dataDir, journalFileName));
  try {
    migrate(database);
    database.script(`${withoutSafety}; ${roomyCache}`);
    const indexes = takeIndexes(database);
    const writer = createDayWriter(database, options);
    const days = shopHistory(options);
    while (writeSome(database, days, writer.write)) {
      // The next commit.
    }
    for (const sql of indexes) database.script(sql);
    openAnchor(dataDir, writer.head()).close();
  } finally {
    database.close();
  }
}

/** Takes the indexes of `builtLast` away and answers what makes them again, word for word. */
function takeIndexes(database: JournalDatabase): readonly string[] {
  const schema = database.read<{ sql: string }>('SELECT sql FROM sqlite_schema WHERE name = ?');
  return builtLast.map((name) => {
    const sql = schema.get(name)?.sql;
    if (sql === undefined) throw new Error(`the schema has no ${name}`);
    database.script(`DROP INDEX ${name}`);
    return sql;
  });
}

/** Writes days until a commit is full; false when none are left. */
function writeSome(database: JournalDatabase, days: Iterator<ShopDay>, write: (day: ShopDay) => void): boolean {
  return database.transaction(() => {
    for (let rows = 0; rows < rowsPerCommit; ) {
      const { value, done } = days.next();
      if (done === true) return false;
      write(value);
      rows += value.records.length;
    }
    return true;
  });
}

function createDayWriter(database: JournalDatabase, { seed, terminalId }: HistoryOptions) {
  let nowMs = 0;
  const ids = seededRandom(seed + 1);
  const rows = createJournalWriter(database, GENESIS, () => new Date(nowMs).toISOString());
  const { saveTransaction } = createTransactionWriter(createTransactionReader(database), rows);
  const closing: Closing = { ...createTotalsReader(database), ...createSettlementWriter(database, rows) };
  let before: ShopDay | undefined;
  return {
    head: rows.head,
    /** The day before is closed first: the last one stays open. */
    write(day: ShopDay) {
      if (before !== undefined) closeDay(closing, before, terminalId, ids.uuid());
      for (const record of day.records) {
        nowMs = Date.parse(record.updatedAt);
        saveTransaction(record);
      }
      nowMs = day.closedAtMs;
      before = day;
    },
  };
}

type Closing = Pick<JournalUnit, 'totals' | 'saveSettlement'>;

function closeDay(unit: Closing, { batchNumber, closedAtMs }: ShopDay, terminalId: string, id: string): void {
  const { preAuthCount, preAuthAmount, ...totals } = unit.totals(terminalId, batchNumber, 'EUR');
  const closedAt = new Date(closedAtMs).toISOString();
  unit.saveSettlement({
    settlement: {
      ...totals,
      id,
      closedAt,
      status: 'SETTLED',
      netAmount: totals.saleAmount - totals.refundAmount - totals.voidAmount,
      merchantId: 'MERCHANT-1',
      terminalId,
      acquirerBatchRef: `BATCH-${batchNumber}`,
    },
    batchNumber,
    businessDate: closedAt.slice(0, 10),
    preAuthCount,
    preAuthAmount,
  });
}
