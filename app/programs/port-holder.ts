import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const listening = '0A';
const toolTimeoutMs = 3000;
const execute = promisify(execFile);

/** Who listens on a TCP port of this machine, in words for an operator (`node (pid 4711)`); undefined when that cannot be seen. Never rejects. */
export async function portHolder(port: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') return await holderFromProc(port);
    if (process.platform === 'win32') return await holderFromNetstat(port);
    return await holderFromLsof(port);
  } catch {
    // Naming the holder is a courtesy; another user's process may not be visible.
    return undefined;
  }
}

async function holderFromProc(port: number): Promise<string | undefined> {
  const files = ['/proc/net/tcp', '/proc/net/tcp6'];
  const inodes = new Set((await Promise.all(files.map((file) => listeningInodes(file, port)))).flat());
  if (inodes.size === 0) return undefined;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (await ownsSocket(pid, inodes)) return `${(await readFile(`/proc/${pid}/comm`, 'utf8')).trim()} (pid ${pid})`;
  }
  return undefined;
}

/** Columns of /proc/net/tcp: 1 local address as hex IP:port, 3 state, 9 inode. */
async function listeningInodes(file: string, port: number): Promise<string[]> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  return (await readFile(file, 'utf8'))
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(`:${hexPort}`) && columns[3] === listening)
    .flatMap((columns) => columns[9] ?? []);
}

async function ownsSocket(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  try {
    const files = await readdir(`/proc/${pid}/fd`);
    const targets = await Promise.all(files.map((file) => linkTarget(`/proc/${pid}/fd/${file}`)));
    return targets.some((target) => target.startsWith('socket:[') && inodes.has(target.slice('socket:['.length, -1)));
  } catch {
    return false;
  }
}

async function linkTarget(path: string): Promise<string> {
  try {
    return await readlink(path);
  } catch {
    return '';
  }
}

async function run(command: string, args: readonly string[]): Promise<string> {
  return (await execute(command, [...args], { encoding: 'utf8', timeout: toolTimeoutMs })).stdout;
}

async function holderFromLsof(port: number): Promise<string | undefined> {
  const fields = (await run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'])).split('\n');
  const pid = fields.find((field) => field.startsWith('p'))?.slice(1);
  const name = fields.find((field) => field.startsWith('c'))?.slice(1);
  return pid === undefined ? undefined : `${name ?? 'a program'} (pid ${pid})`;
}

async function holderFromNetstat(port: number): Promise<string | undefined> {
  const line = (await run('netstat', ['-ano', '-p', 'TCP']))
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find((columns) => columns[1]?.endsWith(`:${port}`) && columns[3] === 'LISTENING');
  const pid = line?.[4];
  if (pid === undefined) return undefined;
  const name = (await run('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'])).split('","')[0]?.replace('"', '');
  return `${name ?? 'a program'} (pid ${pid})`;
}
