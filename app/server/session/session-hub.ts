import type { WebSocket } from '@fastify/websocket';
import type { TransactionEvent } from '../../contract/session.ts';
import { closeCodes } from '../../http/socket-link.ts';
import type { PosCaller } from '../plugins/admission.ts';
import { createSession, type Session, type SessionDeps, type SessionOpening } from './session.ts';

/** All WebSocket sessions, and the one place where the engine's events reach them. */
export interface SessionHub {
  open(opening: Omit<SessionOpening, 'admit'>): void;
  sessionCount(): number;
  /** Closes every session with 1001; resolves when all sockets are gone. */
  closeAll(): Promise<void>;
}

const encoder = new TextEncoder();

export function createSessionHub(deps: SessionDeps, socketsPerClient: number): SessionHub {
  const { clock, settings } = deps;
  const sessions = new Map<WebSocket, Session>();
  let onEmpty: () => void = () => {};
  let cancelHeartbeat = (): void => {};

  function broadcast(event: TransactionEvent): void {
    if (sessions.size === 0) return;
    // Written once for all sessions, however many listen (promises: F7).
    const text = encoder.encode(JSON.stringify(event));
    for (const session of sessions.values()) session.deliver(event, text);
  }

  function heartbeat(): void {
    for (const session of sessions.values()) session.heartbeat();
    cancelHeartbeat = sessions.size === 0 ? () => {} : clock.after(settings.pingIntervalMs, heartbeat);
  }

  function sessionsOf(clientId: string): number {
    return [...sessions.values()].filter((session) => session.caller()?.clientId === clientId).length;
  }

  function unauthenticatedCount(): number {
    return [...sessions.values()].filter((session) => session.caller() === null).length;
  }

  function forget(socket: WebSocket): void {
    sessions.delete(socket);
    if (sessions.size > 0) return;
    cancelHeartbeat();
    onEmpty();
  }

  /** The close code tells why: 1006 is a peer that went silent or whose line broke. */
  function logEnd(session: Session, requestId: string, closeCode: number): void {
    const clientName = session.caller()?.name;
    const fields = { requestId, code: String(closeCode), ...(clientName === undefined ? {} : { clientName }) };
    deps.log.info('session closed', fields);
  }

  const unsubscribe = deps.till.subscribe(broadcast);

  return {
    open(opening) {
      const { socket, caller, requestId } = opening;
      const isCrowded = caller === null && unauthenticatedCount() >= settings.maxUnauthenticated;
      const admit = (newcomer: PosCaller): boolean => sessionsOf(newcomer.clientId) < socketsPerClient;
      const session = createSession(deps, { ...opening, admit });
      if (sessions.size === 0) cancelHeartbeat = clock.after(settings.pingIntervalMs, heartbeat);
      sessions.set(socket, session);
      socket.once('close', (code: number) => {
        forget(socket);
        logEnd(session, requestId, code);
      });
      deps.log.info('session opened', { requestId });
      if (isCrowded) session.link.close(closeCodes.tryLater, 'too many sessions wait for their first message');
    },
    sessionCount: () => sessions.size,
    closeAll() {
      unsubscribe();
      if (sessions.size === 0) return Promise.resolve();
      const gone = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      for (const session of sessions.values()) session.link.close(closeCodes.goingAway, 'the till is being closed');
      return gone;
    },
  };
}
