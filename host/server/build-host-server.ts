import type { FastifyInstance } from 'fastify';
import { endpointOf as endpointOfPos } from '../../app/contract/endpoints.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import { hostEndpointOf, hostEndpoints } from '../../app/contract/host/host-endpoints.ts';
import { MAX_LINK_ANSWER_BYTES } from '../../app/contract/host/host-limits.ts';
import { installClosing } from '../../app/http/closing.ts';
import { createApp } from '../../app/http/create-app.ts';
import { installErrorHandler } from '../../app/http/errors.ts';
import { installJsonBody } from '../../app/http/json-body.ts';
import { installNotFound } from '../../app/http/not-found.ts';
import { installRequestId } from '../../app/http/request-id.ts';
import { createRunningCalls } from '../../app/http/running-calls.ts';
import { installSecurityHeaders } from '../../app/http/security-headers.ts';
import { createTokenBuckets } from '../../app/http/token-buckets.ts';
import { installWebsockets } from '../../app/http/websockets.ts';
import { installAccessLog } from './access-log.ts';
import { challengeOf, endpointOf, installAdmission } from './admission.ts';
import { registerLink } from './link/link-route.ts';
import { createMetrics } from './metrics.ts';
import { posEndpoints, registerPosEndpoints } from './pos-calls.ts';
import { registerEndpoints } from './register-endpoints.ts';
import type { HostServerDeps, HostServerSettings } from './server-options.ts';
import { createPosSessionHub } from './session/pos-session-hub.ts';
import { registerSession } from './session/session-route.ts';

/** The host API as a program's part: built without listening, so that tests can inject requests. */
export interface HostServer {
  readonly app: FastifyInstance;
  /** Listens; `port` 0 picks a free one. Resolves with the address for callers. @throws the system's error, with `code` EADDRINUSE */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Is not ready from now on, accepts nothing new, answers what runs (up to `closeGraceMs`), closes the links with 1001 and then every connection. */
  close(): Promise<void>;
}

/** Callers that are remembered for their rate limits at a time. */
const maxBuckets = 65_536;
/** Seconds after which a caller may try again, at another process of the host or at the next one. */
const stoppedRetryAfterSeconds = 1;
const link = hostEndpointOf('device.link');
const session = endpointOfPos('pos.session');
const sessionEndpoints = [session, endpointOfPos('session.ticket')];
/** What is answered to the end: who watches the program is told that it drains. */
const watched = new Set<string | undefined>(['service.health', 'service.ready', 'service.metrics']);

/** Builds the server of the host API (specification: Terminal device API, secret key; decisions section 5). */
export async function buildHostServer(deps: HostServerDeps, settings: HostServerSettings): Promise<HostServer> {
  const { host, clock, log, links } = deps;
  const { posSessions } = settings;
  const app = createApp(deps, settings.maxConnections);
  const calls = createRunningCalls(clock);
  const buckets = createTokenBuckets(clock, settings.requestsPerSecond, settings.requestBurst, maxBuckets);
  const metrics = createMetrics({ ...deps, linkCount: links.count });
  const sessions = createPosSessionHub({ host, events: links, clock, log, buckets, calls, settings: posSessions });
  // While other nodes are not heard, neither are the terminals that are linked there.
  deps.bus?.onChange((isConnected) => {
    if (!isConnected) sessions.interrupt();
  });
  let isDraining = false;

  await installWebsockets(app, {
    maxMessageBytes: MAX_LINK_ANSWER_BYTES,
    calls,
    closeGraceMs: settings.closeGraceMs,
    closeAll: async () => {
      await sessions.closeAll();
      await links.closeAll();
    },
    log,
    warning: 'stopped while calls were still running',
  });
  // In the order in which a request meets them.
  installRequestId(app);
  installSecurityHeaders(app);
  installErrorHandler(app, log, challengeOf);
  installAccessLog(app, log, metrics);
  installClosing(app, calls, {
    refusal: stopped,
    isExempt: (request) => watched.has(endpointOf(request)?.id),
  });
  installNotFound(app, [...hostEndpoints, ...posEndpoints, ...sessionEndpoints], [link, session]);
  installAdmission(app, host, buckets);
  installJsonBody(app);
  registerEndpoints(app, { ...deps, settings, metrics, isDraining: () => isDraining });
  registerPosEndpoints(app, host);
  registerLink(app, links, host);
  registerSession(app, { hub: sessions, host, buckets });
  await app.ready();

  return {
    app,
    listen: (address) => app.listen(address),
    close() {
      isDraining = true;
      return app.close();
    },
  };
}

function stopped(): BridgeError {
  return new BridgeError('JOURNAL_UNAVAILABLE', 'the host is being stopped; nothing was done', {
    details: { retryAfterSeconds: stoppedRetryAfterSeconds },
  });
}
