import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../ports/log.ts';
import type { RunningCalls } from './running-calls.ts';
import { websocketUpgradesOf } from './upgrades.ts';

interface WebsocketOptions {
  /** Bytes of one message of a peer; a longer one ends its connection. */
  readonly maxMessageBytes: number;
  readonly calls: RunningCalls;
  /** Milliseconds that a close waits for calls that run. */
  readonly closeGraceMs: number;
  /** Closes the sockets with 1001. */
  closeAll(): Promise<void>;
  readonly log: Log;
  /** What is said when calls still run then. */
  readonly warning: string;
}

/** WebSockets of a server; a close waits for what runs, then closes them, then the server. */
export async function installWebsockets(app: FastifyInstance, wanted: WebsocketOptions): Promise<void> {
  await app.register(fastifyWebsocket, {
    options: { maxPayload: wanted.maxMessageBytes, server: websocketUpgradesOf(app.server) },
    // The socket closes itself after an error of its protocol, with the code that says which.
    errorHandler: () => {},
    preClose: async () => {
      const left = await wanted.calls.settle(wanted.closeGraceMs);
      if (left > 0) wanted.log.warn(wanted.warning, { reason: `${left} calls` });
      await wanted.closeAll();
      app.websocketServer.close();
    },
  });
}
