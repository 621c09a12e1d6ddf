import type { AcquirerCall } from '../ports/acquirer.ts';
import { ACQUIRER_TIMEOUT_MS } from './host-limits.ts';

/** The time and end of a call. Callers who hang up end nothing: what was begun is brought to its end (decisions: Time-outs). */
export function acquirerCall(isRepeat = false): AcquirerCall {
  return { timeoutMs: ACQUIRER_TIMEOUT_MS, signal: new AbortController().signal, ...(isRepeat ? { isRepeat } : {}) };
}
