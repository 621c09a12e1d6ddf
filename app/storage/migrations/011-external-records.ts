import type { Migration } from '../migration.ts';

/** The host is told of what a terminal's own acquirer authorized, and of its closes. A check cannot be altered, so the table is made anew. */
export const externalRecords011: Migration = {
  version: 11,
  sql: `
CREATE TABLE outbox_next (
  seq INTEGER PRIMARY KEY,
  terminal_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('REVERSAL', 'OFFLINE_COMPLETION', 'CAPTURE', 'EXTERNAL_RECORD', 'EXTERNAL_VOID', 'DAY_CLOSE')),
  idempotency_key TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('WAITING', 'DONE', 'SET_ASIDE', 'SETTLED')),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  next_at TEXT NOT NULL,
  trouble TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (transaction_id, kind)
) STRICT;
INSERT INTO outbox_next SELECT * FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_next RENAME TO outbox;
CREATE INDEX outbox_open ON outbox (seq) WHERE state IN ('WAITING', 'SET_ASIDE');
CREATE TRIGGER outbox_no_delete BEFORE DELETE ON outbox BEGIN SELECT RAISE(ABORT, 'what is owed to the host stays on record'); END;
`,
};
