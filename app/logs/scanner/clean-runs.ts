/** Runs that are remembered at each depth, and characters of one of them. */
const maxRuns = 2_048;
const maxCharacters = 128;

/**
 * Runs in which nothing was found. What a run holds depends only on itself and on how many encodings may still be followed, so it need not be looked into
 * again: names of fields and routes stand in every line.
 */
export interface CleanRuns {
  has(run: string, depth: number): boolean;
  add(run: string, depth: number): void;
}

export function createCleanRuns(): CleanRuns {
  const atDepths: Set<string>[] = [];
  return {
    has: (run, depth) => atDepths[depth]?.has(run) === true,
    add(run, depth) {
      if (run.length > maxCharacters) return;
      const known = atDepths[depth] ?? new Set();
      atDepths[depth] = known;
      if (known.size >= maxRuns) known.clear();
      // A copy: a part of a text would keep the whole text in memory.
      known.add(Buffer.from(run, 'latin1').toString('latin1'));
    },
  };
}
