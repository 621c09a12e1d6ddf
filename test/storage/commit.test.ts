import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TransactionRecord } from '../../app/domain/transaction.ts';
import { readAnchor } from '../../app/storage/anchor.ts';
import { GENESIS } from '../../app/storage/chain.ts';
import {
  openJournal,
  settlement,
  task,
  temporaryFolder,
  terminalId,
  thrownBy,
  transaction,
  unknownOutcome,
} from './journal-fixture.ts';

const intent = (overrides: Partial<TransactionRecord> = {}) => transaction({ state: 'INTENT', ...overrides });

describe('a commit', () => {
  it('is there after the journal is opened again, with its place in the chain', () => {
    const dataDir = temporaryFolder();
    const first = openJournal(dataDir);
    first.commit((unit) => unit.saveTransaction(transaction()));
    const head = first.head();
    first.close();
    const second = openJournal(dataDir);
    expect(second.findTransaction('tx-1')).toEqual(transaction());
    expect(second.head()).toEqual(head);
    second.commit((unit) => unit.saveTransaction(transaction({ transactionId: 'tx-2' })));
    expect(second.head().sequence).toBe(head.sequence + 1);
  });

  it('leaves nothing when its work throws, and passes the error on', () => {
    const dataDir = temporaryFolder();
    const journal = openJournal(dataDir);
    const error = new Error('no');
    const work = () =>
      journal.commit((unit) => {
        unit.saveTransaction(transaction());
        unit.saveTask(task());
        unit.saveSetting('name', 'value');
        expect(unit.findTransaction('tx-1')).toBeDefined();
        throw error;
      });
    expect(thrownBy(work)).toBe(error);
    expect(journal.findTransaction('tx-1')).toBeUndefined();
    expect(journal.openTasks()).toEqual([]);
    expect(journal.setting('name')).toBeUndefined();
    expect(journal.head()).toEqual(GENESIS);
    expect(readAnchor(dataDir)).toEqual(GENESIS);
    journal.commit((unit) => unit.saveTransaction(transaction()));
    expect(journal.head().sequence).toBe(1);
  });

  it('cannot hold another one, and cannot wait', () => {
    const journal = openJournal(temporaryFolder());
    const nested = () => journal.commit(() => journal.commit(() => undefined));
    expect(nested).toThrow('cannot begin inside');
    const block = () => journal.commit(() => journal.reserveEventBlock(terminalId, 10));
    expect(block).toThrow('cannot begin inside');
    const waiting = () =>
      journal.commit(async (unit) => {
        unit.saveTransaction(transaction());
      });
    expect(waiting).toThrow('synchronous');
    expect(journal.findTransaction('tx-1')).toBeUndefined();
  });

  it('names its head in journal.head, and nothing else does', () => {
    const dataDir = temporaryFolder();
    const journal = openJournal(dataDir);
    journal.commit((unit) => unit.saveTransaction(transaction()));
    expect(readAnchor(dataDir)).toEqual(journal.head());
    journal.commit((unit) => unit.saveSetting('a', 'b'));
    expect(readAnchor(dataDir)).toEqual(journal.head());
    expect(journal.head().sequence).toBe(1);
  });

  it('is readable by its owner only', () => {
    const dataDir = join(temporaryFolder(), 'made');
    openJournal(dataDir).commit((unit) => unit.saveTransaction(transaction()));
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm', 'journal.head', 'till.lock']) {
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
  });
});

