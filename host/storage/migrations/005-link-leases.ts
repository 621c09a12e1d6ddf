import { columnsOf, type Migration, table } from '../migration.ts';

/** Which node holds the link of a terminal, under which fence, until when by the database's own clock. */
export const host005: Migration = {
  version: 5,
  statements: (kind) => {
    const { int, text } = columnsOf(kind);
    return [
      ...table(kind, 'link_leases', [
        text('merchant_id'),
        text('terminal_id'),
        text('node'),
        `${int('fence')} CHECK (fence >= 1)`,
        int('until_at'),
        'PRIMARY KEY (merchant_id, terminal_id)',
        'FOREIGN KEY (merchant_id, terminal_id) REFERENCES terminals (merchant_id, terminal_id)',
      ]),
      // A renewal changes no indexed column.
      'CREATE INDEX link_leases_of_node ON link_leases (node)',
    ];
  },
};
