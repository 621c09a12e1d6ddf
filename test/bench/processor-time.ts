import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of a second in /proc; 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Seconds of processor time that a process and its children have taken so far; NaN where there is no /proc. */
export function processorSeconds(pid: number): number {
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const ours = ids.flatMap((id) => {
      const stat = statOf(id);
      if (stat?.pid === pid) return [stat.ticks + stat.ticksOfEnded];
      return stat?.parent === pid ? [stat.ticks] : [];
    });
    return ours.reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  /** Of children that have ended. */
  readonly ticksOfEnded: number;
}

/** Undefined for one that has just ended. */
function statOf(id: string): Stat | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // The name in brackets may hold anything; what follows it is numbers.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const sum = (...places: readonly number[]) => places.reduce((ticks, place) => ticks + Number(fields[place]), 0);
    return { pid: Number(id), parent: Number(fields[1]), ticks: sum(11, 12), ticksOfEnded: sum(13, 14) };
  } catch {
    return undefined;
  }
}

/** The process that has started this one; NaN where there is no /proc. */
export function parentOf(pid: number): number {
  return statOf(String(pid))?.parent ?? Number.NaN;
}
