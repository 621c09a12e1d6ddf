import type { Migration } from '../migration.ts';

/** What was printed, and what waits for a printer or a person. Beside the chain: no money is in it. */
export const printJobs007: Migration = {
  version: 7,
  sql: `
CREATE TABLE print_jobs (
  job_id TEXT PRIMARY KEY,
  printer_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('RECEIPT', 'Z_REPORT', 'X_REPORT')),
  subject_id TEXT NOT NULL,
  copy TEXT CHECK (copy IN ('CUSTOMER', 'MERCHANT')),
  state TEXT NOT NULL CHECK (state IN ('WAITING', 'PRINTED', 'FAILED', 'DISMISSED')),
  sent INTEGER NOT NULL CHECK (sent IN (0, 1)),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  trouble TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CHECK ((kind = 'RECEIPT') = (copy IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX print_jobs_by_subject ON print_jobs (subject_id, copy) WHERE sent = 1;
CREATE INDEX print_jobs_open ON print_jobs (created_at) WHERE state IN ('WAITING', 'FAILED');
`,
};
