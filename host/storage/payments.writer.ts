import { sql } from 'kysely';
import { SESSION_PROCESSING_TIMEOUT_MINUTES } from '../../app/contract/host/host-limits.ts';
import type { Payment } from '../../app/contract/host/payment.ts';
import { assertPaymentMove, moneyStateOf, type PaymentTrigger } from '../../app/domain/payment.machine.ts';
import { entriesOf, type MoneyEvent } from '../../app/domain/posting.ts';
import type { NewPayment } from '../ports/host-records.ts';
import type { HostUnit, InsertResult, PaymentMoveWrite } from '../ports/host-store.ts';
import { type Db, hasChanged, type UnitDb } from './db.ts';
import { entryRows, holdOpenBatch, isFunding } from './entries.store.ts';
import { changingColumns, createdMs, recordOf, rowOf } from './payment-rows.ts';
import { locate, selectPayment } from './payments.reader.ts';

/** Milliseconds within which a session that has started must end. */
const PROCESSING_TIMEOUT_MS = SESSION_PROCESSING_TIMEOUT_MINUTES * 60_000;

type PaymentWrites = Pick<
  HostUnit,
  'lockPayment' | 'insertPayment' | 'movePayment' | 'beginOperation' | 'endOperation'
>;

export function createPaymentWriter(unit: UnitDb): PaymentWrites {
  const { db, kind } = unit;
  return {
    async lockPayment({ merchantId, paymentId }) {
      const place = await locate(db, merchantId, [''], paymentId);
      if (place === undefined) return undefined;
      const query = selectPayment(db, merchantId, place);
      const row = await (kind === 'postgres' ? query.forUpdate('p') : query).executeTakeFirst();
      return row === undefined ? undefined : recordOf(row);
    },
    insertPayment: (payment, trigger, events, atMs) =>
      orNothing(unit, 'INSERTED', () => insertPayment(unit, payment, trigger, events, atMs)),
    movePayment: (move) => movePayment(unit, move),
    async beginOperation(from, operation, atMs) {
      const { payment, revision } = from;
      const result = await db
        .updateTable('payments')
        .set({ operation, revision: revision + 1, updated_at: atMs })
        .where('merchant_id', '=', payment.merchantId)
        .where('payment_id', '=', payment.id)
        .where('created_at', '=', createdMs(payment))
        .where('status', '=', payment.status)
        .where('revision', '=', revision)
        .where('operation', 'is', null)
        .executeTakeFirst();
      return hasChanged(result) ? { ...from, operation, revision: revision + 1 } : undefined;
    },
    async endOperation({ merchantId, paymentId }, operation, atMs) {
      const place = await locate(db, merchantId, [''], paymentId);
      if (place === undefined) return false;
      const result = await db
        .updateTable('payments')
        .set({ operation: null, revision: sql<number>`revision + 1`, updated_at: atMs })
        .where('merchant_id', '=', merchantId)
        .where('payment_id', '=', paymentId)
        .where('created_at', '=', place.created_at)
        .where('operation', '=', operation)
        .executeTakeFirst();
      return hasChanged(result);
    },
  };
}

/** Does `work`, and takes back what it has written when its result is another than `done`; the rest of the unit stands. */
export async function orNothing<T extends { readonly kind: string }>(
  { db }: UnitDb,
  done: string,
  work: () => Promise<T>,
): Promise<T> {
  await sql`SAVEPOINT attempt`.execute(db);
  const result = await work();
  if (result.kind !== done) await sql`ROLLBACK TO SAVEPOINT attempt`.execute(db);
  await sql`RELEASE SAVEPOINT attempt`.execute(db);
  return result;
}

