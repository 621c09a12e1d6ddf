import type { Journal } from '../../app/ports/journal.ts';
import { createJournal } from '../../app/storage/create-journal.ts';
import { seededRandom } from './seeded-random.ts';
import { type HistoryOptions, type ShopDay, shopHistory } from './shop-history.ts';

/**
 * Writes a shop's history into a new data folder through the journal's own writers, a day in a commit; every day but the last is closed. The folder is
 * one that `verify-journal` accepts, and memory does not grow with it.
 */
export function writeHistory(dataDir: string, options: HistoryOptions): void {
  let nowMs = 0;
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs, after: () => () => {} };
  const quiet = () => {};
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const journal = createJournal({ dataDir, clock, log, pid: process.pid });
  const ids = seededRandom(options.seed + 1);
  try {
    let before: ShopDay | undefined;
    for (const day of shopHistory(options)) {
      const ended = before;
      if (ended !== undefined) journal.commit((unit) => closeDay(unit, ended, options.terminalId, ids.uuid()));
      journal.commit((unit) => {
        for (const record of day.records) {
          nowMs = Date.parse(record.updatedAt);
          unit.saveTransaction(record);
        }
      });
      nowMs = day.closedAtMs;
      before = day;
    }
  } finally {
    journal.close();
  }
}

type Unit = Parameters<Parameters<Journal['commit']>[0]>[0];

function closeDay(unit: Unit, { batchNumber, closedAtMs }: ShopDay, terminalId: string, id: string): void {
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
