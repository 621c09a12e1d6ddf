import { countedTypes } from '../contract/console/day-words.ts';
import type { BatchEvidence } from '../domain/batch-differences.ts';
import type { BatchGroup } from '../domain/breakdown.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { JournalReader, SettledDay } from '../ports/journal.ts';
import type { ReadHandle, SqlValue } from './database.ts';
import { halves, inBatch, isReleased, sumOf } from './totals.store.ts';

/** Payments that are looked at to explain the differences of one batch. */
const maxEvidence = 200;

type BatchReader = Pick<JournalReader, 'batchGroups' | 'batchEvidence' | 'settledDays'>;

/** What reports say of a batch beyond its totals. */
export function createBatchReader(handle: ReadHandle): BatchReader {
  return {
    batchGroups: (terminalId, batchNumber, currency) => batchGroups(handle, [terminalId, batchNumber, currency]),
    batchEvidence: (terminalId, batchNumber, currency, amounts) =>
      batchEvidence(handle, { terminalId, batchNumber, currency, amounts }),
    settledDays: (filter) => settledDays(handle, filter),
  };
}

/** A void of a hold is in no total, nor is it here (decisions: Totals). */
function batchGroups(handle: ReadHandle, batch: readonly [string, number, string]): readonly BatchGroup[] {
  const sums = ['total', 'tip', 'cashback'].map((name) => halves(`counted.${name}_minor`, `${name}_`)).join(', ');
  return handle
    .read<Record<string, number | string>>(
      `SELECT journal.actor AS actor, counted.type AS type, count(*) AS count, ${sums}
       FROM (SELECT * FROM transactions WHERE ${inBatch}) AS counted JOIN journal ON journal.seq = counted.first_seq
       LEFT JOIN transactions AS original ON original.transaction_id = counted.target_id
       WHERE (counted.type IN ('SALE', 'PRE_AUTH_COMPLETE', 'REFUND') AND NOT ${isReleased('counted')})
         OR (counted.type = 'VOID' AND original.type IN ('SALE', 'PRE_AUTH_COMPLETE') AND NOT ${isReleased('original')})
       GROUP BY 1, 2 ORDER BY 1, 2`,
    )
    .all(...batch)
    .map((row) => ({
      actor: String(row.actor),
      type: countedTypes.find((type) => type === row.type) ?? 'SALE',
      count: Number(row.count),
      total: sumOfHalves(row, 'total'),
      tip: sumOfHalves(row, 'tip'),
      cashback: sumOfHalves(row, 'cashback'),
    }));
}

function sumOfHalves(row: Record<string, number | string>, name: string): bigint {
  return sumOf({ high: Number(row[`${name}_high`]), low: Number(row[`${name}_low`]) });
}

interface Wanted {
  readonly terminalId: string;
  readonly batchNumber: number;
  readonly currency: string;
  readonly amounts: readonly number[];
}

/** Payments of the amounts in this batch and its neighbours, by tip and cash-back too; and its voids. */
function batchEvidence(handle: ReadHandle, wanted: Wanted): readonly BatchEvidence[] {
  const { terminalId, batchNumber, currency, amounts } = wanted;
  const places = amounts.map(() => '?').join(', ');
  const near = `terminal_id = ? AND currency = ? AND mode = 'ORCHESTRATED' AND batch_number BETWEEN ? AND ?`;
  const nearValues: SqlValue[] = [terminalId, currency, batchNumber - 1, batchNumber + 1];
  const found = handle
    .read<{ body: string; target: string | null }>(
      `SELECT (SELECT body FROM journal WHERE seq = found.last_seq) AS body,
         (SELECT body FROM journal WHERE seq = (SELECT last_seq FROM transactions WHERE transaction_id = found.target_id)) AS target
       FROM transactions AS found WHERE first_seq IN (
         SELECT first_seq FROM transactions WHERE total_minor IN (${places}) AND ${near}
         UNION SELECT first_seq FROM transactions WHERE ${inBatch} AND (type = 'VOID' OR tip_minor IN (${places}) OR cashback_minor IN (${places}))
       ) AND type IN ('SALE', 'PRE_AUTH_COMPLETE', 'REFUND', 'VOID') ORDER BY first_seq DESC LIMIT ?`,
    )
    .all(...[...amounts, ...nearValues, terminalId, batchNumber, currency, ...amounts, ...amounts, maxEvidence]);
  return found.map(({ body, target }) => ({
    record: JSON.parse(body) as TransactionRecord,
    ...(target === null ? {} : { target: JSON.parse(target) as TransactionRecord }),
  }));
}

function settledDays(handle: ReadHandle, { from, to, limit }: { from: string; to: string; limit: number }) {
  const field = (name: string) => `sum(json_extract(body, '$.settlement.${name}'))`;
  return handle
    .read<SettledDay>(
      `SELECT json_extract(body, '$.businessDate') AS businessDate, currency, count(*) AS closes,
         ${field('netAmount')} AS netAmount, ${field('saleCount')} AS saleCount
       FROM settlements JOIN journal ON journal.seq = settlements.last_seq
       WHERE closed_at >= ? AND closed_at < ? GROUP BY 1, 2 ORDER BY 1 DESC, 2 LIMIT ?`,
    )
    .all(from, to, limit);
}
