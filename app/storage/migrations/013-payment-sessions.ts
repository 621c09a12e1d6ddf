import type { Migration } from '../migration.ts';

/** Payment sessions that the host gave this till. Beside the chain: the payments that are made for them are journaled. */
export const paymentSessions013: Migration = {
  version: 13,
  sql: `
CREATE TABLE payment_sessions (
  seq INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL UNIQUE,
  terminal_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('CLAIMED', 'STARTED', 'ENDED', 'OVER')),
  transaction_id TEXT,
  claim TEXT NOT NULL,
  events TEXT NOT NULL,
  delivered INTEGER NOT NULL CHECK (delivered >= 0),
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX payment_sessions_open ON payment_sessions (seq) WHERE state <> 'OVER';
CREATE TRIGGER payment_sessions_no_delete BEFORE DELETE ON payment_sessions BEGIN SELECT RAISE(ABORT, 'a claimed payment session stays on record'); END;
`,
};
