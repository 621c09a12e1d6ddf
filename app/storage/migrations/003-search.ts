import type { Migration } from '../migration.ts';

const lastFour = `substr(json_extract((SELECT body FROM journal WHERE seq = last_seq), '$.card.maskedPan'), -4)`;

/** What the console searches by: the amount charged, and the last four digits of the card. */
export const search003: Migration = {
  version: 3,
  sql: `
ALTER TABLE transactions ADD COLUMN last_four TEXT CHECK (last_four IS NULL OR last_four GLOB '[0-9][0-9][0-9][0-9]');
UPDATE transactions SET last_four = ${lastFour} WHERE ${lastFour} GLOB '[0-9][0-9][0-9][0-9]';
CREATE INDEX transactions_by_card ON transactions (last_four, created_at, first_seq) WHERE last_four IS NOT NULL;
CREATE INDEX transactions_by_amount ON transactions (total_minor, created_at, first_seq);
`,
};
