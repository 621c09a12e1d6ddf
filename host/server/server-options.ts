import { MAX_HOST_REQUEST_BURST, MAX_HOST_REQUESTS_PER_SECOND } from '../../app/contract/host/host-limits.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Ids } from '../../app/ports/ids.ts';
import type { Log } from '../../app/ports/log.ts';
import type { NodeBus } from '../nodes/node-bus.ts';
import type { Acquirer } from '../ports/acquirer.ts';
import type { HostStore } from '../ports/host-store.ts';
import type { Host } from '../services/host.ts';
import { defaultLinkSettings } from './link/link-settings.ts';
import type { TerminalLinkHub } from './link/terminal-link-hub.ts';
import { defaultPosSessionSettings, type PosSessionSettings } from './session/session-settings.ts';

/** What the server stands on; all of it is passed in by the composition root. */
export interface HostServerDeps {
  readonly host: Host;
  /** As far as the server tells of it. */
  readonly store: Pick<HostStore, 'isReady' | 'isAnotherNodeHeard'> & {
    readonly read: Pick<HostStore['read'], 'countOpenTasks' | 'countOpenReversals' | 'countSessionsInRecovery'>;
  };
  readonly acquirer: Pick<Acquirer, 'capabilities' | 'isReady'>;
  readonly acquirerName: 'simulator' | 'iso8583';
  readonly links: TerminalLinkHub;
  /** Where there are several hosts. */
  readonly bus?: Pick<NodeBus, 'node' | 'isConnected' | 'onChange'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** What the operator may set. Every number has its unit in its name. */
export interface HostServerSettings {
  /** Version of the program, for /health and /v1/meta. */
  readonly version: string;
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /** Connections of all callers together; further ones are closed at once. */
  readonly maxConnections: number;
  /** Milliseconds that a close waits for running calls to be answered; longer than the acquirer is waited for. */
  readonly closeGraceMs: number;
  readonly posSessions: PosSessionSettings;
}

/** Everything but the version. */
export const defaultHostServerSettings: Omit<HostServerSettings, 'version'> = {
  requestsPerSecond: MAX_HOST_REQUESTS_PER_SECOND,
  requestBurst: MAX_HOST_REQUEST_BURST,
  // Every link is a connection, too; callers have 4,096 beside them.
  maxConnections: defaultLinkSettings.maxLinks + 4_096,
  closeGraceMs: 90_000,
  posSessions: defaultPosSessionSettings,
};
