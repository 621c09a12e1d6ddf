import type { Migration } from '../migration.ts';

/** What the till owes its host. Beside the chain: what it is about is journaled. */
export const outbox009: Migration = {
  version: 9,
  sql: `
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY,
  terminal_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('REVERSAL', 'OFFLINE_COMPLETION', 'CAPTURE')),
  idempotency_key TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('WAITING', 'DONE', 'SET_ASIDE')),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  next_at TEXT NOT NULL,
  trouble TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (transaction_id, kind)
) STRICT;
CREATE INDEX outbox_open ON outbox (seq) WHERE state <> 'DONE';
CREATE TRIGGER outbox_no_delete BEFORE DELETE ON outbox BEGIN SELECT RAISE(ABORT, 'what is owed to the host stays on record'); END;
`,
};
