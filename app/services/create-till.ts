import type { Till } from './till.ts';
import type { TillDeps } from './till-deps.ts';

/** The engine with its life: nothing is accepted before `start` and after `stop`. */
export interface TillEngine extends Till {
  /**
   * Starts the terminals and begins to resolve what a crash left open; returns at once. Until a terminal's open rows are resolved, calls for it
   * answer 409 naming them. @throws BridgeError JOURNAL_UNAVAILABLE
   */
  start(): void;
  /** Accepts nothing more, lets running exchanges end (at most `settings.stopGraceMs`) or leaves them to recovery, and stops the terminals. The journal stays open: whoever opened it closes it. */
  stop(): Promise<void>;
}

export function createTill(_deps: TillDeps): TillEngine {
  throw new Error('The engine is being written; its interface stands.');
}
