import type { Static } from 'typebox';
import { oneOfStrings } from '../parts.ts';

/** Each of CASHIER, MANAGER, ADMIN may do what the one before may; SUPPORT looks and exports, and moves no money. */
export const Role = oneOfStrings(
  ['CASHIER', 'MANAGER', 'ADMIN', 'SUPPORT'],
  'CASHIER sells. MANAGER also approves. ADMIN also keeps the staff. SUPPORT looks, and moves no money.',
);
export type Role = Static<typeof Role>;

export const everyRole: readonly Role[] = ['CASHIER', 'MANAGER', 'ADMIN', 'SUPPORT'];
export const sellingRoles: readonly Role[] = ['CASHIER', 'MANAGER', 'ADMIN'];
/** Roles that approve what others ask for. */
export const approvingRoles: readonly Role[] = ['MANAGER', 'ADMIN'];
export const administratorOnly: readonly Role[] = ['ADMIN'];
/** Roles that look into the till's inside. */
export const supportRoles: readonly Role[] = ['MANAGER', 'ADMIN', 'SUPPORT'];
