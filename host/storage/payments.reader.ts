import { sql } from 'kysely';
import { requirePageLimit } from '../../app/domain/page-limit.ts';
import type { HostReader, PaymentFilter } from '../ports/host-store.ts';
import { decodeCursor, pageOf } from './cursor.ts';
import type { Db } from './db.ts';
import { recordOf } from './payment-rows.ts';

type PaymentReads = Pick<
  HostReader,
  | 'findPayment'
  | 'findPaymentByName'
  | 'listPayments'
  | 'closeBlockers'
  | 'openPreAuths'
  | 'lapsedHolds'
  | 'stalePayments'
>;

/** Payments with the settlement of their batch, once it is closed. */
function selectPayments(db: Db) {
  return db
    .selectFrom('payments as p')
    .leftJoin('settlements as s', (join) =>
      join
        .onRef('s.merchant_id', '=', 'p.merchant_id')
        .onRef('s.terminal_id', '=', 'p.terminal_id')
        .onRef('s.batch_number', '=', 'p.batch_number'),
    )
    .selectAll('p')
    .select('s.settlement_id');
}

/** Where a payment is: its key, whose time tells the month. */
interface PaymentPlace {
  readonly payment_id: string;
  readonly created_at: number;
}

/** Where the payment with a name is. `scopes`: see payment_names. */
export async function locate(
  db: Db,
  merchantId: string,
  scopes: readonly string[],
  name: string,
): Promise<PaymentPlace | undefined> {
  return await db
    .selectFrom('payment_names')
    .select(['payment_id', 'created_at'])
    .where('merchant_id', '=', merchantId)
    .where('scope', 'in', scopes)
    .where('name', '=', name)
    .executeTakeFirst();
}

/** By its whole key as values, so that PostgreSQL plans for one month only. */
export function selectPayment(db: Db, merchantId: string, place: PaymentPlace) {
  return selectPayments(db)
    .where('p.merchant_id', '=', merchantId)
    .where('p.payment_id', '=', place.payment_id)
    .where('p.created_at', '=', place.created_at);
}

/** As the index over them says it, so that it is used. */
const isOpen = sql<boolean>`(p.status IN ('PROCESSING', 'FAILED', 'REQUIRES_CAPTURE') OR p.operation IS NOT NULL)`;

export function createPaymentReader(db: Db): PaymentReads {
  return {
    async findPayment({ merchantId, paymentId }) {
      const place = await locate(db, merchantId, [''], paymentId);
      if (place === undefined) return undefined;
      const row = await selectPayment(db, merchantId, place).executeTakeFirst();
      return row === undefined ? undefined : recordOf(row);
    },
    async findPaymentByName({ merchantId, terminalId }, transactionId) {
      const place = await locate(db, merchantId, [terminalId, ''], transactionId);
      if (place === undefined) return undefined;
      const row = await selectPayment(db, merchantId, place).where('p.terminal_id', '=', terminalId).executeTakeFirst();
      return row === undefined ? undefined : recordOf(row);
    },
    listPayments: (filter) => listPayments(db, filter),
    async closeBlockers({ merchantId, terminalId }) {
      const rows = await selectPayments(db)
        .where('p.merchant_id', '=', merchantId)
        .where('p.terminal_id', '=', terminalId)
        .where(isOpen)
        // A pre-authorization that stands carries over; a sale that waits for its tip does not.
        .where((eb) =>
          eb.or([
            eb('p.status', '<>', 'REQUIRES_CAPTURE'),
            eb('p.type', '<>', 'PRE_AUTH'),
            eb('p.operation', 'is not', null),
          ]),
        )
        .orderBy('p.created_at')
        .orderBy('p.payment_id')
        .execute();
      return rows.map(recordOf);
    },
    async openPreAuths({ merchantId, terminalId }) {
      const rows = await selectPayments(db)
        .where('p.merchant_id', '=', merchantId)
        .where('p.terminal_id', '=', terminalId)
        .where(isOpen)
        .where('p.status', '=', 'REQUIRES_CAPTURE')
        .where('p.type', '=', 'PRE_AUTH')
        .orderBy('p.created_at')
        .orderBy('p.payment_id')
        .execute();
      return rows.map(recordOf);
    },
    async lapsedHolds(nowMs, limit) {
      const rows = await selectPayments(db)
        .where('p.status', '=', sql<string>`'REQUIRES_CAPTURE'`)
        .where('p.auth_expires_at', '<=', nowMs)
        .where('p.operation', 'is', null)
        .orderBy('p.auth_expires_at')
        .limit(limit)
        .execute();
      return rows.map(recordOf);
    },
    async stalePayments(beforeMs, limit) {
      const rows = await selectPayments(db)
        .where(sql<boolean>`(p.status = 'PROCESSING' OR p.operation IS NOT NULL)`)
        .where('p.updated_at', '<', beforeMs)
        .orderBy('p.updated_at')
        .limit(limit)
        .execute();
      return rows.map(recordOf);
    },
  };
}

async function listPayments(db: Db, filter: PaymentFilter) {
  const limit = requirePageLimit(filter.limit);
  let query = selectPayments(db).where('p.merchant_id', '=', filter.merchantId);
  if (filter.referenceId !== undefined) query = query.where('p.reference_id', '=', filter.referenceId);
  if (filter.status !== undefined) query = query.where('p.status', '=', filter.status);
  if (filter.type !== undefined) query = query.where('p.type', '=', filter.type);
  if (filter.acceptanceChannel !== undefined) query = query.where('p.channel', '=', filter.acceptanceChannel);
  if (filter.terminalId !== undefined) query = query.where('p.terminal_id', '=', filter.terminalId);
  if (filter.settlementId !== undefined) query = query.where('s.settlement_id', '=', filter.settlementId);
  if (filter.originalTransactionId !== undefined) {
    query = query.where('p.original_id', '=', filter.originalTransactionId);
  }
  if (filter.fromMs !== undefined) query = query.where('p.created_at', '>=', filter.fromMs);
  if (filter.toMs !== undefined) query = query.where('p.created_at', '<', filter.toMs);
  if (filter.cursor !== undefined) {
    const { atMs, id } = decodeCursor(filter.cursor);
    query = query.where(sql<boolean>`(p.created_at, p.payment_id) < (${atMs}, ${id})`);
  }
  const rows = await query
    .orderBy('p.created_at', 'desc')
    .orderBy('p.payment_id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, ({ created_at: atMs, payment_id: id }) => ({ atMs, id }), recordOf);
}
