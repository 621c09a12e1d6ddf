import { columnsOf, type Migration, maybe, table } from '../migration.ts';

/** POS clients of a merchant, whose key hashes its tills download (decisions: Credentials). The number of a list rises with each change of it. */
export const host003: Migration = {
  version: 3,
  statements: (kind) => {
    const { int, text } = columnsOf(kind);
    return [
      ...table(kind, 'pos_clients', [
        text('merchant_id'),
        text('client_id'),
        text('name'),
        text('key_hash'),
        maybe(text('earlier_key_hash')),
        maybe(int('earlier_key_until')),
        int('created_at'),
        maybe(int('revoked_at')),
        'PRIMARY KEY (merchant_id, client_id)',
        'UNIQUE (merchant_id, name)',
        'UNIQUE (key_hash)',
        'FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)',
      ]),
      ...table(kind, 'pos_client_lists', [
        text('merchant_id'),
        `${int('version')} CHECK (version >= 1)`,
        'PRIMARY KEY (merchant_id)',
        'FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)',
      ]),
    ];
  },
};
