import type { Lease } from '../ports/host-records.ts';
import type { HostDeps } from './host-deps.ts';
import { LEASE_MS, MAX_PER_JOB, MAX_STEPS, TICK_MS } from './host-limits.ts';

/** Work that comes by time. Each piece is a conditional change, so that a holder whose lease has ended does no harm. */
export interface Job {
  readonly name: string;
  /** Milliseconds between two runs. */
  readonly everyMs: number;
  /** It asks the acquirer, and so waits until that can be reached: what was not sent is no try. */
  readonly needsAcquirer?: boolean;
  /** @returns how much was due; a full round is followed by another at once */
  run(nowMs: number, limit: number): Promise<number>;
}

export interface Scheduler {
  start(): void;
  /** Ends after the job that runs. */
  stop(): Promise<void>;
}

const LEASE_NAME = 'scheduler';

/**
 * Runs the jobs in the one process that holds the lease; another takes over when it has ended or died (decisions: several host processes).
 * @param isAlone true where there is no other: then nothing waits for the lease of a process that has died
 */
export function createScheduler(
  { store, acquirer, clock, log, processId }: HostDeps,
  jobs: readonly Job[],
  { isAlone }: { readonly isAlone: boolean },
): Scheduler {
  const lastRunMs = new Map<string, number>();
  let isStopped = false;
  let cancel = () => {};
  let running: Promise<void> = Promise.resolve();

  const isDue = ({ name, everyMs }: Job, nowMs: number) =>
    nowMs - (lastRunMs.get(name) ?? Number.NEGATIVE_INFINITY) >= everyMs;

  const runJob = async (job: Job) => {
    const atMs = clock.monotonicMs();
    try {
      for (let step = 0; step < MAX_STEPS && !isStopped; step += 1) {
        if ((await job.run(clock.nowMs(), MAX_PER_JOB)) < MAX_PER_JOB) break;
      }
    } catch (error) {
      log.error('a job of the scheduler failed; it runs again', { command: job.name, reason: reasonOf(error) });
    }
    lastRunMs.set(job.name, atMs);
  };

  const round = async (): Promise<Lease | undefined> => {
    const nowMs = clock.nowMs();
    const lease = isAlone ? undefined : await store.acquireLease(LEASE_NAME, processId, nowMs, nowMs + LEASE_MS);
    if (lease === undefined && !isAlone) return undefined;
    for (const job of jobs) {
      if (isStopped) break;
      if (job.needsAcquirer === true && !acquirer.isReady()) continue;
      if (isDue(job, clock.monotonicMs())) await runJob(job);
    }
    return lease;
  };

  let lease: Lease | undefined;
  const tick = async () => {
    try {
      lease = await round();
    } catch (error) {
      lease = undefined;
      log.warn('the scheduler waits for the database', { reason: reasonOf(error) });
    }
    if (!isStopped) cancel = clock.after(TICK_MS, next);
  };
  const next = () => {
    running = tick();
  };

  return {
    start: next,
    async stop() {
      isStopped = true;
      cancel();
      await running;
      if (lease !== undefined) await store.releaseLease(lease).catch(() => undefined);
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'not an error object';
}
