import type { Secret } from '../../app/domain/secret.ts';

/** How one ZVT terminal is addressed and what differs from model to model. */
export interface ZvtSettings {
  /** Six digits; the terminal's ECR password. */
  readonly password: Secret<string>;
  /** ISO 4217 code; the terminal settles in this one currency. */
  readonly currency: string;
  /** Its numeric code, which travels in BMP 49. */
  readonly currencyNumeric: string;
  /** BOOK_TOTAL: 06 24 with the amount used. PARTIAL_REVERSAL: 06 23 with the amount not used. */
  readonly completion: 'BOOK_TOTAL' | 'PARTIAL_REVERSAL';
  /** How issuer codes travel in BMP 27: binary 33 is 51; some terminals send BCD 51. */
  readonly issuerCodes: 'BINARY' | 'BCD';
  /** TILL: the terminal hands its receipts to the till. TERMINAL: it prints them itself. */
  readonly receipts: 'TILL' | 'TERMINAL';
}

/** Limits of the driver's waits and buffers (ZVT PA00P015 chapter 1, PA00P016; the digest in docs). */
export const zvtLimits = {
  /** Command → 80/84 (T3). */
  replyTimeoutMs: 5_000,
  /** Last sign of a running command → next one (T4). */
  completionTimeoutMs: 180_000,
  /** T4 after an acknowledged refusal, to which some terminals send no end. */
  refusalEndMs: 10_000,
  /** The same for a question that moves nothing (registration, last receipt). */
  questionTimeoutMs: 60_000,
  /** The same for the totals of the batch, at which some terminals fall silent; short, since a day close waits for it. */
  turnoverTimeoutMs: 20_000,
  /** T4 of a card reading beyond the time that the terminal waits for a card. */
  readCardMarginMs: 15_000,
  /** Longest T4 that a terminal may ask for in 04 FF, in minutes. */
  maxRequestedTimeoutMinutes: 30,
  /** Silence after which an idle terminal is asked for its status (at least once a minute). */
  keepAliveMs: 45_000,
  /** First and longest pause before a new connection. */
  minReconnectMs: 500,
  maxReconnectMs: 30_000,
  /** How long a stop waits for the end of what is being asked. */
  stopWaitMs: 2_000,
  /** How long prepare, recover, display … wait for their turn at the terminal. */
  maxTurnWaitMs: 15_000,
  /** Pause before a refused or collided 06 B0 is sent again, and how often it is sent. */
  abortRetryMs: 700,
  maxAbortSends: 3,
  /** After an accepted abort of nothing: how long an end of it is waited for, which most terminals do not send. */
  abortEndMs: 300,
  /** The same at a terminal that swallowed the question after an abort: panda-zvt-simulator waits 5 s before it sends the end. */
  lateAbortEndMs: 6_000,
  /** Pause before a status of 9C (wait) is asked for again, and how often. */
  waitRetryMs: 2_000,
  maxWaitRetries: 3,
  /** Receipt lines kept of one exchange. */
  maxReceiptLines: 2_000,
  /** Messages of the terminal that wait to be handled. */
  maxPendingMessages: 64,
} as const;
