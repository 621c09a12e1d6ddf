import type { WebSocket } from '@fastify/websocket';
import type { Clock } from '../ports/clock.ts';

/** Close codes of a socket (decisions: WebSocket; RFC 6455 section 7.4). */
export const closeCodes = {
  goingAway: 1001,
  policy: 1008,
  tooBig: 1009,
  tryLater: 1013,
  unauthenticated: 4401,
  replaced: 4409,
} as const;

type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

/** One peer: sends without ever holding more than a bounded number of bytes for it, and notices when it is gone. */
export interface SocketLink {
  isOpen(): boolean;
  /**
   * Sends one text frame. A peer that reads too slowly is closed with 1013; it can connect again and replay.
   * @returns false when nothing was sent
   */
  send(text: Uint8Array): boolean;
  /** Says why and closes; a peer that does not answer is cut off after closeTimeoutMs. Further calls do nothing. */
  close(code: CloseCode, reason: string): void;
  /** Called every pingIntervalMs: pings, and cuts off a peer that has been silent for deadAfterMs. */
  heartbeat(): void;
}

/** Bounds of a socket. */
export interface SocketLinkSettings {
  /** Milliseconds between pings; a peer that answered none of the pings before is cut off after `deadAfterMs`. */
  readonly pingIntervalMs: number;
  readonly deadAfterMs: number;
  /** Bytes that may wait for a slow reader; beyond, it is closed with 1013 and can connect again. */
  readonly maxBufferedBytes: number;
  /** Milliseconds that a closed peer has to answer the close frame before it is cut off. */
  readonly closeTimeoutMs: number;
}

export function createSocketLink(socket: WebSocket, clock: Clock, settings: SocketLinkSettings): SocketLink {
  // A peer that falls silent right after a ping's answer is cut off at the deadAfterMs-th millisecond from there.
  const maxUnansweredPings = Math.max(1, Math.floor(settings.deadAfterMs / settings.pingIntervalMs) - 1);
  let unansweredPings = 0;
  let closing = false;

  const heard = (): void => {
    unansweredPings = 0;
  };
  socket.on('pong', heard);
  socket.on('message', heard);

  function close(code: CloseCode, reason: string): void {
    if (closing) return;
    closing = true;
    const cancelCutOff = clock.after(settings.closeTimeoutMs, () => socket.terminate());
    socket.once('close', cancelCutOff);
    socket.close(code, reason);
  }

  return {
    isOpen: () => !closing && socket.readyState === socket.OPEN,
    send(text) {
      if (closing || socket.readyState !== socket.OPEN) return false;
      if (socket.bufferedAmount + text.length > settings.maxBufferedBytes) {
        close(closeCodes.tryLater, 'reading too slowly; connect again and replay');
        return false;
      }
      socket.send(text, { binary: false });
      return true;
    },
    close,
    heartbeat() {
      if (unansweredPings >= maxUnansweredPings) {
        socket.terminate();
        return;
      }
      unansweredPings += 1;
      if (socket.readyState === socket.OPEN) socket.ping();
    },
  };
}
