import type { Migration } from '../migration.ts';

const actor = '(SELECT actor FROM journal WHERE seq = first_seq)';
/** `console:Anna approved by Ben` → `console:Anna`, as domain/breakdown.ts has it. */
const starter = `CASE instr(${actor}, ' approved by ') WHEN 0 THEN ${actor} ELSE substr(${actor}, 1, instr(${actor}, ' approved by ') - 1) END`;

/** What the console searches by: who began the transaction. */
export const starters008: Migration = {
  version: 8,
  sql: `
ALTER TABLE transactions ADD COLUMN started_by TEXT NOT NULL DEFAULT '';
UPDATE transactions SET started_by = ${starter};
CREATE INDEX transactions_by_starter ON transactions (started_by, created_at, first_seq);
`,
};
