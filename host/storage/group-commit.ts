import { type RawBuilder, sql } from 'kysely';
import { assertPaymentMove } from '../../app/domain/payment.machine.ts';
import { entriesOf } from '../../app/domain/posting.ts';
import type { AuthorizationEnd, AuthorizationIntent } from '../ports/host-store.ts';
import type { Db } from './db.ts';
import { entryRows, isFunding } from './entries.store.ts';
import { answerRow, keyRow } from './idempotency.store.ts';
import { answerText, messageRow } from './messages.store.ts';
import { partitionAt } from './partitions.ts';
import { changingColumns, createdMs, rowOf } from './payment-rows.ts';
import { locateOriginal, nameRows, reservation } from './payments.writer.ts';

/**
 * The path of an authorization on PostgreSQL: all rows of several authorizations in one statement, and so in one round trip and one commit. The rows
 * are those of the plain path (authorizations.ts).
 */

/** Whether an intent touches nothing that is there already: no original and no session. */
export function isPlainIntent({ payment }: AuthorizationIntent): boolean {
  return payment.payment.type !== 'REFUND' && payment.paymentSessionId === undefined;
}

/** Whether it is a refund that reserves on its original, and touches nothing else. */
export function isPlainRefund({ payment, trigger }: AuthorizationIntent): boolean {
  const { type, acceptanceChannel } = payment.payment;
  const isOurs = type === 'REFUND' && acceptanceChannel !== 'EXTERNAL_RAIL' && trigger === 'AUTHORIZATION_BEGUN';
  return isOurs && payment.paymentSessionId === undefined;
}

/** Inserts the rows as the table's own types read them from JSON; nothing when there are none. */
function insertRows(table: string, rows: readonly object[], more: RawBuilder<unknown>): RawBuilder<unknown> {
  const names = sql.raw(Object.keys(rows[0] ?? {}).join(', '));
  const name = sql.raw(table);
  return sql`INSERT INTO ${name} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${name}, ${JSON.stringify(rows)}::json) ${more}`;
}

