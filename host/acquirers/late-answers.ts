import type { Log } from '../../app/ports/log.ts';
import type { LateAnswer } from '../ports/acquirer.ts';

/** Late answers that wait for the first listener; an acquirer may be faster than the host that starts. */
const MAX_KEPT = 1000;

/** Tells late answers; what comes before anybody listens is kept. */
export function createLateAnswers(log: Log): {
  tell(late: LateAnswer): void;
  subscribe(listener: (late: LateAnswer) => void): () => void;
} {
  const listeners = new Set<(late: LateAnswer) => void>();
  const kept: LateAnswer[] = [];
  return {
    tell(late) {
      log.warn('an answer came that nobody waits for any more', {
        terminalId: late.terminalId,
        sequence: late.stan,
        code: late.answer.responseCode,
      });
      if (listeners.size === 0) {
        if (kept.length < MAX_KEPT) kept.push(late);
        else log.error('a late answer is dropped: nobody listens');
      }
      for (const listener of listeners) listener(late);
    },
    subscribe(listener) {
      listeners.add(listener);
      for (const late of kept.splice(0)) listener(late);
      return () => listeners.delete(listener);
    },
  };
}
