import type { SessionEventType } from '../../contract/host/payment-session.ts';
import { isoOf } from '../../domain/instant.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ClaimedSession, SessionOrder, SessionStore } from '../../ports/payment-sessions.ts';
import type { SessionEnd } from './session-steps.ts';

/** The sessions that are not over, each change of them on disk before anybody relies on it. */
export interface SessionBook {
  open(): readonly ClaimedSession[];
  find(sessionId: string): ClaimedSession | undefined;
  claim(order: SessionOrder): void;
  started(sessionId: string): void;
  /** The transaction that the engine has made for it. */
  madeAs(sessionId: string, transactionId: string): void;
  /** Adds what is to be reported next; a step that was reported before is left out, and nothing is added once it has ended. */
  report(sessionId: string, eventType: SessionEventType): void;
  /** Adds how it ended, once. */
  end(sessionId: string, end: SessionEnd): void;
  /** Puts another end in place of one that the host does not take. */
  amendEnd(sessionId: string, end: SessionEnd): void;
  /** The host has taken the events up to this one. */
  delivered(sessionId: string, count: number): void;
  /** The host takes no more of it. */
  giveUp(sessionId: string): void;
}

export function createSessionBook(store: SessionStore, clock: Pick<Clock, 'nowMs'>): SessionBook {
  const sessions = new Map(store.open().map((session) => [session.order.sessionId, session]));

  function keep(session: ClaimedSession): void {
    const isOver = session.state === 'ENDED' && session.delivered >= session.events.length;
    const next = { ...session, ...(isOver ? { state: 'OVER' as const } : {}), updatedAt: isoOf(clock.nowMs()) };
    store.save(next);
    if (next.state === 'OVER') sessions.delete(next.order.sessionId);
    else sessions.set(next.order.sessionId, next);
  }

  function change(sessionId: string, how: (session: ClaimedSession) => Partial<ClaimedSession> | undefined): void {
    const session = sessions.get(sessionId);
    const changes = session === undefined ? undefined : how(session);
    if (session !== undefined && changes !== undefined) keep({ ...session, ...changes });
  }

  function eventOf({ order, events }: ClaimedSession, fields: SessionEnd, sequence = events.length + 1) {
    return { sequence, ...fields, claimToken: order.claimToken };
  }

  return {
    open: () => [...sessions.values()],
    find: (sessionId) => sessions.get(sessionId),
    claim(order) {
      const claimed = { order, state: 'CLAIMED', events: [], delivered: 0, updatedAt: '' } as const;
      keep({ ...claimed, events: [eventOf(claimed, { eventType: 'CLAIMED' })] });
    },
    started: (sessionId) => change(sessionId, () => ({ state: 'STARTED' })),
    madeAs: (sessionId, transactionId) =>
      change(sessionId, (session) => (session.transactionId === undefined ? { transactionId } : undefined)),
    report: (sessionId, eventType) =>
      change(sessionId, (session) => {
        const isKnown = session.events.some((event) => event.eventType === eventType);
        if (isKnown || session.state === 'ENDED') return undefined;
        return { events: [...session.events, eventOf(session, { eventType })] };
      }),
    end: (sessionId, end) =>
      change(sessionId, (session) =>
        session.state === 'ENDED' ? undefined : { state: 'ENDED', events: [...session.events, eventOf(session, end)] },
      ),
    amendEnd: (sessionId, end) =>
      change(sessionId, (session) => {
        const { state, events, delivered } = session;
        if (state !== 'ENDED' || delivered >= events.length) return undefined;
        return { events: [...events.slice(0, -1), eventOf(session, end, events.length)] };
      }),
    delivered: (sessionId, count) => change(sessionId, () => ({ delivered: count })),
    giveUp: (sessionId) => change(sessionId, () => ({ state: 'OVER' })),
  };
}
