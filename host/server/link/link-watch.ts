import type { TerminalName } from '../../ports/terminal-calls.ts';

/** Why a link that works is closed. */
export type LinkEnd =
  /** The terminal is linked elsewhere. */
  | 'REPLACED'
  /** It cannot be used now; the till comes again. */
  | 'TRY_LATER'
  /** Other nodes do not reach it here: closed unless a call waits for its answer; told again while that is so. */
  | 'CUT_OFF';

/** A link as whoever watches it may use it. */
export interface WatchedLink {
  /** Asks for the terminal's events from now on, whoever listens. */
  listen(): void;
  close(why: LinkEnd): void;
}

/** Whoever must know which terminals are linked to this process. */
export interface LinkWatch {
  /** Whether a terminal that links now would be reached. */
  canOpen(): boolean;
  /** Told while the link is opened, before anything else is sent over it. @returns what is called once it is no longer the terminal's link here */
  opened(terminal: TerminalName, link: WatchedLink): () => void;
}
