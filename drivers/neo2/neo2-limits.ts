/** Limits of the driver's waits (guide 80139403-002; where it names none, our own). */
export const neo2Limits = {
  /** Command → first response, and first response → answer, of a command that waits for nobody. */
  answerTimeoutMs: 3_000,
  /** 05-01 → its answer. */
  cancelTimeoutMs: 3_000,
  /** After a cancelled command without an answer of its own: silence in which it may still come, to be dropped. */
  drainMs: 300,
  /** How long the reader waits for a card. */
  cardTimeoutSeconds: 60,
  /** How long it waits for the till between two steps: a PIN entry of 60 s and an issuer who takes 60 s have room in it. */
  nextStepTimeoutSeconds: 120,
  /** 60-11: the card may ask for an offline PIN. */
  authenticateTimeoutMs: 70_000,
  /** 60-12: the card's last word, issuer scripts included; logs show less than a second. */
  applyTimeoutMs: 20_000,
  /** How long a PIN may take. */
  pinTimeoutMs: 60_000,
  /** How long after the reader's own time-out its answer may still come. */
  answerMarginMs: 5_000,
  /** Silence after which an idle reader is pinged. */
  keepAliveMs: 45_000,
  /** First and longest pause before a new connection. */
  minReconnectMs: 500,
  maxReconnectMs: 30_000,
  /** How long a stop waits for the end of what is being asked. */
  stopWaitMs: 2_000,
  /** How long a payment may hold the reader after its link was lost. */
  maxHoldMs: 130_000,
  /** How long prepare, input … wait for their turn at the reader. */
  maxTurnWaitMs: 15_000,
} as const;
