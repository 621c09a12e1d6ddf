import { type FastifyInstance, fastify } from 'fastify';
import { MAX_BODY_BYTES, MAX_ID_CHARACTERS } from '../contract/limits.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import { answerClientError, answerFrameworkError } from './errors.ts';
import { requestIdOf } from './request-id.ts';

/** Milliseconds for a request's headers, and for the whole of it, to arrive. An answer may take the whole call time (240 s) after that. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** Milliseconds between looks at these two. */
const connectionsCheckMs = 5_000;
/** Milliseconds that an idle connection is kept for its next request. */
const keepAliveTimeoutMs = 75_000;

interface AppDeps {
  readonly ids: Ids;
  readonly log: Log;
}

/** An API on Fastify, bounded and quiet: what it answers is said by what is installed. @param maxConnections further ones are closed at once */
export function createApp({ ids, log }: AppDeps, maxConnections: number): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    genReqId: (request) => requestIdOf(request, ids),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // A call may be silent for as long as a payment takes.
    connectionTimeout: 0,
    // Would also cut short the close, which may wait for running calls.
    pluginTimeout: 0,
    return503OnClosing: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: MAX_ID_CHARACTERS },
    // A missing Host is answered in our words, where it matters.
    http: {
      requireHostHeader: false,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckMs,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, ids),
    frameworkErrors: (error, request, reply) => answerFrameworkError(error, request, reply, log),
  });
  app.server.maxConnections = maxConnections;
  return app;
}
