import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openBook } from '../../drivers/virtual/book/book-file.ts';
import type { BookCard, BookEntry } from '../../drivers/virtual/book/entries.ts';
import { createLedger } from '../../drivers/virtual/book/ledger.ts';
import { summarise } from '../../drivers/virtual/book/summary.ts';
import { temporaryFolder } from './support/running-terminal.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const TERMINAL = { terminalId: '29000001', currency: 'EUR' };
const now = () => '2026-11-27T12:00:00.000Z';
const card: BookCard = {
  id: 'visa-chip',
  scheme: 'VISA',
  label: 'Visa Credit',
  maskedPan: '************0010',
  expiry: '3112',
  sequence: '0001',
  entry: 'CONTACT',
  verification: 'PIN',
};

function authorized(
  receipt: number,
  amountMinor: number,
  extra: Partial<Extract<BookEntry, { kind: 'AUTHORIZED' }>> = {},
): BookEntry {
  return {
    kind: 'AUTHORIZED',
    operation: 'SALE',
    receipt,
    trace: receipt,
    amountMinor,
    currency: 'EUR',
    card,
    authorizationCode: '123456',
    ...extra,
  };
}

describe('the book of a terminal', () => {
  it('keeps its entries over a restart, and numbers go on', () => {
    const path = join(folder.path, 'restart.jsonl');
    const first = openBook(path, TERMINAL, now);
    first.append(authorized(1, 1000), now());
    first.append({ kind: 'FINAL', id: 2 }, now());
    first.close();

    const second = openBook(path, TERMINAL, now);
    expect(second.initialEntries.map(({ kind, sequence }) => [kind, sequence])).toEqual([
      ['OPENED', 1],
      ['AUTHORIZED', 2],
      ['FINAL', 3],
    ]);
    const ledger = createLedger();
    for (const entry of second.initialEntries) ledger.apply(entry);
    expect([ledger.nextReceipt(), ledger.nextTrace(), ledger.nextSequence()]).toEqual([2, 2, 4]);
    expect(second.append(authorized(2, 500), now()).sequence).toBe(4);
    second.close();
  });

  it('cuts off a last line that was never finished', () => {
    const path = join(folder.path, 'torn.jsonl');
    openBook(path, TERMINAL, now).close();
    appendFileSync(path, '{"sequence":2,"at":"2026-11-27T12:0');
    const book = openBook(path, TERMINAL, now);
    expect(book.initialEntries).toHaveLength(1);
    book.append(authorized(1, 1000), now());
    book.close();
    expect(
      readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).sequence),
    ).toEqual([1, 2]);
  });

  it('is refused when a line in it is damaged or missing', () => {
    const path = join(folder.path, 'damaged.jsonl');
    const book = openBook(path, TERMINAL, now);
    book.append(authorized(1, 1000), now());
    book.append({ kind: 'FINAL', id: 2 }, now());
    book.close();
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.filter((_, index) => index !== 1).join('\n'));
    expect(() => openBook(path, TERMINAL, now)).toThrow('Line 2 of the book');
  });

  it('is refused to a second program while the first has it', () => {
    const path = join(folder.path, 'locked.jsonl');
    const book = openBook(path, TERMINAL, now);
    expect(() => openBook(path, TERMINAL, now)).toThrow(`in use by process ${process.pid}`);
    book.close();
    openBook(path, TERMINAL, now).close();
  });

  it('takes over the lock of a killed program that its parent has not asked after', async () => {
    const path = join(folder.path, 'zombie.jsonl');
    // The shell becomes a sleep, which never asks after the child that it inherits.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const pid = Number(String((await once(parent.stdout, 'data'))[0]));
      const startedAt = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21];
      writeFileSync(`${path}.lock`, JSON.stringify({ pid, startedAt }));
      expect(() => openBook(path, TERMINAL, now)).toThrow(`in use by process ${pid}`);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(' Z ');
      openBook(path, TERMINAL, now).close();
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('takes over the lock of a program that is gone, even when its process id lives on in another', () => {
    const path = join(folder.path, 'stale.jsonl');
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.pid, startedAt: '1' }));
    openBook(path, TERMINAL, now).close();
  });

  it('is refused in another currency', () => {
    const path = join(folder.path, 'currency.jsonl');
    openBook(path, TERMINAL, now).close();
    expect(() => openBook(path, { ...TERMINAL, currency: 'CHF' }, now)).toThrow('is kept in EUR, not in CHF');
  });
});

describe('what a book adds up to', () => {
  const add = (...entries: readonly BookEntry[]) =>
    summarise(
      'x',
      entries.map((entry, index) => ({ sequence: index + 1, at: now(), ...entry })),
    );

  it('counts sales and completions that stand, per scheme', () => {
    const girocard = { ...card, scheme: 'GIROCARD' } as const;
    const { charges } = add(
      authorized(1, 1000),
      { kind: 'FINAL', id: 1 },
      authorized(2, 500, { card: girocard }),
    ).standing;
    expect(charges).toEqual({
      count: 2,
      sumMinor: 1500,
      byScheme: { VISA: { count: 1, sumMinor: 1000 }, GIROCARD: { count: 1, sumMinor: 500 } },
    });
  });

  it('leaves out what the terminal took back and what was voided, and says who ended it', () => {
    const summary = add(
      authorized(1, 1000),
      { kind: 'REVERSED', id: 1, by: 'TERMINAL', reason: 'silence' },
      authorized(2, 700),
      { kind: 'FINAL', id: 3 },
      authorized(3, 700, { operation: 'VOID', originalId: 3 }),
    );
    expect(summary.standing.charges.count).toBe(0);
    expect(summary.transactions).toMatchObject([
      { reversedBy: 'TERMINAL', stands: false },
      { endedBy: 5, stands: false },
      { operation: 'VOID', stands: true },
    ]);
    expect(summary.pending).toEqual([5]);
  });

  it('lets a sale stand again when its void was taken back', () => {
    const summary = add(authorized(1, 700), authorized(2, 700, { operation: 'VOID', originalId: 1 }), {
      kind: 'REVERSED',
      id: 2,
      by: 'TERMINAL',
      reason: 'silence',
    });
    expect(summary.standing.charges).toMatchObject({ count: 1, sumMinor: 700 });
  });

  it('opens a hold again, with its extensions, when its completion was taken back', () => {
    const summary = add(
      authorized(1, 5000, { operation: 'PRE_AUTH' }),
      authorized(2, 1000, { operation: 'PRE_AUTH', extendsId: 1 }),
      authorized(3, 6000, { operation: 'COMPLETION', originalId: 1 }),
      { kind: 'REVERSED', id: 3, by: 'TERMINAL', reason: 'silence' },
    );
    expect(summary.standing).toMatchObject({ charges: { count: 0 }, holds: { count: 1, sumMinor: 6000 } });
  });

  it('starts receipt numbers again after 9999', () => {
    const ledger = createLedger({ receipt: 9999, trace: 999_999 });
    ledger.apply({
      sequence: 1,
      at: now(),
      ...(authorized(9999, 100, { trace: 999_999 }) as Extract<BookEntry, { kind: 'AUTHORIZED' }>),
    });
    expect([ledger.nextReceipt(), ledger.nextTrace()]).toEqual([1, 1]);
  });
});
