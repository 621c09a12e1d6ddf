import { describe, expect, it } from 'vitest';
import { supportBundleMemory } from '../bench/support-bundle-memory.ts';

/** Writing and reading back that much takes a while on a busy machine. */
const limitMs = 600_000;

describe('the memory of the support bundle (promise F9)', () => {
  it(
    'stays below 150 MB with logs of 48 MB; the benchmark takes a gigabyte',
    async () => {
      const { lines, isKept } = await supportBundleMemory(48);
      expect(isKept, lines.join('\n')).toBe(true);
    },
    limitMs,
  );
});
