import type { Clock } from '../../app/ports/clock.ts';

export interface LinkWaiters<C> {
  readonly count: number;
  /**
   * Resolves with what `tell` tells; with undefined when the caller gives up, or after `maxWaitMs`. With `isForOneTry` a failed try ends it, too.
   */
  wait(signal: AbortSignal, maxWaitMs: number, isForOneTry?: boolean): Promise<C | undefined>;
  /** Ends every wait: with the connection that is open now, or with nothing when the line is given up. */
  tell(made: C | undefined): void;
  /** A try has failed: those who wait for one try have their answer. */
  tellFailed(): void;
}

/** Callers that wait for a line to be open. */
export function createLinkWaiters<C>(clock: Clock): LinkWaiters<C> {
  const waiting = new Map<(made: C | undefined) => void, { readonly isForOneTry: boolean }>();
  return {
    get count() {
      return waiting.size;
    },
    wait(signal, maxWaitMs, isForOneTry = false) {
      return new Promise((resolve) => {
        const done = (made: C | undefined): void => {
          stopWaiting();
          signal.removeEventListener('abort', giveUp);
          waiting.delete(done);
          resolve(made);
        };
        const giveUp = (): void => done(undefined);
        const stopWaiting = clock.after(maxWaitMs, giveUp);
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.set(done, { isForOneTry });
      });
    },
    tell(made) {
      for (const done of [...waiting.keys()]) done(made);
    },
    tellFailed() {
      for (const [done, { isForOneTry }] of [...waiting]) if (isForOneTry) done(undefined);
    },
  };
}
