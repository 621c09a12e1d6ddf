// The DUKPT keys of the reader go on from what its book says: a key that was used in an earlier run is never used again.
import type { ReaderKeyName } from './book/entries.ts';
import { type DukptStep, newReaderKeys, takeDukptKey } from './crypto/test-keys.ts';
import type { Turn } from './turn.ts';

/** The next key; undefined when it is used up. It counts as used once an entry with its serial number is in the book. */
export function takeKey({ ledger }: Turn, name: ReaderKeyName): DukptStep | undefined {
  const fresh = newReaderKeys()[name];
  return takeDukptKey({ ...fresh, ksn: ledger.lastKsn(name) ?? fresh.ksn });
}
