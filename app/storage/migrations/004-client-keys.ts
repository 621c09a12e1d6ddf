import type { Migration } from '../migration.ts';

/** A key that was replaced may work on for a while; when a client called last stands beside, written rarely and never with a payment. */
export const clientKeys004: Migration = {
  version: 4,
  sql: `
ALTER TABLE pos_clients ADD COLUMN earlier_key_hash TEXT;
ALTER TABLE pos_clients ADD COLUMN earlier_key_until TEXT;
CREATE UNIQUE INDEX pos_clients_by_earlier_key ON pos_clients (earlier_key_hash) WHERE earlier_key_hash IS NOT NULL;
CREATE TABLE pos_client_uses (
  client_id TEXT PRIMARY KEY REFERENCES pos_clients (client_id),
  last_used_at TEXT NOT NULL
) STRICT;
`,
};
