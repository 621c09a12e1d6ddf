import type { Migration } from '../migration.ts';

/** What a search of few among many asks for: it is answered from the index alone. */
const searched = 'total_minor, currency, last_four, reference_id, transaction_id';

/**
 * What is rare is listed by indexes of its own, which a sale that is approved never writes: without them a search for it walks the whole history. Each
 * holds all that a search compares.
 */
export const searchIndexes006: Migration = {
  version: 6,
  sql: `
CREATE INDEX transactions_refused ON transactions (state, created_at, first_seq, type, ${searched})
  WHERE state IN ('DECLINED', 'CANCELLED', 'ERROR');
CREATE INDEX transactions_besides_sales ON transactions (type, created_at, first_seq, state, ${searched})
  WHERE type <> 'SALE';
`,
};
