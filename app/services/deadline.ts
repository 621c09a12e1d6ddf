import { MAX_CALL_TIMEOUT_SECONDS } from '../contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import { ABORT_LEAD_SHARE, ANSWER_LEAD_MS, MAX_ABORT_LEAD_MS } from './engine-limits.ts';

/** The two moments of one call: when the terminal is asked to stop, and when the caller is answered whatever happened (decisions: Time-outs). */
export interface Deadline {
  /** Milliseconds until the answer must be decided; never negative. */
  remainingMs(): number;
  onAbortTime(callback: () => void): void;
  onAnswerTime(callback: () => void): void;
  /** Ends both timers. */
  cancel(): void;
}

export function createDeadline(clock: Clock, timeoutSeconds: number = MAX_CALL_TIMEOUT_SECONDS): Deadline {
  const timeoutMs = timeoutSeconds * 1_000;
  const startedMs = clock.monotonicMs();
  const answerAtMs = startedMs + timeoutMs - ANSWER_LEAD_MS;
  const abortAtMs = startedMs + timeoutMs - Math.min(MAX_ABORT_LEAD_MS, timeoutMs * ABORT_LEAD_SHARE);
  const timers: (() => void)[] = [];
  const schedule = (atMs: number, callback: () => void) =>
    timers.push(clock.after(Math.max(0, atMs - clock.monotonicMs()), callback));
  return {
    remainingMs: () => Math.max(0, answerAtMs - clock.monotonicMs()),
    onAbortTime: (callback) => schedule(abortAtMs, callback),
    onAnswerTime: (callback) => schedule(answerAtMs, callback),
    cancel: () => {
      for (const cancel of timers.splice(0)) cancel();
    },
  };
}

/** Resolves with the value, or with undefined when `waitMs` pass first. The promise itself runs on. */
export function within<T>(clock: Clock, waitMs: number, promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(waitMs, () => resolve(undefined));
    promise.then(resolve, reject).finally(cancel);
  });
}

/** A signal that aborts after `waitMs`, or with `parent`. `done` ends the timer. */
export function timedSignal(
  clock: Clock,
  waitMs: number,
  parent?: AbortSignal,
): { readonly signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort(parent?.reason);
  const cancel = clock.after(waitMs, () => controller.abort(new DOMException('timed out', 'TimeoutError')));
  if (parent?.aborted === true) stop();
  parent?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    done: () => {
      cancel();
      parent?.removeEventListener('abort', stop);
    },
  };
}
