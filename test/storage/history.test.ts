import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journalFileName } from '../../app/storage/create-journal.ts';
import { openForReading } from '../../app/storage/database.ts';
import { type SearchLimits, searchTransactions } from '../../app/storage/search.store.ts';
import { verifyJournal } from '../../app/storage/verify-journal.ts';
import type { HistoryOptions } from '../support/shop-history.ts';
import { writeHistory } from '../support/write-history.ts';
import { openJournal, temporaryFolder } from './journal-fixture.ts';

const options: HistoryOptions = {
  ...{ seed: 11, transactions: 3_000, terminalId: 'T1' },
  ...{ endsAtMs: Date.UTC(2026, 10, 20, 20), transactionsPerDay: 400 },
};

describe('the history that the benchmark searches', () => {
  it('is a journal that the verifier accepts', () => {
    const folder = temporaryFolder();
    writeHistory(folder, options);
    const { findings, rows } = verifyJournal(folder);
    expect(findings).toEqual([]);
    // Every day but the last is closed.
    expect(rows).toBe(options.transactions + 7);
  });

  it('is the same for the same seed, and another one for another', () => {
    const heads = [options, options, { ...options, seed: 12 }].map((made) => {
      const folder = temporaryFolder();
      writeHistory(folder, made);
      return openJournal(folder).head().hash;
    });
    expect(heads[0]).toBe(heads[1]);
    expect(heads[2]).not.toBe(heads[0]);
  });

  it('holds each kind of transaction, gives nothing back twice and leaves nothing open', () => {
    const folder = temporaryFolder();
    writeHistory(folder, options);
    const journal = openJournal(folder);
    for (const type of ['SALE', 'REFUND', 'VOID', 'PRE_AUTH', 'PRE_AUTH_COMPLETE', 'BALANCE_INQUIRY'] as const) {
      expect(journal.searchTransactions({ type, limit: 1 }).rows).toHaveLength(1);
    }
    expect(journal.openTransactions()).toEqual([]);
  });
});

describe('a search for how something begins', () => {
  const sorts: SearchLimits = { sortedReferences: 100_000, sortedIds: 100_000, walkedRows: 100_000 };
  const walksShort: SearchLimits = { sortedReferences: 1, sortedIds: 1, walkedRows: 5 };
  const walksLong: SearchLimits = { sortedReferences: 1, sortedIds: 1, walkedRows: 1_000 };

  it('finds the same by each way, on every page, with and without further conditions', () => {
    const folder = temporaryFolder();
    writeHistory(folder, options);
    const database = openForReading(join(folder, journalFileName));
    const pages = (prefix: string, more: object, limits: SearchLimits) => {
      const ids: string[] = [];
      let cursor: string | null | undefined;
      do {
        const filter = {
          match: { amounts: [], prefix, idPrefix: prefix },
          limit: 60,
          ...more,
          ...(cursor ? { cursor } : {}),
        };
        const page = searchTransactions(database, filter, limits);
        ids.push(...page.rows.map(({ record }) => record.transactionId));
        cursor = page.nextCursor;
      } while (cursor !== null);
      return ids;
    };
    const days = { from: '2026-11-14T00:00:00.000Z', to: '2026-11-17T00:00:00.000Z' };
    for (const prefix of ['order-2026-0000', 'order-2026-00001', 'order-', 'table-7', 'a', '7', 'none']) {
      for (const more of [{}, days, { states: ['APPROVED'] }, { type: 'SALE', ...days }, { type: 'REFUND' }]) {
        const sorted = pages(prefix, more, sorts);
        expect(pages(prefix, more, walksShort)).toEqual(sorted);
        expect(pages(prefix, more, walksLong)).toEqual(sorted);
        expect(new Set(sorted).size).toBe(sorted.length);
      }
    }
    expect(pages('order-2026-00001', {}, sorts).length).toBeGreaterThan(30);
    database.close();
  });
});
