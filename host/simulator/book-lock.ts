// One program per book. The lock file names its holder by process id and start time: a kill leaves no lasting lock, and a process id that is used
// again is not taken for the holder.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

type LockResult =
  | { readonly ok: true; readonly release: () => void }
  | { readonly ok: false; readonly holderPid: number };

/** Takes the lock of a file, or names the process that has it. */
export function takeLock(path: string): LockResult {
  const lockPath = `${path}.lock`;
  const own = `${process.pid} ${startOf(process.pid)}`;
  const release = () => rmSync(lockPath, { force: true });
  try {
    writeFileSync(lockPath, own, { flag: 'wx' });
    return { ok: true, release };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const [pid = '0', startedAt = ''] = readFileSync(lockPath, 'utf8').split(' ');
  if (isRunning(Number(pid)) && startOf(Number(pid)) === startedAt) return { ok: false, holderPid: Number(pid) };
  writeFileSync(lockPath, own);
  return { ok: true, release };
}

function isRunning(pid: number): boolean {
  if (pid <= 0 || fieldsOf(pid)[0] === 'Z') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Start time of a process in clock ticks since boot; empty where the system does not tell. */
function startOf(pid: number): string {
  return fieldsOf(pid)[19] ?? '';
}

/** Fields of /proc/PID/stat after the name, the state first; empty where the system does not tell. */
function fieldsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}
