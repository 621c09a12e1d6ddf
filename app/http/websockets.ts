import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import { MAX_BODY_BYTES } from '../contract/limits.ts';
import type { Log } from '../ports/log.ts';
import type { RunningCalls } from './running-calls.ts';
import { websocketUpgradesOf } from './upgrades.ts';

interface Closing {
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
export async function installWebsockets(app: FastifyInstance, closing: Closing): Promise<void> {
  await app.register(fastifyWebsocket, {
    options: { maxPayload: MAX_BODY_BYTES, server: websocketUpgradesOf(app.server) },
    // The socket closes itself after an error of its protocol, with the code that says which.
    errorHandler: () => {},
    preClose: async () => {
      const left = await closing.calls.settle(closing.closeGraceMs);
      if (left > 0) closing.log.warn(closing.warning, { reason: `${left} calls` });
      await closing.closeAll();
      app.websocketServer.close();
    },
  });
}
