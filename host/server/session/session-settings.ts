import {
  MAX_SOCKETS_PER_CLIENT,
  SESSION_AUTH_TIMEOUT_SECONDS,
  SESSION_DEAD_AFTER_SECONDS,
  SESSION_PING_INTERVAL_SECONDS,
} from '../../../app/contract/limits.ts';
import type { SocketLinkSettings } from '../../../app/http/socket-link.ts';

/** Bounds of the WebSocket sessions of a process (decisions: WebSocket, Limits). */
export interface PosSessionSettings extends SocketLinkSettings {
  /** Milliseconds for the first message of a client that sent no credentials with the upgrade. */
  readonly authTimeoutMs: number;
  /** Milliseconds after which a quiet session asks again whether its key still works; each message asks, too. */
  readonly keyCheckMs: number;
  readonly socketsPerClient: number;
  /** Refused messages in a row after which a session is closed with 1008. */
  readonly maxBadMessages: number;
  /** Actions of one session that may run at the same time, and messages of it that may wait to be looked at. */
  readonly maxRunningActions: number;
  readonly maxWaitingMessages: number;
  /** Sessions that have not said yet who they are. */
  readonly maxUnauthenticated: number;
}

export const defaultPosSessionSettings: PosSessionSettings = {
  authTimeoutMs: SESSION_AUTH_TIMEOUT_SECONDS * 1000,
  pingIntervalMs: SESSION_PING_INTERVAL_SECONDS * 1000,
  deadAfterMs: SESSION_DEAD_AFTER_SECONDS * 1000,
  maxBufferedBytes: 4 * 1024 * 1024,
  closeTimeoutMs: 1_000,
  keyCheckMs: 30_000,
  socketsPerClient: MAX_SOCKETS_PER_CLIENT,
  maxBadMessages: 20,
  maxRunningActions: 16,
  maxWaitingMessages: 64,
  maxUnauthenticated: 256,
};
