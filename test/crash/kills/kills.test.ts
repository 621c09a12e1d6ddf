import { describe, expect, it } from 'vitest';
import { runKillChunk } from './kill-chunk.ts';

/** One with a terminal of its own acquirer, one with a reader; both have found something. TILL_TEST_SEED names another; `npm run kills` has the long run, and draws new ones. */
const own = process.env.TILL_TEST_SEED;
const seeds = own === undefined ? [40_006, 363_697] : [Number(own)];
const KILLS = 4;

describe('till and host killed while payments run', () => {
  it.each(seeds)(
    'the books agree (seed %i)',
    async (ofShop) => {
      const said: string[] = [];
      const result = await runKillChunk({ seed: ofShop, kills: KILLS, say: (text) => said.push(text) });
      expect(result.wrong, said.join('\n')).toEqual([]);
      expect(result.broken, said.join('\n')).toBeUndefined();
      const struck = Object.values(result.kills).reduce((sum, each) => sum + each, 0);
      expect(struck, said.join('\n')).toBe(KILLS);
      expect(result.judged).toBeGreaterThan(0);
    },
    900_000,
  );
});
