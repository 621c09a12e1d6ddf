import type { Lrc } from '../framing/ecr17-framing.ts';

/** How one ECR17 terminal is addressed and what differs from acquirer to acquirer. */
export interface Ecr17Settings {
  /** What the check byte of a frame is counted over (digest: 7F XOR the message, with or without STX and ETX). */
  readonly lrc: Lrc;
  /** ISO 4217 code; the terminal settles in this one currency, in minor units. */
  readonly currency: string;
  /** TILL: the terminal hands its receipts to the till (E 1). TERMINAL: it prints them itself. */
  readonly receipts: 'TILL' | 'TERMINAL';
  /** Eight digits that name this till to the terminal. */
  readonly tillId: string;
}

/** Limits of the driver's waits. The protocol names only the three transmissions; the times are ours. */
export const ecr17Limits = {
  /** Acknowledged → reply, or from one progress text to the next, of a question that moves nothing. */
  questionTimeoutMs: 15_000,
  /** The same of a payment: the cardholder looks for the card, enters the PIN, and the host answers. */
  paymentTimeoutMs: 180_000,
  /** Result → receipt, and from one part of the receipt to the next. */
  receiptTimeoutMs: 5_000,
  /** First and longest pause before a new connection. */
  minReconnectMs: 500,
  maxReconnectMs: 30_000,
  /** Silence after which an idle terminal is asked for its status. */
  keepAliveMs: 45_000,
  /** How long a stop waits for the end of what is being asked. */
  stopWaitMs: 2_000,
  /** How long prepare and recover wait for a connection and for their turn. */
  maxTurnWaitMs: 15_000,
  /** Pause before a terminal that is not at rest is asked once more, and how often. */
  waitRetryMs: 2_000,
  maxWaitRetries: 3,
  /** Receipt lines kept of one exchange. */
  maxReceiptLines: 2_000,
  /** Messages of the terminal that wait to be handled. */
  maxPendingMessages: 64,
} as const;
