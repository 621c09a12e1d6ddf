/** Limits of the host's services, named, with their units. What callers see of them stands in app/contract/host/host-limits.ts. */

/** Milliseconds that a call waits for the acquirer's answer; the till waits 120 s for the host (decisions: Time-outs). */
export const ACQUIRER_TIMEOUT_MS = 60_000;
/** Milliseconds that a repeat waits for the answer of the first call with its Idempotency-Key. */
export const REPEAT_WAIT_MS = 90_000;
/** Milliseconds between looks at a key that another process is at work under: the first, and the longest; each is twice the one before. */
export const FIRST_KEY_POLL_MS = 50;
export const LONGEST_KEY_POLL_MS = 1_000;
/** Seconds after which a caller may ask again for a key whose first call still runs. */
export const IDEMPOTENCY_RETRY_AFTER_SECONDS = 2;
/** Milliseconds that a POS call waits for its till beyond the time that the till itself has, and that a look-up waits for it. */
export const TILL_GRACE_MS = 10_000;
export const TILL_LOOK_UP_MS = 30_000;
/** Tickets of WebSocket sessions that wait to be used, of one client. */
export const MAX_WAITING_TICKETS = 1_024;
/** Milliseconds after which a call that was sent to a till has ended there, whatever became of its link. */
export const TILL_CALL_OVER_MS = 300_000;
/** Milliseconds that a process has beyond the acquirer's time to store what it was told. */
const STORING_MS = 30_000;

/** Milliseconds after which what nobody has ended is taken to be left behind by a process that has died. */
export function orphanedAfterMs({ acquirerTimeoutMs }: { readonly acquirerTimeoutMs: number }): number {
  return acquirerTimeoutMs + STORING_MS;
}
/** Milliseconds between two rounds of the scheduler, and for which its process holds the lease. */
export const TICK_MS = 500;
export const LEASE_MS = 15_000;
/** Payments, sessions or tasks that one step of a job takes. */
export const MAX_PER_JOB = 100;
/** Steps of a job in one round, and pieces of work that run at the same time. */
export const MAX_STEPS = 10;
export const MAX_PARALLEL = 16;
/** Milliseconds between two looks at what grows and what may be forgotten. */
export const MAINTENANCE_EVERY_MS = 3_600_000;
