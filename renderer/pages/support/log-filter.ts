import type { LogLineView } from '../../../app/contract/console/support.ts';
import type { Tone } from '../../components/status-badge.tsx';

type Level = LogLineView['level'];

/** The levels that can be chosen, from the least. */
export const levelTexts = [
  ['debug', 'support:level.debug'],
  ['info', 'support:level.info'],
  ['warn', 'support:level.warn'],
  ['error', 'support:level.error'],
] as const;

export const levelTones: Readonly<Record<Level, Tone>> = { debug: 'INFO', info: 'INFO', warn: 'WARN', error: 'BAD' };

/** What a line is about, by the fields that it has. */
export const aboutTexts = [
  ['ALL', 'support:about.all'],
  ['REQUESTS', 'support:about.requests'],
  ['TERMINALS', 'support:about.terminals'],
  ['TILL', 'support:about.till'],
] as const;

export interface LogFilter {
  /** The least that is shown. */
  readonly level: Level;
  readonly about: (typeof aboutTexts)[number][0];
  readonly text: string;
}

export function isShown(line: LogLineView, { level, about, text }: LogFilter): boolean {
  const rank = (of: Level) => levelTexts.findIndex(([each]) => each === of);
  if (rank(line.level) < rank(level)) return false;
  if (about !== 'ALL' && about !== aboutOf(line)) return false;
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  return [line.message, ...Object.values(line.fields)].some((part) => String(part).toLowerCase().includes(wanted));
}

function aboutOf({ fields }: LogLineView): LogFilter['about'] {
  if (fields.route !== undefined) return 'REQUESTS';
  return fields.terminalId === undefined ? 'TILL' : 'TERMINALS';
}
