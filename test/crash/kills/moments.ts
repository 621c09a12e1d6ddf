import type { Side, TerminalKind } from '../../support/paired-shop.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';

/** A line on which messages are counted. */
export type Line = 'HOST_LINE' | 'TERMINAL_LINE';

/** A message of a line, or a commit of one of the two programs, counted from the beginning of an order. */
type Moment =
  | { readonly kind: 'BEFORE_MESSAGE' | 'AFTER_MESSAGE'; readonly line: Line; readonly count: number }
  | { readonly kind: 'AFTER_COMMIT'; readonly of: Side; readonly count: number };

/** Who dies when, and for how long. */
export interface Kill {
  readonly moment: Moment;
  readonly victims: readonly Side[];
  /** Milliseconds until the first of them is started again. */
  readonly downMs: number;
}

/** The last moments of an order that are worth waiting for: messages on each line, commits of the till, writes of the host's database. */
interface Reach {
  readonly hostLine: number;
  readonly terminalLine: number;
  readonly till: number;
  readonly host: number;
}
const OF_SESSION: Reach = { hostLine: 16, terminalLine: 14, till: 7, host: 14 };
const OF_LOCAL: Reach = { hostLine: 3, terminalLine: 12, till: 3, host: 4 };
const LONGEST_DOWN_MS = 2_000;

/** @param isSession whether the host has ordered it: then more of it goes over the line between the two */
export function pickKill(random: SeededRandom, kind: TerminalKind, isSession: boolean): Kill {
  return {
    moment: pickMoment(random, kind, isSession ? OF_SESSION : OF_LOCAL),
    victims: random.pick([['TILL'], ['TILL'], ['HOST'], ['HOST'], ['TILL', 'HOST']] as const),
    downMs: random.pick([0, 0, 0, random.between(1, LONGEST_DOWN_MS)]),
  };
}

function pickMoment(random: SeededRandom, kind: TerminalKind, reach: Reach): Moment {
  const where = random.pick(['LINE', 'LINE', 'COMMIT'] as const);
  if (where === 'COMMIT') {
    const of = random.pick(['TILL', 'HOST'] as const);
    return { kind: 'AFTER_COMMIT', of, count: random.between(1, of === 'TILL' ? reach.till : reach.host) };
  }
  // A reader is on a serial line, where nothing is counted.
  const line = kind === 'READER' ? 'HOST_LINE' : random.pick(['HOST_LINE', 'TERMINAL_LINE'] as const);
  const count = random.between(1, line === 'HOST_LINE' ? reach.hostLine : reach.terminalLine);
  return { kind: random.pick(['BEFORE_MESSAGE', 'AFTER_MESSAGE'] as const), line, count };
}

/** For counting: the kind of moment without its number. */
export function nameOf({ moment, victims }: Kill): string {
  const where = moment.kind === 'AFTER_COMMIT' ? moment.of : moment.line;
  return `${victims.join('+')} ${moment.kind} ${where}`;
}
