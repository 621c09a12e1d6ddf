import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BridgeError } from '../contract/errors.ts';
import type { RunningCalls } from './running-calls.ts';

interface Closing {
  /** What is told to whoever calls then. */
  readonly refusal: () => BridgeError;
  /** Calls that are answered nevertheless. */
  readonly isExempt?: (request: FastifyRequest) => boolean;
}

/** Refuses what arrives while the server closes, and counts what runs until its answer is out or its caller is gone. */
export function installClosing(app: FastifyInstance, calls: RunningCalls, closing: Closing): void {
  app.addHook('onRequest', async (request, reply) => {
    if (calls.isClosing()) {
      reply.header('connection', 'close');
      if (closing.isExempt?.(request) !== true) throw closing.refusal();
    }
    // A session lasts; its actions are counted one by one.
    if (!request.ws) reply.raw.once('close', calls.begin());
  });
}