describe('a transaction', () => {
  it('is replaced by its next revision and by no other', () => {
    const journal = openJournal(temporaryFolder());
    const save = (record: TransactionRecord) => journal.commit((unit) => unit.saveTransaction(record));
    save(intent());
    save(intent({ state: 'PROVISIONAL', revision: 2 }));
    for (const revision of [1, 2, 4]) {
      expect(() => save(intent({ state: 'APPROVED', revision }))).toThrow();
    }
    expect(journal.findTransaction('tx-1')?.state).toBe('PROVISIONAL');
    save(transaction({ revision: 3 }));
    expect(journal.findTransaction('tx-1')).toEqual(transaction({ revision: 3 }));
    expect(journal.head().sequence).toBe(3);
    expect(() => save(transaction({ transactionId: 'unseen', revision: 2 }))).toThrow('revision 2 does not follow');
  });

  it('makes only the moves of the table, and keeps its facts', () => {
    const journal = openJournal(temporaryFolder());
    const save = (record: TransactionRecord) => journal.commit((unit) => unit.saveTransaction(record));
    save(transaction());
    expect(() => save(transaction({ state: 'DECLINED', revision: 2 }))).toThrow(
      expect.objectContaining({ code: 'ILLEGAL_STATE' }),
    );
    expect(() => save(transaction({ currency: 'CHF', revision: 2 }))).toThrow('currency cannot change');
    save(unknownOutcome({ transactionId: 'tx-2' }));
    save(transaction({ transactionId: 'tx-2', revision: 2 }));
    expect(journal.findTransaction('tx-2')?.state).toBe('APPROVED');
  });

  it('holds 2^53 − 1 exactly, and three times 2147483648', () => {
    const dataDir = temporaryFolder();
    const journal = openJournal(dataDir);
    journal.commit((unit) => {
      unit.saveTransaction(
        transaction({ transactionId: 'largest', amountMinor: Number.MAX_SAFE_INTEGER, batchNumber: 1 }),
      );
      for (const id of ['a', 'b', 'c']) {
        unit.saveTransaction(transaction({ transactionId: id, terminalId: 'T2', amountMinor: 2147483648 }));
      }
    });
    journal.close();
    const again = openJournal(dataDir);
    expect(again.findTransaction('largest')?.amountMinor).toBe(9007199254740991);
    expect(again.totals(terminalId, 1, 'EUR').saleAmount).toBe(9007199254740991);
    expect(again.totals('T2', 1, 'EUR').saleAmount).toBe(6442450944);
  });

  it('and totals beyond 2^53 − 1 are refused', () => {
    const journal = openJournal(temporaryFolder());
    const over = transaction({ amountMinor: Number.MAX_SAFE_INTEGER, tipAmountMinor: 1 });
    expect(() => journal.commit((unit) => unit.saveTransaction(over))).toThrow(
      expect.objectContaining({ code: 'AMOUNT_TOO_LARGE' }),
    );
    expect(journal.head()).toEqual(GENESIS);
    // 2,048 of the largest amounts pass 64 bits as well.
    journal.commit((unit) => {
      for (let index = 0; index < 2048; index++) {
        unit.saveTransaction(transaction({ transactionId: `tx-${index}`, amountMinor: Number.MAX_SAFE_INTEGER }));
      }
    });
    for (const read of ['totals', 'schemeTotals'] as const) {
      expect(() => journal[read](terminalId, 1, 'EUR')).toThrow(expect.objectContaining({ code: 'AMOUNT_TOO_LARGE' }));
    }
  });

  it('cannot enter a batch that is closed', () => {
    const journal = openJournal(temporaryFolder());
    journal.commit((unit) => unit.saveSettlement(settlement()));
    expect(journal.openBatchNumber(terminalId)).toBe(2);
    expect(() => journal.commit((unit) => unit.saveTransaction(transaction()))).toThrow('the batch is closed');
    journal.commit((unit) => unit.saveTransaction(transaction({ batchNumber: 2 })));
  });
});

describe('one transaction per terminal (P8)', () => {
  it('holds over 10,000 double starts: one runs, one is told which', () => {
    const journal = openJournal(temporaryFolder());
    journal.commit((unit) => {
      for (let round = 0; round < 10_000; round++) {
        const winner = intent({ transactionId: `winner-${round}` });
        unit.saveTransaction(winner);
        expect(thrownBy(() => unit.saveTransaction(intent({ transactionId: `loser-${round}` })))).toMatchObject({
          code: 'TRANSACTION_IN_PROGRESS',
          details: { transactionId: winner.transactionId },
        });
        unit.saveTransaction({ ...winner, state: 'DECLINED', revision: 2 });
      }
    });
    expect(journal.openTransactions()).toEqual([]);
    expect(journal.head().sequence).toBe(20_000);
  });

  it.each(['INTENT', 'PROVISIONAL', 'PENDING_ONLINE'] as const)('keeps others out while it is %s', (state) => {
    const journal = openJournal(temporaryFolder());
    journal.commit((unit) => unit.saveTransaction(transaction({ state })));
    const second = intent({ transactionId: 'tx-2' });
    expect(() => journal.commit((unit) => unit.saveTransaction(second))).toThrow(
      expect.objectContaining({ code: 'TRANSACTION_IN_PROGRESS' }),
    );
    journal.commit((unit) => unit.saveTransaction({ ...second, terminalId: 'T2' }));
    expect(journal.currentTransaction(terminalId)?.transactionId).toBe('tx-1');
    expect(journal.openTransactions()).toHaveLength(2);
  });
});
