import type { LogFields } from './log.ts';

/** One line of the log as people may see it: what was written to its file, and nothing else. */
export interface LogLine {
  /** Rises by one with each line. */
  readonly sequence: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly level: LogLevel;
  readonly message: string;
  /** Fields of LogFields. */
  readonly fields: Readonly<Partial<Record<keyof LogFields, string | number>>>;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The newest lines of the log, also those of the run before. */
export interface LogView {
  /** What is still kept after a sequence, oldest first. */
  after(sequence: number): readonly LogLine[];
}
