import type { Migration } from '../migration.ts';

/** The staff, the browsers of the console, and what was done to the till itself. */
export const staff002: Migration = {
  version: 2,
  sql: `
CREATE TABLE staff (
  staff_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('CASHIER', 'MANAGER', 'ADMIN', 'SUPPORT')),
  pin_hash TEXT NOT NULL,
  wrong_pins INTEGER NOT NULL CHECK (wrong_pins >= 0),
  locked_until TEXT,
  created_at TEXT NOT NULL,
  deactivated_at TEXT,
  last_sign_in_at TEXT,
  training_only INTEGER NOT NULL CHECK (training_only IN (0, 1))
) STRICT;

CREATE TABLE console_sessions (
  session_id TEXT PRIMARY KEY CHECK (length(session_id) = 64),
  created_at TEXT NOT NULL,
  touched_at TEXT NOT NULL,
  staff_id TEXT REFERENCES staff (staff_id)
) STRICT;

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
`,
};
