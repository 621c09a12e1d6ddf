import Database from 'better-sqlite3';

/** Bytes of one row: about what one journal row of a sale holds. */
const rowBytes = 1500;

/** Bare commits of one row each, WAL and synchronous=FULL: the least that a durable write costs here. */
export function measureCommit(path: string): { commit(): void; close(): void } {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE rows (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
  const insert = database.prepare('INSERT INTO rows (body) VALUES (?)');
  const body = 'x'.repeat(rowBytes);
  return { commit: () => void insert.run(body), close: () => void database.close() };
}
