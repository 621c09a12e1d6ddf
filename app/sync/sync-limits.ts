/** Every limit of the till's side of the host, named, with its unit. */

/** Bytes of an answer that are read; the largest is a day close with its open pre-authorizations. */
export const MAX_ANSWER_BYTES = 1_048_576;

/** Milliseconds for one try of a call, and for a call that waits for the acquirer (the host gives it 60 s). */
export const CALL_TIMEOUT_MS = 10_000;
export const MONEY_CALL_TIMEOUT_MS = 75_000;

/** Milliseconds between two questions how the host is; while it refuses the token, it is asked more rarely whether it still does. */
export const HOST_CHECK_MS = 30_000;
export const REFUSED_CHECK_MS = 600_000;
/** Milliseconds by which the difference of the clocks may be uncertain to be told. */
export const LARGEST_SKEW_UNCERTAINTY_MS = 3_000;

/** Waits of one payment. A test may shorten them. */
export interface PaymentWaits {
  /** Milliseconds in which an authorization must be known, its repeats and look-ups together (decisions: Time-outs, host 120 s). */
  readonly authorizationMs: number;
  /** Milliseconds before a repeat: doubled each time, up to the longest. */
  readonly firstRepeatMs: number;
  readonly longestRepeatMs: number;
}

export const defaultPaymentWaits: PaymentWaits = {
  authorizationMs: 110_000,
  firstRepeatMs: 500,
  longestRepeatMs: 8_000,
};

/** Waits between the tries of an outbox item, milliseconds: doubled each time up to the longest; each is spread by up to a quarter both ways. */
export const FIRST_OUTBOX_WAIT_MS = 2_000;
export const LONGEST_OUTBOX_WAIT_MS = 3_600_000;
/** The longest wait of what is only told for reporting: it moves no money, and the day's figures wait for it. */
export const LONGEST_REPORT_WAIT_MS = 60_000;
export const OUTBOX_SPREAD = 0.25;
/** The shortest pause between two rounds of the outbox, milliseconds. */
export const SHORTEST_ROUND_MS = 100;
/** Milliseconds until a payment that still runs is looked at again, for what the host has refused of it. */
export const LOOK_AGAIN_MS = 1_000;
/** Milliseconds between two looks at how long sales have waited for their issuer. */
export const OFFLINE_LOOK_MS = 60_000;
/** Tries after which a person is told (decisions: recovery/reverse). */
export const TRIES_BEFORE_PERSON = 6;

/** Milliseconds in which the host must have said that a claimed session is in progress: within the minute after which it gives it up. */
export const SESSION_START_MS = 30_000;
/** Milliseconds until a session whose payment is not known yet is looked at again. */
export const SESSION_RESUME_MS = 5_000;
/** How often a declined end is sent that the host cannot verify, before it is told as failed. */
export const UNVERIFIED_TRIES = 2;
/** How often a claim whose answer was lost is sent, under one key. */
export const CLAIM_TRIES = 3;

/** Milliseconds after which a link that the host has not pinged is dead (it pings every 5 s), and for opening one. */
export const LINK_SILENCE_MS = 20_000;
export const LINK_OPEN_MS = 10_000;
/** Milliseconds between two tries of the link: doubled each time up to the longest. */
export const FIRST_LINK_WAIT_MS = 1_000;
export const LONGEST_LINK_WAIT_MS = 60_000;
/** Bytes of a message of the link: the body of a POS call, each of whose characters may be written as two, and what stands beside it. */
export const MAX_LINK_MESSAGE_BYTES = 2 * 65_536 + 8_192;
/** POS calls of the host that run at once for a terminal; the host waits for no more of them. */
export const MAX_LINKED_CALLS = 64;
/** Bytes that may wait to leave over the link when an event comes. */
export const MAX_LINK_WAITING_BYTES = 4 * 1_048_576;
