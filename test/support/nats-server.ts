import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter } from 'node:path';

const MAX_LOG_LINES = 50;

/** A NATS server of a test, on a port of its own. */
export interface NatsServer {
  readonly port: number;
  readonly url: string;
  /** Ends it, and every connection to it. */
  stop(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
}

/** Debian's server, running; `args` beside address and port. @throws Error when there is none, or it does not start */
export async function createNatsServer(args: readonly string[] = []): Promise<NatsServer> {
  const first = await startServer('-1', args);
  const { port } = first;
  let { process: server } = first;
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGKILL');
      await ended;
    },
    async start() {
      server = (await startServer(String(port), args)).process;
    },
  };
}

/** Port -1: it takes a free one and says which. */
function startServer(
  port: string,
  args: readonly string[],
): Promise<{ readonly process: ChildProcess; readonly port: number }> {
  // Debian keeps it out of the PATH of ordinary users.
  const path = [process.env.PATH ?? '', '/usr/sbin'].join(delimiter);
  const server = spawn('nats-server', ['--addr', '127.0.0.1', '--port', port, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PATH: path },
  });
  // A run that ends before its time takes its server along.
  const end = () => server.kill('SIGKILL');
  process.once('exit', end);
  server.once('exit', () => process.off('exit', end));
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new Error(`nats-server is needed: ${error.message}`)));
    server.once('exit', () => reject(new Error(`nats-server did not start: ${lines.join('')}`)));
    server.stderr?.on('data', (chunk: Uint8Array) => {
      lines.push(String(chunk));
      lines.splice(0, lines.length - MAX_LOG_LINES);
      const said = lines.join('');
      const listening = /client connections on 127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (listening !== undefined && said.includes('Server is ready')) {
        resolve({ process: server, port: Number(listening) });
      }
    });
  });
}
