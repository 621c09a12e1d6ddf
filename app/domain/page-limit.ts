import { BridgeError } from '../contract/errors.ts';
import { MAX_PAGE_ITEMS, MIN_PAGE_ITEMS } from '../contract/limits.ts';

/** How many rows a page may have. @throws BridgeError INVALID_REQUEST naming `limit`. */
export function requirePageLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= MIN_PAGE_ITEMS && limit <= MAX_PAGE_ITEMS) return limit;
  throw new BridgeError('INVALID_REQUEST', `limit must be ${MIN_PAGE_ITEMS} to ${MAX_PAGE_ITEMS}`, { field: 'limit' });
}
