import { isDeepStrictEqual } from 'node:util';
import { starterOf } from '../domain/breakdown.ts';
import type { SettlementRecord } from '../domain/records.ts';
import type { ReadHandle, SqlRow, SqlValue } from './database.ts';
import type { Report } from './finding.ts';
import { hashAt } from './journal-rows.store.ts';
import {
  dayCloseProjection,
  type Projection,
  settlementProjection,
  taskProjection,
  transactionProjection,
} from './projections.ts';
import { type SubjectRows, subjectKey } from './verify-chain.ts';

/**
 * Every row of a projection must be what its newest journal row makes of it, column by column; no projection without journal rows, no journaled
 * subject without projection. Returns how many rows were compared.
 */
export function checkProjections(
  handle: ReadHandle,
  subjects: ReadonlyMap<string, SubjectRows>,
  report: Report,
): number {
  const left = new Map(subjects);
  const compared =
    checkProjection(handle, transactionProjection, left, report) +
    checkProjection(handle, taskProjection, left, report) +
    checkProjection(handle, dayCloseProjection, left, report) +
    checkProjection(handle, settlementProjection, left, report);
  for (const rows of left.values()) {
    report({
      sequence: rows.lastSeq,
      text: `${rows.kind} ${rows.subjectId} of row ${rows.lastSeq} is missing in its table`,
    });
  }
  return compared;
}

function checkProjection<T>(
  handle: ReadHandle,
  projection: Projection<T>,
  left: Map<string, SubjectRows>,
  report: Report,
): number {
  let compared = 0;
  const stored = handle.read<SqlRow>(
    `SELECT stored.*, journal.body AS journal_body, first.actor AS first_actor FROM ${projection.table} AS stored
     LEFT JOIN journal ON journal.seq = stored.last_seq LEFT JOIN journal AS first ON first.seq = stored.first_seq`,
  );
  for (const row of stored.iterate()) {
    compared += 1;
    const id = String(row[projection.idColumn]);
    const key = subjectKey(projection.kind, id);
    const rows = left.get(key);
    left.delete(key);
    if (rows === undefined) {
      report({ text: `${projection.kind} ${id} stands in ${projection.table} without a journal row` });
    } else {
      const columns = differingColumns(projection, row, rows);
      if (columns.length > 0) {
        const what = columns.join(', ');
        report({
          sequence: rows.lastSeq,
          text: `${projection.kind} ${id} differs from row ${rows.lastSeq} in ${what}`,
        });
      }
    }
  }
  return compared;
}

function differingColumns<T>(projection: Projection<T>, row: SqlRow, rows: SubjectRows): readonly string[] {
  const { journal_body: journalBody, first_actor: firstActor, ...found } = row;
  const { starterColumn } = projection;
  const expected: Record<string, SqlValue | undefined> = {
    first_seq: rows.firstSeq,
    last_seq: rows.lastSeq,
    ...columnsOf(projection, journalBody),
    ...(starterColumn === undefined ? {} : { [starterColumn]: starterOf(String(firstActor)) }),
    // Each journal row of a subject is one revision.
    revision: rows.count,
  };
  return Object.keys({ ...expected, ...found }).filter((column) => !isDeepStrictEqual(expected[column], found[column]));
}

/** A journal row whose body is ruined makes no columns: the differences show it, and the chain names the row. */
function columnsOf<T>(projection: Projection<T>, body: SqlValue | undefined): SqlRow {
  try {
    return projection.columnsOf(JSON.parse(String(body)) as T);
  } catch {
    return {};
  }
}

/** Each settlement names the head at its close: that row must be the one before its own. Returns how many settlements there are. */
export function checkSettlementHeads(handle: ReadHandle, report: Report): number {
  let checked = 0;
  const journaled = handle.read<{ seq: number; body: string }>(
    `SELECT seq, body FROM journal WHERE kind = 'SETTLEMENT' ORDER BY seq`,
  );
  for (const { seq, body } of journaled.iterate()) {
    checked += 1;
    const head = headOf(body);
    if (head !== undefined && head.sequence === seq - 1 && hashAt(handle, head.sequence) === head.hash) continue;
    const named = head?.sequence ?? seq - 1;
    report({ sequence: named, text: `row ${named} is not the one that the settlement of row ${seq} was closed at` });
  }
  return checked;
}

function headOf(body: string): SettlementRecord['journalHead'] | undefined {
  try {
    return (JSON.parse(body) as SettlementRecord).journalHead;
  } catch {
    return undefined;
  }
}
