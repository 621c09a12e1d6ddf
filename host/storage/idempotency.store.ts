import type { Selectable } from 'kysely';
import type { IdempotencyRecord, IdempotencyRef, NewIdempotency, StoredAnswer } from '../ports/host-records.ts';
import type { HostReader, HostUnit } from '../ports/host-store.ts';
import { type Db, hasChanged } from './db.ts';
import type { IdempotencyKeysTable } from './schema.ts';

/**
 * Keys and their first answers (decisions: Idempotency-Key). The key alone is unique over all months and stands in a small table; the answers are
 * large, and are dropped by the month.
 */
export function createIdempotencyReader(db: Db): Pick<HostReader, 'findIdempotency' | 'listIdempotencyOf'> {
  return {
    async findIdempotency(ref) {
      const row = await keyed(selectKeys(db), ref).executeTakeFirst();
      return row === undefined ? undefined : recordOf(row);
    },
    async listIdempotencyOf(merchantId, subjectId) {
      const rows = await selectKeys(db)
        .where('k.merchant_id', '=', merchantId)
        .where('k.subject_id', '=', subjectId)
        .orderBy('k.created_at')
        .orderBy('k.key')
        .execute();
      return rows.map(recordOf);
    },
  };
}

function selectKeys(db: Db) {
  return db
    .selectFrom('idempotency_keys as k')
    .leftJoin('idempotency_answers as a', (join) =>
      join
        .onRef('a.merchant_id', '=', 'k.merchant_id')
        .onRef('a.scope', '=', 'k.scope')
        .onRef('a.key', '=', 'k.key')
        .onRef('a.created_at', '=', 'k.created_at'),
    )
    .selectAll('k')
    .select(['a.status_code', 'a.body']);
}

function keyed(query: ReturnType<typeof selectKeys>, { merchantId, scope, key }: IdempotencyRef) {
  return query.where('k.merchant_id', '=', merchantId).where('k.scope', '=', scope).where('k.key', '=', key);
}

type IdempotencyWrites = Pick<
  HostUnit,
  'reserveIdempotency' | 'takeOverIdempotency' | 'saveAnswer' | 'replaceAnswer' | 'releaseIdempotency'
>;

export function createIdempotencyWriter(db: Db): IdempotencyWrites {
  const find = async (ref: IdempotencyRef) => {
    const row = await keyed(selectKeys(db), ref).executeTakeFirst();
    return row === undefined ? undefined : recordOf(row);
  };
  return {
    async reserveIdempotency(entry) {
      const result = await db
        .insertInto('idempotency_keys')
        .values(keyRow(entry))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return hasChanged(result) ? undefined : await find(entry);
    },
    async takeOverIdempotency(found, leaseUntilMs, nowMs) {
      const fence = found.fence + 1;
      const result = await db
        .updateTable('idempotency_keys')
        .set({ fence, lease_until: leaseUntilMs })
        .where('merchant_id', '=', found.merchantId)
        .where('scope', '=', found.scope)
        .where('key', '=', found.key)
        .where('fence', '=', found.fence)
        .where('lease_until', '<=', nowMs)
        .executeTakeFirst();
      if (!hasChanged(result)) return undefined;
      // The row is ours until the end of the unit: an answer that is here now was here before.
      return (await find(found))?.answer === undefined ? fence : undefined;
    },
    async saveAnswer(ref, answer) {
      const found = await find(ref);
      if (found === undefined) return undefined;
      const result = await db
        .insertInto('idempotency_answers')
        .values(answerRow(ref, found.createdAtMs, answer))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return hasChanged(result) ? answer : (await find(ref))?.answer;
    },
    async replaceAnswer(ref, stored, next) {
      const result = await db
        .updateTable('idempotency_answers')
        .set({ status_code: next.statusCode, body: next.body })
        .where('merchant_id', '=', ref.merchantId)
        .where('scope', '=', ref.scope)
        .where('key', '=', ref.key)
        .where('status_code', '=', stored.statusCode)
        .where('body', '=', stored.body)
        .executeTakeFirst();
      return hasChanged(result);
    },
    async releaseIdempotency({ merchantId, scope, key }) {
      await db
        .deleteFrom('idempotency_keys')
        .where('merchant_id', '=', merchantId)
        .where('scope', '=', scope)
        .where('key', '=', key)
        .execute();
    },
  };
}

export function keyRow(entry: NewIdempotency) {
  return {
    merchant_id: entry.merchantId,
    scope: entry.scope,
    key: entry.key,
    request_hash: entry.requestHash,
    subject_id: entry.subjectId,
    created_at: entry.createdAtMs,
    lease_until: entry.leaseUntilMs,
    fence: 1,
  };
}

export function answerRow({ merchantId, scope, key }: IdempotencyRef, createdAtMs: number, answer: StoredAnswer) {
  return {
    merchant_id: merchantId,
    scope,
    key,
    created_at: createdAtMs,
    status_code: answer.statusCode,
    body: answer.body,
  };
}

type KeyRow = Selectable<IdempotencyKeysTable> & { readonly status_code: number | null; readonly body: string | null };

function recordOf(row: KeyRow): IdempotencyRecord {
  const { status_code: statusCode, body } = row;
  return {
    merchantId: row.merchant_id,
    scope: row.scope,
    key: row.key,
    requestHash: row.request_hash,
    subjectId: row.subject_id,
    createdAtMs: row.created_at,
    leaseUntilMs: row.lease_until,
    fence: row.fence,
    ...(statusCode === null || body === null ? {} : { answer: { statusCode, body } }),
  };
}
