import { type Selectable, sql } from 'kysely';
import type { SettlementExportRow } from '../../app/contract/host/settlement-export.ts';
import type { SettlementStatus } from '../../app/contract/settlements.ts';
import { minorOfBigInt } from '../../app/domain/money.ts';
import { requirePageLimit } from '../../app/domain/page-limit.ts';
import { accounts } from '../../app/domain/posting.ts';
import { assertSettlementMove } from '../../app/domain/settlement.machine.ts';
import type { BatchTotals, SettlementRecord } from '../ports/host-records.ts';
import type {
  AcquirerWord,
  BatchClose,
  CloseResult,
  HostReader,
  HostUnit,
  SettlementFilter,
  TerminalRef,
} from '../ports/host-store.ts';
import { decodeCursor, pageOf } from './cursor.ts';
import { type Db, hasChanged, present, type UnitDb } from './db.ts';
import { batchTotals, listEntries } from './entries.store.ts';
import { recordOf as paymentRecordOf } from './payment-rows.ts';
import { createPaymentReader } from './payments.reader.ts';
import type { SettlementsTable } from './schema.ts';

type SettlementReads = Pick<
  HostReader,
  | 'openTotals'
  | 'tillTotals'
  | 'lastTillClose'
  | 'listEntries'
  | 'findSettlement'
  | 'listSettlements'
  | 'settlementRows'
>;

export function createSettlementReader(db: Db): SettlementReads {
  return {
    async openTotals(ref) {
      const terminal = await selectTerminal(db, ref).executeTakeFirstOrThrow();
      const { batch_number: batch, currency } = terminal;
      return await batchTotals(db, ref, { from: batch, to: batch }, currency);
    },
    async tillTotals(ref) {
      const terminal = await selectTerminal(db, ref).executeTakeFirstOrThrow();
      return await sinceTillClosed(db, ref, terminal.batch_number, terminal.currency);
    },
    lastTillClose: (ref) => lastTillClose(db, ref),
    listEntries: (batch) => listEntries(db, batch),
    async findSettlement(merchantId, settlementId) {
      const row = await db
        .selectFrom('settlements')
        .selectAll()
        .where('merchant_id', '=', merchantId)
        .where('settlement_id', '=', settlementId)
        .executeTakeFirst();
      return row === undefined ? undefined : recordOf(row);
    },
    listSettlements: (filter) => listSettlements(db, filter),
    settlementRows: (settlement) => settlementRows(db, settlement),
  };
}

function selectTerminal(db: Db, { merchantId, terminalId }: TerminalRef) {
  return db
    .selectFrom('terminals')
    .select(['batch_number', 'currency'])
    .where('merchant_id', '=', merchantId)
    .where('terminal_id', '=', terminalId);
}

