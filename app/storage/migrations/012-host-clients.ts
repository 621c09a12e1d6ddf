import type { Migration } from '../migration.ts';

/** A POS client that the host of a merchant has made: the till lets it in, and changes nothing of it. */
export const hostClients012: Migration = {
  version: 12,
  sql: `
ALTER TABLE pos_clients ADD COLUMN merchant_id TEXT;
`,
};
