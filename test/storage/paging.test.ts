import { describe, expect, it } from 'vitest';
import type { TransactionRecord } from '../../app/domain/transaction.ts';
import type { Journal, Page, TransactionFilter } from '../../app/ports/journal.ts';
import {
  openJournal,
  settlement,
  temporaryFolder,
  terminalId,
  transaction,
  unknownOutcome,
} from './journal-fixture.ts';

const rows = 10_000;

/** Walks all pages; `between` runs after each. */
function walk<T>(list: (cursor?: string) => Page<T>, between: () => void = () => {}): readonly T[] {
  const seen: T[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = list(cursor);
    seen.push(...page.rows);
    if (page.nextCursor === null) return seen;
    cursor = page.nextCursor;
    between();
  }
}

function save(journal: Journal, ...records: readonly TransactionRecord[]): void {
  journal.commit((unit) => {
    for (const record of records) unit.saveTransaction(record);
  });
}

const idsOf = (records: readonly TransactionRecord[]) => records.map((record) => record.transactionId);

describe('10,000 transactions with one timestamp (P12)', () => {
  it('stand on one page each, newest first, at any limit, while others are written', () => {
    const journal = openJournal(temporaryFolder());
    const first = Array.from({ length: rows }, (_, index) => transaction({ transactionId: `tx-${index}` }));
    save(journal, ...first);
    let inserted = 0;
    const insert = () => save(journal, transaction({ transactionId: `meanwhile-${inserted++}` }));
    for (const limit of [1, 7, 99, 100]) {
      const before = idsOf(walk((cursor) => journal.listTransactions({ limit: 100, ...(cursor && { cursor }) })));
      // A limit of 1 needs a page per row: a part of them shows it.
      const filter: TransactionFilter = limit === 1 ? { limit, to: '2026-11-27T09:00:00.001Z' } : { limit, terminalId };
      const pages = limit === 1 ? 300 : Number.POSITIVE_INFINITY;
      const seen: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < pages; page++) {
        const found = journal.listTransactions({ ...filter, ...(cursor && { cursor }) });
        seen.push(...idsOf(found.rows));
        if (found.nextCursor === null) break;
        cursor = found.nextCursor;
        if (page % 50 === 0) insert();
      }
      expect(seen).toEqual(before.slice(0, seen.length));
      expect(seen).toHaveLength(limit === 1 ? 300 : before.length);
    }
  });
});

describe('settlements', () => {
  it('stand on one page each, newest first by (closedAt, id), without what a list leaves out', () => {
    const journal = openJournal(temporaryFolder());
    journal.commit((unit) => {
      for (let batchNumber = 1; batchNumber <= 250; batchNumber++) {
        const closedAt = `2026-11-27T20:00:0${batchNumber % 2}.000Z`;
        unit.saveSettlement(settlement({ id: `s-${batchNumber}`, batchNumber, closedAt }));
      }
    });
    for (const limit of [1, 25, 100]) {
      const seen = walk((cursor) => journal.listSettlements({ limit, ...(cursor && { cursor }) }));
      const order = seen.map((found) => `${found.closedAt} ${found.id}`);
      expect(order).toEqual([...new Set(order)].sort().reverse());
      expect(seen).toHaveLength(250);
      expect(seen[0]).not.toHaveProperty('acquirerBatchRef');
    }
    const filtered = (filter: object) => journal.listSettlements({ limit: 100, ...filter }).rows.length;
    expect(filtered({ from: '2026-11-27T20:00:01Z', to: '2026-11-27T20:00:02Z' })).toBe(100);
    expect(filtered({ to: '2026-11-27T20:00:00Z' })).toBe(0);
    expect(filtered({ currency: 'CHF' })).toBe(0);
    expect(filtered({ terminalId: 'T2' })).toBe(0);
    expect(journal.findSettlement('s-1')?.settlement.acquirerBatchRef).toBe('batch-ref');
  });
});

describe('a look-up', () => {
  it('filters by every field', () => {
    const journal = openJournal(temporaryFolder());
    save(
      journal,
      transaction({ transactionId: 'a', referenceId: 'r', createdAt: '2026-11-27T09:00:00.000Z' }),
      transaction({ transactionId: 'b', type: 'REFUND', state: 'DECLINED', createdAt: '2026-11-27T10:00:00.000Z' }),
      unknownOutcome({ transactionId: 'c', terminalId: 'T2', createdAt: '2026-11-27T11:00:00.000Z' }),
    );
    const found = (filter: Partial<TransactionFilter>) =>
      idsOf(journal.listTransactions({ limit: 25, ...filter }).rows);
    expect(found({})).toEqual(['c', 'b', 'a']);
    expect(found({ referenceId: 'r' })).toEqual(['a']);
    expect(found({ states: ['DECLINED', 'ERROR'] })).toEqual(['c', 'b']);
    expect(found({ states: [] })).toEqual([]);
    expect(found({ type: 'REFUND' })).toEqual(['b']);
    expect(found({ terminalId: 'T2' })).toEqual(['c']);
    // At or after, and before; whatever the offset and the precision that the caller writes.
    expect(found({ from: '2026-11-27T11:00:00+01:00', to: '2026-11-27T11:00:00Z' })).toEqual(['b']);
  });

  it('refuses a limit out of bounds and a cursor that no page gave', () => {
    const journal = openJournal(temporaryFolder());
    const refused = (field: string) => expect.objectContaining({ code: 'INVALID_REQUEST', field });
    for (const limit of [0, 101, 1.5, Number.NaN]) {
      expect(() => journal.listTransactions({ limit })).toThrow(refused('limit'));
      expect(() => journal.listSettlements({ limit })).toThrow(refused('limit'));
    }
    const crafted = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const cursors = [
      '',
      '%',
      'abc',
      'x'.repeat(2000),
      crafted(['a']),
      crafted([1, 2]),
      crafted(['a', 1.5]),
      crafted(null),
    ];
    for (const cursor of [...cursors, `${crafted(['2026', 1])}=`]) {
      expect(() => journal.listTransactions({ limit: 1, cursor })).toThrow(refused('cursor'));
    }
    // A cursor of the other list is none of this one.
    expect(() => journal.listTransactions({ limit: 1, cursor: crafted(['2026', 'id']) })).toThrow(refused('cursor'));
    expect(() => journal.listSettlements({ limit: 1, cursor: crafted(['2026', 1]) })).toThrow(refused('cursor'));
    expect(() => journal.listTransactions({ limit: 1, from: 'yesterday' })).toThrow(refused('from'));
  });
});
