import Database from 'better-sqlite3';

/** Bytes of a transaction's record, and of one event, as the till's journal holds them. */
const recordBytes = 1500;
const eventBytes = 250;

/** Events that ride along with intent, provisional and final outcome. */
const eventsOfCommit = [0, 5, 2];

/**
 * The commits of a sale in bare tables without any index, chain or check, WAL and synchronous=FULL: the least that keeping such rows costs here.
 * One at a time, in turn with everything else, as a sale's commits are.
 */
export function openBareJournal(path: string): { commit(round: number): void; close(): void } {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`
    CREATE TABLE records (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
    CREATE TABLE events (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
  `);
  const record = database.prepare('INSERT INTO records (body) VALUES (?)');
  const event = database.prepare('INSERT INTO events (body) VALUES (?)');
  const recordBody = 'x'.repeat(recordBytes);
  const eventBody = 'x'.repeat(eventBytes);
  const commit = database.transaction((eventCount: number) => {
    record.run(recordBody);
    for (let index = 0; index < eventCount; index += 1) event.run(eventBody);
  });
  return {
    commit: (round) => commit.immediate(eventsOfCommit[round % eventsOfCommit.length] ?? 0),
    close: () => void database.close(),
  };
}
