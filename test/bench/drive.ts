import { percentile } from './statistics.ts';

/** So many callers at once, each with its next call when it has the answer to the last one. */
export interface Load {
  readonly callers: number;
  /** Before anything is counted. */
  readonly warmUpMs: number;
  readonly forMs: number;
}

export interface Driven {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Repeats `call` by every caller for the time of the load. A call that fails ends it. */
export async function drive(
  { callers, warmUpMs, forMs }: Load,
  call: (caller: number) => Promise<unknown>,
): Promise<Driven> {
  const beginsAt = performance.now() + warmUpMs;
  const endsAt = beginsAt + forMs;
  const samples: number[] = [];
  const run = async (caller: number) => {
    for (;;) {
      const startedAt = performance.now();
      if (startedAt >= endsAt) return;
      await call(caller);
      const endedAt = performance.now();
      if (startedAt >= beginsAt && endedAt <= endsAt) samples.push(endedAt - startedAt);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => run(caller)));
  return {
    perSecond: (samples.length / forMs) * 1000,
    p50Ms: percentile(samples, 50),
    p99Ms: percentile(samples, 99),
  };
}