async function listSettlements(db: Db, filter: SettlementFilter) {
  const limit = requirePageLimit(filter.limit);
  let query = db.selectFrom('settlements').selectAll().where('merchant_id', '=', filter.merchantId);
  if (filter.terminalId !== undefined) query = query.where('terminal_id', '=', filter.terminalId);
  if (filter.currency !== undefined) query = query.where('currency', '=', filter.currency);
  if (filter.fromMs !== undefined) query = query.where('closed_at', '>=', filter.fromMs);
  if (filter.toMs !== undefined) query = query.where('closed_at', '<', filter.toMs);
  if (filter.cursor !== undefined) {
    const { atMs, id } = decodeCursor(filter.cursor);
    query = query.where(sql<boolean>`(closed_at, settlement_id) < (${atMs}, ${id})`);
  }
  const rows = await query
    .orderBy('closed_at', 'desc')
    .orderBy('settlement_id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, ({ closed_at: atMs, settlement_id: id }) => ({ atMs, id }), recordOf);
}

/** What every payment of the batch adds to its net amount: credits of the acquirer's account are what it keeps back. */
async function settlementRows(db: Db, settlement: SettlementRecord): Promise<readonly SettlementExportRow[]> {
  const { merchantId, terminalId, batchNumber } = settlement;
  const nets = db
    .selectFrom('entries')
    .select([
      'payment_id',
      sql<string>`CAST(sum(CASE WHEN debit = ${accounts.acquirer} THEN amount_minor WHEN credit = ${accounts.acquirer} THEN -amount_minor ELSE 0 END) AS text)`.as(
        'net',
      ),
    ])
    .where('merchant_id', '=', merchantId)
    .where('terminal_id', '=', terminalId)
    .where('batch_number', '=', batchNumber)
    .groupBy('payment_id');
  const rows = await db
    .selectFrom('payments as p')
    .leftJoin(nets.as('e'), 'e.payment_id', 'p.payment_id')
    .selectAll('p')
    .select(['e.net', sql<string>`${settlement.id}`.as('settlement_id')])
    .where('p.merchant_id', '=', merchantId)
    .where('p.terminal_id', '=', terminalId)
    .where('p.batch_number', '=', batchNumber)
    .orderBy('p.created_at')
    .orderBy('p.payment_id')
    .execute();
  return rows.map((row) => {
    const { payment } = paymentRecordOf(row);
    const {
      originalTransactionId,
      referenceId,
      authorizationCode,
      rrn,
      cardScheme,
      maskedPan,
      metadata,
      businessDate,
    } = payment;
    return {
      paymentId: payment.id,
      type: payment.type,
      status: payment.status,
      acceptanceChannel: payment.acceptanceChannel,
      createdAt: payment.createdAt,
      currencyCode: payment.currencyCode,
      amountMinor: payment.amountMinor,
      tipAmountMinor: payment.tipAmountMinor,
      cashbackAmountMinor: payment.cashbackAmountMinor ?? 0,
      netAmountMinor: minorOfBigInt(BigInt(row.net ?? '0')),
      ...present({
        originalTransactionId,
        referenceId,
        authorizationCode,
        rrn,
        cardScheme,
        maskedPan,
        metadata,
        businessDate,
      }),
    };
  });
}

async function lastTillClose(db: Db, { merchantId, terminalId }: TerminalRef) {
  const row = await db
    .selectFrom('settlements')
    .select(['batch_number', 'closed_at'])
    .where('merchant_id', '=', merchantId)
    .where('terminal_id', '=', terminalId)
    .where((eb) => eb.or([eb('closed_by', 'is', null), eb('closed_by', '=', 'TILL')]))
    .orderBy('batch_number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : { batchNumber: row.batch_number, closedAtMs: row.closed_at };
}

/** A close by the merchant's server cuts the host's batch and not the till's: what the till counts began after its own last close. */
async function sinceTillClosed(db: Db, ref: TerminalRef, to: number, currency: string): Promise<BatchTotals> {
  const { batchNumber = 0 } = (await lastTillClose(db, ref)) ?? {};
  return await batchTotals(db, ref, { from: batchNumber + 1, to }, currency);
}

type SettlementWrites = Pick<HostUnit, 'closeBatch' | 'moveSettlement' | 'noteSettlement'>;

export function createSettlementWriter(unit: UnitDb): SettlementWrites {
  return {
    closeBatch: (close) => closeBatch(unit, close),
    async moveSettlement(from, to, word) {
      assertSettlementMove(from.id, from.status, to);
      return await update(unit.db, from, to, word);
    },
    noteSettlement: (from, word) => update(unit.db, from, from.status, word),
  };
}

async function update(db: Db, from: SettlementRecord, to: SettlementStatus, word: AcquirerWord): Promise<boolean> {
  const { acquirerBatchRef, fundingDateMs, differences } = word;
  const told = differences === undefined ? undefined : JSON.stringify(differences);
  const columns = { acquirer_batch_ref: acquirerBatchRef, funding_date: fundingDateMs, acquirer_differences: told };
  const result = await db
    .updateTable('settlements')
    .set({ status: to, ...present(columns) })
    .where('merchant_id', '=', from.merchantId)
    .where('settlement_id', '=', from.id)
    .where('status', '=', from.status)
    .executeTakeFirst();
  return hasChanged(result);
}

/** Whoever writes entries holds the terminal's row meanwhile: once it is ours, all of the batch is there, and nothing more comes. */
async function closeBatch({ db, kind }: UnitDb, close: BatchClose): Promise<CloseResult> {
  const { merchantId, terminalId, businessDate, terminalBusinessDate, closedBy } = close;
  const query = selectTerminal(db, close);
  const terminal = await (kind === 'postgres' ? query.forUpdate() : query).executeTakeFirstOrThrow();
  const blockers = await createPaymentReader(db).closeBlockers(close);
  if (blockers.length > 0) return { kind: 'BLOCKED', blockers };
  const { batch_number: batchNumber, currency } = terminal;
  const totals = await batchTotals(db, close, { from: batchNumber, to: batchNumber }, currency);
  const counted = closedBy === 'TILL' ? await sinceTillClosed(db, close, batchNumber, currency) : totals;
  const { status, differences } = close.judge(counted);
  await db
    .insertInto('settlements')
    .values({
      merchant_id: merchantId,
      terminal_id: terminalId,
      batch_number: batchNumber,
      settlement_id: close.settlementId,
      status,
      currency,
      closed_at: close.atMs,
      totals: JSON.stringify(totals),
      differences: JSON.stringify(differences),
      acquirer_batch_ref: null,
      funding_date: null,
      acquirer_differences: null,
      business_date: businessDate,
      terminal_business_date: terminalBusinessDate ?? null,
      closed_by: closedBy,
    })
    .execute();
  await db
    .updateTable('terminals')
    .set({ batch_number: batchNumber + 1, updated_at: close.atMs })
    .where('merchant_id', '=', merchantId)
    .where('terminal_id', '=', terminalId)
    .execute();
  const { settlementId: id, atMs: closedAtMs } = close;
  const dates = { businessDate, ...(terminalBusinessDate === undefined ? {} : { terminalBusinessDate }) };
  const settlement = { merchantId, terminalId, batchNumber, id, status, closedAtMs, totals, differences, ...dates };
  return { kind: 'CLOSED', settlement, counted };
}

function recordOf(row: Selectable<SettlementsTable>): SettlementRecord {
  return {
    merchantId: row.merchant_id,
    terminalId: row.terminal_id,
    batchNumber: row.batch_number,
    id: row.settlement_id,
    status: row.status as SettlementStatus,
    closedAtMs: row.closed_at,
    totals: JSON.parse(row.totals) as BatchTotals,
    differences: [...textsOf(row.differences), ...textsOf(row.acquirer_differences)],
    ...present({
      acquirerBatchRef: row.acquirer_batch_ref,
      fundingDateMs: row.funding_date,
      businessDate: row.business_date,
      terminalBusinessDate: row.terminal_business_date,
    }),
  };
}

function textsOf(list: string | null): readonly string[] {
  return list === null ? [] : (JSON.parse(list) as string[]);
}
