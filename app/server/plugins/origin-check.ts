import type { FastifyInstance, FastifyReply } from 'fastify';
import { BridgeError } from '../../contract/errors.ts';

/** Request headers that a page of an allowed origin may send, and answer headers that it may read. */
const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, X-Api-Key, X-Request-Id, X-Terminal-Id, X-Timeout-Seconds';
const exposedHeaders = 'Idempotent-Replayed, Retry-After, WWW-Authenticate, X-Request-Id';
const preflightMaxAgeSeconds = '600';

/** The origins in force; asked at each request, since the operator may change them while the till runs. */
export type AllowedOrigins = () => readonly string[];

/** Whether a web page of the origin may call; `null` (a sandboxed frame, a file) never may. */
export function isAllowedOrigin(origin: string, allowed: AllowedOrigins): boolean {
  return origin !== 'null' && allowed().includes(origin);
}

/**
 * Refuses every request that a web page of an origin sends which the operator has not allowed, `null` included, and answers the browser's
 * questions (CORS) for the others (decisions: Host and Origin). Programs send no Origin and are judged by their key alone.
 */
export function installOriginCheck(app: FastifyInstance, allowed: AllowedOrigins): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    const origin = request.headers.origin;
    if (origin === undefined) return;
    if (!isAllowedOrigin(origin, allowed)) {
      throw new BridgeError('ORIGIN_NOT_ALLOWED', 'pages of this origin are not allowed to call');
    }
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', exposedHeaders);
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (isPreflight) return answerPreflight(reply);
  });
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': preflightMaxAgeSeconds,
      // Asked for by browsers before a public page may call a machine of the local network.
      'access-control-allow-private-network': 'true',
    })
    .send();
}
