import { createBusinessDates } from '../app/domain/business-day.ts';
import type { Clock } from '../app/ports/clock.ts';
import type { Ids } from '../app/ports/ids.ts';
import type { Log } from '../app/ports/log.ts';
import { createLinkLeases } from './nodes/link-leases.ts';
import type { NodeBus } from './nodes/node-bus.ts';
import { createNodePresence } from './nodes/node-presence.ts';
import { routeCalls } from './nodes/routed-calls.ts';
import { routeEvents } from './nodes/routed-events.ts';
import type { Acquirer } from './ports/acquirer.ts';
import type { HostStore } from './ports/host-store.ts';
import { buildHostServer } from './server/build-host-server.ts';
import { defaultLinkSettings } from './server/link/link-settings.ts';
import { receiveWake, shareLinks } from './server/link/shared-links.ts';
import { createTerminalLinkHub, type TerminalLinkHub } from './server/link/terminal-link-hub.ts';
import { defaultHostServerSettings } from './server/server-options.ts';
import { createHostServices } from './services/create-host-services.ts';
import type { HostDeps } from './services/host-deps.ts';
import { ACQUIRER_TIMEOUT_MS } from './services/host-limits.ts';
import { pause } from './services/within.ts';
import { openWakeChannel } from './storage/wake-channel.ts';

/** What a host is made of; whoever makes these opens them, and the host closes store and acquirer. */
export interface HostParts {
  readonly store: HostStore;
  /** As openHostStore takes it. */
  readonly database: string;
  readonly acquirer: Acquirer;
  readonly acquirerName: HostDeps['acquirerName'];
  readonly hmac: HostDeps['hmac'];
  readonly clock: Clock;
  readonly ids: Ids;
  /** To the other processes on the database; absent where there are none. The host closes it. */
  readonly bus?: NodeBus;
  readonly log: Log;
  readonly version: string;
}

/** Milliseconds for which a start waits for the acquirer's line, and between two looks; a host without one answers that it cannot reach it. */
const acquirerWaitMs = 5_000;
const acquirerLookMs = 10;

/** A host of this run, not listening yet. */
export interface RunningHost {
  /** Connects to the acquirer, begins what comes by time, and listens. Resolves with the address. @throws the system's error for a taken port */
  start(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Takes nothing new, answers what runs, and closes everything, the database last. */
  stop(): Promise<void>;
}

/** Puts the host together: store, acquirer, services, server, and the channel to the other processes on its database. */
export async function createHost(parts: HostParts): Promise<RunningHost> {
  const { store, acquirer, clock, ids, log, bus } = parts;
  const processId = bus?.node ?? ids.next();
  const presence = bus === undefined ? undefined : createNodePresence({ store, bus, clock, log });
  const leases =
    bus === undefined || presence === undefined ? undefined : createLinkLeases({ store, bus, presence, clock, log });
  const ownLinks = createTerminalLinkHub(
    { clock, log, ...(leases === undefined ? {} : { watch: leases }) },
    defaultLinkSettings,
  );
  // Where there are several nodes, a call goes to the one that holds the terminal, and its events come from there.
  const hub: TerminalLinkHub =
    bus === undefined || leases === undefined
      ? ownLinks
      : {
          ...ownLinks,
          ...routeCalls({ hub: ownLinks, bus, store, leases, clock, log }),
          ...routeEvents({ links: ownLinks, bus, leases }),
        };
  const graceMs = defaultHostServerSettings.closeGraceMs;
  let passedCalls: Promise<unknown> = Promise.resolve();
  // One host has a SQLite database for itself; on PostgreSQL another may hold the link of a terminal.
  const isAlone = parts.database.startsWith('sqlite:');
  const channel = isAlone
    ? undefined
    : openWakeChannel(parts.database, {
        ...{ clock, log, processId },
        onWake: (payload) => receiveWake(hub, payload),
        onMissed: () => {
          hub.wakeAll('PAYMENT_SESSION');
          hub.wakeAll('CONFIGURATION');
        },
      });
  const links = channel === undefined ? hub : shareLinks(hub, (payload) => void channel.publish(payload));
  const services = createHostServices(
    {
      ...parts,
      ...{ links, calls: hub, processId, acquirerTimeoutMs: ACQUIRER_TIMEOUT_MS },
      businessDateOf: createBusinessDates(),
    },
    { isAlone },
  );
  const server = await buildHostServer(
    { ...parts, host: services.host, links: { ...hub, closeAll: () => passedCalls.then(hub.closeAll) } },
    { ...defaultHostServerSettings, version: parts.version },
  );
  return {
    async start(address) {
      const baseUrl = await server.listen(address);
      await acquirer.start();
      await firstConnection(acquirer, clock);
      services.start();
      return baseUrl;
    },
    async stop() {
      // What other nodes have passed on is answered before the links close.
      passedCalls = bus?.settle(graceMs) ?? passedCalls;
      await server.close();
      await services.stop();
      await presence?.stop();
      await leases?.stop();
      await bus?.close();
      await channel?.close();
      await acquirer.stop();
      await store.close();
    },
  };
}

async function firstConnection(acquirer: Acquirer, clock: Clock): Promise<void> {
  const endMs = clock.monotonicMs() + acquirerWaitMs;
  while (!acquirer.isReady() && clock.monotonicMs() < endMs) await pause(clock, acquirerLookMs);
}
