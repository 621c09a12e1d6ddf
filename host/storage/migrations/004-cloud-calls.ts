import { columnsOf, type Migration, maybe, table } from '../migration.ts';

/** POS calls that went to a till, and what became of them (decisions: Cloud POS); and finding a POS client by the key before its rotation. */
export const host004: Migration = {
  version: 4,
  statements: (kind) => {
    const { int, text, oneOf } = columnsOf(kind);
    return [
      ...table(kind, 'cloud_calls', [
        text('merchant_id'),
        text('client_id'),
        text('terminal_id'),
        text('route'),
        text('key'),
        text('request_hash'),
        text('transaction_id'),
        text('request'),
        oneOf('state', ['ASSIGNED', 'SENT', 'ANSWERED']),
        int('created_at'),
        maybe(int('status_code')),
        maybe(text('body')),
        'PRIMARY KEY (merchant_id, client_id, terminal_id, route, key)',
        "CHECK ((state = 'ANSWERED') = (body IS NOT NULL))",
        'FOREIGN KEY (merchant_id, terminal_id) REFERENCES terminals (merchant_id, terminal_id)',
      ]),
      'CREATE UNIQUE INDEX cloud_calls_by_transaction ON cloud_calls (merchant_id, transaction_id)',
      'CREATE INDEX cloud_calls_by_age ON cloud_calls (created_at)',
      'CREATE INDEX pos_clients_by_earlier_key ON pos_clients (earlier_key_hash)',
    ];
  },
};
