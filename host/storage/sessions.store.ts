import { type Selectable, sql } from 'kysely';
import type { SessionDeviceEvent, SessionOperation, SessionStatus } from '../../app/contract/host/payment-session.ts';
import type { SessionRecord } from '../ports/host-records.ts';
import type { HostReader, HostUnit, SessionMoveWrite } from '../ports/host-store.ts';
import { type Db, hasChanged, present, type UnitDb } from './db.ts';
import type { SessionsTable } from './schema.ts';

type SessionReads = Pick<
  HostReader,
  | 'findSession'
  | 'listSessionEvents'
  | 'openSession'
  | 'overdueSessions'
  | 'sessionsInRecovery'
  | 'countSessionsInRecovery'
>;
type SessionWrites = Pick<
  HostUnit,
  'lockSession' | 'addSession' | 'moveSession' | 'appendSessionEvent' | 'resolveSession'
>;

/** As the indexes over open sessions say it, so that they are used. */
const isOpen = sql<boolean>`status IN ('CREATED', 'CLAIMED', 'IN_PROGRESS')`;

/** As the index over them says it. */
const isInRecovery = sql<boolean>`status = 'RECOVERY_REQUIRED' AND resolution IS NULL`;

function selectSession(db: Db, merchantId: string, sessionId: string) {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('session_id', '=', sessionId);
}

