import type { LogFields } from '../ports/log.ts';
import type { LogLine } from '../ports/log-view.ts';
import { allowedFields, cleanText } from './allowed-fields.ts';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const levels = ['debug', 'info', 'warn', 'error'] as const;

/**
 * A line of the log file, by its allowed fields; undefined for anything else.
 * @param clean what becomes of its texts
 */
export function parseLogLine(
  text: string,
  clean: (text: string) => string = cleanText,
): Omit<LogLine, 'sequence'> | undefined {
  const line = objectOf(text);
  if (line === undefined) return undefined;
  const { time, message } = line;
  const level = levels.find((known) => known === line.level);
  if (level === undefined || typeof time !== 'string' || !instant.test(time)) return undefined;
  if (typeof message !== 'string') return undefined;
  return { at: time, level, message: clean(message), fields: allowedFields(line as LogFields, clean) };
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
