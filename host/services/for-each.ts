import type { Log } from '../../app/ports/log.ts';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import { MAX_PARALLEL } from './host-limits.ts';

/**
 * Does `work` for every item, a few at a time; one that fails is logged and keeps nobody else from being served.
 * @throws StoreUnavailable: without the database there is nothing to go on with
 */
export async function forEach<T>(
  log: Log,
  items: readonly T[],
  nameOf: (item: T) => string,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      try {
        await work(item);
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        const reason = error instanceof Error ? error.message : 'not an error object';
        log.error('a piece of scheduled work failed; it is tried again', { transactionId: nameOf(item), reason });
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL }, worker));
}