/** Writes a payment; the caller takes back what was written when the result is no INSERTED. */
export async function insertPayment(
  unit: UnitDb,
  added: NewPayment,
  trigger: PaymentTrigger,
  events: readonly MoneyEvent[],
  atMs: number,
): Promise<InsertResult> {
  const { payment, terminalId } = added;
  assertPaymentMove({ ...payment, status: 'NEW' }, trigger, payment.status);
  const takenBy = await takeNames(unit, added);
  if (takenBy !== undefined) return { kind: 'NAME_TAKEN', paymentId: takenBy };
  if (!(await takeSession(unit, added, trigger, atMs))) return { kind: 'SESSION_TAKEN' };
  const entries = events.flatMap((event) => entriesOf(payment, event));
  const { merchantId } = payment;
  const batchNumber = entries.length === 0 ? undefined : await holdOpenBatch(unit, { merchantId, terminalId });
  const stamped = isFunding(entries) ? batchNumber : undefined;
  await unit.db
    .insertInto('payments')
    .values(rowOf(added, stamped, atMs))
    .execute();
  if (batchNumber !== undefined) {
    const place = { merchantId, terminalId, paymentId: payment.id, revision: 1, batchNumber, atMs };
    const rows = entryRows({ ...place, currency: payment.currencyCode }, entries);
    await unit.db.insertInto('entries').values(rows).execute();
  }
  // Last, so that those who race for the same original wait for a commit, not for all of this.
  if (reserves(payment, payment.status) && !(await reserveRefund(unit, payment, atMs))) return { kind: 'CEILING' };
  return { kind: 'INSERTED' };
}

/** The rows that make the names of a payment its own. */
export function nameRows({ payment, terminalId, transactionId }: NewPayment) {
  const row = { merchant_id: payment.merchantId, payment_id: payment.id, created_at: createdMs(payment) };
  const own = { ...row, scope: '', name: payment.id };
  return transactionId === payment.id ? [own] : [own, { ...row, scope: terminalId, name: transactionId }];
}

/** @returns the payment that has one of the names already */
async function takeNames({ db }: UnitDb, added: NewPayment): Promise<string | undefined> {
  for (const row of nameRows(added)) {
    const result = await db
      .insertInto('payment_names')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (hasChanged(result)) continue;
    const found = await db
      .selectFrom('payment_names')
      .select('payment_id')
      .where('merchant_id', '=', row.merchant_id)
      .where('scope', '=', row.scope)
      .where('name', '=', row.name)
      .executeTakeFirstOrThrow();
    return found.payment_id;
  }
  return undefined;
}

/** What is told after it has happened is not too late for a session whose time has run out, or whose device gave it up. */
const openForAttempt = ['CLAIMED', 'IN_PROGRESS'] as const;
const openForRecord = [...openForAttempt, 'CANCELED', 'FAILED', 'RECOVERY_REQUIRED'] as const;

