import { describe, expect, it } from 'vitest';
import type { TransactionEvent } from '../../app/contract/session.ts';
import type { DayCloseRecord, IdempotencyEntry, PosClient } from '../../app/domain/records.ts';
import type { TransactionRecord } from '../../app/domain/transaction.ts';
import type { Journal } from '../../app/ports/journal.ts';
import { openInMemory, type ReadHandle } from '../../app/storage/database.ts';
import { createDayCloseReader } from '../../app/storage/day-closes.store.ts';
import { migrate } from '../../app/storage/migrate.ts';
import { openPosClients } from '../../app/storage/open-pos-clients.ts';
import { createTaskReader } from '../../app/storage/recovery-tasks.store.ts';
import { createTransactionReader } from '../../app/storage/transactions.store.ts';
import {
  openJournal,
  settlement,
  task,
  temporaryFolder,
  terminalId,
  transaction,
  unknownOutcome,
} from './journal-fixture.ts';

function journalWith(...records: readonly TransactionRecord[]): Journal {
  const journal = openJournal(temporaryFolder());
  journal.commit((unit) => {
    for (const record of records) unit.saveTransaction(record);
  });
  return journal;
}

const acting = (transactionId: string, overrides: Partial<TransactionRecord>) =>
  transaction({ transactionId, originalTransactionId: 'tx-1', targetTransactionId: 'tx-1', ...overrides });

describe('what acts on a transaction', () => {
  it('is what is approved or not resolved', () => {
    const journal = journalWith(
      transaction(),
      acting('r1', { type: 'REFUND', amountMinor: 100 }),
      unknownOutcome({
        ...acting('r2', { type: 'REFUND', amountMinor: 20 }),
        state: 'ERROR',
        outcome: unknownOutcome().outcome,
      }),
      acting('r3', { type: 'REFUND', amountMinor: 400, state: 'DECLINED' }),
      acting('r4', { type: 'REFUND', amountMinor: 3, state: 'INTENT' }),
    );
    expect(journal.dependentsOf('tx-1')).toEqual({ refundedMinor: 123, refundCount: 3 });
    expect(journal.dependentsOf('r1')).toEqual({ refundedMinor: 0, refundCount: 0 });
  });

  it('frees the ceiling again when a refund is declined by the issuer', () => {
    const refund = acting('r1', { type: 'REFUND', amountMinor: 1000, state: 'INTENT' });
    const journal = journalWith(transaction(), refund);
    expect(journal.dependentsOf('tx-1').refundedMinor).toBe(1000);
    journal.commit((unit) => unit.saveTransaction(transaction({ ...refund, state: 'DECLINED', revision: 2 })));
    expect(journal.dependentsOf('tx-1')).toEqual({ refundedMinor: 0, refundCount: 0 });
  });

  it('includes its void and its completion', () => {
    const journal = journalWith(
      transaction({ type: 'PRE_AUTH' }),
      acting('v0', { type: 'VOID', state: 'DECLINED' }),
      acting('v1', { type: 'VOID' }),
      acting('c1', { type: 'PRE_AUTH_COMPLETE' }),
    );
    const { voidedBy, completedBy } = journal.dependentsOf('tx-1');
    expect([voidedBy?.transactionId, completedBy?.transactionId]).toEqual(['v1', 'c1']);
  });

  it('is refused by the schema when a check came too late', () => {
    const journal = journalWith(
      transaction({ tipAmountMinor: 100, cashbackAmountMinor: 500 }),
      acting('r1', { type: 'REFUND', amountMinor: 600 }),
      transaction({ transactionId: 'hold', type: 'PRE_AUTH' }),
      acting('v1', { type: 'VOID', targetTransactionId: 'hold' }),
      acting('c1', { type: 'PRE_AUTH_COMPLETE', targetTransactionId: 'hold' }),
    );
    const save = (record: TransactionRecord) => journal.commit((unit) => unit.saveTransaction(record));
    const refused = (code: string) => expect.objectContaining({ code });
    expect(() => save(acting('r2', { type: 'REFUND', amountMinor: 501 }))).toThrow(refused('REFUND_EXCEEDS_ORIGINAL'));
    save(acting('r2', { type: 'REFUND', amountMinor: 500 }));
    expect(() => save(acting('v2', { type: 'VOID', targetTransactionId: 'hold' }))).toThrow(refused('ALREADY_VOIDED'));
    expect(() => save(acting('c2', { type: 'PRE_AUTH_COMPLETE', targetTransactionId: 'hold' }))).toThrow(
      refused('ALREADY_COMPLETED'),
    );
    expect(() => save(acting('r3', { type: 'REFUND', targetTransactionId: 'nowhere' }))).toThrow('FOREIGN KEY');
  });
});

