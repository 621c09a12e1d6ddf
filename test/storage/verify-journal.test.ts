import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GENESIS } from '../../app/storage/chain.ts';
import { verifyJournal } from '../../app/storage/verify-journal.ts';
import { openJournal, settlement, task, temporaryFolder, transaction } from './journal-fixture.ts';

/** A till's folder with a few days of everything; closed. */
function writtenFolder(sales = 20): string {
  const dataDir = temporaryFolder();
  const journal = openJournal(dataDir);
  for (let day = 1; day <= 2; day++) {
    for (let index = 0; index < sales / 2; index++) {
      const record = transaction({
        transactionId: `tx-${day}-${index}`,
        batchNumber: day,
        referenceId: `order ${index}`,
      });
      journal.commit((unit) => unit.saveTransaction({ ...record, state: 'INTENT' }));
      journal.commit((unit) => unit.saveTransaction({ ...record, revision: 2 }));
    }
    journal.commit((unit) => unit.saveTask(task({ taskId: `task-${day}` })));
    journal.commit((unit) => unit.saveSettlement(settlement({ id: `settlement-${day}`, batchNumber: day })));
  }
  journal.close();
  return dataDir;
}

/** Changes the closed database behind the journal's back, its guards taken away and put back. */
function tamper(dataDir: string, sql: string): void {
  const database = new Database(join(dataDir, 'journal.db'));
  const triggers = database.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`).all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.pragma('foreign_keys = OFF');
  database.exec(sql);
  for (const trigger of triggers) database.exec(trigger.sql);
  database.close();
}

function bytesOf(dataDir: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(dataDir)
      .sort()
      .map((name) => {
        const { mtimeMs, mode } = statSync(join(dataDir, name));
        return [name, `${mtimeMs} ${mode} ${readFileSync(join(dataDir, name)).toString('base64')}`];
      }),
  );
}

const sequencesOf = (dataDir: string) => verifyJournal(dataDir).findings.map((finding) => finding.sequence);
const textsOf = (dataDir: string) => verifyJournal(dataDir).findings.map((finding) => finding.text);

describe('the verifier', () => {
  it('finds nothing in what a till has written, and changes nothing', () => {
    const dataDir = writtenFolder();
    const before = bytesOf(dataDir);
    const found = verifyJournal(dataDir);
    expect(found).toMatchObject({ ok: true, rows: 44, findings: [] });
    expect(found.head.sequence).toBe(44);
    expect(bytesOf(dataDir)).toEqual(before);
  });

  it('takes an empty journal, and refuses a folder without one', () => {
    const dataDir = temporaryFolder();
    openJournal(dataDir).close();
    expect(verifyJournal(dataDir)).toMatchObject({ ok: true, rows: 0, head: GENESIS });
    expect(() => verifyJournal(temporaryFolder())).toThrow('has no journal.db');
  });

  it('works while a till runs, and the till goes on', () => {
    const dataDir = temporaryFolder();
    const journal = openJournal(dataDir);
    for (let index = 0; index < 5; index++) {
      journal.commit((unit) => unit.saveTransaction(transaction({ transactionId: `tx-${index}` })));
      expect(verifyJournal(dataDir)).toMatchObject({ ok: true, rows: index + 1, head: journal.head() });
    }
  });

  it('reads the log that a killed till has left, and leaves it as it is', () => {
    const running = temporaryFolder();
    const journal = openJournal(running);
    for (let index = 0; index < 5; index++) {
      journal.commit((unit) => unit.saveTransaction(transaction({ transactionId: `tx-${index}` })));
    }
    const killed = join(temporaryFolder(), 'killed');
    cpSync(running, killed, { recursive: true });
    const before = bytesOf(killed);
    expect(before['journal.db-wal']).toBeDefined();
    expect(verifyJournal(killed)).toMatchObject({ ok: true, rows: 5, head: journal.head() });
    expect(bytesOf(killed)).toEqual(before);
  });
});

describe('a change is found, with its sequence', () => {
  it.each([
    ['actor', `'somebody'`],
    ['at', `'2026-11-27T09:00:00.001Z'`],
    ['terminal_id', `'T9'`],
    ['kind', `'TASK'`],
    ['subject_id', `'tx-0'`],
    ['hash', `'${'0'.repeat(64)}'`],
    ['prev_hash', `'${'0'.repeat(64)}'`],
    ['body', `replace(body, '"amountMinor":1000', '"amountMinor":1001')`],
    ['body', `body || ' '`],
  ])('in the %s of a row (%s)', (column, value) => {
    const dataDir = writtenFolder();
    tamper(dataDir, `UPDATE journal SET ${column} = ${value} WHERE seq = 7`);
    expect(sequencesOf(dataDir)).toContain(7);
  });

  it('in one column of any projection', () => {
    const columns: Record<string, readonly string[]> = {
      transactions: ['state', 'amount_minor', 'reference_id', 'created_at', 'last_seq', 'held', 'batch_number'],
      recovery_tasks: ['state', 'subject_id'],
      settlements: ['closed_at', 'currency', 'head_hash'],
    };
    const values: Record<string, string> = {
      state: `CASE state WHEN 'APPROVED' THEN 'DECLINED' ELSE 'RESOLVED' END`,
      amount_minor: 'amount_minor + 1, total_minor = total_minor + 1',
      currency: `'CHF'`,
      held: '0',
      last_seq: 'last_seq - 1',
      batch_number: '77',
      head_hash: `'${'0'.repeat(64)}'`,
    };
    const written = writtenFolder(4);
    for (const [table, names] of Object.entries(columns)) {
      for (const name of names) {
        const dataDir = join(temporaryFolder(), 'copy');
        cpSync(written, dataDir, { recursive: true });
        tamper(
          dataDir,
          `UPDATE ${table} SET ${name} = ${values[name] ?? `${name} || ' '`} WHERE rowid = (SELECT max(rowid) FROM ${table})`,
        );
        const [finding] = verifyJournal(dataDir).findings;
        expect([table, name, finding?.sequence]).toEqual([table, name, expect.any(Number)]);
        expect(finding?.text).toContain(name);
      }
    }
  });

  it('as a removal from the middle, from the start and from the end', () => {
    const middle = writtenFolder();
    tamper(middle, 'DELETE FROM journal WHERE seq IN (5, 6)');
    expect(textsOf(middle)).toContain('rows 5 to 6 are missing');
    const start = writtenFolder();
    tamper(start, 'DELETE FROM journal WHERE seq = 1');
    expect(textsOf(start)).toContain('row 1 is missing');
    const end = writtenFolder();
    tamper(end, 'DELETE FROM journal WHERE seq > 40');
    expect(textsOf(end)).toContain('rows 41 to 44 are missing: journal.head names row 44');
  });

  it('as a truncation that takes the projections and the anchor along, by the head that a day close has printed', () => {
    const dataDir = writtenFolder();
    const printed = verifyJournal(dataDir).head;
    const whole = join(temporaryFolder(), 'whole');
    cpSync(dataDir, whole, { recursive: true });
    tamper(dataDir, `DELETE FROM settlements WHERE first_seq = 44; DELETE FROM journal WHERE seq = 44`);
    rmSync(join(dataDir, 'journal.head'));
    openJournal(dataDir).close();
    expect(verifyJournal(dataDir).ok).toBe(true);
    expect(verifyJournal(dataDir, [printed]).findings).toMatchObject([
      { sequence: 44, text: expect.stringContaining('the given head names row 44') },
    ]);
    expect(verifyJournal(whole, [printed]).ok).toBe(true);
    expect(verifyJournal(whole, [{ ...printed, hash: 'f'.repeat(64) }]).findings).toMatchObject([{ sequence: 44 }]);
  });

  it('as a chain that was computed anew, by the head stored with a settlement', () => {
    const dataDir = writtenFolder();
    const stored = new Database(join(dataDir, 'journal.db'), { readonly: true });
    const head = stored.prepare('SELECT head_seq AS sequence, head_hash AS hash FROM settlements LIMIT 1').get() as {
      sequence: number;
      hash: string;
    };
    stored.close();
    tamper(dataDir, `UPDATE journal SET hash = '${'b'.repeat(64)}' WHERE seq = ${head.sequence}`);
    expect(textsOf(dataDir)).toContain(
      `row ${head.sequence} is not the one that the settlement of row ${head.sequence + 1} was closed at`,
    );
  });

  it('as a row that was added or exchanged', () => {
    const added = writtenFolder();
    tamper(
      added,
      `INSERT INTO journal SELECT 45, at, kind, subject_id, terminal_id, actor, body, prev_hash, hash FROM journal WHERE seq = 1`,
    );
    expect(sequencesOf(added)).toContain(45);
    const exchanged = writtenFolder();
    tamper(
      exchanged,
      `UPDATE journal SET seq = -1 WHERE seq = 9; UPDATE journal SET seq = 9 WHERE seq = 10; UPDATE journal SET seq = 10 WHERE seq = -1`,
    );
    expect(sequencesOf(exchanged)).toEqual(expect.arrayContaining([9, 10]));
  });

  it('as a projection without journal row, and a journaled subject without projection', () => {
    const dataDir = writtenFolder();
    tamper(dataDir, `UPDATE recovery_tasks SET task_id = 'made up' WHERE task_id = 'task-1'`);
    const texts = textsOf(dataDir);
    expect(texts).toContain('TASK made up stands in recovery_tasks without a journal row');
    expect(texts).toContainEqual(expect.stringMatching(/^TASK task-1 of row \d+ is missing in its table$/));
  });

  it('as a guard that was taken away', () => {
    const dataDir = writtenFolder();
    const database = new Database(join(dataDir, 'journal.db'));
    database.exec('DROP TRIGGER journal_no_delete');
    database.close();
    expect(textsOf(dataDir)).toEqual(['the schema lacks trigger journal_no_delete']);
  });

  it('as a missing or damaged anchor', () => {
    const dataDir = writtenFolder();
    writeFileSync(join(dataDir, 'journal.head'), 'x');
    expect(textsOf(dataDir)).toEqual(['journal.head is damaged']);
    rmSync(join(dataDir, 'journal.head'));
    expect(verifyJournal(dataDir).findings).toMatchObject([{ sequence: 44 }]);
  });
});

describe('a damaged file', () => {
  it('shows one bit changed in any stored body, at any place', () => {
    const dataDir = writtenFolder();
    const path = join(dataDir, 'journal.db');
    const whole = readFileSync(path);
    const places: number[] = [];
    for (let at = whole.indexOf('"actor":"pos:till"'); at >= 0; at = whole.indexOf('"actor":"pos:till"', at + 1)) {
      places.push(at);
    }
    expect(places.length).toBeGreaterThanOrEqual(40);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.nat(17), fc.nat(7), (place, byte, bit) => {
        const damaged = Buffer.from(whole);
        damaged[place + byte] = (whole[place + byte] ?? 0) ^ (1 << bit);
        writeFileSync(path, damaged);
        const { ok, findings } = verifyJournal(dataDir);
        expect(ok).toBe(false);
        expect(findings.some((finding) => finding.sequence !== undefined)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('never ends the check with an error, wherever a byte is changed', () => {
    const dataDir = writtenFolder(4);
    const path = join(dataDir, 'journal.db');
    const whole = readFileSync(path);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const damaged = Buffer.from(whole);
        damaged[place] = (whole[place] ?? 0) ^ change;
        writeFileSync(path, damaged);
        verifyJournal(dataDir);
      }),
      { numRuns: 100 },
    );
  });

  it('never ends the check with an error, whichever page loses its kind', () => {
    const dataDir = writtenFolder(4);
    const path = join(dataDir, 'journal.db');
    const whole = readFileSync(path);
    const pageBytes = 4096;
    for (let page = 1; page < whole.length / pageBytes; page += 1) {
      const damaged = Buffer.from(whole);
      damaged[page * pageBytes] = (whole[page * pageBytes] ?? 0) ^ 67;
      writeFileSync(path, damaged);
      expect(verifyJournal(dataDir).ok, `page ${page}`).toBe(false);
    }
  });

  it('shows rows that a cut or damaged log has lost', () => {
    const running = temporaryFolder();
    const journal = openJournal(running);
    for (let index = 0; index < 6; index++) {
      journal.commit((unit) => unit.saveTransaction(transaction({ transactionId: `tx-${index}` })));
    }
    const copy = () => {
      const dataDir = join(temporaryFolder(), 'killed');
      cpSync(running, dataDir, { recursive: true });
      return dataDir;
    };
    const cut = copy();
    truncateSync(join(cut, 'journal.db-wal'), statSync(join(cut, 'journal.db-wal')).size - 100);
    expect(textsOf(cut)).toContain('row 6 is missing: journal.head names row 6');
    const damaged = copy();
    const log = readFileSync(join(damaged, 'journal.db-wal'));
    const place = log.lastIndexOf('"tx-5"');
    log[place + 1] = (log[place + 1] ?? 0) ^ 1;
    writeFileSync(join(damaged, 'journal.db-wal'), log);
    expect(sequencesOf(damaged)).toContain(6);
    expect(() => openJournal(damaged)).toThrow(expect.objectContaining({ code: 'JOURNAL_UNAVAILABLE' }));
    // What the log held is not thrown away with it.
    expect(readFileSync(join(damaged, 'journal.db-wal.kept')).equals(log)).toBe(true);
  });
});
