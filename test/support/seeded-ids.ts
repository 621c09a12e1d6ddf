import { createHash } from 'node:crypto';
import type { Ids } from '../../app/ports/ids.ts';

/** Identifiers that are the same in every run of one seed. */
export function createSeededIds(seed: string): Ids {
  let count = 0;
  const block = () => {
    count += 1;
    return createHash('sha256').update(`${seed}/${count}`).digest();
  };
  return {
    next() {
      const hex = block().toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
    randomBytes(byteCount) {
      const bytes = new Uint8Array(byteCount);
      for (let offset = 0; offset < byteCount; offset += 32) bytes.set(block().subarray(0, byteCount - offset), offset);
      return bytes;
    },
  };
}
