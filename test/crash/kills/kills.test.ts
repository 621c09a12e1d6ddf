import { describe, expect, it } from 'vitest';
import { runKillChunk } from './kill-chunk.ts';

/** Seed of both shops: set TILL_TEST_SEED to replay a run. */
const seed = Number(process.env.TILL_TEST_SEED ?? 1 + (Date.now() % 1_000_000));
/** `npm run kills` has the long run. */
const KILLS = 4;

describe(`till and host killed while payments run (seed ${seed})`, () => {
  it.each([seed - (seed % 2), seed - (seed % 2) + 1])(
    'the books agree (seed %i)',
    async (ofShop) => {
      const said: string[] = [];
      const result = await runKillChunk({ seed: ofShop, kills: KILLS, say: (text) => said.push(text) });
      expect(result.wrong, said.join('\n')).toEqual([]);
      const struck = Object.values(result.kills).reduce((sum, each) => sum + each, 0);
      expect(struck, said.join('\n')).toBe(KILLS);
      expect(result.judged).toBeGreaterThan(0);
    },
    900_000,
  );
});
