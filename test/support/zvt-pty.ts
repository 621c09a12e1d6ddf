import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './zvt-clock.ts';

export interface Pty {
  /** What a serial terminal URL names. */
  readonly path: string;
  /** The other end, byte for byte. */
  readonly far: Socket;
  /** The other end goes away. */
  unplug(): Promise<void>;
  close(): Promise<void>;
}

/** A real pseudo terminal by socat, whose other end is a socket of this process. */
export async function openPty(): Promise<Pty> {
  const folder = await mkdtemp(join(tmpdir(), 'pty-'));
  const path = join(folder, 'tty');
  let far: Socket | undefined;
  const server = createServer((socket) => {
    far = socket;
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const child = spawn('socat', [`PTY,link=${path},raw,echo=0`, `TCP:127.0.0.1:${port},nodelay`], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until(() => far !== undefined && existsSync(path), 'pty of socat');
  if (far === undefined) throw new Error('socat did not connect');
  const unplug = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return {
    path,
    far,
    unplug,
    async close() {
      await unplug();
      far?.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
