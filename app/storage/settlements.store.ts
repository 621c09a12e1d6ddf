import type { Settlement } from '../contract/settlements.ts';
import { requirePageLimit } from '../domain/page-limit.ts';
import type { SettlementRecord } from '../domain/records.ts';
import type { JournalReader, JournalUnit, Page, SettlementFilter } from '../ports/journal.ts';
import { decodeCursor, instantText, pageOf } from './cursor.ts';
import type { ReadHandle, SqlValue } from './database.ts';
import { closerOf } from './day-closes.store.ts';
import { type JournalWriter, newestBody } from './journal-rows.store.ts';
import { settlementProjection } from './projections.ts';

interface Stored {
  body: string;
}

type SettlementReader = Pick<
  JournalReader,
  'findSettlement' | 'findSettlementOfBatch' | 'listSettlements' | 'openBatchNumber'
>;

/** Reads of the settlements. */
export function createSettlementReader(handle: ReadHandle): SettlementReader {
  const one = (sql: string, ...values: SqlValue[]) => {
    const row = handle.read<Stored>(sql).get(...values);
    return row === undefined ? undefined : settlementOf(row);
  };
  return {
    findSettlement: (settlementId) =>
      one(`SELECT ${newestBody} FROM settlements WHERE settlement_id = ?`, settlementId),
    findSettlementOfBatch: (terminalId, batchNumber) =>
      one(`SELECT ${newestBody} FROM settlements WHERE terminal_id = ? AND batch_number = ?`, terminalId, batchNumber),
    listSettlements: (filter) => listSettlements(handle, filter),
    // The batch after the last closed one (decisions: Day close; a batch is a number stamped at the intent).
    openBatchNumber: (terminalId) =>
      handle
        .read<{ open: number }>(
          'SELECT coalesce(max(batch_number), 0) + 1 AS open FROM settlements WHERE terminal_id = ?',
        )
        .get(terminalId)?.open ?? 1,
  };
}

function settlementOf(row: Stored): SettlementRecord {
  return JSON.parse(row.body) as SettlementRecord;
}

/** List items leave out acquirerBatchRef and fundingDate (decisions: Settlements). */
function listItemOf(row: Stored): Settlement {
  const { acquirerBatchRef: _, fundingDate: __, ...item } = settlementOf(row).settlement;
  return item;
}

function listSettlements(handle: ReadHandle, filter: SettlementFilter): Page<Settlement> {
  const limit = requirePageLimit(filter.limit);
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const where = (condition: string, ...bound: SqlValue[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (filter.terminalId !== undefined) where('terminal_id = ?', filter.terminalId);
  if (filter.currency !== undefined) where('currency = ?', filter.currency);
  if (filter.from !== undefined) where('closed_at >= ?', instantText(filter.from, 'from'));
  if (filter.to !== undefined) where('closed_at < ?', instantText(filter.to, 'to'));
  if (filter.cursor !== undefined)
    where('(closed_at, settlement_id) < (?, ?)', ...decodeCursor(filter.cursor, 'string'));
  const found = handle
    .read<Stored & { closed_at: string; settlement_id: string }>(
      `SELECT ${newestBody}, closed_at, settlement_id FROM settlements ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
       ORDER BY closed_at DESC, settlement_id DESC LIMIT ?`,
    )
    .all(...values, limit + 1);
  return pageOf(found, limit, (row) => [row.closed_at, row.settlement_id], listItemOf);
}

/** Writes of the settlements; used only inside a commit. */
export function createSettlementWriter(
  handle: ReadHandle,
  journal: JournalWriter,
): Pick<JournalUnit, 'saveSettlement'> {
  return {
    saveSettlement(frozen) {
      // The head before the settlement's own row: everything that the batch holds is in the chain up to it.
      const record: SettlementRecord = { ...frozen, journalHead: journal.head() };
      const { id, terminalId } = record.settlement;
      const actor = closerOf(handle, terminalId, record.batchNumber) ?? 'system';
      journal.append(settlementProjection, record, { subjectId: id, terminalId, actor, revision: 1 });
      return record;
    },
  };
}
