import type { ActivityQuery } from '../../../app/contract/console/activity.ts';
import { MAX_SEARCH_CHARACTERS, MAX_STARTER_CHARACTERS } from '../../../app/contract/console/console-limits.ts';
import type { TransactionStatus, TransactionType } from '../../../app/contract/transactions.ts';

/** Statuses and operations that the filters offer, in this order. */
export const filterStatuses = [
  'APPROVED',
  'DECLINED',
  'CANCELLED',
  'ERROR',
  'IN_PROGRESS',
] as const satisfies readonly TransactionStatus[];
export const filterTypes = [
  'SALE',
  'REFUND',
  'VOID',
  'PRE_AUTH',
  'PRE_AUTH_COMPLETE',
  'CARD_READ',
  'BALANCE_INQUIRY',
] as const satisfies readonly TransactionType[];

/** What the page shows, as its address carries it; days are local days, YYYY-MM-DD, both included. */
export interface ActivityFilter {
  readonly q?: string;
  readonly status?: (typeof filterStatuses)[number];
  readonly type?: (typeof filterTypes)[number];
  /** `console:Anna`, `pos:till one`. */
  readonly by?: string;
  readonly from?: string;
  readonly to?: string;
}

/** The filter in the address's search part; what does not fit is left out, for anybody can type an address. */
export function readFilter(search: Readonly<Record<string, unknown>>): ActivityFilter {
  // The router reads a number that stands in the address as a number.
  const q = typeof search.q === 'number' ? String(search.q) : search.q;
  const status = filterStatuses.find((known) => known === search.status);
  const type = filterTypes.find((known) => known === search.type);
  return {
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, MAX_SEARCH_CHARACTERS) } : {}),
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { type }),
    ...(typeof search.by === 'string' && search.by !== '' ? { by: search.by.slice(0, MAX_STARTER_CHARACTERS) } : {}),
    ...(isDay(search.from) ? { from: search.from } : {}),
    ...(isDay(search.to) ? { to: search.to } : {}),
  };
}

/** The filter as the till is asked. */
export function queryOf({ q, status, type, by, from, to }: ActivityFilter): Omit<ActivityQuery, 'limit' | 'cursor'> {
  const query = q?.trim();
  return {
    ...(query === undefined || query === '' ? {} : { query }),
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { type }),
    ...(by === undefined ? {} : { startedBy: by }),
    ...(from === undefined ? {} : { from: startOfDay(from, 0) }),
    ...(to === undefined ? {} : { to: startOfDay(to, 1) }),
  };
}

export function isFiltered(filter: ActivityFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** The instant at which a local day begins, `daysLater` days on; days of 23 and 25 hours come out right. */
function startOfDay(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}
