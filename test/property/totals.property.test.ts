import { performance } from 'node:perf_hooks';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openPreAuthsOf, schemeTotalsOf, totalsOf } from '../../app/domain/totals.ts';
import type { TransactionRecord } from '../../app/domain/transaction.ts';
import { GENESIS } from '../../app/storage/chain.ts';
import { openInMemory } from '../../app/storage/database.ts';
import { createJournalWriter } from '../../app/storage/journal-rows.store.ts';
import { migrate } from '../../app/storage/migrate.ts';
import { createTotalsReader } from '../../app/storage/totals.store.ts';
import { createTransactionReader, createTransactionWriter } from '../../app/storage/transactions.store.ts';
import { terminalId, transaction } from '../storage/journal-fixture.ts';

/** The stores over a database in memory: the same SQL without the disk. */
function stores() {
  const database = openInMemory();
  migrate(database);
  const reader = createTransactionReader(database);
  const writer = createTransactionWriter(
    reader,
    createJournalWriter(database, GENESIS, () => '2026-11-27T09:00:00.000Z'),
  );
  return {
    ...reader,
    ...createTotalsReader(database),
    ...writer,
    transaction: database.transaction,
    close: database.close,
  };
}

const amount = fc.integer({ min: 0, max: 100_000 });
/** One transaction of any kind; `pick` chooses what a follow-up acts on. */
const drawn = fc.record({
  type: fc.constantFrom('SALE', 'PRE_AUTH', 'PRE_AUTH_COMPLETE', 'REFUND', 'VOID', 'CARD_READ'),
  state: fc.constantFrom('APPROVED', 'APPROVED', 'APPROVED', 'DECLINED', 'CANCELLED', 'ERROR'),
  mode: fc.constantFrom('ORCHESTRATED', 'ORCHESTRATED', 'GRANULAR'),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'CHF'),
  batchNumber: fc.integer({ min: 1, max: 3 }),
  scheme: fc.constantFrom('VISA', 'MASTERCARD', 'girocard', 'OTHER', undefined),
  amounts: fc.tuple(amount, amount, amount),
  pick: fc.nat(1000),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

const follows: Partial<Record<Drawn['type'], readonly Drawn['type'][]>> = {
  PRE_AUTH_COMPLETE: ['PRE_AUTH'],
  REFUND: ['SALE', 'PRE_AUTH_COMPLETE'],
  VOID: ['SALE', 'PRE_AUTH', 'PRE_AUTH_COMPLETE'],
};

/** A book of records as drawn: follow-ups find an original of their kind, or are left out. */
function bookOf(draws: readonly Drawn[]): readonly TransactionRecord[] {
  const book: TransactionRecord[] = [];
  for (const { type, state, mode, currency, batchNumber, scheme, amounts, pick } of draws) {
    const originals = book.filter((record) => follows[type]?.includes(record.type as Drawn['type']));
    const target = originals[pick % Math.max(1, originals.length)];
    if (follows[type] !== undefined && target === undefined) continue;
    const [amountMinor, tipAmountMinor, cashbackAmountMinor] = type === 'REFUND' ? [1, 0, 0] : amounts;
    book.push(
      transaction({
        transactionId: `tx-${book.length}`,
        ...{ type, state, mode, currency, batchNumber, amountMinor, tipAmountMinor, cashbackAmountMinor },
        card: scheme === undefined ? {} : { cardScheme: scheme as 'VISA' },
        ...(target === undefined ? {} : { targetTransactionId: target.transactionId }),
      }),
    );
  }
  return book;
}

describe('totals by SQL', () => {
  it('are those of the rules, for any book', () => {
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 60 }), (draws) => {
        const journal = stores();
        const written: TransactionRecord[] = [];
        for (const record of bookOf(draws)) {
          const target = record.targetTransactionId;
          if (target !== undefined && !written.some(({ transactionId }) => transactionId === target)) continue;
          // The schema refuses second voids and completions, and refunds above the ceiling; those are in neither book.
          try {
            journal.saveTransaction(record);
            written.push(record);
          } catch (error) {
            expect(error).toMatchObject({ code: expect.stringMatching(/ALREADY|EXCEEDS/) });
          }
        }
        for (const batch of [1, 2, 3, 4]) {
          for (const currency of ['EUR', 'CHF']) {
            expect(journal.totals(terminalId, batch, currency)).toEqual(totalsOf(written, batch, currency));
            expect(journal.schemeTotals(terminalId, batch, currency)).toEqual(schemeTotalsOf(written, batch, currency));
          }
        }
        expect(journal.openPreAuths(terminalId)).toEqual(openPreAuthsOf(written));
        expect(journal.totals('T2', 1, 'EUR').saleCount).toBe(0);
        journal.close();
      }),
      { numRuns: 150 },
    );
  });

  it('grow no faster than the rows of the batch, and do not see closed batches', () => {
    const journal = stores();
    let next = 0;
    const fill = (batchNumber: number, count: number) =>
      journal.transaction(() => {
        for (let index = 0; index < count; index++) {
          journal.saveTransaction(transaction({ transactionId: `tx-${next++}`, batchNumber }));
        }
      });
    const fastestMs = (batchNumber: number) => {
      const runs = Array.from({ length: 7 }, () => {
        const start = performance.now();
        journal.totals(terminalId, batchNumber, 'EUR');
        return performance.now() - start;
      });
      return Math.min(...runs);
    };
    fill(1, 2_000);
    fill(2, 20_000);
    expect(journal.totals(terminalId, 2, 'EUR')).toMatchObject({ saleCount: 20_000, saleAmount: 20_000_000 });
    // Ten times the rows; a ratio, so that the machine's speed does not matter. A scan of everything would make it 1.
    expect(fastestMs(2) / fastestMs(1)).toBeLessThan(40);
    fill(3, 10);
    expect(fastestMs(3) / fastestMs(2)).toBeLessThan(0.5);
    journal.close();
  });
});
