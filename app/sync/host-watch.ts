import type { DeviceConfigResponse } from '../contract/host/device-config.ts';
import type { PosClientsResponse } from '../contract/host/pos-clients.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { HostLink } from './host-link.ts';
import { CALL_TIMEOUT_MS, HOST_CHECK_MS, REFUSED_CHECK_MS } from './sync-limits.ts';

/** The POS clients of a merchant as the till keeps them. */
export interface ClientKeeping {
  /** Of the list that was taken last; undefined before the first. */
  version(merchantId: string): number | undefined;
  /** All of it, or nothing. @throws BridgeError JOURNAL_UNAVAILABLE */
  take(merchantId: string, told: PosClientsResponse): void;
  /** The till belongs to the merchant no more: what its host has made opens nothing any longer. */
  release(merchantId: string): void;
}

export interface HostWatchDeps {
  readonly links: () => readonly HostLink[];
  readonly clients: ClientKeeping;
  readonly clock: Clock;
  readonly log: Log;
}

/** Asks the hosts again and again how they are, and takes from them what has changed. */
export interface HostWatch {
  start(): void;
  stop(): void;
  /** Asks one now. Never rejects. */
  look(link: HostLink): Promise<void>;
}

export function createHostWatch({ links, clients, clock, log }: HostWatchDeps): HostWatch {
  const stopping = new AbortController();
  const lookedMs = new Map<HostLink, number>();
  let cancelTimer: (() => void) | undefined;

  async function look(link: HostLink): Promise<void> {
    lookedMs.set(link, clock.monotonicMs());
    const config = await link.check(stopping.signal);
    // The clients of a host that was only given at a start would stay when it is given no more.
    if (config !== undefined && link.epoch() !== '') await fetchClients(link, config);
  }

  async function fetchClients(link: HostLink, { merchantId, posClientsVersion }: DeviceConfigResponse): Promise<void> {
    const epoch = link.epoch();
    if (clients.version(merchantId) === posClientsVersion) return;
    const reply = await link.client.posClients({ timeoutMs: CALL_TIMEOUT_MS, signal: stopping.signal });
    if (reply.kind !== 'ANSWERED' || stopping.signal.aborted || link.epoch() !== epoch) return;
    try {
      clients.take(merchantId, reply.body);
      log.info('The POS clients of the host were taken.', { sequence: reply.body.version });
    } catch (error) {
      log.error('The POS clients of the host could not be kept; they are fetched again.', { reason: String(error) });
    }
  }

  function isDue(link: HostLink): boolean {
    const last = lookedMs.get(link);
    const pauseMs = link.view().state === 'REFUSED' ? REFUSED_CHECK_MS : HOST_CHECK_MS;
    return last === undefined || clock.monotonicMs() - last >= pauseMs;
  }

  function round(): void {
    for (const link of links()) if (isDue(link)) void look(link);
    cancelTimer = clock.after(HOST_CHECK_MS, round);
  }

  return {
    start: round,
    stop() {
      stopping.abort();
      cancelTimer?.();
    },
    look,
  };
}
