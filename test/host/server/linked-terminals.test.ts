import { describe, expect, it } from 'vitest';
import { linkedTerminals } from '../../bench/linked-terminals.ts';

describe('terminals linked to one host process (promise F8)', () => {
  it('are all opened, held, sold at and woken, a few as in the benchmark of 10,000', async () => {
    const { lines } = await linkedTerminals(20, 100, 5);
    const text = lines.join('\n');
    expect(text).toContain('promised 20 links, all held and woken: kept');
    // How fast they are is the benchmark's matter.
    expect(text).toMatch(/host +p50 [\d.]+ ms, p99 [\d.]+ ms/);
  });
});
