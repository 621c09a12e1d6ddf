import type { Clock } from '../../app/ports/clock.ts';

export interface Lease {
  renew(): { readonly leaseSeconds: number | null };
  stop(): void;
}

/** Ends a program whose owner has not been heard of for `seconds`; without a number it never ends. */
export function createLease(seconds: number | undefined, clock: Clock, onExpired: () => void): Lease {
  let stopWaiting = () => {};
  const renew = () => {
    stopWaiting();
    if (seconds !== undefined) stopWaiting = clock.after(seconds * 1000, onExpired);
    return { leaseSeconds: seconds ?? null };
  };
  renew();
  return { renew, stop: () => stopWaiting() };
}
