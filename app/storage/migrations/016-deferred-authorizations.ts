import type { Migration } from '../migration.ts';

/**
 * Sales that were taken while the host could not be reached wait in the outbox (DEFERRED_AUTHORIZATION), and the encrypted account of each beside it,
 * until it is answered. A check cannot be altered, so the outbox is made anew.
 *
 * Every account has the same length, and two do not fit into one page of 4 KiB: whatever SQLite moves, an account that was deleted leaves no copy in
 * the unused part of another page.
 */
export const deferredAuthorizations016: Migration = {
  version: 16,
  sql: `
CREATE TABLE outbox_next (
  seq INTEGER PRIMARY KEY,
  terminal_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('REVERSAL', 'OFFLINE_COMPLETION', 'CAPTURE', 'TIP_ADJUST', 'EXTERNAL_RECORD', 'EXTERNAL_VOID', 'DAY_CLOSE', 'DEFERRED_AUTHORIZATION')),
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
CREATE TABLE kept_accounts (
  seq INTEGER PRIMARY KEY,
  transaction_id TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL CHECK (length(account) = 3000)
) STRICT;
`,
};
