import type { Clock } from '../../app/ports/clock.ts';

/** What `promise` resolves with, or undefined after `ms` milliseconds; the timer does not outlive it. */
export async function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | undefined> {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(ms, () => resolve(undefined));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}

/** Resolves after `ms` milliseconds. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
