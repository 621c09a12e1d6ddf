import type { AcquirerCall } from '../ports/acquirer.ts';
import type { HostDeps } from './host-deps.ts';

/** The time and end of a call. Callers who hang up end nothing: what was begun is brought to its end (decisions: Time-outs). */
export function acquirerCall({ acquirerTimeoutMs: timeoutMs }: HostDeps, isRepeat = false): AcquirerCall {
  return { timeoutMs, signal: new AbortController().signal, ...(isRepeat ? { isRepeat } : {}) };
}
