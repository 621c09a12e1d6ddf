import type { Role } from '../../app/contract/console/roles.ts';

/** A role in a word. */
export const roleTexts = {
  CASHIER: 'common:role.cashier',
  MANAGER: 'common:role.manager',
  ADMIN: 'common:role.admin',
  SUPPORT: 'common:role.support',
} as const satisfies Record<Role, string>;
