import { sql } from 'kysely';
import type { TransactionTotals } from '../../app/contract/settlements.ts';
import { minorOfBigInt } from '../../app/domain/money.ts';
import { type Account, accounts, type Entry, type EntryKind } from '../../app/domain/posting.ts';
import type { BatchTotals, EntryRecord } from '../ports/host-records.ts';
import type { TerminalRef } from '../ports/host-store.ts';
import type { Db, UnitDb } from './db.ts';

/** Where entries belong. */
export interface EntryPlace extends TerminalRef {
  readonly paymentId: string;
  readonly revision: number;
  readonly batchNumber: number;
  readonly currency: string;
  readonly atMs: number;
}

/** Entries of one revision of a payment as rows. */
export function entryRows(place: EntryPlace, entries: readonly Entry[]) {
  return entries.map(({ kind, debit, credit, amountMinor }, line) => ({
    merchant_id: place.merchantId,
    payment_id: place.paymentId,
    revision: place.revision,
    line,
    created_at: place.atMs,
    terminal_id: place.terminalId,
    batch_number: place.batchNumber,
    currency: place.currency,
    kind,
    debit,
    credit,
    amount_minor: amountMinor,
  }));
}

/** Entries that fund a payment: it belongs to the batch that they fall in. */
export function isFunding(entries: readonly Entry[]): boolean {
  return entries.some(({ kind }) => kind === 'CAPTURE' || kind === 'REFUND');
}

/**
 * The open batch of a terminal, which nobody closes until the end of the unit: what is stamped with its number is in its totals.
 * @throws Error when there is no such terminal
 */
export async function holdOpenBatch({ db, kind }: UnitDb, { merchantId, terminalId }: TerminalRef): Promise<number> {
  const query = db
    .selectFrom('terminals')
    .select('batch_number')
    .where('merchant_id', '=', merchantId)
    .where('terminal_id', '=', terminalId);
  // After a wait for a close PostgreSQL gives the row as the close has left it.
  const row = await (kind === 'postgres' ? query.forShare() : query).executeTakeFirst();
  if (row === undefined) throw new Error(`no terminal ${terminalId}`);
  return row.batch_number;
}

/** The entries of a batch, as they were written. */
export async function listEntries(
  db: Db,
  { merchantId, terminalId, batchNumber }: TerminalRef & { readonly batchNumber: number },
): Promise<readonly EntryRecord[]> {
  const rows = await db
    .selectFrom('entries')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('terminal_id', '=', terminalId)
    .where('batch_number', '=', batchNumber)
    .orderBy('created_at')
    .orderBy('payment_id')
    .orderBy('revision')
    .orderBy('line')
    .execute();
  return rows.map((row) => ({
    merchantId,
    terminalId,
    batchNumber,
    paymentId: row.payment_id,
    revision: row.revision,
    currency: row.currency,
    atMs: row.created_at,
    kind: row.kind as EntryKind,
    debit: row.debit as Account,
    credit: row.credit as Account,
    amountMinor: row.amount_minor,
  }));
}

const figures = {
  sale: ['CAPTURE', 'CAPTURE_REVERSAL'],
  refund: ['REFUND', 'REFUND_REVERSAL'],
  void: ['VOID', undefined],
} as const satisfies Record<string, readonly [counted: EntryKind, takenBack: EntryKind | undefined]>;

interface Sum {
  readonly group: string;
  readonly kind: string;
  readonly count: number;
  readonly amount: bigint;
}

/** Batches of a terminal, one after the other. */
export interface BatchRange {
  readonly from: number;
  readonly to: number;
}

/** Totals of batches by SQL; posting.ts (totalsOfEntries) is what they are held against. @throws BridgeError AMOUNT_TOO_LARGE */
export async function batchTotals(
  db: Db,
  ref: TerminalRef,
  batches: BatchRange,
  currency: string,
): Promise<BatchTotals> {
  const sums = await sumsOf(db, ref, batches);
  const held = await openHolds(db, ref);
  return {
    funded: totalsOf(sums, 'funded', currency, held),
    external: totalsOf(sums, 'external', currency, { count: 0, amount: 0 }),
  };
}

async function sumsOf(db: Db, { merchantId, terminalId }: TerminalRef, batches: BatchRange): Promise<readonly Sum[]> {
  const rows = await db
    .selectFrom('entries')
    // Sums may pass 2^53, and are read as text.
    .select([
      'debit',
      'kind',
      sql<number>`count(*)`.as('count'),
      sql<string>`CAST(sum(amount_minor) AS text)`.as('sum'),
    ])
    .where('merchant_id', '=', merchantId)
    .where('terminal_id', '=', terminalId)
    .where('batch_number', '>=', batches.from)
    .where('batch_number', '<=', batches.to)
    .groupBy(['debit', 'kind'])
    .execute();
  return rows.map(({ debit, kind, count, sum }) => ({
    group: debit.slice(0, debit.indexOf(':')),
    kind,
    count,
    amount: BigInt(sum),
  }));
}

interface Figure {
  readonly count: number;
  readonly amount: number;
}

function totalsOf(sums: readonly Sum[], group: string, currency: string, held: Figure): TransactionTotals {
  const ours = sums.filter((sum) => sum.group === group);
  const sale = figureOf(ours, figures.sale);
  const refund = figureOf(ours, figures.refund);
  const voided = figureOf(ours, figures.void);
  return {
    saleCount: sale.count,
    saleAmount: sale.amount,
    refundCount: refund.count,
    refundAmount: refund.amount,
    voidCount: voided.count,
    voidAmount: voided.amount,
    preAuthCount: held.count,
    preAuthAmount: held.amount,
    currency,
  };
}

function figureOf(sums: readonly Sum[], [counted, takenBack]: (typeof figures)[keyof typeof figures]): Figure {
  let count = 0;
  let amount = 0n;
  for (const sum of sums) {
    const sign = sum.kind === counted ? 1 : sum.kind === takenBack ? -1 : 0;
    count += sign * sum.count;
    amount += BigInt(sign) * sum.amount;
  }
  return { count, amount: minorOfBigInt(amount) };
}

/** Holds of pre-authorizations that are open or of unknown outcome; those of all others have been released, and come to nothing. */
async function openHolds(db: Db, { merchantId, terminalId }: TerminalRef): Promise<Figure> {
  const rows = await db
    .selectFrom('payments as p')
    .innerJoin('entries as e', (join) =>
      join.onRef('e.merchant_id', '=', 'p.merchant_id').onRef('e.payment_id', '=', 'p.payment_id'),
    )
    .select([
      'e.kind',
      'e.debit',
      sql<number>`count(*)`.as('count'),
      sql<string>`CAST(sum(e.amount_minor) AS text)`.as('sum'),
    ])
    .where('p.merchant_id', '=', merchantId)
    .where('p.terminal_id', '=', terminalId)
    .where(sql<boolean>`p.status IN ('PROCESSING', 'FAILED', 'REQUIRES_CAPTURE')`)
    .where('p.type', '=', 'PRE_AUTH')
    .where((eb) => eb.or([eb('e.debit', '=', accounts.preAuthHolds), eb('e.credit', '=', accounts.preAuthHolds)]))
    .groupBy(['e.kind', 'e.debit'])
    .execute();
  let count = 0;
  let amount = 0n;
  for (const row of rows) {
    count += row.kind === 'HOLD' ? row.count : row.kind === 'HOLD_RELEASE' ? -row.count : 0;
    amount += (row.debit === accounts.preAuthHolds ? -1n : 1n) * BigInt(row.sum);
  }
  return { count, amount: minorOfBigInt(amount) };
}