describe('a reference of the POS', () => {
  const sale = (transactionId: string, overrides: Partial<TransactionRecord> = {}) =>
    transaction({ transactionId, referenceId: 'order-7', ...overrides });
  const since = '2026-11-27T08:00:00Z';

  it('finds the newest sale by sequence, and the unknown one', () => {
    const unknown = sale('u', { state: 'ERROR', outcome: unknownOutcome().outcome });
    // The clock was set back before the second one.
    const journal = journalWith(unknown, sale('newest', { createdAt: '2026-11-27T08:30:00.000Z' }));
    const found = journal.sameReference('client-1', terminalId, 'order-7', since);
    expect([found?.newest.transactionId, found?.unknown?.transactionId]).toEqual(['newest', 'u']);
  });

  it('leaves out other clients, terminals, references, kinds, and what is older', () => {
    const journal = journalWith(
      sale('a', { clientId: 'client-2' }),
      sale('b', { terminalId: 'T2' }),
      sale('c', { referenceId: 'order-8' }),
      sale('d', { type: 'PRE_AUTH' }),
      sale('e', { createdAt: '2026-11-27T07:59:59.999Z' }),
    );
    expect(journal.sameReference('client-1', terminalId, 'order-7', since)).toBeUndefined();
    // Without milliseconds the same instant sorts differently as text.
    expect(journal.sameReference('client-1', terminalId, 'order-7', '2026-11-27T07:59:59Z')?.newest.transactionId).toBe(
      'e',
    );
  });
});

describe('current and last', () => {
  it('are told by sequence, not by clock', () => {
    const journal = journalWith(
      transaction({ transactionId: 'a', createdAt: '2026-11-27T10:00:00.000Z' }),
      transaction({ transactionId: 'b', createdAt: '2026-11-27T09:00:00.000Z' }),
    );
    expect(journal.lastTransaction(terminalId)?.transactionId).toBe('b');
    expect(journal.currentTransaction(terminalId)).toBeUndefined();
    expect(journal.lastTransaction('T2')).toBeUndefined();
  });
});

describe('what the engine asks for on the way of a payment and at the start', () => {
  it('is found by an index, however long the journal', () => {
    const database = openInMemory();
    migrate(database);
    const asked: string[] = [];
    const spying: ReadHandle = {
      read(sql) {
        asked.push(sql);
        return database.read(sql);
      },
    };
    const reader = createTransactionReader(spying);
    reader.openTransactions();
    reader.currentTransaction('T1');
    reader.lastTransaction('T1');
    reader.findTransaction('tx-1');
    reader.dependentsOf('tx-1');
    reader.sameReference('client-1', 'T1', 'order-7', '2026-11-27T08:00:00Z');
    reader.openPreAuths('T1');
    createTaskReader(spying).openTasks();
    createDayCloseReader(spying).openDayCloses();
    expect(asked.length).toBeGreaterThan(8);
    const steps = asked.flatMap((sql) =>
      database
        .read<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array(sql.split('?').length - 1).fill('x'))
        .map(({ detail }) => detail),
    );
    // A scan of a partial index sees only the rows that are open.
    expect(steps.filter((step) => step.startsWith('SCAN') && !/INDEX \w+_(one_)?open$/.test(step))).toEqual([]);
    database.close();
  });
});

