import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anchorText } from '../../app/storage/anchor.ts';
import { createJournal } from '../../app/storage/create-journal.ts';
import { openDatabase, openInMemory } from '../../app/storage/database.ts';
import { asJournalError, isFatal } from '../../app/storage/failures.ts';
import { migrate, migrations, versionOf } from '../../app/storage/migrate.ts';
import { collectingLog, openJournal, temporaryFolder, tickingClock, transaction } from './journal-fixture.ts';

const unavailable = (reason: string) =>
  expect.objectContaining({ code: 'JOURNAL_UNAVAILABLE', message: expect.stringContaining(reason) });

describe('the database', () => {
  it('is in WAL with synchronous FULL at every open', () => {
    const path = join(temporaryFolder(), 'journal.db');
    const pragma = (database: ReturnType<typeof openDatabase>, name: string) =>
      Object.values(database.read(`PRAGMA ${name}`).get() ?? {})[0];
    for (let open = 0; open < 3; open++) {
      const database = openDatabase(path);
      const names = ['synchronous', 'foreign_keys', 'trusted_schema', 'secure_delete'];
      expect(names.map((name) => pragma(database, name))).toEqual([2, 1, 0, 1]);
      if (open === 0) database.script('CREATE TABLE t (a INTEGER) STRICT');
      database.close();
      // File format versions of the header: 2 is WAL.
      expect([...readFileSync(path).subarray(18, 20)]).toEqual([2, 2]);
    }
    // What the settings guard against: the library's own default for an existing WAL file is NORMAL.
    const plain = new Database(path);
    plain.prepare('SELECT * FROM t').all();
    expect(plain.pragma('synchronous', { simple: true })).toBe(1);
    plain.close();
  });

  it('binds integers as integers up to 2^53 − 1 and refuses to read what a number cannot hold', () => {
    const database = openInMemory();
    database.script('CREATE TABLE t (a INTEGER NOT NULL) STRICT');
    for (const value of [2147483648, 2 ** 51, Number.MAX_SAFE_INTEGER]) {
      database.write('INSERT INTO t VALUES (?)').run(value);
      expect(database.read<{ a: number }>('SELECT a FROM t').get()).toEqual({ a: value });
      database.script('DELETE FROM t');
    }
    expect(() => database.write('INSERT INTO t VALUES (?)').run(1.5)).toThrow(RangeError);
    database.script('INSERT INTO t VALUES (9007199254740993)');
    expect(() => database.read('SELECT a FROM t').get()).toThrow('2^53');
    database.close();
  });

  it('does not write through a read handle', () => {
    const database = openInMemory();
    database.script('CREATE TABLE t (a INTEGER NOT NULL) STRICT');
    expect(() => database.read('INSERT INTO t VALUES (1) RETURNING a').get()).toThrow('statement that writes');
    database.close();
  });
});

