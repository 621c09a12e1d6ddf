import { type Selectable, sql } from 'kysely';
import {
  type RecoveryTaskRecord,
  type ReversalRecord,
  type ReversalState,
  TRIES_BEFORE_PERSON,
} from '../ports/host-records.ts';
import type { HostReader, HostUnit } from '../ports/host-store.ts';
import { type Db, hasChanged, present } from './db.ts';
import type { RecoveryTasksTable, ReversalsTable } from './schema.ts';

/** Milliseconds between the tries of a reversal or a task: the first, and the longest; each is twice the one before (decisions: recovery/reverse). */
const FIRST_REPEAT_MS = 2_000;
const LONGEST_REPEAT_MS = 3_600_000;

type RecoveryReads = Pick<
  HostReader,
  | 'findReversal'
  | 'dueReversals'
  | 'openReversals'
  | 'reversalsForPerson'
  | 'openTasks'
  | 'dueTasks'
  | 'findTaskOf'
  | 'countOpenTasks'
  | 'countOpenReversals'
>;

export function createRecoveryReader(db: Db): RecoveryReads {
  return {
    async findReversal({ merchantId, paymentId }) {
      const row = await db
        .selectFrom('reversals')
        .selectAll()
        .where('merchant_id', '=', merchantId)
        .where('payment_id', '=', paymentId)
        .executeTakeFirst();
      return row === undefined ? undefined : reversalOf(row);
    },
    async dueReversals(nowMs, limit) {
      const rows = await unconfirmed(db).where('next_at', '<=', nowMs).orderBy('next_at').limit(limit).execute();
      return rows.map(reversalOf);
    },
    async openReversals({ merchantId, terminalId }) {
      const rows = await unconfirmed(db)
        .where('merchant_id', '=', merchantId)
        .where('terminal_id', '=', terminalId)
        .orderBy('created_at')
        .orderBy('payment_id')
        .execute();
      return rows.map(reversalOf);
    },
    async reversalsForPerson(merchantId, limit) {
      let query = unconfirmed(db).where('state', '=', 'FOR_PERSON');
      if (merchantId !== undefined) query = query.where('merchant_id', '=', merchantId);
      const rows = await query.orderBy('created_at').orderBy('payment_id').limit(limit).execute();
      return rows.map(reversalOf);
    },
    async openTasks(merchantId, limit) {
      let query = db.selectFrom('recovery_tasks').selectAll().where('state', '=', 'OPEN');
      if (merchantId !== undefined) query = query.where('merchant_id', '=', merchantId);
      const rows = await query.orderBy('created_at').orderBy('task_id').limit(limit).execute();
      return rows.map(taskOf);
    },
    async dueTasks(nowMs, limit) {
      const rows = await db
        .selectFrom('recovery_tasks')
        .selectAll()
        .where('state', '=', sql<string>`'OPEN'`)
        .where('next_at', '<=', nowMs)
        .orderBy('next_at')
        .orderBy('task_id')
        .limit(limit)
        .execute();
      return rows.map(taskOf);
    },
    async findTaskOf({ merchantId, paymentId }) {
      const row = await db
        .selectFrom('recovery_tasks')
        .selectAll()
        .where('merchant_id', '=', merchantId)
        .where('payment_id', '=', paymentId)
        .orderBy('created_at', 'desc')
        .executeTakeFirst();
      return row === undefined ? undefined : taskOf(row);
    },
    async countOpenTasks() {
      const row = await db
        .selectFrom('recovery_tasks')
        .select((eb) => [
          eb.fn.countAll<number>().as('open'),
          eb.fn.countAll<number>().filterWhere('attempts', '>=', TRIES_BEFORE_PERSON).as('for_person'),
        ])
        .where('state', '=', sql<string>`'OPEN'`)
        .executeTakeFirstOrThrow();
      return { open: row.open, forPerson: row.for_person };
    },
    async countOpenReversals() {
      const row = await db
        .selectFrom('reversals')
        .select((eb) => [
          eb.fn.countAll<number>().as('open'),
          eb.fn.countAll<number>().filterWhere('state', '=', 'FOR_PERSON').as('for_person'),
        ])
        .where('state', '<>', sql<string>`'CONFIRMED'`)
        .executeTakeFirstOrThrow();
      return { open: row.open, forPerson: row.for_person };
    },
  };
}

function unconfirmed(db: Db) {
  return db.selectFrom('reversals').selectAll().where('state', '<>', 'CONFIRMED');
}

type RecoveryWrites = Pick<
  HostUnit,
  | 'addReversal'
  | 'claimReversalAttempt'
  | 'confirmReversal'
  | 'reopenReversal'
  | 'openTask'
  | 'claimTaskAttempt'
  | 'resolveTask'
