import type { WebSocket } from '@fastify/websocket';
import type { RunningCalls } from '../http/running-calls.ts';
import { closeCodes, createSocketLink, type SocketLink } from '../http/socket-link.ts';
import { carryConsole, type TextLink } from './console-channel.ts';
import type { ConsoleServerDeps, ConsoleServerSettings } from './console-options.ts';

/** All open windows of the console. */
export interface ConsoleWindows {
  open(socket: WebSocket, cookie: string): void;
  /** Closes every window with 1001; resolves when all sockets are gone. */
  closeAll(): Promise<void>;
}

const encoder = new TextEncoder();

/** Carries the console's calls and events over WebSockets (birpc, JSON text frames). */
export function createConsoleWindows(
  deps: ConsoleServerDeps,
  settings: ConsoleServerSettings,
  calls: RunningCalls,
): ConsoleWindows {
  const { clock, log } = deps;
  const links = new Map<WebSocket, SocketLink>();
  let onEmpty: () => void = () => {};
  let cancelHeartbeat = (): void => {};

  function heartbeat(): void {
    for (const link of links.values()) link.heartbeat();
    cancelHeartbeat = links.size === 0 ? () => {} : clock.after(settings.pingIntervalMs, heartbeat);
  }

  function keep(socket: WebSocket, link: SocketLink, close: () => void): void {
    if (links.size === 0) cancelHeartbeat = clock.after(settings.pingIntervalMs, heartbeat);
    links.set(socket, link);
    socket.once('close', (code: number) => {
      links.delete(socket);
      close();
      log.info('console window closed', { code: String(code) });
      if (links.size > 0) return;
      cancelHeartbeat();
      onEmpty();
    });
  }

  return {
    open(socket, cookie) {
      const link = createSocketLink(socket, clock, settings);
      if (links.size >= settings.maxWindows) {
        keep(socket, link, () => {});
        link.close(closeCodes.tryLater, 'too many windows');
        return;
      }
      const close = carryConsole(textLinkOf(socket, link), cookie, { door: deps.door, settings, calls });
      keep(socket, link, close);
    },
    closeAll() {
      if (links.size === 0) return Promise.resolve();
      const gone = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      for (const link of links.values()) link.close(closeCodes.goingAway, 'the till is being closed');
      return gone;
    },
  };
}

function textLinkOf(socket: WebSocket, link: SocketLink): TextLink {
  return {
    send: (text) => link.send(encoder.encode(text)),
    onText: (receive) => {
      socket.on('message', (data, isBinary) => {
        if (!isBinary && link.isOpen() && data instanceof Uint8Array) receive(data);
      });
    },
    refuse: () => link.close(closeCodes.policy, 'not a message of the console'),
  };
}
