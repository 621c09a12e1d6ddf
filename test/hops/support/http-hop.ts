import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Fault, Wires } from './hop.ts';
import { relayMessages } from './stream-hop.ts';
import { webSocketFrames, withoutIds } from './web-socket-frames.ts';

const requestFaults: readonly Fault[] = ['LOST', 'SWALLOWED', 'LATE', 'DOUBLED', 'TRUNCATED'];
const answerFaults: readonly Fault[] = ['LOST', 'SWALLOWED', 'TRUNCATED'];
const frameFaults: readonly Fault[] = ['LOST', 'CUT_AFTER', 'SWALLOWED', 'DOUBLED', 'TRUNCATED'];

/** Milliseconds after which a request arrives whose sender has not tried again. */
const LATEST_MS = 1_000;

interface HttpHop {
  readonly url: string;
  close(): Promise<void>;
}

interface WholeAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A line that carries HTTP and WebSockets: each request, answer and text frame is a message that can be disturbed. */
export async function openHttpHop(name: string, targetUrl: () => string, wires: Wires): Promise<HttpHop> {
  const sockets = new Set<Socket>();
  /** Requests that arrive once the next of the same kind has been answered. */
  const late = new Map<string, () => void>();

  async function carry(came: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await wholeOf(came);
    const kind = kindOf(came);
    const fault = wires.pass(name, `→ ${kind}`, requestFaults);
    if (fault === 'SWALLOWED') return;
    if (fault === 'LOST') return void came.socket.destroy();
    if (fault === 'TRUNCATED') {
      await forwardHalf(came, body);
      return void came.socket.destroy();
    }
    if (fault === 'LATE') return arriveLate(came, body, kind);
    if (fault === 'DOUBLED') await forward(came, body);
    const told = await forward(came, body);
    answerWith(told, kind, came, answer);
    late.get(kind)?.();
  }

  function answerWith(told: WholeAnswer, kind: string, came: IncomingMessage, answer: ServerResponse): void {
    const fault = wires.pass(name, `← ${kind}`, answerFaults);
    if (fault === 'SWALLOWED') return;
    if (fault === 'LOST') return void came.socket.destroy();
    const { connection: _connection, 'transfer-encoding': _encoding, ...headers } = told.headers;
    answer.writeHead(told.status, { ...headers, 'content-length': String(told.body.length) });
    if (fault !== 'TRUNCATED') return void answer.end(told.body);
    answer.write(told.body.subarray(0, Math.floor(told.body.length / 2)), () => came.socket.destroy());
  }

  function arriveLate(came: IncomingMessage, body: Buffer, kind: string): void {
    came.socket.destroy();
    const arrive = () => {
      clearTimeout(timer);
      late.delete(kind);
      void forward(came, body).catch(() => undefined);
    };
    const timer = setTimeout(arrive, LATEST_MS);
    late.set(kind, arrive);
  }

  function open({ method, url, headers }: IncomingMessage) {
    return openRequest(`${targetUrl()}${url}`, { method, headers: forwardedHeaders(headers), agent: false });
  }

  function forward(came: IncomingMessage, body: Buffer): Promise<WholeAnswer> {
    return new Promise((resolve, reject) => {
      const sent = open(came);
      sent.on('response', (reply) => {
        wholeOf(reply).then(
          (whole) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: whole }),
          reject,
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** The head, and half of the body; the rest never comes. */
  function forwardHalf(came: IncomingMessage, body: Buffer): Promise<void> {
    return new Promise((resolve) => {
      const sent = open(came);
      sent.on('error', () => resolve());
      sent.on('close', () => resolve());
      if (body.length === 0) return void sent.destroy();
      sent.write(body.subarray(0, Math.floor(body.length / 2)), () => sent.destroy());
    });
  }

  function carrySocket(came: IncomingMessage, near: Socket): void {
    const { hostname, port } = new URL(targetUrl());
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    const kind = `WS ${pathOf(came)}`;
    if (wires.pass(name, `→ ${kind}`, ['LOST']) === 'LOST') return void near.destroy();
    const head = Object.entries(forwardedHeaders(came.headers)).map(([field, value]) => `${field}: ${value}`);
    far.write(`${came.method} ${came.url} HTTP/1.1\r\n${['host: till', ...head].join('\r\n')}\r\n\r\n`);
    const judge = (arrow: string) => (label: string) =>
      label.startsWith('frame') ? wires.pass(name, `${arrow} ${kind} ${label}`, frameFaults) : undefined;
    relayMessages(near, far, webSocketFrames(false), judge('→'));
    relayMessages(far, near, webSocketFrames(true), judge('←'));
  }

  const server = createServer((came, answer) => void carry(came, answer).catch(() => came.socket.destroy()));
  server.on('upgrade', carrySocket);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        for (const arrive of late.values()) arrive();
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function forwardedHeaders({ host: _host, ...kept }: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(kept).map(([field, value]) => [field, String(value)]));
}

async function wholeOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const pathOf = ({ url = '' }: IncomingMessage) => withoutIds(url.split('?')[0] ?? '');
/** The same for every call of an endpoint. */
const kindOf = (came: IncomingMessage) => `${came.method} ${pathOf(came)}`;
