import type { Migration } from '../migration.ts';

const amount = (name: string) => `${name} INTEGER NOT NULL CHECK (${name} BETWEEN 0 AND 9007199254740991)`;

/** What was counted in the drawer, which nobody changes afterwards; and how far the newest scheduled close of each terminal has come. */
export const day005: Migration = {
  version: 5,
  sql: `
CREATE TABLE cash_counts (
  seq INTEGER PRIMARY KEY,
  terminal_id TEXT NOT NULL,
  batch_number INTEGER NOT NULL CHECK (batch_number >= 1),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  counted_at TEXT NOT NULL,
  counted_by TEXT NOT NULL,
  ${amount('opening_float_minor')},
  pieces TEXT NOT NULL,
  ${amount('other_minor')}
) STRICT;
CREATE INDEX cash_counts_by_batch ON cash_counts (terminal_id, batch_number, seq);
CREATE TRIGGER cash_counts_no_update BEFORE UPDATE ON cash_counts BEGIN SELECT RAISE(ABORT, 'a cash count stays as it is'); END;
CREATE TRIGGER cash_counts_no_delete BEFORE DELETE ON cash_counts BEGIN SELECT RAISE(ABORT, 'a cash count stays as it is'); END;

CREATE TABLE scheduled_closes (
  terminal_id TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
`,
};
