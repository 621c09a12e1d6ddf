import { randomBytes, randomUUID } from 'node:crypto';
import { createRequestRing } from '../../app/logs/request-ring.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log, LogFields } from '../../app/ports/log.ts';
import type { RequestLog } from '../../app/ports/request-log.ts';
import { type BridgeServer, buildServer } from '../../app/server/build-server.ts';
import { probePos } from '../../app/server/pos-probe.ts';
import {
  defaultServerSettings,
  defaultSessionSettings,
  type ServerSettings,
  type SessionSettings,
} from '../../app/server/server-options.ts';
import { createDoctor } from '../../app/services/doctor.ts';
import type { Till } from '../../app/services/till.ts';
import {
  createFakeCredentials,
  createFakeTill,
  type FakeCredentials,
  type FakeTill,
  goodKey,
} from '../support/fake-till.ts';

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

export interface Harness {
  readonly till: FakeTill;
  readonly credentials: FakeCredentials;
  readonly server: BridgeServer;
  readonly app: BridgeServer['app'];
  readonly lines: readonly LogLine[];
  /** What the console shows. */
  readonly requests: RequestLog;
  /** As the operator does while the till runs. */
  setAllowedOrigins(origins: readonly string[]): void;
}

/** Real time, with timers that keep nothing alive. */
const realClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export interface HarnessOptions extends Partial<Omit<ServerSettings, 'session'>> {
  readonly clock?: Clock;
  /** What the calls go to in place of the fake engine. */
  readonly engine?: Till;
  readonly session?: Partial<SessionSettings>;
}

/** The real server on a fake engine, unless it is given another. */
export async function createHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { clock = realClock, engine, session, ...settings } = options;
  const till = createFakeTill();
  const credentials = createFakeCredentials();
  const lines: LogLine[] = [];
  const requests = createRequestRing(clock);
  let allowed = settings.allowedOrigins ?? ['https://pos.example'];
  let address = 'http://127.0.0.1:8443';
  const ids = { next: () => randomUUID(), randomBytes: (byteCount: number) => randomBytes(byteCount) };
  const doctor = createDoctor({
    ...{ requests, clock, ids },
    allowedOrigins: () => allowed,
    posAccess: {
      url: () => address,
      probe: (probe) => probePos(address, probe),
      holderOf: async () => 'another program',
    },
  });
  const server = await buildServer(
    {
      till: engine ?? till,
      credentials,
      clock,
      ids,
      log: recordingLog(lines),
      requests,
      doctor,
    },
    {
      ...defaultServerSettings,
      version: '9.9.9',
      requestsPerSecond: 100_000,
      requestBurst: 100_000,
      ...settings,
      // Read at each request, as the till does.
      get allowedOrigins() {
        return allowed;
      },
      session: { ...defaultSessionSettings, ...session },
    },
  );
  return {
    till,
    credentials,
    server: {
      ...server,
      async listen(where) {
        address = await server.listen(where);
        return address;
      },
    },
    app: server.app,
    lines,
    requests,
    setAllowedOrigins: (origins) => {
      allowed = origins;
    },
  };
}

function recordingLog(lines: LogLine[]): Log {
  const write =
    (level: string) =>
    (message: string, fields: LogFields = {}): void => {
      lines.push({ level, message, fields });
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** Headers of a well-behaved POS. */
export const posHeaders: Readonly<Record<string, string>> = {
  host: '127.0.0.1:8443',
  'x-api-key': goodKey,
};
