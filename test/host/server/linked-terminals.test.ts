import { describe, expect, it } from 'vitest';
import { linkedTerminals } from '../../bench/linked-terminals.ts';

describe('terminals linked to one host process (promise F8)', () => {
  it('are all opened, held and woken, a few as in the benchmark of 10,000', async () => {
    const { lines, isKept } = await linkedTerminals(20, 100);
    expect(isKept, lines.join('\n')).toBe(true);
  });
});
