import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { MAX_REQUEST_ID_CHARACTERS } from '../contract/limits.ts';
import type { Ids } from '../ports/ids.ts';

const sane = new RegExp(`^[A-Za-z0-9._:-]{1,${MAX_REQUEST_ID_CHARACTERS}}$`);

/** The caller's X-Request-Id when it is short and plain, else a new one (decisions: Service). */
export function requestIdOf(request: IncomingMessage, ids: Ids): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : ids.next();
}

/** Puts X-Request-Id on every answer. */
export function installRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
}
