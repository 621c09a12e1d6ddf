import fastifyCookie from '@fastify/cookie';
import { type FastifyInstance, fastify } from 'fastify';
import { CONSOLE_SOCKET_PATH } from '../contract/console/channel.ts';
import { BridgeError } from '../contract/errors.ts';
import { MAX_BODY_BYTES } from '../contract/limits.ts';
import { answerClientError, answerFrameworkError, installErrorHandler } from '../http/errors.ts';
import { createRunningCalls } from '../http/running-calls.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { installWebsockets } from '../http/websockets.ts';
import type { OfferedFile } from '../ports/downloads.ts';
import { carryConsole, type TextLink } from './console-channel.ts';
import { installConsoleDownloads } from './console-downloads.ts';
import { cookieOf, createEntryTokens, installConsoleEntry } from './console-entry.ts';
import { consoleHeaders, installConsoleFiles } from './console-files.ts';
import type { ConsoleServerDeps, ConsoleServerSettings } from './console-options.ts';
import { installSameOrigin } from './console-origin.ts';
import { createConsoleWindows } from './console-socket.ts';
import { installHostCheck } from './plugins/host-check.ts';

/** The console's own address, apart from the POS API's: built without listening, so that tests can inject requests. */
export interface ConsoleServer {
  readonly app: FastifyInstance;
  /** Listens; `port` 0 picks a free one. Resolves with the address, e.g. `http://127.0.0.1:45123`. @throws the system's error */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** A token that lets one browser in, as `?token=` of the address. */
  issueToken(): string;
  /** Connects the window of a desktop shell, which holds the cookie itself; returns what ends it. */
  openScreen(cookie: string, link: TextLink): () => void;
  /** A file that a procedure made ready for that window, once. */
  takeDownload(cookie: string, token: string): OfferedFile | undefined;
  /** Answers what runs (up to `closeGraceMs`), closes the windows with 1001 and then every connection. */
  close(): Promise<void>;
}

const requestTimeoutMs = 30_000;

export async function buildConsoleServer(
  deps: ConsoleServerDeps,
  settings: ConsoleServerSettings,
): Promise<ConsoleServer> {
  const { door, ids, clock, log } = deps;
  const app = createApp(deps, settings);
  const calls = createRunningCalls(clock);
  const windows = createConsoleWindows(deps, settings, calls);
  const tokens = createEntryTokens(ids);

  await app.register(fastifyCookie);
  await installWebsockets(app, {
    maxMessageBytes: MAX_BODY_BYTES,
    calls,
    closeGraceMs: settings.closeGraceMs,
    closeAll: windows.closeAll,
    log,
    warning: 'console closed while calls were still running',
  });
  // In the order in which a request meets them.
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ ...securityHeaders, ...consoleHeaders });
  });
  installErrorHandler(app, log, () => 'Bearer realm="till"');
  installHostCheck(app, settings.allowedHosts);
  installSameOrigin(app);
  installConsoleEntry(app, { door, tokens, cookieMaxAgeSeconds: settings.cookieMaxAgeSeconds });
  app.route({
    method: 'GET',
    url: CONSOLE_SOCKET_PATH,
    handler: async () => {
      throw new BridgeError('UPGRADE_REQUIRED', 'open this address as a WebSocket');
    },
    wsHandler: (socket, request) => windows.open(socket, cookieOf(request) ?? ''),
  });
  installConsoleDownloads(app, deps);
  await installConsoleFiles(app, settings.filesDir);
  await app.ready();

  return {
    app,
    listen: (address) => app.listen(address),
    issueToken: tokens.issue,
    openScreen: (cookie, link) => carryConsole(link, cookie, { door, settings, calls }),
    takeDownload: (cookie, token) => {
      const sessionId = door.signedInSession(cookie);
      return sessionId === undefined ? undefined : deps.downloads.take(token, sessionId);
    },
    close: () => app.close(),
  };
}

function createApp({ ids, log }: ConsoleServerDeps, settings: ConsoleServerSettings): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    genReqId: () => ids.next(),
    requestTimeout: requestTimeoutMs,
    pluginTimeout: 0,
    return503OnClosing: false,
    forceCloseConnections: true,
    http: { requireHostHeader: false },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, ids),
    frameworkErrors: (error, request, reply) => answerFrameworkError(error, request, reply, log),
  });
  app.server.maxConnections = settings.maxConnections;
  return app;
}