describe('the schema', () => {
  it('is at its newest version, numbered in rising order', () => {
    const database = openInMemory();
    migrate(database);
    expect(versionOf(database)).toBe(migrations.at(-1)?.version);
    const numbers = migrations.map((migration) => migration.version);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    migrate(database);
    database.close();
  });

  it('keeps what the host was owed when its table is made anew, which still lets nothing be deleted', () => {
    const database = openInMemory();
    migrate(database, migrations.slice(0, 9));
    const item = `(7, 'R1', 't1', 'REVERSAL', 'reversal-t1', '{}', 'SET_ASIDE', 3, '2026-01-01', 'no', '2026-01-01', '2026-01-02')`;
    database.script(`INSERT INTO outbox VALUES ${item}`);
    const before = database.read('SELECT * FROM outbox').all();
    migrate(database);
    expect(database.read('SELECT * FROM outbox').all()).toEqual(before);
    expect(before).toHaveLength(1);
    expect(() => database.script('DELETE FROM outbox')).toThrow('stays on record');
    database.close();
  });

  it('is reached from every older version', () => {
    for (let version = 0; version <= migrations.length; version++) {
      const database = openInMemory();
      migrate(database, migrations.slice(0, version));
      migrate(database);
      expect(versionOf(database)).toBe(migrations.at(-1)?.version);
      database.close();
    }
  });

  it('is left as it was when a step fails in its midst', () => {
    const database = openInMemory();
    const broken = { version: 2, sql: 'CREATE TABLE half (a INTEGER) STRICT; CREATE TABLE half (a INTEGER) STRICT' };
    expect(() => migrate(database, [...migrations.slice(0, 1), broken])).toThrow('half');
    expect(versionOf(database)).toBe(1);
    expect(database.read(`SELECT name FROM sqlite_schema WHERE name = 'half'`).all()).toEqual([]);
    database.close();
  });

  it('of a newer program is refused and not touched', () => {
    const dataDir = temporaryFolder();
    openJournal(dataDir).close();
    const path = join(dataDir, 'journal.db');
    const database = new Database(path);
    database.pragma('user_version = 99');
    database.close();
    const before = readFileSync(path);
    expect(() => openJournal(dataDir)).toThrow(unavailable('version 99 is newer'));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('lets nobody change or remove a journal row', () => {
    const dataDir = temporaryFolder();
    const journal = openJournal(dataDir);
    journal.commit((unit) => unit.saveTransaction(transaction()));
    const database = new Database(join(dataDir, 'journal.db'));
    expect(() => database.exec(`UPDATE journal SET actor = 'x'`)).toThrow('append-only');
    expect(() => database.exec('DELETE FROM journal')).toThrow('append-only');
    database.close();
  });

  it.each([-1, 9007199254740992n])('holds no amount of %s', (amount) => {
    const dataDir = temporaryFolder();
    openJournal(dataDir).commit((unit) => unit.saveTransaction(transaction()));
    const database = new Database(join(dataDir, 'journal.db'));
    const change = database.prepare('UPDATE transactions SET amount_minor = ?, total_minor = ?');
    expect(() => change.run(amount, amount)).toThrow('CHECK constraint failed');
    database.close();
  });
});

/** Another process that opens the journal's lock as a till does, says so, and waits. */
const otherTill = `
  const Database = require('better-sqlite3');
  const lock = new Database(process.argv[1] + '/till.lock');
  lock.pragma('journal_mode = MEMORY');
  lock.exec('BEGIN IMMEDIATE; PRAGMA user_version = ' + process.pid + '; COMMIT; BEGIN IMMEDIATE');
  console.log('locked');
  setInterval(() => {}, 1000);
`;

describe('a data folder', () => {
  it('takes one till; the second is told the folder and the process', () => {
    const dataDir = temporaryFolder();
    openJournal(dataDir);
    expect(() => openJournal(dataDir)).toThrow(unavailable(`${dataDir} (process ${process.pid})`));
  });

  it('is free again after close, and after kill -9 of its till', async () => {
    const dataDir = temporaryFolder();
    openJournal(dataDir).close();
    openJournal(dataDir).close();
    const child = spawn(process.execPath, ['-e', otherTill, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(() => openJournal(dataDir)).toThrow(unavailable(`process ${child.pid}`));
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    openJournal(dataDir).commit((unit) => unit.saveTransaction(transaction()));
  });

  it('that cannot be made or written is refused by name', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(() => openJournal(join(file, 'data'))).toThrow(unavailable(join(file, 'data')));
    expect(() => openJournal('/proc/till')).toThrow(unavailable('/proc/till'));
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'journal.db'));
    expect(() => openJournal(folder)).toThrow(unavailable(folder));
  });

  it('that has become read-only refuses every write', () => {
    const database = openDatabase(join(temporaryFolder(), 'journal.db'));
    migrate(database);
    // Root may write to a folder of any mode: SQLite itself is told to refuse.
    database.script('PRAGMA query_only = ON');
    const write = () => database.transaction(() => database.write('INSERT INTO settings VALUES (?, ?)').run('a', 'b'));
    expect(write).toThrow(unavailable('read-only'));
    database.close();
  });
});

describe('the anchor', () => {
  function journalOf(rows: number): string {
    const dataDir = temporaryFolder();
    const journal = openJournal(dataDir);
    for (let row = 0; row < rows; row++) {
      journal.commit((unit) => unit.saveTransaction(transaction({ transactionId: `tx-${row}` })));
    }
    journal.close();
    return dataDir;
  }

  it('keeps a till from going on without rows that it names', () => {
    const dataDir = journalOf(3);
    const ahead = anchorText({ sequence: 5, hash: 'a'.repeat(64) });
    writeFileSync(join(dataDir, 'journal.head'), ahead);
    expect(() => openJournal(dataDir)).toThrow(unavailable('rows 4 to 5 are missing'));
    expect(readFileSync(join(dataDir, 'journal.head'), 'latin1')).toBe(ahead);
    writeFileSync(join(dataDir, 'journal.head'), anchorText({ sequence: 2, hash: 'a'.repeat(64) }));
    expect(() => openJournal(dataDir)).toThrow(unavailable('row 2 is not the one'));
    rmSync(join(dataDir, 'journal.head'));
    expect(openJournal(dataDir).head().sequence).toBe(3);
  });

  it('may lag: the till was killed between a commit and its anchor', () => {
    const dataDir = journalOf(1);
    const lagging = readFileSync(join(dataDir, 'journal.head'));
    const journal = openJournal(dataDir);
    journal.commit((unit) => unit.saveTransaction(transaction({ transactionId: 'later' })));
    journal.close();
    writeFileSync(join(dataDir, 'journal.head'), lagging);
    expect(openJournal(dataDir).head().sequence).toBe(2);
  });

  it('is made anew, and said to be, when it is missing or damaged', () => {
    const dataDir = journalOf(1);
    const log = collectingLog();
    for (const text of ['', 'no head', undefined]) {
      if (text === undefined) rmSync(join(dataDir, 'journal.head'));
      else writeFileSync(join(dataDir, 'journal.head'), text);
      const journal = createJournal({ dataDir, clock: tickingClock(), log, pid: 1 });
      expect(readFileSync(join(dataDir, 'journal.head'), 'latin1')).toBe(anchorText(journal.head()));
      journal.close();
    }
    expect(log.lines).toHaveLength(3);
  });

  it('of a journal whose newest row was changed does not let a till start', () => {
    const dataDir = journalOf(2);
    const database = new Database(join(dataDir, 'journal.db'));
    database.exec(`DROP TRIGGER journal_no_update; UPDATE journal SET actor = 'x' WHERE seq = 2`);
    database.close();
    expect(() => openJournal(dataDir)).toThrow(unavailable('row 2 was changed'));
  });
});

describe('a failing disk (P13)', () => {
  it('that is full refuses the commit, leaves nothing of it, and takes the next when there is room', () => {
    const dataDir = temporaryFolder();
    const path = join(dataDir, 'journal.db');
    const database = openDatabase(path);
    migrate(database);
    const room = () => database.read<{ page_count: number }>('PRAGMA page_count').get()?.page_count ?? 0;
    database.script(`PRAGMA max_page_count = ${room()}`);
    const insert = () =>
      database.transaction(() => {
        database.write('INSERT INTO settings VALUES (?, ?)').run('small', '1');
        database.write('INSERT INTO settings VALUES (?, ?)').run('large', 'x'.repeat(20_000));
      });
    expect(insert).toThrow(unavailable('the disk is full'));
    expect(database.read('SELECT * FROM settings').all()).toEqual([]);
    database.script(`PRAGMA max_page_count = ${room() + 100}`);
    insert();
    expect(database.read('SELECT * FROM settings').all()).toHaveLength(2);
    database.close();
  });

  it('ends the journal until the next start, and says so once', () => {
    const dataDir = temporaryFolder();
    const log = collectingLog();
    const journal = openJournal(dataDir, log);
    journal.commit((unit) => unit.saveTransaction(transaction()));
    // Move everything out of the log, then take the file's content away under the open journal.
    const other = new Database(join(dataDir, 'journal.db'));
    other.pragma('wal_checkpoint(TRUNCATE)');
    other.close();
    truncateSync(join(dataDir, 'journal.db'), 4096);
    const save = (transactionId: string) => () =>
      journal.commit((unit) => unit.saveTransaction(transaction({ transactionId })));
    expect(save('tx-2')).toThrow(expect.objectContaining({ code: 'JOURNAL_UNAVAILABLE' }));
    expect(save('tx-3')).toThrow(unavailable('start the till again'));
    expect(() => journal.reserveEventBlock('T1', 1)).toThrow(unavailable('start the till again'));
    expect(log.lines.filter((line) => line.includes('has failed'))).toHaveLength(1);
    expect(existsSync(join(dataDir, 'journal.head'))).toBe(true);
  });

  it.each([
    ['SQLITE_FULL', 'the disk is full', false],
    ['SQLITE_READONLY_DBMOVED', 'read-only', false],
    ['SQLITE_CANTOPEN', 'cannot be opened', false],
    ['SQLITE_BUSY', 'another program', false],
    ['SQLITE_IOERR_FSYNC', 'the disk fails', true],
    ['SQLITE_IOERR_WRITE', 'the disk fails', true],
    ['SQLITE_CORRUPT', 'damaged', true],
    ['SQLITE_NOTADB', 'damaged', true],
  ])('that answers %s says: %s', (code, reason, fatal) => {
    const error = new Database.SqliteError('disk', code);
    expect(asJournalError(error)).toEqual(unavailable(reason));
    expect(isFatal(error)).toBe(fatal);
  });

  it('is told apart from a rule of the schema and from an error that is none of SQLite’s', () => {
    for (const error of [new Database.SqliteError('rule', 'SQLITE_CONSTRAINT_CHECK'), new Error('other')]) {
      expect(asJournalError(error)).toBe(error);
      expect(isFatal(error)).toBe(false);
    }
  });
});
