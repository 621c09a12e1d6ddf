// The control interface: JSON over HTTP on this machine only. No web page may reach it: foreign Host names and every
// request with an Origin are refused, and what changes something must be declared as JSON.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ControlError } from './control-error.ts';
import type { ControlRoutes } from './control-routes.ts';
import type { EventStream } from './event-stream.ts';

/** Largest request body. */
const MAX_BODY_BYTES = 4096;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const MAX_CONNECTIONS = 64;
const LOOPBACK = '127.0.0.1';

export interface ControlServer {
  readonly url: string;
  readonly port: number;
  /** Answers requests from now on; before, they get 503. */
  serve(routes: ControlRoutes, events: EventStream): void;
  close(): Promise<void>;
}

/** Listens on the loopback interface. @throws ControlError naming the port when it is in use */
export async function startControlServer(wantedPort: number): Promise<ControlServer> {
  let served: { readonly routes: ControlRoutes; readonly events: EventStream } | undefined;
  const server = createServer((request, response) => {
    const answering =
      served === undefined
        ? Promise.reject(new ControlError(503, 'The terminal is starting.'))
        : answer(request, response, served.routes, served.events);
    answering.catch((error: unknown) => sendError(response, error));
  });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, wantedPort);
  return {
    port,
    url: `http://${LOOPBACK}:${port}`,
    serve: (routes, events) => {
      served = { routes, events };
    },
    close: () =>
      new Promise((resolve) => {
        served?.events.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const cause =
        error.code === 'EADDRINUSE'
          ? 'is in use by another program'
          : `cannot be opened (${error.code ?? error.message})`;
      reject(new ControlError(500, `Control port ${port} ${cause}.`));
    });
    server.listen(port, LOOPBACK, () => resolve((server.address() as AddressInfo).port));
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  routes: ControlRoutes,
  events: EventStream,
): Promise<void> {
  checkCaller(request);
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/events' && request.method === 'GET') {
    events.add(response);
    return;
  }
  const methods = routes[url.pathname];
  if (methods === undefined) throw new ControlError(404, `There is no ${url.pathname} here.`);
  const route = request.method === undefined ? undefined : methods[request.method];
  if (route === undefined) {
    response.setHeader('Allow', Object.keys(methods).join(', '));
    throw new ControlError(405, `${url.pathname} takes ${Object.keys(methods).join(', ')}.`);
  }
  const body = request.method === 'POST' ? await readJson(request) : {};
  sendJson(response, 200, await route(body));
}

/** A page in a browser sends an Origin, or reaches this port under a name of its own. */
function checkCaller({ headers, socket }: IncomingMessage): void {
  const port = socket.localPort ?? 0;
  if (headers.host !== `${LOOPBACK}:${port}` && headers.host !== `localhost:${port}`)
    throw new ControlError(403, 'This host name is not served here.');
  if (headers.origin !== undefined) throw new ControlError(403, 'Web pages are not served here.');
}

async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new ControlError(415, 'The content type must be application/json.');
  }
  const parts: Buffer[] = [];
  let byteCount = 0;
  for await (const part of request) {
    byteCount += (part as Buffer).length;
    if (byteCount > MAX_BODY_BYTES) throw new ControlError(413, `A request holds at most ${MAX_BODY_BYTES} bytes.`);
    parts.push(part as Buffer);
  }
  const text = Buffer.concat(parts).toString('utf8');
  if (text.trim() === '') return {};
  return parseObject(text);
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ControlError(400, 'The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ControlError(400, 'The body must be a JSON object.');
  return value as Readonly<Record<string, unknown>>;
}

function sendError(response: ServerResponse, error: unknown): void {
  const status = error instanceof ControlError ? error.status : 500;
  const message = error instanceof Error ? error.message : 'Unknown failure.';
  if (response.headersSent) response.destroy();
  else {
    response.setHeader('Connection', 'close');
    sendJson(response, status, { error: message });
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(`${JSON.stringify(value)}\n`);
}