describe('recovery tasks', () => {
  it('are open until resolved, oldest first, per terminal', () => {
    const journal = openJournal(temporaryFolder());
    const resolved = { by: 'console:anna', charged: false, text: 'slip seen', at: '2026-11-27T10:00:00.000Z' };
    journal.commit((unit) => {
      unit.saveTask(task());
      unit.saveTask(task({ taskId: 'task-2', terminalId: 'T2', subject: { kind: 'DAY_CLOSE', id: 'close-1' } }));
      unit.saveTask(task({ state: 'NEEDS_PERSON', revision: 2 }));
    });
    expect(journal.openTasks().map((open) => open.taskId)).toEqual(['task-1', 'task-2']);
    expect(journal.openTasks('T2').map((open) => open.taskId)).toEqual(['task-2']);
    journal.commit((unit) => unit.saveTask(task({ state: 'RESOLVED', revision: 3, resolution: resolved })));
    expect(journal.openTasks('T1')).toEqual([]);
    expect(journal.findTask('task-1')?.resolution).toEqual(resolved);
    journal.commit((unit) => unit.saveTask(task({ taskId: 'task-3' })));
    expect(journal.findTaskOf('tx-1')?.taskId).toBe('task-3');
    expect(journal.findTaskOf('nothing')).toBeUndefined();
  });
});

const dayClose: DayCloseRecord = {
  dayCloseId: 'close-1',
  terminalId,
  merchantId: 'M1',
  actor: 'pos:till',
  clientId: 'client-1',
  state: 'INTENT',
  revision: 1,
  batchNumber: 1,
  businessDate: '2026-11-27',
  createdAt: '2026-11-27T20:00:00.000Z',
  updatedAt: '2026-11-27T20:00:00.000Z',
  recoveryMark: {},
  totals: {
    ...{ saleCount: 0, saleAmount: 0, refundCount: 0, refundAmount: 0, voidCount: 0, voidAmount: 0 },
    ...{ preAuthCount: 0, preAuthAmount: 0, currency: 'EUR' },
  },
  differences: [],
  startedByTerminal: false,
  evidence: [],
};

describe('a day close', () => {
  it('runs alone at its terminal and is open until its outcome is known', () => {
    const journal = openJournal(temporaryFolder());
    journal.commit((unit) => unit.saveDayClose(dayClose));
    expect(() => journal.commit((unit) => unit.saveDayClose({ ...dayClose, dayCloseId: 'close-2' }))).toThrow(
      expect.objectContaining({ code: 'DAY_CLOSE_BLOCKED' }),
    );
    journal.commit((unit) => unit.saveDayClose({ ...dayClose, state: 'UNKNOWN', revision: 2 }));
    expect(journal.openDayCloses().map((open) => open.state)).toEqual(['UNKNOWN']);
    journal.commit((unit) => unit.saveDayClose({ ...dayClose, state: 'SUCCESS', settlementId: 's', revision: 3 }));
    expect(journal.openDayCloses()).toEqual([]);
    expect(journal.findDayClose('close-1')?.settlementId).toBe('s');
  });

  it('freezes the settlement with the head before it, once per batch, and opens the next', () => {
    const journal = openJournal(temporaryFolder());
    journal.commit((unit) => unit.saveTransaction(transaction()));
    const head = journal.head();
    const record = journal.commit((unit) => unit.saveSettlement(settlement()));
    expect(record.journalHead).toEqual(head);
    expect(journal.findSettlement('settlement-1')).toEqual(record);
    expect(journal.findSettlementOfBatch(terminalId, 1)).toEqual(record);
    expect(journal.findSettlementOfBatch(terminalId, 2)).toBeUndefined();
    expect(journal.openBatchNumber(terminalId)).toBe(2);
    expect(journal.openBatchNumber('T2')).toBe(1);
    expect(() => journal.commit((unit) => unit.saveSettlement(settlement({ id: 'again' })))).toThrow('UNIQUE');
    expect(journal.openBatchNumber(terminalId)).toBe(2);
  });
});

