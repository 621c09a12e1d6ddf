import type { FastifyInstance } from 'fastify';
import { BridgeError } from '../../contract/errors.ts';
import type { RunningCalls } from '../running-calls.ts';

/** Refuses what arrives while the server closes, and counts what runs until its answer is out or its caller is gone. */
export function installClosing(app: FastifyInstance, calls: RunningCalls): void {
  app.addHook('onRequest', async (request, reply) => {
    if (calls.isClosing()) {
      reply.header('connection', 'close');
      throw new BridgeError('TERMINAL_NOT_READY', 'the till is being closed');
    }
    // A session lasts; its actions are counted one by one.
    if (!request.ws) reply.raw.once('close', calls.begin());
  });
}
