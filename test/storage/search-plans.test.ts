import { describe, expect, it } from 'vitest';
import type { ActivityFilter } from '../../app/ports/journal.ts';
import { openInMemory, type ReadHandle } from '../../app/storage/database.ts';
import { migrate } from '../../app/storage/migrate.ts';
import { searchTransactions } from '../../app/storage/search.store.ts';

/** How SQLite answers each question that a search asks, in its own words. */
function plansOf(filter: Omit<ActivityFilter, 'limit'>): readonly string[] {
  const database = openInMemory();
  migrate(database);
  const plans: string[] = [];
  const watched: ReadHandle = {
    read<Row extends object>(sql: string) {
      const statement = database.read<Row>(sql);
      const explain = database.read<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
      return {
        ...statement,
        all(...values) {
          plans.push(
            explain
              .all(...values)
              .map(({ detail }) => detail)
              .join('; '),
          );
          return statement.all(...values);
        },
      };
    },
  };
  searchTransactions(watched, { ...filter, limit: 50 });
  database.close();
  return plans;
}

const cursor = Buffer.from(JSON.stringify(['2026-11-20T00:00:00.000Z', 7])).toString('base64url');
const after = 'created_at>? AND created_at<?';

describe('a search over a long journal', () => {
  it.each<readonly [string, Omit<ActivityFilter, 'limit'>, string]>([
    ['everything', {}, 'SCAN transactions USING COVERING INDEX transactions_by_time'],
    ['a later page', { cursor }, 'SEARCH transactions USING COVERING INDEX transactions_by_time (created_at<?)'],
    [
      'a time',
      { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
      `SEARCH transactions USING COVERING INDEX transactions_by_time (${after})`,
    ],
    [
      'what was declined',
      { states: ['DECLINED'] },
      'SEARCH transactions USING COVERING INDEX transactions_refused (state=?)',
    ],
    ['refunds', { type: 'REFUND' }, 'SEARCH transactions USING COVERING INDEX transactions_besides_sales (type=?)'],
    [
      'declined refunds of a day',
      { type: 'REFUND', states: ['DECLINED'], from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
      `SEARCH transactions USING COVERING INDEX transactions_refused (state=? AND ${after})`,
    ],
  ])('finds %s in the order of one index, without looking at a row', (_, filter, plan) => {
    expect(plansOf(filter)).toEqual([plan]);
  });

  it('finds what runs among the open ones alone', () => {
    const [plan = ''] = plansOf({ states: ['INTENT', 'PROVISIONAL'] });
    expect(plan).toContain('SCAN transactions USING INDEX transactions_one_open');
  });

  it('asks one index for each meaning of what is typed', () => {
    const match = {
      amounts: [{ totalMinor: 125_000, currency: 'EUR' }],
      lastFour: '1250',
      prefix: '1250',
      idPrefix: '1250',
    };
    expect(plansOf({ match })).toEqual([
      'SEARCH transactions USING INDEX transactions_by_amount (total_minor=?)',
      'SEARCH transactions USING COVERING INDEX transactions_by_card (last_four=?)',
      expect.stringContaining(
        'SEARCH transactions USING COVERING INDEX transactions_by_reference (reference_id>? AND reference_id<?)',
      ),
      expect.stringContaining(
        'SEARCH transactions USING INDEX sqlite_autoindex_transactions_1 (transaction_id>? AND transaction_id<?)',
      ),
    ]);
  });

  it('compares what is typed within the index of the few', () => {
    const match = {
      amounts: [{ totalMinor: 125_000, currency: 'EUR' }],
      lastFour: '1250',
      prefix: '1250',
      idPrefix: '1250',
    };
    expect(plansOf({ match, type: 'VOID' })).toEqual([
      'SEARCH transactions USING COVERING INDEX transactions_besides_sales (type=?)',
    ]);
  });
});
