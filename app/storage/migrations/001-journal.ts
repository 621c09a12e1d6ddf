import type { Migration } from '../migration.ts';

const amount = (name: string) => `${name} INTEGER NOT NULL CHECK (${name} BETWEEN 0 AND 9007199254740991)`;
const oneOf = (name: string, values: readonly string[]) =>
  `${name} TEXT NOT NULL CHECK (${name} IN (${values.map((value) => `'${value}'`).join(', ')}))`;

/**
 * The chained journal, its projections, and what lives beside it. first_seq and last_seq of a projection are the journal rows of its first and of
 * its newest revision; the record itself stands in the journal only.
 */
export const journal001: Migration = {
  version: 1,
  sql: `
CREATE TABLE journal (
  seq INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  ${oneOf('kind', ['TRANSACTION', 'TASK', 'DAY_CLOSE', 'SETTLEMENT'])},
  subject_id TEXT NOT NULL,
  terminal_id TEXT NOT NULL,
  actor TEXT NOT NULL,
  body TEXT NOT NULL,
  prev_hash TEXT NOT NULL CHECK (length(prev_hash) = 64),
  hash TEXT NOT NULL CHECK (length(hash) = 64)
) STRICT;
CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TABLE transactions (
  first_seq INTEGER PRIMARY KEY,
  last_seq INTEGER NOT NULL,
  transaction_id TEXT NOT NULL UNIQUE,
  terminal_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  ${oneOf('type', ['SALE', 'PRE_AUTH', 'PRE_AUTH_COMPLETE', 'REFUND', 'VOID', 'CARD_READ', 'BALANCE_INQUIRY'])},
  ${oneOf('mode', ['ORCHESTRATED', 'GRANULAR'])},
  ${oneOf('state', ['INTENT', 'PROVISIONAL', 'PENDING_ONLINE', 'APPROVED', 'DECLINED', 'CANCELLED', 'ERROR'])},
  held INTEGER NOT NULL CHECK (held IN (0, 1)),
  revision INTEGER NOT NULL CHECK (revision >= 1),
  ${amount('amount_minor')},
  ${amount('tip_minor')},
  ${amount('cashback_minor')},
  ${amount('total_minor')},
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  reference_id TEXT,
  target_id TEXT REFERENCES transactions (transaction_id),
  batch_number INTEGER NOT NULL CHECK (batch_number >= 1),
  card_scheme TEXT,
  created_at TEXT NOT NULL,
  CHECK (total_minor = amount_minor + tip_minor + cashback_minor)
) STRICT;
CREATE UNIQUE INDEX transactions_one_open ON transactions (terminal_id)
  WHERE state IN ('INTENT', 'PROVISIONAL', 'PENDING_ONLINE');
CREATE UNIQUE INDEX transactions_one_void ON transactions (target_id, type) WHERE type = 'VOID' AND held = 1;
CREATE UNIQUE INDEX transactions_one_completion ON transactions (target_id, type) WHERE type = 'PRE_AUTH_COMPLETE' AND held = 1;
CREATE INDEX transactions_by_target ON transactions (target_id) WHERE target_id IS NOT NULL;
CREATE INDEX transactions_by_time ON transactions (created_at, first_seq);
CREATE INDEX transactions_by_terminal ON transactions (terminal_id, created_at, first_seq);
CREATE INDEX transactions_last ON transactions (terminal_id, first_seq);
CREATE INDEX transactions_by_reference ON transactions (reference_id, created_at, first_seq) WHERE reference_id IS NOT NULL;
CREATE INDEX transactions_in_batch ON transactions (terminal_id, batch_number, currency, type, card_scheme, total_minor, target_id)
  WHERE state = 'APPROVED' AND mode = 'ORCHESTRATED';
CREATE INDEX transactions_pre_auths ON transactions (terminal_id, first_seq)
  WHERE type = 'PRE_AUTH' AND state = 'APPROVED' AND mode = 'ORCHESTRATED';
CREATE TRIGGER transactions_refund_ceiling BEFORE INSERT ON transactions
  WHEN NEW.type = 'REFUND' AND NEW.held = 1 AND NEW.target_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'refund ceiling') FROM transactions AS original
  WHERE original.transaction_id = NEW.target_id AND NEW.total_minor > original.amount_minor + original.tip_minor - (
    SELECT coalesce(sum(total_minor), 0) FROM transactions WHERE target_id = NEW.target_id AND type = 'REFUND' AND held = 1
  );
END;

CREATE TABLE recovery_tasks (
  first_seq INTEGER PRIMARY KEY,
  last_seq INTEGER NOT NULL,
  task_id TEXT NOT NULL UNIQUE,
  terminal_id TEXT NOT NULL,
  ${oneOf('subject_kind', ['TRANSACTION', 'DAY_CLOSE'])},
  subject_id TEXT NOT NULL,
  ${oneOf('state', ['ASKING', 'NEEDS_PERSON', 'RESOLVED'])},
  revision INTEGER NOT NULL CHECK (revision >= 1)
) STRICT;
CREATE INDEX recovery_tasks_by_subject ON recovery_tasks (subject_id, first_seq);
CREATE INDEX recovery_tasks_open ON recovery_tasks (first_seq) WHERE state <> 'RESOLVED';

CREATE TABLE day_closes (
  first_seq INTEGER PRIMARY KEY,
  last_seq INTEGER NOT NULL,
  day_close_id TEXT NOT NULL UNIQUE,
  terminal_id TEXT NOT NULL,
  ${oneOf('state', ['INTENT', 'SUCCESS', 'PARTIAL', 'FAILED', 'UNKNOWN'])},
  revision INTEGER NOT NULL CHECK (revision >= 1),
  batch_number INTEGER NOT NULL CHECK (batch_number >= 1),
  settlement_id TEXT
) STRICT;
CREATE UNIQUE INDEX day_closes_one_running ON day_closes (terminal_id) WHERE state = 'INTENT';
CREATE INDEX day_closes_open ON day_closes (first_seq) WHERE state IN ('INTENT', 'UNKNOWN');
CREATE INDEX day_closes_by_batch ON day_closes (terminal_id, batch_number, first_seq);

CREATE TABLE settlements (
  first_seq INTEGER PRIMARY KEY,
  last_seq INTEGER NOT NULL,
  settlement_id TEXT NOT NULL UNIQUE,
  terminal_id TEXT NOT NULL,
  batch_number INTEGER NOT NULL CHECK (batch_number >= 1),
  revision INTEGER NOT NULL CHECK (revision = 1),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  closed_at TEXT NOT NULL,
  head_seq INTEGER NOT NULL,
  head_hash TEXT NOT NULL CHECK (length(head_hash) = 64),
  UNIQUE (terminal_id, batch_number)
) STRICT;
CREATE INDEX settlements_by_time ON settlements (closed_at, settlement_id);
CREATE INDEX settlements_by_terminal ON settlements (terminal_id, closed_at, settlement_id);
CREATE TRIGGER transactions_closed_batch BEFORE INSERT ON transactions
  WHEN EXISTS (SELECT 1 FROM settlements WHERE terminal_id = NEW.terminal_id AND batch_number = NEW.batch_number)
BEGIN SELECT RAISE(ABORT, 'the batch is closed'); END;

CREATE TABLE idempotency (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  status_code INTEGER,
  answer TEXT,
  PRIMARY KEY (scope, key),
  CHECK ((status_code IS NULL) = (answer IS NULL))
) STRICT;
CREATE INDEX idempotency_by_subject ON idempotency (subject_id);
CREATE INDEX idempotency_by_time ON idempotency (created_at);

CREATE TABLE events (
  terminal_id TEXT NOT NULL,
  sequence INTEGER NOT NULL CHECK (sequence >= 1),
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (terminal_id, sequence)
) STRICT;
CREATE TABLE event_blocks (
  terminal_id TEXT PRIMARY KEY,
  next_sequence INTEGER NOT NULL CHECK (next_sequence >= 1)
) STRICT;

CREATE TABLE pos_clients (
  client_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  revoked_at TEXT,
  training_only INTEGER NOT NULL CHECK (training_only IN (0, 1))
) STRICT;
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
`,
};
