import { describe, expect, it } from 'vitest';
import type { TransactionEvent } from '../../app/contract/session.ts';
import type { ActivityFilter, Journal } from '../../app/ports/journal.ts';
import { openInMemory } from '../../app/storage/database.ts';
import { migrate, migrations } from '../../app/storage/migrate.ts';
import { openJournal, temporaryFolder, terminalId, transaction } from '../storage/journal-fixture.ts';

function timeOf(index: number): string {
  // Pairs share a time, so that only the sequence tells them apart.
  return new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 2) * 1000).toISOString();
}

function journalOf(count: number): Journal {
  const journal = openJournal(temporaryFolder());
  journal.commit((unit) => {
    for (let index = 0; index < count; index += 1) {
      unit.saveTransaction(
        transaction({
          transactionId: `tx-${index}`,
          referenceId: index % 2 === 0 ? `order-${index}` : `table-${index}`,
          amountMinor: 100 + (index % 7),
          card: index % 3 === 0 ? { maskedPan: '411111******0119' } : {},
          createdAt: timeOf(index),
        }),
      );
    }
  });
  return journal;
}

type Match = NonNullable<ActivityFilter['match']>;

/** Every page of a search, and what a plain walk over all rows finds. */
function pages(journal: Journal, match: Match, limit: number): string[] {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page = journal.searchTransactions({ match, limit, ...(cursor === null ? {} : { cursor }) });
    found.push(...page.rows.map(({ record }) => record.transactionId));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

describe('a search over many rows', () => {
  // More than what a prefix sorts, so that both ways of finding it are walked.
  const count = 4_500;
  const newestFirst = Array.from({ length: count }, (_, index) => count - 1 - index);
  const expected = (matches: (index: number) => boolean) => newestFirst.filter(matches).map((index) => `tx-${index}`);

  it('gives every match of a wide prefix once, newest first, over its pages', () => {
    const journal = journalOf(count);
    expect(pages(journal, { amounts: [], prefix: 'order-' }, 100)).toEqual(expected((index) => index % 2 === 0));
  });

  it('gives every payment of one person once, whoever resolved or approved it, and knows who ever sold', () => {
    const journal = openJournal(temporaryFolder());
    const actors = ['console:Anna', 'pos:till one', 'console:Anna approved by Ben', 'console:Anna-Maria'];
    journal.commit((unit) => {
      for (let index = 0; index < 400; index += 1) {
        const made = transaction({
          ...{ transactionId: `tx-${index}`, actor: actors[index % actors.length] ?? '', createdAt: timeOf(index) },
        });
        unit.saveTransaction(made);
        // What a later revision says of its own actor changes nothing about who began it.
        if (index === 4) unit.saveTransaction({ ...made, revision: 2, actor: 'console:Ben' });
      }
    });
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const more: { cursor?: string } = cursor === null ? {} : { cursor };
      const page = journal.searchTransactions({ startedBy: 'console:Anna', limit: 7, ...more });
      found.push(...page.rows.map(({ record }) => record.transactionId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    const own = Array.from({ length: 400 }, (_, index) => 399 - index).filter((index) => index % 2 === 0);
    expect(found).toEqual(own.map((index) => `tx-${index}`));
    const match = { amounts: [], prefix: 'tx-4', idPrefix: 'tx-4' };
    const both = journal.searchTransactions({ startedBy: 'console:Anna', match, limit: 100 });
    expect(both.rows.map(({ record }) => record.transactionId)).toEqual(
      own.filter((index) => String(index).startsWith('4')).map((index) => `tx-${index}`),
    );
    expect(journal.starters(10)).toEqual(['console:Anna', 'console:Anna-Maria', 'pos:till one']);
    expect(journal.starters(2)).toEqual(['console:Anna', 'console:Anna-Maria']);
  });

  it('gives every match of a narrow prefix', () => {
    const journal = journalOf(count);
    const matches = (index: number) => index % 2 === 0 && String(index).startsWith('12');
    expect(pages(journal, { amounts: [], prefix: 'order-12' }, 7)).toEqual(expected(matches));
  });

  it('joins amount, card and prefix without a row twice', () => {
    const journal = journalOf(count);
    const match: Match = { amounts: [{ totalMinor: 103, currency: 'EUR' }], lastFour: '0119', prefix: 'table-3' };
    const matches = (index: number) =>
      index % 7 === 3 || index % 3 === 0 || (index % 2 === 1 && String(index).startsWith('3'));
    expect(pages(journal, match, 50)).toEqual(expected(matches));
  });

  it('keeps currencies apart', () => {
    const journal = journalOf(20);
    expect(pages(journal, { amounts: [{ totalMinor: 103, currency: 'USD' }], prefix: 'none' }, 50)).toEqual([]);
  });
});

describe('the place of a time among the events', () => {
  it('is found through gaps in their numbers', () => {
    const journal = openJournal(temporaryFolder());
    const sequences = [3, 4, 9, 1000, 1001, 5000];
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
    const events = sequences.map(
      (sequence, index): TransactionEvent => ({
        event: 'status_changed',
        sequence,
        at: at(index),
        terminalId,
        state: 'IDLE',
        connected: true,
      }),
    );
    expect(journal.lastEventBefore(terminalId, at(0))).toBe(0);
    journal.commit((unit) => unit.appendEvents(events));
    expect(journal.lastEventBefore(terminalId, at(0))).toBe(2);
    for (const [index, sequence] of sequences.entries()) {
      expect(journal.lastEventBefore(terminalId, at(index + 1))).toBe(sequence);
    }
  });
});

describe('the migration to searchable cards', () => {
  it('finds the last four digits in the journal that is there', () => {
    const database = openInMemory();
    migrate(database, migrations.slice(0, 2));
    const insert = (seq: number, maskedPan: string | undefined) => {
      const { card: _card, ...record } = transaction({ transactionId: `tx-${seq}` });
      const body = JSON.stringify({ ...record, card: maskedPan === undefined ? {} : { maskedPan } });
      const hash = String(seq).padStart(64, '0');
      database
        .write(`INSERT INTO journal VALUES (?, '', 'TRANSACTION', ?, 'T1', 'pos:x', ?, ?, ?)`)
        .run(seq, `tx-${seq}`, body, hash, hash);
      database
        .write(
          `INSERT INTO transactions VALUES (?, ?, ?, 'T1', 'c', 'SALE', 'ORCHESTRATED', 'APPROVED', 1, 1, 100, 0, 0, 100, 'EUR', NULL, NULL, 1, NULL, '')`,
        )
        .run(seq, seq, `tx-${seq}`);
    };
    insert(1, '411111******0119');
    insert(2, undefined);
    insert(3, '************19');
    migrate(database);
    const rows = database
      .read<{ last_four: string | null }>('SELECT last_four FROM transactions ORDER BY first_seq')
      .all();
    expect(rows.map((row) => row.last_four)).toEqual(['0119', null, null]);
  });
});
