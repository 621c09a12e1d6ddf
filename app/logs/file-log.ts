import { join } from 'node:path';
import { pino } from 'pino';
import type { Clock } from '../ports/clock.ts';
import type { Log, LogFields } from '../ports/log.ts';
import type { LogLevel, LogView } from '../ports/log-view.ts';
import { allowedFields, cleanText } from './allowed-fields.ts';
import { hideSecrets } from './hide-secrets.ts';
import { humanLine } from './human-line.ts';
import { createLogRing } from './log-ring.ts';
import { openRotatingFile } from './rotating-file.ts';

export interface FileLogOptions {
  /** Folder of the log files; made when it is missing. */
  readonly directory: string;
  readonly clock: Clock;
  /** Least level that is written. Default `info`. */
  readonly level?: LogLevel;
  /** Bytes of one file before the next is begun. Default 10 MiB. */
  readonly maxFileBytes?: number;
  /** Files that are kept, the current one included. Default 5. */
  readonly maxFiles?: number;
  /** Where the short lines for people go, each without its line feed. Default: the process's stderr. */
  readonly writeHumanLine?: (line: string) => void;
}

export interface FileLog extends Log {
  /** Its newest lines. */
  readonly view: LogView;
  /** Closes the file; later lines go to the human lines only. */
  close(): void;
}

const fileName = 'till.log';
const defaultMaxFileBytes = 10 * 1024 * 1024;
const defaultMaxFiles = 5;

/**
 * The till's log: JSON lines in `till.log` (then `till.1.log` … the older), and a short line for people for each. Only the fields of LogFields
 * are written (decisions: no card data, keys or bodies at rest); text is cut and cleaned. A disk that
 * refuses never stops the till: it is told once in the lines for people.
 * @throws the system's error when the folder or file cannot be made
 */
export function createFileLog(options: FileLogOptions): FileLog {
  const writeHumanLine = options.writeHumanLine ?? ((line) => process.stderr.write(`${line}\n`));
  const level = options.level ?? 'info';
  const path = join(options.directory, fileName);
  const ring = createLogRing(path);
  const file = openRotatingFile({
    path,
    maxFileBytes: options.maxFileBytes ?? defaultMaxFileBytes,
    maxFiles: options.maxFiles ?? defaultMaxFiles,
    onLost: (reason) =>
      writeHumanLine(humanLine(options.clock.nowMs(), 'error', 'log file cannot be written', { reason })),
  });
  const json = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date(options.clock.nowMs()).toISOString()}"`,
    },
    file,
  );

  function write(at: LogLevel, message: string, fields: LogFields = {}): void {
    if (!json.isLevelEnabled(at)) return;
    const text = hideSecrets(cleanText(message));
    const kept = allowedFields(fields, hideSecrets);
    json[at](kept, text);
    ring.add({ at: new Date(options.clock.nowMs()).toISOString(), level: at, message: text, fields: kept });
    writeHumanLine(humanLine(options.clock.nowMs(), at, text, kept));
  }

  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    view: ring,
    close: () => file.close(),
  };
}
