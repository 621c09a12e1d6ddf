import { pino } from 'pino';
import { allowedFields, cleanText } from '../../app/logs/allowed-fields.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log, LogFields } from '../../app/ports/log.ts';

const stderr = 2;

/** JSON lines on stderr, for whatever collects the logs of services. Only the fields of the till's allow-list are written, and no card number. */
export function createStderrLog(clock: Clock): Log {
  const json = pino(
    {
      base: null,
      messageKey: 'message',
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date(clock.nowMs()).toISOString()}"`,
    },
    pino.destination({ fd: stderr, sync: true }),
  );
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}): void => {
      if (json.isLevelEnabled(level)) json[level](allowedFields(fields), cleanText(message));
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