describe('answers under a key', () => {
  const entry = (key: string, subjectId: string): IdempotencyEntry => ({
    ...{ scope: 'scope', key, bodyHash: 'ab', subjectId },
    createdAt: '2026-10-01T00:00:00.000Z',
  });

  it('are reserved once, answered, replaced and released by their subject', () => {
    const journal = openJournal(temporaryFolder());
    journal.commit((unit) => unit.reserveIdempotency(entry('k', 'tx-1')));
    expect(journal.findIdempotency('scope', 'k')).toEqual(entry('k', 'tx-1'));
    expect(journal.findIdempotency('other', 'k')).toBeUndefined();
    expect(() => journal.commit((unit) => unit.reserveIdempotency(entry('k', 'tx-2')))).toThrow('UNIQUE');
    const answer = { statusCode: 200, body: '{"€":1}' };
    journal.commit((unit) => unit.saveAnswer('tx-1', { statusCode: 200, body: '{}' }));
    journal.commit((unit) => unit.saveAnswer('tx-1', answer));
    expect(journal.findIdempotency('scope', 'k')).toEqual({ ...entry('k', 'tx-1'), answer });
    journal.commit((unit) => unit.releaseIdempotency('tx-1'));
    expect(journal.findIdempotency('scope', 'k')).toBeUndefined();
  });

  it('expire only when old, answered, resolved and settled', () => {
    const settled = { terminalId: 'T2' } as const;
    const journal = journalWith(
      transaction({ transactionId: 'settled', ...settled }),
      transaction({ transactionId: 'unsettled' }),
      transaction({ transactionId: 'declined', state: 'DECLINED' }),
      unknownOutcome({ transactionId: 'unknown', ...settled }),
      transaction({ transactionId: 'running', state: 'INTENT' }),
      transaction({ transactionId: 'hold', type: 'PRE_AUTH', ...settled }),
      transaction({ transactionId: 'ended-hold', type: 'PRE_AUTH', ...settled }),
      transaction({ transactionId: 'release', type: 'VOID', targetTransactionId: 'ended-hold', ...settled }),
      transaction({ transactionId: 'tasked', ...settled }),
      transaction({ transactionId: 'silent', ...settled }),
      transaction({ transactionId: 'young', ...settled }),
    );
    const ids = ['settled', 'unsettled', 'declined', 'unknown', 'running', 'hold', 'ended-hold', 'tasked', 'close-1'];
    journal.commit((unit) => {
      unit.saveSettlement(settlement(settled));
      unit.saveTask(task({ subject: { kind: 'TRANSACTION', id: 'tasked' } }));
      unit.saveDayClose(dayClose);
      for (const id of ids) {
        unit.reserveIdempotency(entry(id, id));
        unit.saveAnswer(id, { statusCode: 200, body: '{}' });
      }
      unit.reserveIdempotency(entry('silent', 'silent'));
      unit.reserveIdempotency({ ...entry('young', 'young'), createdAt: '2026-11-01T00:00:00.000Z' });
      unit.saveAnswer('young', { statusCode: 200, body: '{}' });
    });
    expect(journal.commit((unit) => unit.expireIdempotency('2026-10-28T00:00:00Z'))).toBe(3);
    const kept = [...ids, 'silent', 'young'].filter((id) => journal.findIdempotency('scope', id) !== undefined);
    expect(kept).toEqual(['unsettled', 'unknown', 'running', 'hold', 'tasked', 'close-1', 'silent', 'young']);
  });
});