>;

export function createRecoveryWriter(db: Db): RecoveryWrites {
  return {
    async addReversal(reversal) {
      const result = await db
        .insertInto('reversals')
        .values({
          merchant_id: reversal.merchantId,
          payment_id: reversal.paymentId,
          terminal_id: reversal.terminalId,
          reason: reversal.reason,
          state: 'PENDING',
          attempts: 0,
          next_at: reversal.nextAtMs,
          created_at: reversal.createdAtMs,
          confirmed_at: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return hasChanged(result);
    },
    async claimReversalAttempt(found, nowMs) {
      const attempts = found.attempts + 1;
      const row = await db
        .updateTable('reversals')
        .set({
          attempts,
          next_at: nowMs + repeatAfterMs(attempts),
          state: attempts >= TRIES_BEFORE_PERSON ? 'FOR_PERSON' : found.state,
        })
        .where('merchant_id', '=', found.merchantId)
        .where('payment_id', '=', found.paymentId)
        .where('attempts', '=', found.attempts)
        .where('state', '<>', 'CONFIRMED')
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : reversalOf(row);
    },
    async confirmReversal({ merchantId, paymentId }, atMs) {
      const result = await db
        .updateTable('reversals')
        .set({ state: 'CONFIRMED', confirmed_at: atMs })
        .where('merchant_id', '=', merchantId)
        .where('payment_id', '=', paymentId)
        .where('state', '<>', 'CONFIRMED')
        .executeTakeFirst();
      return hasChanged(result);
    },
    async reopenReversal({ merchantId, paymentId }, nowMs) {
      const result = await db
        .updateTable('reversals')
        .set({ state: 'PENDING', attempts: 0, next_at: nowMs, confirmed_at: null })
        .where('merchant_id', '=', merchantId)
        .where('payment_id', '=', paymentId)
        .where('state', '=', 'CONFIRMED')
        .executeTakeFirst();
      return hasChanged(result);
    },
    async openTask(task) {
      const result = await db
        .insertInto('recovery_tasks')
        .values({
          merchant_id: task.merchantId,
          task_id: task.taskId,
          payment_id: task.paymentId,
          terminal_id: task.terminalId,
          reason: task.reason,
          state: 'OPEN',
          attempts: 0,
          next_at: task.nextAtMs,
          created_at: task.createdAtMs,
          resolved_at: null,
          resolution: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return hasChanged(result);
    },
    async claimTaskAttempt(found, nowMs) {
      const attempts = found.attempts + 1;
      const row = await db
        .updateTable('recovery_tasks')
        .set({ attempts, next_at: nowMs + repeatAfterMs(attempts) })
        .where('merchant_id', '=', found.merchantId)
        .where('task_id', '=', found.taskId)
        .where('attempts', '=', found.attempts)
        .where('state', '=', 'OPEN')
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : taskOf(row);
    },
    async resolveTask({ merchantId, paymentId }, resolution, atMs) {
      const result = await db
        .updateTable('recovery_tasks')
        .set({ state: 'RESOLVED', resolution, resolved_at: atMs })
        .where('merchant_id', '=', merchantId)
        .where('payment_id', '=', paymentId)
        .where('state', '=', 'OPEN')
        .executeTakeFirst();
      return hasChanged(result);
    },
  };
}

/** From the try with this number to the next one. */
function repeatAfterMs(attempts: number): number {
  return Math.min(LONGEST_REPEAT_MS, FIRST_REPEAT_MS * 2 ** (attempts - 1));
}

function reversalOf(row: Selectable<ReversalsTable>): ReversalRecord {
  return {
    merchantId: row.merchant_id,
    paymentId: row.payment_id,
    terminalId: row.terminal_id,
    reason: row.reason,
    state: row.state as ReversalState,
    attempts: row.attempts,
    nextAtMs: row.next_at,
    createdAtMs: row.created_at,
    ...present({ confirmedAtMs: row.confirmed_at }),
  };
}

function taskOf(row: Selectable<RecoveryTasksTable>): RecoveryTaskRecord {
  return {
    merchantId: row.merchant_id,
    taskId: row.task_id,
    paymentId: row.payment_id,
    terminalId: row.terminal_id,
    reason: row.reason,
    state: row.state as RecoveryTaskRecord['state'],
    attempts: row.attempts,
    nextAtMs: row.next_at,
    createdAtMs: row.created_at,
    ...present({ resolvedAtMs: row.resolved_at, resolution: row.resolution }),
  };
}
