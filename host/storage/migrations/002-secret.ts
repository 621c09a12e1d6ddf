import { columnsOf, type Migration, table } from '../migration.ts';

/** Fingerprints of what all processes on a database must share, so that one with another secret is told instead of breaking every comparison. */
export const host002: Migration = {
  version: 2,
  statements: (kind) => {
    const { int, text } = columnsOf(kind);
    return table(kind, 'host_secrets', [text('name'), text('fingerprint'), int('made_at'), 'PRIMARY KEY (name)']);
  },
};
