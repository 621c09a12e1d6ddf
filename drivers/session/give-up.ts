// Waits that end when the caller gives up.
import { BridgeError } from '../../app/contract/errors.ts';
import type { Clock } from '../../app/ports/clock.ts';

/** The caller's time is over; nothing that moves money was sent. */
export function gaveUp(what = 'terminal'): BridgeError {
  return new BridgeError('TERMINAL_NOT_READY', `The ${what} was not ready in time; nothing was sent.`);
}

/**
 * Rejects as soon as the caller gives up; what was under way comes to its end by itself, and what it made is given to `discard`.
 * @throws BridgeError TERMINAL_NOT_READY when the caller gave up
 */
export function unlessGivenUp<T>(signal: AbortSignal, work: Promise<T>, discard: (made: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let isGivenUp = false;
    const giveUp = (): void => {
      isGivenUp = true;
      reject(gaveUp());
    };
    const made = (result: T): void => (isGivenUp ? discard(result) : resolve(result));
    void work.then(made, reject).finally(() => signal.removeEventListener('abort', giveUp));
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
  });
}

/** Resolves when `work` has ended or the caller has given up, whichever comes first; `work` goes on by itself. It must not reject. */
export function endedOrGivenUp(signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => resolve();
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
    void work.then(() => {
      signal.removeEventListener('abort', done);
      done();
    });
  });
}

/** Waits `delayMs`; resolves false, at once, when the caller gave up meanwhile. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (isTime: boolean): void => {
      stopTimer();
      signal.removeEventListener('abort', giveUp);
      resolve(isTime && !signal.aborted);
    };
    const giveUp = (): void => done(false);
    const stopTimer = clock.after(delayMs, () => done(true));
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
  });
}
