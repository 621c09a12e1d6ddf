import { randomBytes, randomUUID } from 'node:crypto';
import type { HostEndpoint } from '../../../app/contract/host/host-endpoints.ts';
import type { Clock } from '../../../app/ports/clock.ts';
import type { Log, LogFields } from '../../../app/ports/log.ts';
import type { NodeBus } from '../../../host/nodes/node-bus.ts';
import { buildHostServer, type HostServer } from '../../../host/server/build-host-server.ts';
import { defaultLinkSettings, type LinkSettings } from '../../../host/server/link/link-settings.ts';
import type { LinkWatch } from '../../../host/server/link/link-watch.ts';
import { createTerminalLinkHub, type TerminalLinkHub } from '../../../host/server/link/terminal-link-hub.ts';
import { defaultHostServerSettings, type HostServerSettings } from '../../../host/server/server-options.ts';
import { createSystemClock } from '../../../host/system-clock.ts';
import { createFakeHost, credentials, type FakeHost } from './fake-host.ts';

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

export interface Harness extends FakeHost {
  readonly server: HostServer;
  readonly app: HostServer['app'];
  readonly links: TerminalLinkHub;
  readonly lines: readonly LogLine[];
  /** What the database and the acquirer say of themselves. */
  readonly state: {
    isDatabaseReady: boolean;
    isAcquirerReady: boolean;
    waiting: number;
    isAnotherNodeHeard: boolean;
  };
}

interface HarnessOptions extends Partial<HostServerSettings> {
  readonly clock?: Clock;
  readonly link?: Partial<LinkSettings>;
  readonly watch?: LinkWatch;
  /** To other nodes; without it the host is the only one. */
  readonly bus?: Pick<NodeBus, 'node' | 'isConnected' | 'onChange'>;
}

/** The real server on a fake host. */
export async function createHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { clock = createSystemClock(), link, bus, watch, ...settings } = options;
  const fake = createFakeHost();
  const lines: LogLine[] = [];
  const log = recordingLog(lines);
  const state = { isDatabaseReady: true, isAcquirerReady: true, waiting: 0, isAnotherNodeHeard: true };
  const count = async () => {
    if (!state.isDatabaseReady) throw new Error('away');
    return { open: state.waiting + 1, forPerson: state.waiting };
  };
  const countSessionsInRecovery = async () => (await count()).open;
  const links = createTerminalLinkHub(
    { clock, log, ...(watch === undefined ? {} : { watch }) },
    { ...defaultLinkSettings, ...link },
  );
  const server = await buildHostServer(
    {
      host: fake.host,
      store: {
        isReady: async () => state.isDatabaseReady,
        isAnotherNodeHeard: async () => state.isAnotherNodeHeard,
        read: { countOpenTasks: count, countOpenReversals: count, countSessionsInRecovery },
      },
      acquirer: {
        isReady: () => state.isAcquirerReady,
        capabilities: {
          canAdjustTips: true,
          canAsk: true,
          canInquireBalance: false,
          hasOwnReversalRepeats: false,
          maxAmountMinor: 999_999_999_999,
          authorizationValidDays: 7,
          isSimulated: true,
        },
      },
      acquirerName: 'simulator',
      ...(bus === undefined ? {} : { bus }),
      links,
      clock,
      ids: { next: () => randomUUID(), randomBytes: (byteCount) => randomBytes(byteCount) },
      log,
    },
    { ...defaultHostServerSettings, version: '9.9.9', requestsPerSecond: 1e6, requestBurst: 1e6, ...settings },
  );
  return { ...fake, server, app: server.app, links, lines, state };
}

function recordingLog(lines: LogLine[]): Log {
  const write =
    (level: string) =>
    (message: string, fields: LogFields = {}): void => {
      lines.push({ level, message, fields });
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** The right credential of an endpoint, in its header. */
export function rightCredential({ credential }: HostEndpoint): Record<string, string> {
  if (credential === 'device') return { authorization: `Bearer ${credentials.deviceToken}` };
  return credential === 'secret' ? { 'x-api-key': credentials.secretKey } : {};
}

/** A right request to an endpoint, as its documentation shows it. */
export function requestFor(endpoint: HostEndpoint, headers: Record<string, string> = rightCredential(endpoint)) {
  const query = endpoint.id === 'device.lookUp' ? '?transactionId=tx-1' : '';
  return {
    method: endpoint.method,
    url: endpoint.path.replace('{id}', 'p-1').replace('{settlementId}', 'settlement-1') + query,
    headers: { ...(endpoint.idempotency === 'required' ? { 'idempotency-key': 'key-1' } : {}), ...headers },
    ...(typeof endpoint.example === 'object' && endpoint.example !== null ? { payload: endpoint.example } : {}),
  };
}
