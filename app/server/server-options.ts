import {
  MAX_REQUEST_BURST,
  MAX_REQUESTS_PER_SECOND,
  MAX_SOCKETS_PER_CLIENT,
  SESSION_AUTH_TIMEOUT_SECONDS,
  SESSION_DEAD_AFTER_SECONDS,
  SESSION_PING_INTERVAL_SECONDS,
  SESSION_TICKET_TTL_SECONDS,
} from '../contract/limits.ts';
import type { SocketLinkSettings } from '../http/socket-link.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { RequestLog } from '../ports/request-log.ts';
import type { Doctor } from '../services/doctor.ts';
import type { Credentials, Till } from '../services/till.ts';

/** What the server stands on; all of it is passed in by the composition root. */
export interface ServerDeps {
  readonly till: Till;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Where the console looks at what was called. */
  readonly requests: RequestLog;
  /** The browser doctor, as its page needs it. */
  readonly doctor: Pick<Doctor, 'diagnose' | 'posUrl'>;
}

/** What the till's settings decide. Every number has its unit in its name. */
export interface ServerSettings {
  /** Version of the program, for /health and /v1/meta. */
  readonly version: string;
  /** True where no real money can move. */
  readonly training: boolean;
  /**
   * Names under which the server may be called, as in the Host header and without its port: `127.0.0.1`, `localhost`, `[::1]`, `till.shop.lan`.
   * A name of another kind is how a web page rebinds its own name to this machine, so it is refused.
   */
  readonly allowedHosts: readonly string[];
  /** Web origins that may call from a browser, each as a browser sends it: `https://pos.example`. None by default. Read at each request. */
  readonly allowedOrigins: readonly string[];
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  readonly socketsPerClient: number;
  /** Connections of all callers together; further ones are closed at once. */
  readonly maxConnections: number;
  /** Milliseconds that a close waits for running calls to be answered; longer than the engine needs to end them. */
  readonly closeGraceMs: number;
  readonly session: SessionSettings;
}

/** Bounds of a WebSocket session (decisions: WebSocket). */
export interface SessionSettings extends SocketLinkSettings {
  /** Milliseconds for the first message of a client that sent no credentials with the upgrade. */
  readonly authTimeoutMs: number;
  readonly ticketTtlMs: number;
  /** Refused messages in a row after which a session is closed with 1008. */
  readonly maxBadMessages: number;
  /** Actions of one session that may run at the same time. */
  readonly maxRunningActions: number;
  /** Sessions that have not said yet who they are. */
  readonly maxUnauthenticated: number;
  /** Tickets that wait to be used. */
  readonly maxTickets: number;
}

export const defaultSessionSettings: SessionSettings = {
  authTimeoutMs: SESSION_AUTH_TIMEOUT_SECONDS * 1000,
  ticketTtlMs: SESSION_TICKET_TTL_SECONDS * 1000,
  pingIntervalMs: SESSION_PING_INTERVAL_SECONDS * 1000,
  deadAfterMs: SESSION_DEAD_AFTER_SECONDS * 1000,
  maxBufferedBytes: 4 * 1024 * 1024,
  closeTimeoutMs: 1_000,
  maxBadMessages: 20,
  maxRunningActions: 16,
  maxUnauthenticated: 16,
  maxTickets: 256,
};

/** Everything but the version; a till without further settings listens to its own machine only. */
export const defaultServerSettings: Omit<ServerSettings, 'version'> = {
  training: false,
  allowedHosts: ['127.0.0.1', 'localhost', '[::1]'],
  allowedOrigins: [],
  requestsPerSecond: MAX_REQUESTS_PER_SECOND,
  requestBurst: MAX_REQUEST_BURST,
  socketsPerClient: MAX_SOCKETS_PER_CLIENT,
  maxConnections: 256,
  closeGraceMs: 20_000,
  session: defaultSessionSettings,
};
