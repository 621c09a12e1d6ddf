import type { Selectable } from 'kysely';
import type { BatchCloseRecord } from '../ports/host-records.ts';
import type { HostReader, HostUnit } from '../ports/host-store.ts';
import { type Db, hasChanged, present } from './db.ts';
import type { BatchClosesTable } from './schema.ts';

/** What the acquirers have still to hear of closed batches. */
export function createBatchCloseReader(db: Db): Pick<HostReader, 'findBatchClose' | 'dueBatchCloses'> {
  return {
    async findBatchClose({ merchantId, settlementId }) {
      const row = await db
        .selectFrom('batch_closes')
        .selectAll()
        .where('merchant_id', '=', merchantId)
        .where('settlement_id', '=', settlementId)
        .executeTakeFirst();
      return row === undefined ? undefined : recordOf(row);
    },
    async dueBatchCloses(nowMs, limit) {
      const rows = await db
        .selectFrom('batch_closes')
        .selectAll()
        .where('answered_at', 'is', null)
        .where('next_at', '<=', nowMs)
        .orderBy('next_at')
        .limit(limit)
        .execute();
      return rows.map(recordOf);
    },
  };
}

type BatchCloseWrites = Pick<HostUnit, 'addBatchClose' | 'claimBatchCloseAttempt' | 'answerBatchClose'>;

export function createBatchCloseWriter(db: Db): BatchCloseWrites {
  return {
    async addBatchClose(close) {
      await db
        .insertInto('batch_closes')
        .values({
          merchant_id: close.merchantId,
          settlement_id: close.settlementId,
          terminal_id: close.terminalId,
          acquirer: close.acquirer,
          reference: close.reference,
          stan: close.stan,
          rrn: close.rrn,
          sent_at: close.sentAtMs,
          attempts: close.attempts,
          next_at: close.nextAtMs,
          answered_at: null,
        })
        .execute();
    },
    async claimBatchCloseAttempt(found, nextAtMs) {
      const row = await db
        .updateTable('batch_closes')
        .set({ attempts: found.attempts + 1, next_at: nextAtMs })
        .where('merchant_id', '=', found.merchantId)
        .where('settlement_id', '=', found.settlementId)
        .where('attempts', '=', found.attempts)
        .where('answered_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : recordOf(row);
    },
    async answerBatchClose({ merchantId, settlementId }, atMs) {
      const result = await db
        .updateTable('batch_closes')
        .set({ answered_at: atMs })
        .where('merchant_id', '=', merchantId)
        .where('settlement_id', '=', settlementId)
        .where('answered_at', 'is', null)
        .executeTakeFirst();
      return hasChanged(result);
    },
  };
}

function recordOf(row: Selectable<BatchClosesTable>): BatchCloseRecord {
  return {
    merchantId: row.merchant_id,
    settlementId: row.settlement_id,
    terminalId: row.terminal_id,
    acquirer: row.acquirer,
    reference: row.reference,
    stan: row.stan,
    rrn: row.rrn,
    sentAtMs: row.sent_at,
    attempts: row.attempts,
    nextAtMs: row.next_at,
    ...present({ answeredAtMs: row.answered_at }),
  };
}
