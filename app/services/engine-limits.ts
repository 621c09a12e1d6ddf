/** Every limit of the engine, named, with its unit. */

/** Event sequence numbers reserved in one durable write; at a restart the rest of a block is jumped over (decisions: Events). */
export const EVENT_BLOCK_SIZE = 1_000;
/** Numbers that must be left before a commit begins, for no block can be reserved inside one. */
export const MAX_EVENTS_PER_COMMIT = 16;
/** Events that wait for a commit, per terminal; beyond it the oldest are dropped (none of them is a result). */
export const MAX_BUFFERED_EVENTS = 500;
/** Idle time after which waiting events are written by themselves, milliseconds. */
export const EVENT_FLUSH_DELAY_MS = 1_000;

/** How long before the caller's deadline the terminal is asked to stop: a share of the whole call, and at most so many milliseconds. */
export const ABORT_LEAD_SHARE = 0.2;
export const MAX_ABORT_LEAD_MS = 10_000;
/** How long before the deadline the answer is decided, so that it is out by then, milliseconds. */
export const ANSWER_LEAD_MS = 250;

/** Time for one recovery question, milliseconds. */
export const RECOVERY_QUESTION_TIMEOUT_MS = 60_000;
/** Questions that are asked before a lost answer becomes an unknown outcome with a recovery task. */
export const MAX_QUESTIONS_BEFORE_TASK = 5;
/** Waits between recovery questions, milliseconds: doubled each time up to the longest. */
export const FIRST_RECOVERY_WAIT_MS = 500;
export const LONGEST_RECOVERY_WAIT_MS = 60_000;
/** Timed questions of one series; after it only an idle terminal, the next payment or a person moves a task on. */
export const MAX_TIMED_QUESTIONS = 100;
/** Entries of evidence kept on a record or task; the first and the newest stay. */
export const MAX_EVIDENCE_ENTRIES = 40;

/** How long a payment waits for a display or print job that the terminal still does, milliseconds. */
export const DEVICE_JOB_WAIT_MS = 5_000;
/** Time for a health question to the terminal, milliseconds. */
export const PROBE_TIMEOUT_MS = 5_000;
/** Time for a display or print job, milliseconds. */
export const DEVICE_JOB_TIMEOUT_MS = 30_000;
/** Seconds after which a caller may repeat a call whose first try still runs. */
export const IDEMPOTENCY_RETRY_AFTER_SECONDS = 2;

/** Milliseconds for which a day close waits for the host's column, and what is left of the call's time by then at least. */
export const HOST_COLUMN_WAIT_MS = 10_000;
export const HOST_COLUMN_LEAD_MS = 500;

/** Milliseconds in which a cardholder chooses a tip, all questions together; of a call's own time it takes at most this share. */
export const TIP_QUESTION_MS = 60_000;
export const TIP_TIME_SHARE = 0.5;
/** Choices that a terminal is sure to have keys for (ZVT: F1 to F4). */
export const LARGEST_TIP_MENU = 4;
/** How often an amount may be entered that is larger than the merchant allows. */
export const TIP_AMOUNT_TRIES = 3;
