import { describe, expect, it } from 'vitest';
import { runKillChunk } from './kill-chunk.ts';

/** Of both shops; TILL_TEST_SEED names others. `npm run kills` has the long run, and draws new ones. */
const seed = Number(process.env.TILL_TEST_SEED ?? 363_697);
const KILLS = 4;

describe(`till and host killed while payments run (seed ${seed})`, () => {
  it.each([seed - (seed % 2), seed - (seed % 2) + 1])(
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
