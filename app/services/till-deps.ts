import type { Clock } from '../ports/clock.ts';
import type { HostBooks } from '../ports/host-books.ts';
import type { Ids } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import type { Terminal } from '../ports/terminal.ts';
import type { TipCaptures } from '../ports/tip-captures.ts';
import type { TipsOf } from '../ports/tips.ts';
import type { TrainingControl } from '../ports/training.ts';

/** A terminal and what the shop has settled for it. The engine starts and stops it. */
export interface AttachedTerminal {
  readonly terminal: Terminal;
  /** The one currency in which it settles (decisions: Terminal currency). */
  readonly currency: string;
  /** No real money can move: answers say `simulated: true` (decisions section 6). */
  readonly simulated: boolean;
  /** Arms the virtual terminal of a training till; without it no sandbox rule is evaluated. */
  readonly training?: TrainingControl | undefined;
  /** A sale whose request names no tip has the cardholder asked for one. */
  readonly asksTip?: boolean;
}

export interface TillSettings {
  readonly merchantId: string;
  readonly merchantName: string;
  /** IANA name, e.g. `Europe/Berlin` (decisions: Business day). */
  readonly timeZone: string;
  /** Local time HH:MM at which the business day changes. */
  readonly dayCutOff: string;
  /** How long `stop` waits for a running exchange before it leaves it to recovery, milliseconds. */
  readonly stopGraceMs: number;
  /** Of what the terminals ask, BCP 47; English where left out. */
  readonly language?: string | undefined;
}

/** Everything that the engine takes from outside. */
export interface TillDeps {
  readonly journal: Journal;
  /** At least one. */
  readonly terminals: readonly AttachedTerminal[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Keyed hash of a text, lower-case hex (HMAC-SHA-256 under a key of this till): compares bodies without keeping them (decisions: Idempotency-Key). */
  readonly hmac: (text: string) => string;
  readonly settings: TillSettings;
  /** Absent without a host. */
  readonly hostBooks?: HostBooks;
  /** Absent without a host: no terminal asks for a tip. */
  readonly tipsOf?: TipsOf;
  /** Absent without a host. */
  readonly tipCaptures?: TipCaptures;
}
