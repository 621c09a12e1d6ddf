import type { WebSocket } from '@fastify/websocket';
import { createBirpc } from 'birpc';
import { Type } from 'typebox';
import type { ConsoleAnswer, ConsoleClientFunctions } from '../contract/console/channel.ts';
import { refusalOf } from '../contract/console/refusal.ts';
import { BridgeError } from '../contract/errors.ts';
import { parseStrictJson } from '../contract/json.ts';
import { validate } from '../contract/validate.ts';
import type { ConsoleServerDeps, ConsoleServerSettings } from './console-options.ts';
import type { RunningCalls } from './running-calls.ts';
import { closeCodes, createSocketLink, type SocketLink } from './session/socket-link.ts';

/** All open windows of the console. */
export interface ConsoleWindows {
  open(socket: WebSocket, cookie: string): void;
  /** Closes every window with 1001; resolves when all sockets are gone. */
  closeAll(): Promise<void>;
}

/** A call as birpc writes it. Answers to calls of ours do not exist: events are told without waiting. */
const Call = Type.Object(
  {
    t: Type.Literal('q'),
    i: Type.String({ minLength: 1, maxLength: 64 }),
    m: Type.Literal('call'),
    a: Type.Unsafe<[string, unknown]>({
      type: 'array',
      items: [{ type: 'string', maxLength: 64 }, {}],
      minItems: 2,
      maxItems: 2,
      additionalItems: false,
    }),
  },
  { additionalProperties: false },
);

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
      keep(socket, link, carry(socket, link, cookie, { deps, settings, calls }));
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

interface WindowParts {
  readonly deps: ConsoleServerDeps;
  readonly settings: ConsoleServerSettings;
  readonly calls: RunningCalls;
}

/** Connects one window; returns what ends it. */
function carry(socket: WebSocket, link: SocketLink, cookie: string, parts: WindowParts): () => void {
  const { deps, settings, calls } = parts;
  let running = 0;

  async function call(name: string, request: unknown): Promise<ConsoleAnswer<unknown>> {
    if (calls.isClosing()) return refuse(new BridgeError('TERMINAL_NOT_READY', 'the till is being closed'));
    if (running >= settings.maxRunningCalls) {
      const details = { retryAfterSeconds: 1 };
      return refuse(new BridgeError('RATE_LIMITED', 'too many calls run at once', { details }));
    }
    const end = calls.begin();
    running += 1;
    try {
      return (await connection?.call(name, request)) ?? refuse(new BridgeError('UNAUTHENTICATED', 'not let in'));
    } finally {
      running -= 1;
      end();
    }
  }

  const rpc = createBirpc<ConsoleClientFunctions, { call: typeof call }>(
    { call },
    {
      eventNames: ['event', 'signedOut', 'virtualTerminal'],
      post: (message: string) => link.send(encoder.encode(message)),
      on: (receive) => socket.on('message', (data, isBinary) => isBinary || !link.isOpen() || void receive(data)),
      serialize: JSON.stringify,
      deserialize: (data: Uint8Array) => validate(Call, parseStrictJson(data)),
      // Only our own screen speaks here: one message that it would not send ends the connection.
      onGeneralError: () => {
        link.close(closeCodes.policy, 'not a message of the console');
        return true;
      },
    },
  );
  const connection = deps.door.connect(cookie, {
    event: (event) => void rpc.event(event),
    signedOut: (reason) => void rpc.signedOut(reason),
    virtualTerminal: (terminalId, view) => void rpc.virtualTerminal(terminalId, view),
  });
  return () => {
    connection?.close();
    rpc.$close();
  };
}

function refuse(error: BridgeError): ConsoleAnswer<unknown> {
  return { ok: false, refusal: refusalOf(error) };
}
