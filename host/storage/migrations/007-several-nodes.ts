import { columnsOf, type Migration, table } from '../migration.ts';

/**
 * One-time tickets of WebSocket sessions, by their hashes, with the hash of the key that drew them; and the nodes that hear each other. Until when, by the
 * database's own clock.
 */
export const host007: Migration = {
  version: 7,
  statements: (kind) => {
    const { int, text } = columnsOf(kind);
    return [
      ...table(kind, 'session_tickets', [
        text('ticket_hash'),
        text('merchant_id'),
        text('client_id'),
        text('key_hash'),
        int('until_at'),
        'PRIMARY KEY (ticket_hash)',
        'FOREIGN KEY (merchant_id, client_id) REFERENCES pos_clients (merchant_id, client_id)',
      ]),
      ...table(kind, 'host_nodes', [text('node'), int('heard_until'), 'PRIMARY KEY (node)']),
      'CREATE INDEX session_tickets_of_client ON session_tickets (merchant_id, client_id)',
      'CREATE INDEX session_tickets_until ON session_tickets (until_at)',
    ];
  },
};
