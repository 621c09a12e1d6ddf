import { type FastifyInstance, fastify } from 'fastify';
import { MAX_BODY_BYTES, MAX_ID_CHARACTERS } from '../contract/limits.ts';
import { installAccessLog } from './plugins/access-log.ts';
import { installAdmission } from './plugins/admission.ts';
import { installClosing } from './plugins/closing.ts';
import { answerClientError, answerFrameworkError, installErrorHandler } from './plugins/errors.ts';
import { installHostCheck } from './plugins/host-check.ts';
import { installJsonBody } from './plugins/json-body.ts';
import { installNotFound } from './plugins/not-found.ts';
import { installOriginCheck } from './plugins/origin-check.ts';
import { installRequestId, requestIdOf } from './plugins/request-id.ts';
import { installSecurityHeaders } from './plugins/security-headers.ts';
import { installWebsockets } from './plugins/websockets.ts';
import { registerEndpoints } from './routes/register-endpoints.ts';
import { createRunningCalls } from './running-calls.ts';
import type { ServerDeps, ServerSettings } from './server-options.ts';
import { createSessionHub } from './session/session-hub.ts';
import { registerSession } from './session/session-route.ts';
import { createTickets } from './session/tickets.ts';
import { createTokenBuckets } from './token-buckets.ts';

/** The POS API as a program's part: built without listening, so that tests can inject requests. */
export interface BridgeServer {
  readonly app: FastifyInstance;
  /**
   * Listens; `port` 0 picks a free one. Resolves with the address for callers, e.g. `http://127.0.0.1:8443`.
   * @throws the system's error, with `code` EADDRINUSE when another process holds the port
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Accepts nothing new, answers what runs (up to `closeGraceMs`), closes the sessions with 1001 and then every connection. */
  close(): Promise<void>;
}

/** Milliseconds for a request's headers, and for the whole of it, to arrive. An answer may take the whole call time (240 s) after that. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** Milliseconds between looks at these two. */
const connectionsCheckMs = 5_000;
/** Milliseconds that an idle connection is kept for its next request. */
const keepAliveTimeoutMs = 75_000;

/** Builds the server of the POS API (specification: POS transaction API, Events; decisions section 2). */
export async function buildServer(deps: ServerDeps, settings: ServerSettings): Promise<BridgeServer> {
  const { till, credentials, clock, ids, log, requests, doctor } = deps;
  const app = createApp(deps, settings);
  const allowedOrigins = () => settings.allowedOrigins;
  const calls = createRunningCalls(clock);
  const buckets = createTokenBuckets(clock, settings.requestsPerSecond, settings.requestBurst);
  const tickets = createTickets(clock, ids, settings.session.ticketTtlMs, settings.session.maxTickets);
  const hub = createSessionHub(
    { till, credentials, clock, log, requests, buckets, calls, allowedOrigins, settings: settings.session },
    settings.socketsPerClient,
  );

  await installWebsockets(app, {
    calls,
    closeGraceMs: settings.closeGraceMs,
    closeAll: hub.closeAll,
    log,
    warning: 'closed while calls were still running',
  });
  // In the order in which a request meets them.
  installRequestId(app);
  installSecurityHeaders(app);
  installErrorHandler(app, log);
  installAccessLog(app, log, requests);
  installClosing(app, calls);
  installHostCheck(app, settings.allowedHosts);
  installOriginCheck(app, allowedOrigins);
  installNotFound(app);
  installAdmission(app, credentials, buckets);
  installJsonBody(app);
  registerEndpoints(app, { till, tickets, settings, doctor });
  registerSession(app, { hub, tickets, credentials, requests });
  await app.ready();

  return { app, listen: (address) => app.listen(address), close: () => app.close() };
}

function createApp({ ids, log }: ServerDeps, settings: ServerSettings): FastifyInstance {
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
    // A missing Host is answered by the host check, in our words.
    http: {
      requireHostHeader: false,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckMs,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, ids),
    frameworkErrors: (error, request, reply) => answerFrameworkError(error, request, reply, log),
  });
  app.server.maxConnections = settings.maxConnections;
  return app;
}
