import type { FastifyInstance } from 'fastify';
import { endpointOf, endpoints } from '../contract/endpoints.ts';
import { BridgeError } from '../contract/errors.ts';
import { MAX_BODY_BYTES } from '../contract/limits.ts';
import { installClosing } from '../http/closing.ts';
import { createApp } from '../http/create-app.ts';
import { installErrorHandler } from '../http/errors.ts';
import { installJsonBody } from '../http/json-body.ts';
import { installNotFound } from '../http/not-found.ts';
import { installRequestId } from '../http/request-id.ts';
import { createRunningCalls } from '../http/running-calls.ts';
import { installSecurityHeaders } from '../http/security-headers.ts';
import { createTokenBuckets } from '../http/token-buckets.ts';
import { installWebsockets } from '../http/websockets.ts';
import type { LinkedCalls } from '../ports/linked-calls.ts';
import { createLinkedCalls, createPassingKeys, installLinkFence } from './linked-calls.ts';
import { installAccessLog } from './plugins/access-log.ts';
import { installAdmission, type PosCaller } from './plugins/admission.ts';
import { installHostCheck } from './plugins/host-check.ts';
import { installOriginCheck } from './plugins/origin-check.ts';
import { registerEndpoints } from './routes/register-endpoints.ts';
import type { ServerDeps, ServerSettings } from './server-options.ts';
import { createSessionHub } from './session/session-hub.ts';
import { registerSession } from './session/session-route.ts';
import { createTickets } from './session/tickets.ts';

/** The POS API as a program's part: built without listening, so that tests can inject requests. */
export interface BridgeServer {
  readonly app: FastifyInstance;
  /** The same API for what our host passes on. */
  readonly linkedCalls: LinkedCalls;
  /**
   * Listens; `port` 0 picks a free one. Resolves with the address for callers, e.g. `http://127.0.0.1:8443`.
   * @throws the system's error, with `code` EADDRINUSE when another process holds the port
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Accepts nothing new, answers what runs (up to `closeGraceMs`), closes the sessions with 1001 and then every connection. */
  close(): Promise<void>;
}

/** What a call without a valid key is told to send. */
const tillChallenge = 'Bearer realm="till"';

/** Builds the server of the POS API (specification: POS transaction API, Events; decisions section 2). */
export async function buildServer(deps: ServerDeps, settings: ServerSettings): Promise<BridgeServer> {
  const { till, clock, ids, log, requests, doctor } = deps;
  const keys = createPassingKeys(deps.credentials, ids);
  const { credentials } = keys;
  const app = createApp(deps, settings.maxConnections);
  const allowedOrigins = () => settings.allowedOrigins;
  const calls = createRunningCalls(clock);
  const buckets = createTokenBuckets(clock, settings.requestsPerSecond, settings.requestBurst);
  const tickets = createTickets<PosCaller>(clock, ids, settings.session.ticketTtlMs, settings.session.maxTickets);
  const hub = createSessionHub(
    { till, credentials, clock, log, requests, buckets, calls, allowedOrigins, settings: settings.session },
    settings.socketsPerClient,
  );

  await installWebsockets(app, {
    maxMessageBytes: MAX_BODY_BYTES,
    calls,
    closeGraceMs: settings.closeGraceMs,
    closeAll: hub.closeAll,
    log,
    warning: 'closed while calls were still running',
  });
  // In the order in which a request meets them.
  installRequestId(app);
  installSecurityHeaders(app);
  installErrorHandler(app, log, () => tillChallenge);
  installAccessLog(app, log, requests);
  installClosing(app, calls, { refusal: () => new BridgeError('TERMINAL_NOT_READY', 'the till is being closed') });
  installHostCheck(app, settings.allowedHosts);
  installOriginCheck(app, allowedOrigins);
  installNotFound(app, endpoints, [endpointOf('pos.session')]);
  installAdmission(app, credentials, buckets);
  installLinkFence(app, keys);
  installJsonBody(app);
  registerEndpoints(app, { till, tickets, settings, doctor });
  registerSession(app, { hub, tickets, credentials, requests });
  await app.ready();

  return {
    app,
    linkedCalls: createLinkedCalls(app, keys, settings.allowedHosts[0] ?? 'localhost'),
    listen: (address) => app.listen(address),
    close: () => app.close(),
  };
}
