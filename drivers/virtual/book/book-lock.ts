// One program per book. The lock file names its holder by process id and start time, so that a kill leaves no lasting lock
// and a process id used again is not taken for the holder.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Attempts to take over a lock whose holder is gone, before somebody else is believed to be faster. */
const MAX_TAKE_OVERS = 3;

export type LockResult =
  | { readonly ok: true; readonly release: () => void }
  | { readonly ok: false; readonly holderPid: number };

interface Holder {
  readonly pid: number;
  readonly startedAt: string;
}

/** Takes the lock of a file, or names the process that has it. */
export function acquireLock(path: string): LockResult {
  const lockPath = `${path}.lock`;
  const own = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) } satisfies Holder);
  const draft = `${lockPath}.${process.pid}`;
  writeFileSync(draft, own);
  try {
    for (let attempt = 0; attempt <= MAX_TAKE_OVERS; attempt++) {
      if (tryLink(draft, lockPath)) return { ok: true, release: () => releaseLock(lockPath, own) };
      const holder = readHolder(lockPath);
      if (holder !== undefined && isRunning(holder)) return { ok: false, holderPid: holder.pid };
      setAside(lockPath, draft);
    }
    return { ok: false, holderPid: readHolder(lockPath)?.pid ?? 0 };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A hard link is made whole or not at all, and never over an existing file. */
function tryLink(draft: string, lockPath: string): boolean {
  try {
    linkSync(draft, lockPath);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function setAside(lockPath: string, draft: string): void {
  try {
    renameSync(lockPath, `${draft}.stale`);
    rmSync(`${draft}.stale`, { force: true });
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

function releaseLock(lockPath: string, own: string): void {
  try {
    if (readFileSync(lockPath, 'utf8') === own) rmSync(lockPath, { force: true });
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

function readHolder(lockPath: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(lockPath, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isRunning({ pid, startedAt }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!isCode(error, 'EPERM')) return false;
  }
  return !isZombie(pid) && startOf(pid) === startedAt;
}

/** A killed process that its parent has not asked after yet: it has an id, and holds nothing any more. */
function isZombie(pid: number): boolean {
  return statusFields(pid)[0] === 'Z';
}

/** Start time of a process in clock ticks since boot; empty where the system does not tell. */
function startOf(pid: number): string {
  return statusFields(pid)[19] ?? '';
}

/** Fields of /proc/PID/stat after the name, the state first; empty where the system does not tell. */
function statusFields(pid: number): readonly string[] {
  try {
    // The name in parentheses may hold spaces: fields are counted from its end.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
