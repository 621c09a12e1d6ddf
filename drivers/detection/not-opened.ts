import type { SearchResult } from '../../app/ports/terminal-finder.ts';
import type { TransportError, TransportErrorKind } from '../transport/transport.ts';

export type NotFound = Extract<SearchResult, { kind: 'NOT_FOUND' }>;

const problems = {
  REFUSED: 'REFUSED',
  NO_ROUTE: 'NO_ROUTE',
  NAME_NOT_FOUND: 'NAME_NOT_FOUND',
  SILENT: 'SILENT',
  NO_SUCH_PORT: 'NO_SUCH_PORT',
  PORT_IN_USE: 'PORT_IN_USE',
  NO_PERMISSION: 'NO_PERMISSION',
  CLOSED: 'NO_ANSWER',
  NO_DRIVER: 'NO_DRIVER',
  OTHER: 'OTHER',
} as const satisfies Record<TransportErrorKind, NotFound['problem']>;

/** What a line that could not be opened, or was lost, says to whoever searches. */
export function notOpened({ kind, message }: TransportError): NotFound {
  return { kind: 'NOT_FOUND', problem: problems[kind], words: message };
}
