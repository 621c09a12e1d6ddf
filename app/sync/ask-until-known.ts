import type { Clock } from '../ports/clock.ts';
import type { HostCall, HostReply } from '../ports/host-client.ts';
import { MONEY_CALL_TIMEOUT_MS, type PaymentWaits } from './sync-limits.ts';

export interface Asking {
  readonly clock: Clock;
  readonly waits: PaymentWaits;
  /** Aborted when the till ends. */
  readonly signal: AbortSignal;
}

/**
 * Sends a call, and sends it again under its key, until an answer decides or the time is over (architecture rule 2: a host call is repeated under the
 * same key).
 * @param read what a reply decides; `mayHaveArrived` tells whether an earlier try may have reached the host, so that no refusal of this one is the end
 * of that one
 * @returns undefined when nothing has decided
 */
export async function askUntilKnown<T, Verdict>(
  { clock, waits, signal }: Asking,
  send: (call: HostCall) => Promise<HostReply<T>>,
  read: (reply: HostReply<T>, mayHaveArrived: boolean) => Verdict | undefined,
): Promise<Verdict | undefined> {
  const endMs = clock.monotonicMs() + waits.authorizationMs;
  let mayHaveArrived = false;
  for (let tries = 1; ; tries += 1) {
    const timeoutMs = Math.min(MONEY_CALL_TIMEOUT_MS, Math.max(1, endMs - clock.monotonicMs()));
    const reply = await send({ timeoutMs, signal });
    const verdict = read(reply, mayHaveArrived);
    if (verdict !== undefined) return verdict;
    mayHaveArrived ||= reply.kind !== 'NOT_SENT';
    const waitMs = Math.min(waits.longestRepeatMs, waits.firstRepeatMs * 2 ** Math.min(tries - 1, 20));
    if (signal.aborted || clock.monotonicMs() + waitMs >= endMs) return undefined;
    await pause(clock, waitMs, signal);
    if (signal.aborted) return undefined;
  }
}

function pause(clock: Clock, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(waitMs, end);
    signal.addEventListener('abort', end, { once: true });
  });
}
