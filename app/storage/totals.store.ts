import type { CardScheme } from '../contract/transactions.ts';
import { minorOfBigInt } from '../domain/money.ts';
import { type SchemeTotals, UNKNOWN_SCHEME } from '../domain/totals.ts';
import type { JournalReader } from '../ports/journal.ts';
import type { ReadHandle } from './database.ts';
import { holdIsOpen, isVoid } from './transactions.store.ts';

/**
 * A sum in two halves: 64 bits hold each of them for any number of rows that fits a disk, where the sum itself might pass them. `sumOf` puts them
 * together exactly.
 */
const HALF_BITS = 26;
const HALF_MASK = 2 ** HALF_BITS - 1;

/** Both halves of a column's sum; their names may have a prefix, where a query has several sums. */
export function halves(column: string, prefix = ''): string {
  return `coalesce(sum(${column} >> ${HALF_BITS}), 0) AS ${prefix}high, coalesce(sum(${column} & ${HALF_MASK}), 0) AS ${prefix}low`;
}

interface Tally {
  count: number;
  high: number;
  low: number;
}

const nothing: Tally = { count: 0, high: 0, low: 0 };

export function sumOf(tally: Pick<Tally, 'high' | 'low'>): bigint {
  return (BigInt(tally.high) << BigInt(HALF_BITS)) + BigInt(tally.low);
}

/** Condition with terminal, batch number and currency bound in this order: what is in any totals. */
export const inBatch = `terminal_id = ? AND batch_number = ? AND currency = ? AND state = 'APPROVED' AND mode = 'ORCHESTRATED'`;
/** The void itself says nothing about what it takes back: a released pre-authorization is in no total (decisions: Totals). */
const voidsOfSales = `
  FROM transactions AS undone JOIN transactions AS original ON original.transaction_id = undone.target_id
  WHERE undone.terminal_id = ? AND undone.batch_number = ? AND undone.currency = ? AND undone.state = 'APPROVED'
    AND undone.mode = 'ORCHESTRATED' AND undone.type = 'VOID' AND original.type IN ('SALE', 'PRE_AUTH_COMPLETE')`;

/** A sale that was void before it was captured: as of a released hold, neither it nor its void is in any total. */
export function isReleased(sale: string): string {
  return `(${sale}.awaits_capture = 1 AND ${isVoid(sale)})`;
}

/** Totals by SQL over the batch's index; app/domain/totals.ts says what they mean and judges them. */
export function createTotalsReader(handle: ReadHandle): Pick<JournalReader, 'totals' | 'schemeTotals'> {
  const byKind = (kinds: string) =>
    handle.read<Tally>(
      `SELECT count(*) AS count, ${halves('total_minor')} FROM transactions WHERE ${inBatch} AND type IN (${kinds})`,
    );
  const voids = handle.read<Tally>(`SELECT count(*) AS count, ${halves('undone.total_minor')} ${voidsOfSales}`);
  const holds = handle.read<Tally>(
    `SELECT count(*) AS count, ${halves('hold.total_minor')} FROM transactions AS hold
     WHERE terminal_id = ? AND currency = ? AND type = 'PRE_AUTH' AND state = 'APPROVED' AND mode = 'ORCHESTRATED' AND ${holdIsOpen('hold')}`,
  );
  const released = handle.read<Tally>(
    `SELECT count(*) AS count, ${halves('sale.total_minor')} FROM transactions AS sale
     WHERE terminal_id = ? AND batch_number = ? AND currency = ? AND ${isReleased('sale')}`,
  );
  const sales = byKind(`'SALE', 'PRE_AUTH_COMPLETE'`);
  const refunds = byKind(`'REFUND'`);

  return {
    totals(terminalId, batchNumber, currency) {
      const sold = sales.get(terminalId, batchNumber, currency) ?? nothing;
      const refunded = refunds.get(terminalId, batchNumber, currency) ?? nothing;
      const voided = voids.get(terminalId, batchNumber, currency) ?? nothing;
      const held = holds.get(terminalId, currency) ?? nothing;
      const gone = released.get(terminalId, batchNumber, currency) ?? nothing;
      return {
        saleCount: sold.count - gone.count,
        saleAmount: minorOfBigInt(sumOf(sold) - sumOf(gone)),
        refundCount: refunded.count,
        refundAmount: minorOfBigInt(sumOf(refunded)),
        voidCount: voided.count - gone.count,
        voidAmount: minorOfBigInt(sumOf(voided) - sumOf(gone)),
        preAuthCount: held.count,
        preAuthAmount: minorOfBigInt(sumOf(held)),
        currency,
      };
    },
    schemeTotals: (terminalId, batchNumber, currency) => schemeTotals(handle, [terminalId, batchNumber, currency]),
  };
}

function schemeTotals(handle: ReadHandle, batch: readonly [string, number, string]): readonly SchemeTotals[] {
  const moved = handle.read<Tally & { scheme: string | null; refund: number }>(
    `SELECT card_scheme AS scheme, type = 'REFUND' AS refund, count(*) AS count, ${halves('total_minor')} FROM transactions
     WHERE ${inBatch} AND type IN ('SALE', 'PRE_AUTH_COMPLETE', 'REFUND') GROUP BY 1, 2`,
  );
  const undone = handle.read<Tally & { scheme: string | null }>(
    `SELECT original.card_scheme AS scheme, count(*) AS count, ${halves('undone.total_minor')} ${voidsOfSales} GROUP BY 1`,
  );
  const schemes = new Map<string, { count: number; sum: bigint }>();
  const add = (scheme: string | null, count: number, sum: bigint) => {
    const name = scheme ?? UNKNOWN_SCHEME;
    const known = schemes.get(name) ?? { count: 0, sum: 0n };
    schemes.set(name, { count: known.count + count, sum: known.sum + sum });
  };
  for (const row of moved.all(...batch)) add(row.scheme, row.count, row.refund === 1 ? -sumOf(row) : sumOf(row));
  for (const row of undone.all(...batch)) add(row.scheme, -row.count, -sumOf(row));
  return [...schemes]
    .map(([scheme, { count, sum }]) => ({ scheme: scheme as CardScheme, count, amountMinor: minorOfBigInt(sum) }))
    .sort((a, b) => (a.scheme < b.scheme ? -1 : 1));
}
