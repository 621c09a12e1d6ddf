import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const listening = '0A';
const toolTimeoutMs = 3000;

/** Who listens on a TCP port of this machine, in words for an operator (`node (pid 4711)`); undefined when that cannot be seen. */
export function portHolder(port: number): string | undefined {
  try {
    if (process.platform === 'linux') return holderFromProc(port);
    if (process.platform === 'win32') return holderFromNetstat(port);
    return holderFromLsof(port);
  } catch {
    // Naming the holder is a courtesy; another user's process may not be visible.
    return undefined;
  }
}

function holderFromProc(port: number): string | undefined {
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => listeningInodes(file, port)));
  if (inodes.size === 0) return undefined;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (ownsSocket(pid, inodes)) return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (pid ${pid})`;
  }
  return undefined;
}

/** Columns of /proc/net/tcp: 1 local address as hex IP:port, 3 state, 9 inode. */
function listeningInodes(file: string, port: number): string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(`:${hexPort}`) && columns[3] === listening)
    .flatMap((columns) => columns[9] ?? []);
}

function ownsSocket(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const target = linkTarget(`/proc/${pid}/fd/${fd}`);
      return target.startsWith('socket:[') && inodes.has(target.slice('socket:['.length, -1));
    });
  } catch {
    return false;
  }
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, [...args], {
    encoding: 'utf8',
    timeout: toolTimeoutMs,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function holderFromLsof(port: number): string | undefined {
  const fields = run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']).split('\n');
  const pid = fields.find((field) => field.startsWith('p'))?.slice(1);
  const name = fields.find((field) => field.startsWith('c'))?.slice(1);
  return pid === undefined ? undefined : `${name ?? 'a program'} (pid ${pid})`;
}

function holderFromNetstat(port: number): string | undefined {
  const line = run('netstat', ['-ano', '-p', 'TCP'])
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find((columns) => columns[1]?.endsWith(`:${port}`) && columns[3] === 'LISTENING');
  const pid = line?.[4];
  if (pid === undefined) return undefined;
  const name = run('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'])
    .split('","')[0]
    ?.replace('"', '');
  return `${name ?? 'a program'} (pid ${pid})`;
}
