import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { ConsoleDoor } from './console-door.ts';
import type { WaitingDownloads } from './console-downloads.ts';
import { defaultSessionSettings } from './server-options.ts';

export interface ConsoleServerDeps {
  readonly door: ConsoleDoor;
  readonly downloads: WaitingDownloads;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** Every number has its unit in its name. */
export interface ConsoleServerSettings {
  /** Folder of the built screen, with its index.html. */
  readonly filesDir: string;
  /** Names under which the console may be called, as in the Host header and without its port. */
  readonly allowedHosts: readonly string[];
  /** Seconds for which a browser keeps its cookie. */
  readonly cookieMaxAgeSeconds: number;
  readonly maxConnections: number;
  /** Windows that are open at a time. */
  readonly maxWindows: number;
  /** Calls of one window that may run at the same time. */
  readonly maxRunningCalls: number;
  /** Milliseconds that a close waits for running calls to be answered. */
  readonly closeGraceMs: number;
  readonly pingIntervalMs: number;
  readonly deadAfterMs: number;
  /** Bytes that may wait for a slow reader. */
  readonly maxBufferedBytes: number;
  readonly closeTimeoutMs: number;
}

const { pingIntervalMs, deadAfterMs, maxBufferedBytes, closeTimeoutMs } = defaultSessionSettings;

export const defaultConsoleServerSettings: Omit<ConsoleServerSettings, 'filesDir'> = {
  allowedHosts: ['127.0.0.1', 'localhost', '[::1]'],
  cookieMaxAgeSeconds: 30 * 86_400,
  maxConnections: 64,
  maxWindows: 16,
  maxRunningCalls: 32,
  closeGraceMs: 20_000,
  pingIntervalMs,
  deadAfterMs,
  maxBufferedBytes,
  closeTimeoutMs,
};
