import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { MAX_LISTED_LOG_LINES } from '../contract/console/console-limits.ts';
import type { LogLine, LogView } from '../ports/log-view.ts';
import { parseLogLine } from './parse-log-line.ts';

/** Bytes of the log file's end out of which the newest lines of the run before are taken. */
const maxTailBytes = 256 * 1024;

export interface LogRing extends LogView {
  add(line: Omit<LogLine, 'sequence'>): void;
}

/** Keeps the newest lines; the oldest goes when another comes. @param path log file, whose end it begins with */
export function createLogRing(path: string): LogRing {
  let sequence = 0;
  let lines: LogLine[] = [];

  function add(line: Omit<LogLine, 'sequence'>): void {
    sequence += 1;
    lines.push({ ...line, sequence });
    // Cut seldom, so that a line costs the same however many are kept.
    if (lines.length >= 2 * MAX_LISTED_LOG_LINES) lines = lines.slice(-MAX_LISTED_LOG_LINES);
  }

  for (const text of tailOf(path).split('\n')) {
    const line = parseLogLine(text);
    if (line !== undefined) add(line);
  }
  return {
    add,
    after: (given) => lines.slice(-MAX_LISTED_LOG_LINES).filter((line) => line.sequence > given),
  };
}

/** The end of a file; empty when there is none. Its first line may be cut, and is no line of the log then. */
function tailOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, maxTailBytes));
      readSync(file, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString('utf8');
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
