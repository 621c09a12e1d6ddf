import type { SessionDeviceEvent, SessionStatus, TerminalPaymentSession } from '../../contract/host/payment-session.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HostClient, HostReply } from '../../ports/host-client.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Log } from '../../ports/log.ts';
import { passingRefusals, spreadWaitMs } from '../retry.ts';
import { CALL_TIMEOUT_MS, FIRST_OUTBOX_WAIT_MS, LONGEST_REPORT_WAIT_MS, UNVERIFIED_TRIES } from '../sync-limits.ts';
import type { SessionBook } from './session-book.ts';
import { failed } from './session-steps.ts';

export interface SessionReportsDeps {
  readonly book: SessionBook;
  readonly host: Pick<HostClient, 'sessionEvent'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'randomBytes'>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Tells the host what happened in a session: in order, each event until it is taken (specification: events are contiguous and replay-safe). */
export interface SessionReports {
  /** Sends what there is to send of a session, and tries on until it is taken. */
  deliver(sessionId: string): void;
  /** How the host sees the session, from its last answer of this run. */
  statusOf(sessionId: string): SessionStatus | undefined;
  /** Resolves as soon as the host has answered something of it, or takes it no more; undefined when the time is over first. */
  nextStatus(sessionId: string, waitMs: number): Promise<SessionStatus | undefined>;
}

export function createSessionReports(deps: SessionReportsDeps): SessionReports {
  const { book, host, clock, ids, log, signal } = deps;
  const running = new Set<string>();
  const statuses = new Map<string, SessionStatus>();
  const waiting = new Map<string, Set<(status: SessionStatus | undefined) => void>>();

  function tell(sessionId: string, status: SessionStatus | undefined): void {
    if (status !== undefined) statuses.set(sessionId, status);
    for (const wake of waiting.get(sessionId) ?? []) wake(status);
  }

  function deliver(sessionId: string): void {
    if (running.has(sessionId) || signal.aborted) return;
    running.add(sessionId);
    void sendAll(sessionId)
      .catch((error: unknown) => {
        // Only the disk fails here. The host is told again after the next start.
        log.error('What was reported of a payment session could not be kept.', { reason: String(error) });
      })
      .finally(() => running.delete(sessionId));
  }

  async function sendAll(sessionId: string): Promise<void> {
    let tries = 0;
    for (;;) {
      const session = book.find(sessionId);
      const event = session?.events[session.delivered];
      if (session === undefined || event === undefined || signal.aborted) return;
      const reply = await host.sessionEvent(sessionId, event, { timeoutMs: CALL_TIMEOUT_MS, signal });
      if (signal.aborted) return;
      tries = take(sessionId, event, reply, tries) ? 0 : tries + 1;
      if (tries === 0) continue;
      if (tries >= UNVERIFIED_TRIES) settleForLess(sessionId, event, reply);
      await pause(tries);
    }
  }

  /** @param tries before this one. @returns false: it is to be sent again */
  function take(
    sessionId: string,
    event: SessionDeviceEvent,
    reply: HostReply<TerminalPaymentSession>,
    tries: number,
  ): boolean {
    if (reply.kind === 'ANSWERED') {
      book.delivered(sessionId, event.sequence);
      tell(sessionId, reply.body.status);
      return true;
    }
    const reason = reply.kind === 'REFUSED' ? `${reply.errorCode}: ${reply.message}` : reply.reason;
    if (reply.kind !== 'REFUSED' || passingRefusals.has(reply.errorCode) || isUnverified(event, reply)) {
      // An end may be a moment ahead of the payment that bears it out.
      const isEarly = tries === 0 && isUnverified(event, reply);
      if (!isEarly) log.warn('An event of a payment session is not taken yet.', { sequence: event.sequence, reason });
      return false;
    }
    log.error('The host takes no more events of a payment session.', { sequence: event.sequence, reason });
    book.giveUp(sessionId);
    tell(sessionId, undefined);
    return true;
  }

  /** The host has no declined payment to verify it by (the card refused offline, or what was approved was taken back): nothing was charged. */
  function settleForLess(sessionId: string, event: SessionDeviceEvent, reply: HostReply<unknown>): void {
    if (isUnverified(event, reply) && event.status === 'DECLINED') book.amendEnd(sessionId, failed('DECLINED'));
  }

  function pause(tries: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const waitMs = spreadWaitMs(ids, tries, FIRST_OUTBOX_WAIT_MS, LONGEST_REPORT_WAIT_MS);
      const cancel = clock.after(waitMs, done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  return {
    deliver,
    statusOf: (sessionId) => statuses.get(sessionId),
    nextStatus: (sessionId, waitMs) =>
      new Promise((resolve) => {
        const waiters = waiting.get(sessionId) ?? new Set();
        const done = (status: SessionStatus | undefined) => {
          cancel();
          waiters.delete(done);
          if (waiters.size === 0) waiting.delete(sessionId);
          resolve(status);
        };
        const cancel = clock.after(waitMs, () => done(undefined));
        waiting.set(sessionId, waiters.add(done));
      }),
  };
}

/** An end that the payment does not bear out yet: the payment may still be on its way (decisions: EXTERNAL_RAIL). */
function isUnverified({ eventType }: SessionDeviceEvent, reply: HostReply<unknown>): boolean {
  return eventType === 'COMPLETED' && reply.kind === 'REFUSED' && reply.errorCode === 'ILLEGAL_STATE';
}
