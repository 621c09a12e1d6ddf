/** Limits of the driver's waits and buffers, in milliseconds where nothing else is said. */
export const caisseApLimits = {
  /**
   * Request → reply with BA 0: the whole payment, of which the terminal tells nothing meanwhile. Longer than any terminal waits for a card, a PIN and its
   * host: what is given up too early stays unknown until a person has looked.
   */
  answerTimeoutMs: 300_000,
  /** The same with BA 1: only that the terminal accepts the request. */
  acceptTimeoutMs: 30_000,
  /** Silence after a reply that can be whole, in which more of it may come. */
  quietMs: 500,
  /** Bytes of a reply; real ones have a few hundred. */
  maxReplyBytes: 8_192,
  /** Pause between two looks at an idle terminal: a connection that is opened and closed. */
  keepAliveMs: 60_000,
  /** How long whoever asks waits for the connection. */
  maxOpenMs: 6_000,
  /** First and longest pause before a new try at a terminal that cannot be reached. */
  minReconnectMs: 500,
  maxReconnectMs: 30_000,
  /** How long a stop waits for the end of what is being asked. */
  stopWaitMs: 2_000,
  /** How long prepare waits for its turn at the terminal. */
  maxTurnWaitMs: 15_000,
} as const;
