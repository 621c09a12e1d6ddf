// The control interface: JSON over HTTP on this machine only. No web page may reach it: foreign Host names and every request with an Origin are
// refused, and what changes something must be declared as JSON.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './line-server.ts';

const MAX_BODY_BYTES = 4096;
const REQUEST_TIMEOUT_MS = 15_000;
const MAX_CONNECTIONS = 64;

export type ControlBody = Readonly<Record<string, unknown>>;
/** `METHOD /path` → what is done; the answer is sent as JSON. */
export type ControlRoutes = Readonly<Record<string, (body: ControlBody) => unknown>>;

/** A refusal, with its HTTP status and a sentence. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Listens on the loopback interface. @throws ListenError naming the port */
export async function startControlServer(
  wantedPort: number,
  routes: ControlRoutes,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request, response, routes).catch((error: unknown) => sendError(response, error));
  });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, wantedPort);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, routes: ControlRoutes): Promise<void> {
  checkCaller(request);
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const route = routes[`${request.method} ${pathname}`];
  if (route === undefined) throw new ControlError(404, `There is no ${request.method} ${pathname} here.`);
  const body = request.method === 'POST' ? await readJson(request) : {};
  sendJson(response, 200, route(body));
}

function checkCaller({ headers, socket }: IncomingMessage): void {
  const port = socket.localPort ?? 0;
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`)
    throw new ControlError(403, 'This host name is not served here.');
  if (headers.origin !== undefined) throw new ControlError(403, 'Web pages are not served here.');
}

async function readJson(request: IncomingMessage): Promise<ControlBody> {
  if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/json')
    throw new ControlError(415, 'The content type must be application/json.');
  const parts: Buffer[] = [];
  let byteCount = 0;
  for await (const part of request) {
    byteCount += (part as Buffer).length;
    if (byteCount > MAX_BODY_BYTES) throw new ControlError(413, `A request holds at most ${MAX_BODY_BYTES} bytes.`);
    parts.push(part as Buffer);
  }
  return parseObject(Buffer.concat(parts).toString('utf8'));
}

function parseObject(text: string): ControlBody {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ControlError(400, 'The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ControlError(400, 'The body must be a JSON object.');
  return value as ControlBody;
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
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(`${JSON.stringify(value)}\n`);
}
