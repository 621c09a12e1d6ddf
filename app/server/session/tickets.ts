import { createHash } from 'node:crypto';
import { BridgeError } from '../../contract/errors.ts';
import type { SessionTicket } from '../../contract/session.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';

/** One-time tickets for browsers, which cannot send headers with a WebSocket (decisions: WebSocket). */
export interface Tickets<Caller> {
  /** @throws BridgeError RATE_LIMITED when too many wait to be used */
  issue(caller: Caller): SessionTicket;
  /** Takes the ticket away; undefined for one that is unknown, used or too old. */
  redeem(ticket: string): Caller | undefined;
}

const ticketBytes = 32;

export function createTickets<Caller>(
  clock: Clock,
  ids: Pick<Ids, 'randomBytes'>,
  ttlMs: number,
  maxTickets: number,
): Tickets<Caller> {
  const waiting = new Map<string, { readonly caller: Caller; readonly expiresAtMs: number }>();

  function dropExpired(): void {
    for (const [hash, ticket] of waiting) if (ticket.expiresAtMs <= clock.monotonicMs()) waiting.delete(hash);
  }

  return {
    issue(caller) {
      dropExpired();
      if (waiting.size >= maxTickets) {
        const retryAfterSeconds = Math.ceil(ttlMs / 1000);
        throw new BridgeError('RATE_LIMITED', 'too many unused tickets', { details: { retryAfterSeconds } });
      }
      const ticket = Buffer.from(ids.randomBytes(ticketBytes)).toString('base64url');
      waiting.set(hashOf(ticket), { caller, expiresAtMs: clock.monotonicMs() + ttlMs });
      return { ticket, expiresAt: new Date(clock.nowMs() + ttlMs).toISOString() };
    },
    redeem(ticket) {
      dropExpired();
      const hash = hashOf(ticket);
      const found = waiting.get(hash);
      waiting.delete(hash);
      return found?.caller;
    },
  };
}

/** Looked up by hash, so that the time of the look-up tells nothing about the tickets that wait. */
function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket, 'utf8').digest('base64url');
}
