import { createServer, request as forwardTo, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What becomes of a call on its way. BEFORE: the host never sees it. AFTER: the host has done it, and its answer is lost. HOLD: kept there until the
 * test lets it go.
 */
type CallFault = 'LOSE_BEFORE' | 'LOSE_AFTER' | 'HOLD_BEFORE' | 'HOLD_AFTER';

interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface FaultProxy {
  readonly url: string;
  /** Paths of the calls that came, oldest first. */
  readonly calls: readonly string[];
  /** The bodies that the host answered, oldest first. */
  readonly answers: readonly string[];
  /** The next call whose path ends so meets this. */
  next(pathEnd: string, fault: CallFault | ScriptedAnswer): void;
  isHolding(): boolean;
  release(): void;
  close(): Promise<void>;
}

/** A line between till and host that fails as it is told. */
export async function openFaultProxy(hostUrl: () => string): Promise<FaultProxy> {
  const calls: string[] = [];
  const answers: string[] = [];
  const faults: { readonly pathEnd: string; readonly fault: CallFault | ScriptedAnswer }[] = [];
  let letGo: (() => void) | undefined;
  const hold = () =>
    new Promise<void>((resolve) => {
      letGo = () => {
        letGo = undefined;
        resolve();
      };
    });

  async function pass(came: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = (came.url ?? '').split('?')[0] ?? '';
    calls.push(path);
    const at = faults.findIndex(({ pathEnd }) => path.endsWith(pathEnd));
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
    const chunks: Buffer[] = [];
    for await (const chunk of came) chunks.push(chunk as Buffer);
    if (typeof fault === 'object') {
      answer.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers }).end(fault.body);
      return;
    }
    if (fault === 'HOLD_BEFORE') await hold();
    if (fault === 'LOSE_BEFORE') {
      came.socket.destroy();
      return;
    }
    const told = await forward(came, Buffer.concat(chunks));
    answers.push(told.body.toString());
    if (fault === 'HOLD_AFTER') await hold();
    if (fault === 'LOSE_AFTER') came.socket.destroy();
    else answer.writeHead(told.status, told.headers).end(told.body);
  }

  function forward({ method, url, headers }: IncomingMessage, body: Buffer) {
    const { host: _host, ...kept } = headers;
    return new Promise<{ status: number; headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
      const sent = forwardTo(`${hostUrl()}${url}`, { method, headers: kept, agent: false }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () => {
          const type = reply.headers['content-type'] ?? 'application/json';
          resolve({
            status: reply.statusCode ?? 0,
            headers: { 'content-type': String(type) },
            body: Buffer.concat(chunks),
          });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  const server = createServer((came, answer) => void pass(came, answer).catch(() => came.socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answers,
    next: (pathEnd, fault) => faults.push({ pathEnd, fault }),
    isHolding: () => letGo !== undefined,
    release: () => letGo?.(),
    close: () =>
      new Promise((resolve) => {
        letGo?.();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
