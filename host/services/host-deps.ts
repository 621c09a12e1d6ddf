import type { BusinessDateOf } from '../../app/domain/business-day.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Ids } from '../../app/ports/ids.ts';
import type { Log } from '../../app/ports/log.ts';
import type { Acquirer } from '../ports/acquirer.ts';
import type { HostStore } from '../ports/host-store.ts';

/** Tells linked terminals that there is something to fetch; a wake-up that is lost changes nothing but the time (decisions: Device additions). */
export interface TerminalLinks {
  wake(
    terminal: { readonly merchantId: string; readonly terminalId: string },
    subject: 'PAYMENT_SESSION' | 'CONFIGURATION',
  ): void;
}

/** Everything that the host's services take from outside. */
export interface HostDeps {
  readonly store: HostStore;
  readonly acquirer: Acquirer;
  /** Name under which its trace numbers and messages are kept. */
  readonly acquirerName: 'simulator' | 'iso8583';
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** By the time zone and cut-off of the terminal (decisions: Business day). */
  readonly businessDateOf: BusinessDateOf;
  readonly links: TerminalLinks;
  /** Keyed hash of a text, lower-case hex (HMAC-SHA-256 under a key of this host): compares bodies and finds credentials without keeping them. */
  readonly hmac: (text: string) => string;
  /** Name of this process among those that share the database, unique for its life. */
  readonly processId: string;
  /** Milliseconds that a call waits for the acquirer's answer: ACQUIRER_TIMEOUT_MS. */
  readonly acquirerTimeoutMs: number;
}