/** All in one order in every process, so that two statements never wait for each other in a circle. */
function inKeyOrder(intents: readonly AuthorizationIntent[]): readonly AuthorizationIntent[] {
  const keyOf = ({ idempotency: { merchantId, scope, key } }: AuthorizationIntent) => `${merchantId} ${scope} ${key}`;
  return intents.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Stores all, or nothing. @throws DatabaseError 23505 when a key or a name of one of them is taken */
export async function beginTogether(db: Db, given: readonly AuthorizationIntent[]): Promise<void> {
  const intents = inKeyOrder(given);
  for (const { payment, trigger } of intents) {
    assertPaymentMove({ ...payment.payment, status: 'NEW' }, trigger, payment.payment.status);
  }
  await sql`WITH ${sql.join(insertsOf(intents))} SELECT 1`.execute(db);
}

/**
 * Stores a refund with the reservation on its original, in one statement. @returns false, with nothing written, when it does not fit
 * @throws DatabaseError 23505 when its key or its name is taken
 */
export async function beginRefund(db: Db, intent: AuthorizationIntent): Promise<boolean> {
  const { payment } = intent.payment;
  assertPaymentMove({ ...payment, status: 'NEW' }, intent.trigger, payment.status);
  const original = await locateOriginal(db, payment);
  if (original === undefined) return false;
  const reserving = reservation(db, payment, original, intent.idempotency.createdAtMs).returning('payment_id');
  const inserts = insertsOf([intent], sql`WHERE EXISTS (SELECT 1 FROM reserved)`);
  const { rows } = await sql`WITH reserved AS (${reserving}), ${sql.join(inserts)} SELECT 1 FROM reserved`.execute(db);
  return rows.length > 0;
}

/** The rows of new authorizations, as steps of a WITH. */
function insertsOf(intents: readonly AuthorizationIntent[], more = sql``): readonly RawBuilder<unknown>[] {
  const messages = intents.flatMap(({ message }) => (message === undefined ? [] : [messageRow(message)]));
  const inserts = [
    insertRows(
      'idempotency_keys',
      intents.map(({ idempotency }) => keyRow(idempotency)),
      more,
    ),
    insertRows(
      'payment_names',
      intents.flatMap(({ payment }) => nameRows(payment)),
      more,
    ),
    insertRows(
      'payments',
      intents.map(({ payment, idempotency }) => rowOf(payment, undefined, idempotency.createdAtMs)),
      more,
    ),
    ...(messages.length === 0 ? [] : [insertRows('acquirer_messages', messages, more)]),
  ];
  return inserts.map((insert, index) => sql`${sql.raw(`step_${index}`)} AS (${insert})`);
}

/** Whether an end moves its own payment only: that of a refund may give back what its original has reserved. */
export function isPlainEnd({ move }: AuthorizationEnd): boolean {
  return move.from.payment.type !== 'REFUND';
}

const answerColumns = 'merchant_id, scope, key, created_at, status_code, body';

/**
 * Stores all that are as they were read. @returns for each whether it was
 * @throws RangeError, with nothing written, when a payment is there twice: a statement would take either of the two for both; and when not all lie in
 * the same month
 */
export async function endTogether(db: Db, ends: readonly AuthorizationEnd[]): Promise<readonly boolean[]> {
  if (new Set(ends.map(nameOf)).size < ends.length) throw new RangeError('a payment is there twice');
  for (const { move } of ends) assertPaymentMove(move.from.payment, move.trigger, move.payment.status);
  const [partitions, ...others] = placesOf(ends);
  if (partitions === undefined || others.length > 0) throw new RangeError('not all of one month');
  const parts = ends.map(partsOf);
  const json = (rows: readonly object[]) => sql`${JSON.stringify(rows)}::json`;
  const { rows } = await sql<{ merchant_id: string; payment_id: string }>`
    WITH wanted AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${json(parts.map(({ move }) => move))}) AS wanted (
        merchant_id text, payment_id text, created_at bigint, terminal_id text, from_status text, from_revision bigint,
        has_entries boolean, is_funding boolean, status text, capture_method text, amount_minor bigint, base_minor bigint,
        tip_minor bigint, cashback_minor bigint, captured_minor bigint, auth_expires_at bigint, updated_at bigint, details text)
    ), open_batch AS MATERIALIZED (
      SELECT merchant_id, terminal_id, batch_number FROM terminals
      WHERE (merchant_id, terminal_id) IN (SELECT merchant_id, terminal_id FROM wanted WHERE has_entries)
      ORDER BY merchant_id, terminal_id FOR SHARE
    ), moved AS (
      UPDATE ${sql.raw(partitions.payments)} AS p SET
        status = w.status, capture_method = w.capture_method, amount_minor = w.amount_minor, base_minor = w.base_minor,
        tip_minor = w.tip_minor, cashback_minor = w.cashback_minor, captured_minor = w.captured_minor,
        auth_expires_at = w.auth_expires_at, updated_at = w.updated_at, details = w.details, operation = NULL,
        revision = w.from_revision + 1, batch_number = CASE WHEN w.is_funding THEN b.batch_number ELSE p.batch_number END
      FROM wanted AS w LEFT JOIN open_batch AS b ON b.merchant_id = w.merchant_id AND b.terminal_id = w.terminal_id
      WHERE p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id AND p.created_at = w.created_at
        AND p.status = w.from_status AND p.revision = w.from_revision AND (b.batch_number IS NOT NULL OR NOT w.has_entries)
      RETURNING p.merchant_id, p.payment_id
    ), posted AS (
      INSERT INTO entries (merchant_id, payment_id, revision, line, created_at, terminal_id, batch_number, currency, kind, debit, credit, amount_minor)
      SELECT e.merchant_id, e.payment_id, e.revision, e.line, e.created_at, e.terminal_id, b.batch_number, e.currency, e.kind, e.debit, e.credit, e.amount_minor
      FROM json_populate_recordset(NULL::entries, ${json(parts.flatMap(({ entries }) => entries))}) AS e
      JOIN moved USING (merchant_id, payment_id)
      JOIN open_batch AS b ON b.merchant_id = e.merchant_id AND b.terminal_id = e.terminal_id
    ), heard AS (
      UPDATE ${sql.raw(partitions.messages)} AS m SET answered_at = h.answered_at, answer = h.answer
      FROM json_populate_recordset(NULL::acquirer_messages, ${json(parts.flatMap(({ heard }) => heard))}) AS h
      JOIN moved ON moved.merchant_id = h.merchant_id AND moved.payment_id = h.payment_id
      WHERE m.merchant_id = h.merchant_id AND m.payment_id = h.payment_id AND m.message_id = h.message_id
        AND m.created_at = h.created_at AND m.answered_at IS NULL
    ), answered AS (
      INSERT INTO idempotency_answers (${sql.raw(answerColumns)})
      SELECT a.merchant_id, a.scope, a.key, a.created_at, a.status_code, a.body
      FROM json_to_recordset(${json(parts.flatMap(({ answers }) => answers))}) AS a (
        payment_id text, merchant_id text, scope text, key text, created_at bigint, status_code bigint, body text)
      JOIN moved ON moved.merchant_id = a.merchant_id AND moved.payment_id = a.payment_id
      ON CONFLICT DO NOTHING
    )
    SELECT merchant_id, payment_id FROM moved`.execute(db);
  const moved = new Set(rows.map((row) => JSON.stringify([row.merchant_id, row.payment_id])));
  return ends.map((end) => moved.has(nameOf(end)));
}

/**
 * In which partitions the rows of ends lie. A statement names them itself: to plan, or only to open, all months for each statement takes longer than its rows
 * do. Where the partition of a month is missing, the statement fails, and each end goes alone.
 */
function placesOf(ends: readonly AuthorizationEnd[]) {
  const places = ends.map(({ move, message }) => {
    const createdAtMs = createdMs(move.from.payment);
    const payments = partitionAt('payments', createdAtMs);
    const messages = partitionAt('acquirer_messages', message?.sentAtMs ?? createdAtMs);
    return [`${payments} ${messages}`, { payments, messages }] as const;
  });
  return [...new Map(places).values()];
}

function nameOf({ move: { from } }: AuthorizationEnd): string {
  return JSON.stringify([from.payment.merchantId, from.payment.id]);
}

function partsOf({ move, message, answer }: AuthorizationEnd) {
  const { from, payment, atMs } = move;
  const { merchantId, id: paymentId } = from.payment;
  const key = { merchant_id: merchantId, payment_id: paymentId };
  const entries = move.events.flatMap((event) => entriesOf(from.payment, event));
  // The statement puts the number of the open batch in place of this one.
  const place = {
    merchantId,
    paymentId,
    terminalId: from.terminalId,
    revision: from.revision + 1,
    batchNumber: 1,
    atMs,
  };
  return {
    move: {
      ...key,
      created_at: createdMs(from.payment),
      terminal_id: from.terminalId,
      from_status: from.payment.status,
      from_revision: from.revision,
      has_entries: entries.length > 0,
      is_funding: isFunding(entries),
      ...changingColumns(payment, atMs),
    },
    entries: entryRows({ ...place, currency: payment.currencyCode }, entries),
    heard:
      message === undefined
        ? []
        : [
            {
              ...key,
              message_id: message.messageId,
              created_at: message.sentAtMs,
              answered_at: atMs,
              answer: answerText(message.answer),
            },
          ],
    answers:
      answer === undefined
        ? []
        : [{ payment_id: paymentId, ...answerRow(answer.ref, answer.createdAtMs, answer.answer) }],
  };
}
