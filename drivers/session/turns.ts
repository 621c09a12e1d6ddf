import type { Clock } from '../../app/ports/clock.ts';

/** Most callers that may wait for one terminal. */
const MAX_WAITING = 32;

/** Held while somebody speaks with the terminal; `release` may be called any number of times. */
export interface Turn {
  release(): void;
}

export interface Turns {
  /** The turn, or undefined when it did not come within `maxWaitMs`, the signal was aborted, or too many wait. First come, first served. */
  take(maxWaitMs: number, signal?: AbortSignal): Promise<Turn | undefined>;
  takeIfFree(): Turn | undefined;
  isTaken(): boolean;
}

/** One conversation at a time with one terminal. */
export function createTurns(clock: Clock): Turns {
  let isTaken = false;
  const waiting: ((turn: Turn) => void)[] = [];

  function makeTurn(): Turn {
    isTaken = true;
    let isHeld = true;
    return {
      release() {
        if (!isHeld) return;
        isHeld = false;
        const next = waiting.shift();
        if (next === undefined) isTaken = false;
        else next(makeTurn());
      },
    };
  }

  function takeIfFree(): Turn | undefined {
    return isTaken ? undefined : makeTurn();
  }

  return {
    takeIfFree,
    isTaken: () => isTaken,
    async take(maxWaitMs, signal) {
      if (signal?.aborted === true) return undefined;
      const free = takeIfFree();
      if (free !== undefined || waiting.length >= MAX_WAITING) return free;
      return new Promise((resolve) => {
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(grant), 1);
          done(undefined);
        };
        const done = (turn: Turn | undefined): void => {
          stopTimer();
          signal?.removeEventListener('abort', giveUp);
          resolve(turn);
        };
        const grant = (turn: Turn): void => done(turn);
        const stopTimer = clock.after(maxWaitMs, giveUp);
        signal?.addEventListener('abort', giveUp, { once: true });
        waiting.push(grant);
      });
    },
  };
}
