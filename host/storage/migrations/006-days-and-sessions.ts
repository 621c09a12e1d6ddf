import { columnsOf, type Migration, maybe } from '../migration.ts';

/**
 * By which time zone and cut-off a terminal's business dates are told, the dates of a close at host and till (decisions: Business day), who closed;
 * and what a person has found out of a payment session whose end was never told.
 */
export const host006: Migration = {
  version: 6,
  statements: (kind) => {
    const { text, oneOf } = columnsOf(kind);
    return [
      `ALTER TABLE terminals ADD COLUMN ${text('time_zone')} DEFAULT 'UTC'`,
      `ALTER TABLE terminals ADD COLUMN ${text('day_cut_off')} DEFAULT '00:00'`,
      `ALTER TABLE settlements ADD COLUMN ${maybe(text('business_date'))}`,
      `ALTER TABLE settlements ADD COLUMN ${maybe(text('terminal_business_date'))}`,
      `ALTER TABLE settlements ADD COLUMN ${maybe(oneOf('closed_by', ['TILL', 'SERVER']))}`,
      `ALTER TABLE sessions ADD COLUMN ${maybe(text('resolution'))}`,
      `CREATE INDEX sessions_in_recovery ON sessions (created_at) WHERE status = 'RECOVERY_REQUIRED' AND resolution IS NULL`,
    ];
  },
};
