/** One answer of the host, with when it was asked for. */
export interface TimedAnswer {
  /** Milliseconds since 1970 by the till's clock. */
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
  /** The answer's Date header (RFC 9110 section 6.6.1), milliseconds since 1970: whole seconds, cut off. */
  readonly hostDateMs: number;
}

/** How far the host's clock is ahead of the till's; negative when it is behind. */
export interface ClockSkew {
  readonly skewMs: number;
  /** The truth lies within so much of it, both ways. */
  readonly uncertaintyMs: number;
}

const HALF_A_SECOND_MS = 500;

/**
 * The host has dated its answer at some time between the question and the answer, and told the second only: the middle of both is the best guess, half
 * of both its uncertainty.
 */
export function clockSkewOf({ sentAtMs, receivedAtMs, hostDateMs }: TimedAnswer): ClockSkew {
  const roundTripMs = Math.max(0, receivedAtMs - sentAtMs);
  return {
    skewMs: Math.round(hostDateMs + HALF_A_SECOND_MS - (sentAtMs + roundTripMs / 2)),
    uncertaintyMs: Math.ceil(HALF_A_SECOND_MS + roundTripMs / 2),
  };
}
