import type { Migration } from '../migration.ts';

/**
 * Sales that our host holds until their tip is known, and the tip as one of the things that the host is owed. A check cannot be altered, so the outbox
 * is made anew.
 */
export const tipCaptures015: Migration = {
  version: 15,
  sql: `
ALTER TABLE transactions ADD COLUMN awaits_capture INTEGER NOT NULL DEFAULT 0 CHECK (awaits_capture IN (0, 1));
CREATE INDEX transactions_uncaptured ON transactions (terminal_id, first_seq) WHERE awaits_capture = 1;
CREATE TABLE outbox_next (
  seq INTEGER PRIMARY KEY,
  terminal_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('REVERSAL', 'OFFLINE_COMPLETION', 'CAPTURE', 'TIP_ADJUST', 'EXTERNAL_RECORD', 'EXTERNAL_VOID', 'DAY_CLOSE')),
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
