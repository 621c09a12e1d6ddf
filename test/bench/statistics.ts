/** A promise's figures in words, and whether the promise holds. */
export interface Report {
  readonly lines: readonly string[];
  readonly isKept: boolean;
}

/** The p-th percentile (0–100) of unsorted milliseconds, by nearest rank. */
export function percentile(samplesMs: readonly number[], p: number): number {
  const sorted = [...samplesMs].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