describe('events', () => {
  const event = (sequence: number, overrides: object = {}): TransactionEvent =>
    ({
      ...{
        event: 'processing',
        sequence,
        at: '2026-11-27T09:00:00.000Z',
        terminalId,
        transactionId: 'tx-1',
        message: 'm',
      },
      ...overrides,
    }) as TransactionEvent;

  it('are read back in order after a sequence, per terminal', () => {
    const journal = openJournal(temporaryFolder());
    journal.commit((unit) => unit.appendEvents([event(1), event(2), event(1, { terminalId: 'T2' }), event(65)]));
    expect(journal.eventsAfter(terminalId, 1, 10)).toEqual([event(2), event(65)]);
    expect(journal.eventsAfter(terminalId, 0, 2)).toEqual([event(1), event(2)]);
    expect(journal.eventsAfter('T2', 0, 10)).toHaveLength(1);
  });

  it('use a number once', () => {
    const journal = openJournal(temporaryFolder());
    journal.commit((unit) => unit.appendEvents([event(1)]));
    expect(() => journal.commit((unit) => unit.appendEvents([event(1)]))).toThrow('UNIQUE');
  });

  it('are dropped when old, up to the first young one; the newest stay whatever their age', () => {
    const journal = openJournal(temporaryFolder());
    const old = { at: '2026-09-01T09:00:00.000Z' };
    journal.commit((unit) => {
      // The third was written with the clock set forward: what follows it stays.
      unit.appendEvents([
        event(1, old),
        event(2, old),
        event(3),
        event(4, old),
        event(1, { ...old, terminalId: 'T2' }),
      ]);
      unit.appendEvents([event(10_004, old)]);
    });
    const prune = (id: string) => journal.commit((unit) => unit.pruneEvents(id, '2026-10-28T00:00:00Z'));
    expect([prune('T2'), prune(terminalId), prune(terminalId)]).toEqual([0, 2, 0]);
    const kept = journal.eventsAfter(terminalId, 0, 10).map(({ sequence }) => sequence);
    expect(kept).toEqual([3, 4, 10_004]);
    expect(journal.eventsAfter('T2', 0, 10)).toHaveLength(1);
    // All of them old: only the newest 10,000 numbers stay.
    journal.commit((unit) => unit.appendEvents([event(30_000, old)]));
    expect(journal.commit((unit) => unit.pruneEvents(terminalId, '2027-01-01T00:00:00Z'))).toBe(3);
  });

  it('are dropped when a journal is opened that no day close has cleaned', () => {
    const dataDir = temporaryFolder();
    const first = openJournal(dataDir);
    first.reserveEventBlock(terminalId, 20_000);
    first.commit((unit) => unit.appendEvents([event(1, { at: '2026-09-01T09:00:00.000Z' }), event(2), event(20_000)]));
    first.close();
    const again = openJournal(dataDir);
    expect(again.eventsAfter(terminalId, 0, 10).map(({ sequence }) => sequence)).toEqual([2, 20_000]);
  });

  it('never keep chip data', () => {
    const journal = openJournal(temporaryFolder());
    const chipData = { arqc: 'canary' };
    journal.commit((unit) =>
      unit.appendEvents([
        event(1, { event: 'online_authorization', chipData }),
        event(2, { event: 'result', response: { chipData } }),
      ]),
    );
    expect(JSON.stringify(journal.eventsAfter(terminalId, 0, 10))).not.toContain('canary');
  });

  it('get blocks of numbers that no restart gives out again', () => {
    const dataDir = temporaryFolder();
    const first = openJournal(dataDir);
    expect(first.reserveEventBlock(terminalId, 64)).toBe(1);
    expect(first.reserveEventBlock(terminalId, 64)).toBe(65);
    expect(first.reserveEventBlock('T2', 1)).toBe(1);
    first.close();
    expect(openJournal(dataDir).reserveEventBlock(terminalId, 64)).toBe(129);
    expect(() => first.reserveEventBlock(terminalId, 0)).toThrow();
  });
});

describe('POS clients', () => {
  const client: PosClient = {
    ...{ clientId: 'c1', name: 'Bar', keyHash: 'aa', createdAt: '2026-11-27T09:00:00.000Z', trainingOnly: false },
  };

  it('are made and revoked beside a running till, which sees it at once', () => {
    const dataDir = temporaryFolder();
    const journal = openJournal(dataDir);
    const clients = openPosClients(dataDir);
    clients.saveClient(client);
    expect(journal.findClientByKeyHash('aa')).toEqual(client);
    const rotated = { ...client, keyHash: 'bb', revokedAt: '2026-11-28T09:00:00.000Z', trainingOnly: true };
    clients.saveClient(rotated);
    expect(journal.listClients()).toEqual([rotated]);
    expect(journal.findClientByKeyHash('aa')).toBeUndefined();
    clients.close();
    journal.commit((unit) => unit.saveTransaction(transaction()));
  });

  it('can be made before the first start of a till', () => {
    const dataDir = temporaryFolder();
    const clients = openPosClients(dataDir);
    clients.saveClient(client);
    clients.close();
    expect(openJournal(dataDir).listClients()).toEqual([client]);
  });

  it('have a key each', () => {
    const journal = openJournal(temporaryFolder());
    journal.commit((unit) => unit.saveClient(client));
    expect(() => journal.commit((unit) => unit.saveClient({ ...client, clientId: 'c2' }))).toThrow('UNIQUE');
  });
});

describe('settings', () => {
  it('hold the last value', () => {
    const journal = openJournal(temporaryFolder());
    journal.commit((unit) => unit.saveSetting('trainingKey', 'a'));
    journal.commit((unit) => unit.saveSetting('trainingKey', 'b'));
    expect([journal.setting('trainingKey'), journal.setting('other')]).toEqual(['b', undefined]);
  });
});
