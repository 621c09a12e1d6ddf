import type { WebSocket } from '@fastify/websocket';
import { closeCodes } from '../../../app/http/socket-link.ts';
import type { PosCaller } from '../../services/host.ts';
import { createPosSession, type PosSession, type PosSessionDeps, type PosSessionOpening } from './pos-session.ts';

/** The WebSocket sessions of this process. */
export interface PosSessionHub {
  open(opening: Omit<PosSessionOpening, 'admit'>): void;
  /** Events may have been missed: closes every session with 1013, so that its client opens another and asks for a replay. */
  interrupt(): void;
  /** Closes every session with 1001; resolves when all sockets are gone. */
  closeAll(): Promise<void>;
}

const missed = 'events may have been missed; connect again and replay';

export function createPosSessionHub(deps: PosSessionDeps): PosSessionHub {
  const { clock, settings, log } = deps;
  const sessions = new Map<WebSocket, PosSession>();
  let onEmpty: () => void = () => {};
  let cancelHeartbeat = (): void => {};

  function heartbeat(): void {
    for (const session of sessions.values()) session.heartbeat();
    cancelHeartbeat = sessions.size === 0 ? () => {} : clock.after(settings.pingIntervalMs, heartbeat);
  }

  function count(isOne: (caller: PosCaller | null) => boolean): number {
    return [...sessions.values()].filter((session) => isOne(session.caller())).length;
  }

  function admit({ merchantId, clientId }: PosCaller): boolean {
    const isSame = (other: PosCaller | null) => other?.merchantId === merchantId && other.clientId === clientId;
    return count(isSame) < settings.socketsPerClient;
  }

  function forget(socket: WebSocket): void {
    sessions.delete(socket);
    if (sessions.size > 0) return;
    cancelHeartbeat();
    onEmpty();
  }

  return {
    open(opening) {
      const { socket, holder, requestId } = opening;
      const isCrowded = holder === null && count((caller) => caller === null) >= settings.maxUnauthenticated;
      const session = createPosSession(deps, { ...opening, admit });
      if (sessions.size === 0) cancelHeartbeat = clock.after(settings.pingIntervalMs, heartbeat);
      sessions.set(socket, session);
      socket.once('close', (code: number) => {
        const clientName = session.caller()?.name;
        forget(socket);
        log.info('session closed', {
          ...{ requestId, code: String(code) },
          ...(clientName === undefined ? {} : { clientName }),
        });
      });
      log.info('session opened', { requestId });
      if (isCrowded) session.link.close(closeCodes.tryLater, 'too many sessions wait for their first message');
    },
    interrupt() {
      for (const session of sessions.values()) session.link.close(closeCodes.tryLater, missed);
    },
    closeAll() {
      if (sessions.size === 0) return Promise.resolve();
      const gone = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      for (const session of sessions.values()) session.link.close(closeCodes.goingAway, 'the host is being stopped');
      return gone;
    },
  };
}