/** The one attempt of a session, which is in the hands of its terminal. It starts the session, whether or not its device has said so. */
async function takeSession({ db }: UnitDb, added: NewPayment, trigger: PaymentTrigger, atMs: number): Promise<boolean> {
  const { payment, paymentSessionId: sessionId } = added;
  if (sessionId === undefined) return true;
  const attempt = await db
    .insertInto('session_attempts')
    .values({ merchant_id: payment.merchantId, session_id: sessionId, payment_id: payment.id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (!hasChanged(attempt)) return false;
  const linked = await db
    .updateTable('sessions')
    .set({
      status: sql<string>`CASE WHEN status = 'CLAIMED' THEN 'IN_PROGRESS' ELSE status END`,
      processing_expires_at: sql<number>`coalesce(processing_expires_at, ${atMs + PROCESSING_TIMEOUT_MS})`,
      payment_id: payment.id,
      final_amount_minor: payment.amountMinor,
      tip_amount_minor: payment.tipAmountMinor,
      authorization_started_at: atMs,
      updated_at: atMs,
    })
    .where('merchant_id', '=', payment.merchantId)
    .where('session_id', '=', sessionId)
    .where('terminal_id', '=', added.terminalId)
    .where('status', 'in', trigger === 'AUTHORIZATION_BEGUN' ? openForAttempt : openForRecord)
    .executeTakeFirst();
  return hasChanged(linked);
}

/** Whether a refund in this status may have given money back, and so counts against its original (decisions: Refund ceiling). */
function reserves(
  payment: Pick<Payment, 'type' | 'acceptanceChannel' | 'originalTransactionId'>,
  status: Payment['status'],
): boolean {
  const isOurs = payment.type === 'REFUND' && payment.acceptanceChannel !== 'EXTERNAL_RAIL';
  return isOurs && ['HELD', 'MOVED', 'UNKNOWN'].includes(moneyStateOf(status));
}

/** Check and reservation in one statement: of refunds that race for what is left, those that do not fit change nothing. */
async function reserveRefund({ db }: UnitDb, refund: Payment, atMs: number): Promise<boolean> {
  const original = await locateOriginal(db, refund);
  return original !== undefined && hasChanged(await reservation(db, refund, original, atMs).executeTakeFirst());
}

type Refund = Pick<Payment, 'merchantId' | 'originalTransactionId' | 'amountMinor'>;
type Place = NonNullable<Awaited<ReturnType<typeof locate>>>;

export async function locateOriginal(
  db: Db,
  { merchantId, originalTransactionId }: Refund,
): Promise<Place | undefined> {
  return await locate(db, merchantId, [''], originalTransactionId ?? '');
}

/** The statement that reserves what a refund gives back. */
export function reservation(db: Db, refund: Refund, original: Place, atMs: number) {
  const amount = refund.amountMinor;
  return db
    .updateTable('payments')
    .set({
      refunded_minor: sql<number>`refunded_minor + ${amount}`,
      refund_count: sql<number>`refund_count + 1`,
      // Whoever has read the original before must read it again.
      revision: sql<number>`revision + 1`,
      updated_at: atMs,
    })
    .where('merchant_id', '=', refund.merchantId)
    .where('payment_id', '=', original.payment_id)
    .where('created_at', '=', original.created_at)
    .where('status', '=', 'SUCCEEDED')
    .where('channel', '<>', 'EXTERNAL_RAIL')
    .where('operation', 'is', null)
    .where(sql<boolean>`refunded_minor <= captured_minor - cashback_minor - ${amount}`);
}

async function releaseRefund({ db }: UnitDb, refund: Refund, atMs: number): Promise<void> {
  const original = await locateOriginal(db, refund);
  if (original === undefined) throw new Error('a refund has reserved on a payment that is not there');
  await db
    .updateTable('payments')
    .set({
      refunded_minor: sql<number>`refunded_minor - ${refund.amountMinor}`,
      refund_count: sql<number>`refund_count - 1`,
      revision: sql<number>`revision + 1`,
      updated_at: atMs,
    })
    .where('merchant_id', '=', refund.merchantId)
    .where('payment_id', '=', original.payment_id)
    .where('created_at', '=', original.created_at)
    .execute();
}

/** The move with its entries. */
export async function movePayment(unit: UnitDb, move: PaymentMoveWrite): Promise<boolean> {
  const { from, payment, atMs } = move;
  assertPaymentMove(from.payment, move.trigger, payment.status);
  const { merchantId, id: paymentId } = from.payment;
  const { terminalId } = from;
  const entries = move.events.flatMap((event) => entriesOf(from.payment, event));
  const batchNumber = entries.length === 0 ? undefined : await holdOpenBatch(unit, { merchantId, terminalId });
  const revision = from.revision + 1;
  const result = await unit.db
    .updateTable('payments')
    .set({
      ...changingColumns(payment, atMs),
      ...(batchNumber !== undefined && isFunding(entries) ? { batch_number: batchNumber } : {}),
      operation: null,
      revision,
    })
    .where('merchant_id', '=', merchantId)
    .where('payment_id', '=', paymentId)
    .where('created_at', '=', createdMs(from.payment))
    .where('status', '=', from.payment.status)
    .where('revision', '=', from.revision)
    .executeTakeFirst();
  if (!hasChanged(result)) return false;
  if (reserves(from.payment, from.payment.status) && !reserves(from.payment, payment.status)) {
    await releaseRefund(unit, from.payment, atMs);
  }
  if (batchNumber !== undefined) {
    const place = { merchantId, terminalId, paymentId, revision, batchNumber, currency: payment.currencyCode, atMs };
    await unit.db.insertInto('entries').values(entryRows(place, entries)).execute();
  }
  return true;
}