export function createSessionReader(db: Db): SessionReads {
  return {
    async findSession({ merchantId, sessionId }) {
      const row = await selectSession(db, merchantId, sessionId).executeTakeFirst();
      return row === undefined ? undefined : recordOf(row);
    },
    async listSessionEvents({ merchantId, sessionId }) {
      const rows = await db
        .selectFrom('session_events')
        .select(['event', 'created_at'])
        .where('merchant_id', '=', merchantId)
        .where('session_id', '=', sessionId)
        .orderBy('sequence')
        .execute();
      return rows.map((row) => ({ event: JSON.parse(row.event) as SessionDeviceEvent, receivedAtMs: row.created_at }));
    },
    async openSession({ merchantId, terminalId }) {
      const row = await db
        .selectFrom('sessions')
        .selectAll()
        .where('merchant_id', '=', merchantId)
        .where('terminal_id', '=', terminalId)
        .where(isOpen)
        .executeTakeFirst();
      return row === undefined ? undefined : recordOf(row);
    },
    async overdueSessions(nowMs, limit) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where(isOpen)
        .where((eb) =>
          eb.or([
            eb.and([eb('status', '=', 'CREATED'), eb('expires_at', '<=', nowMs)]),
            eb('status', '=', 'CLAIMED'),
            eb.and([eb('status', '=', 'IN_PROGRESS'), eb('processing_expires_at', '<=', nowMs)]),
          ]),
        )
        .orderBy('updated_at')
        .limit(limit)
        .execute();
      return rows.map(recordOf);
    },
    async sessionsInRecovery(merchantId, limit) {
      let query = db.selectFrom('sessions').selectAll().where(isInRecovery);
      if (merchantId !== undefined) query = query.where('merchant_id', '=', merchantId);
      const rows = await query.orderBy('created_at').orderBy('session_id').limit(limit).execute();
      return rows.map(recordOf);
    },
    async countSessionsInRecovery() {
      const { count } = await db
        .selectFrom('sessions')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(isInRecovery)
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

/** Moves by which somebody takes the session out of the hands of all others: each raises the fence. */
const fencedFrom: readonly SessionStatus[] = ['CREATED'];

export function createSessionWriter({ db, kind }: UnitDb): SessionWrites {
  return {
    async lockSession({ merchantId, sessionId }) {
      const query = selectSession(db, merchantId, sessionId);
      const row = await (kind === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
      return row === undefined ? undefined : recordOf(row);
    },
    async addSession(session) {
      const result = await db
        .insertInto('sessions')
        .values(rowOf(session))
        .onConflict((conflict) => conflict.columns(['merchant_id', 'terminal_id']).where(isOpen).doNothing())
        .executeTakeFirst();
      return hasChanged(result);
    },
    moveSession: (move) => moveSession(db, move),
    async resolveSession({ merchantId, sessionId }, resolution, atMs) {
      const result = await db
        .updateTable('sessions')
        .set({ resolution, updated_at: atMs })
        .where('merchant_id', '=', merchantId)
        .where('session_id', '=', sessionId)
        .where(isInRecovery)
        .executeTakeFirst();
      return hasChanged(result);
    },
    async appendSessionEvent({ merchantId, sessionId }, event, atMs) {
      const counted = await db
        .updateTable('sessions')
        .set({ last_event_sequence: event.sequence, updated_at: atMs })
        .where('merchant_id', '=', merchantId)
        .where('session_id', '=', sessionId)
        .where('last_event_sequence', '=', event.sequence - 1)
        .executeTakeFirst();
      if (!hasChanged(counted)) return false;
      await db
        .insertInto('session_events')
        .values({
          merchant_id: merchantId,
          session_id: sessionId,
          sequence: event.sequence,
          created_at: atMs,
          event: JSON.stringify(event),
        })
        .execute();
      return true;
    },
  };
}

async function moveSession(db: Db, { from, to, atMs, set = {} }: SessionMoveWrite): Promise<SessionRecord | undefined> {
  const columns = present({
    claim_token: set.claimToken,
    payment_id: set.paymentId,
    failure_code: set.failureCode,
    final_amount_minor: set.finalAmountMinor,
    tip_amount_minor: set.tipAmountMinor,
    claimed_at: set.claimedAtMs,
    processing_expires_at: set.processingExpiresAtMs,
    completed_at: set.completedAtMs,
  });
  const row = await db
    .updateTable('sessions')
    .set({ ...columns, status: to, updated_at: atMs, fence: from.fence + (fencedFrom.includes(from.status) ? 1 : 0) })
    .where('merchant_id', '=', from.merchantId)
    .where('session_id', '=', from.id)
    .where('status', '=', from.status)
    .where('fence', '=', from.fence)
    .where('last_event_sequence', '=', from.lastEventSequence)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : recordOf(row);
}

function rowOf(session: SessionRecord): Selectable<SessionsTable> {
  return {
    merchant_id: session.merchantId,
    session_id: session.id,
    terminal_id: session.terminalId,
    device_id: session.deviceId,
    idempotency_key: session.idempotencyKey,
    claim_token: session.claimToken,
    fence: session.fence,
    operation: session.operation,
    original_transaction_id: session.originalTransactionId ?? null,
    amount_minor: session.amountMinor,
    currency: session.currency,
    status: session.status,
    payment_id: session.paymentId ?? null,
    failure_code: session.failureCode ?? null,
    final_amount_minor: session.finalAmountMinor ?? null,
    tip_amount_minor: session.tipAmountMinor ?? null,
    last_event_sequence: session.lastEventSequence,
    expires_at: session.expiresAtMs,
    claimed_at: session.claimedAtMs ?? null,
    processing_expires_at: session.processingExpiresAtMs ?? null,
    authorization_started_at: session.authorizationStartedAtMs ?? null,
    completed_at: session.completedAtMs ?? null,
    created_at: session.createdAtMs,
    updated_at: session.updatedAtMs,
    resolution: null,
  };
}

function recordOf(row: Selectable<SessionsTable>): SessionRecord {
  return {
    merchantId: row.merchant_id,
    id: row.session_id,
    terminalId: row.terminal_id,
    deviceId: row.device_id,
    idempotencyKey: row.idempotency_key,
    claimToken: row.claim_token,
    fence: row.fence,
    operation: row.operation as SessionOperation,
    amountMinor: row.amount_minor,
    currency: row.currency,
    status: row.status as SessionStatus,
    lastEventSequence: row.last_event_sequence,
    expiresAtMs: row.expires_at,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    ...present({
      originalTransactionId: row.original_transaction_id,
      paymentId: row.payment_id,
      failureCode: row.failure_code,
      finalAmountMinor: row.final_amount_minor,
      tipAmountMinor: row.tip_amount_minor,
      claimedAtMs: row.claimed_at,
      processingExpiresAtMs: row.processing_expires_at,
      authorizationStartedAtMs: row.authorization_started_at,
      completedAtMs: row.completed_at,
    }),
  };
}
