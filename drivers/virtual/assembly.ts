import type { Clock } from '../../app/ports/clock.ts';
import type { TestCard } from './cards.ts';
import type { ControlledTerminal } from './controlled-terminal.ts';
import type { TerminalOptions } from './options.ts';
import type { FaultScript } from './rules.ts';

/** Times that a test changes. */
export interface TimeOverrides {
  readonly slowMs?: number;
  readonly outageMs?: number;
  /** how long a card, a PIN or a key is waited for */
  readonly cardTimeoutMs?: number;
}

/** What each protocol puts its terminal together from. */
export interface AssemblyDeps {
  readonly options: TerminalOptions;
  /** of ISO 4217: number, and digits of the minor unit */
  readonly currency: { readonly number: string; readonly digits: number };
  readonly bookPath: string;
  /** told to the till, which finds the control interface by it */
  readonly controlPort: number;
  readonly clock: Clock;
  readonly onFatal: (error: unknown) => void;
  readonly overrides: TimeOverrides;
}

/** A terminal of one protocol, with its book, on its line; nothing of it runs yet. */
export interface AssembledTerminal {
  readonly terminal: ControlledTerminal & { start(): Promise<void>; stop(): Promise<void> };
  readonly cards: readonly TestCard[];
  readonly script: FaultScript;
  readonly readBook: () => object;
  readonly closeBook: () => void;
  /** the TCP port in use, once started */
  readonly tcpPort: () => number | null;
}

/** @throws BookError when the book cannot be used */
export type AssembleTerminal = (deps: AssemblyDeps) => AssembledTerminal;

/** How long a card is waited for. */
export const CARD_TIMEOUT_MS = 60_000;
/** How long `slow` takes. */
export const SLOW_MS = 3000;
/** How long a terminal is gone after `unplug` and `reboot`. */
export const OUTAGE_MS = 3000;
