import type { Clock } from '../ports/clock.ts';

/** Counts what runs, so that a close can wait for it. */
export interface RunningCalls {
  /** Counts a call until the returned function is called (once or more often). */
  begin(): () => void;
  /** Resolves when nothing runs any more, after `boundMs` at the latest; with how many calls still run. */
  settle(boundMs: number): Promise<number>;
  /** True once `settle` was called: nothing new may begin. */
  isClosing(): boolean;
}

export function createRunningCalls(clock: Clock): RunningCalls {
  const running = new Set<symbol>();
  let closing = false;
  let onIdle: () => void = () => {};

  return {
    begin() {
      const call = Symbol('call');
      running.add(call);
      return () => {
        running.delete(call);
        if (running.size === 0) onIdle();
      };
    },
    settle(boundMs) {
      closing = true;
      if (running.size === 0) return Promise.resolve(0);
      return new Promise((resolve) => {
        const cancel = clock.after(boundMs, () => resolve(running.size));
        onIdle = () => {
          cancel();
          resolve(0);
        };
      });
    },
    isClosing: () => closing,
  };
}
