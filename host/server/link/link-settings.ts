import type { SocketLinkSettings } from '../../../app/http/socket-link.ts';

/** Bounds of the link of a terminal (decisions: Device additions, WebSocket). */
export interface LinkSettings extends SocketLinkSettings {
  /** Milliseconds after which a link asks again whether its token still works. */
  readonly tokenCheckMs: number;
  /** Links of all terminals together. */
  readonly maxLinks: number;
}

export const defaultLinkSettings: LinkSettings = {
  pingIntervalMs: 5_000,
  deadAfterMs: 15_000,
  maxBufferedBytes: 64 * 1024,
  closeTimeoutMs: 1_000,
  tokenCheckMs: 30_000,
  maxLinks: 10_000,
};
