import type { SocketLinkSettings } from '../../../app/http/socket-link.ts';

/** Bounds of the link of a terminal (decisions: Device additions, WebSocket). */
export interface LinkSettings extends SocketLinkSettings {
  /** Milliseconds after which a link asks again whether its token still works. */
  readonly tokenCheckMs: number;
  /** POS calls that wait for an answer of one terminal at a time. */
  readonly maxCallsPerLink: number;
  /** Links of all terminals together. */
  readonly maxLinks: number;
}

export const defaultLinkSettings: LinkSettings = {
  pingIntervalMs: 5_000,
  deadAfterMs: 15_000,
  // Several calls with the longest body, each of whose characters may be written as two.
  maxBufferedBytes: 1_048_576,
  closeTimeoutMs: 1_000,
  tokenCheckMs: 30_000,
  maxCallsPerLink: 64,
  maxLinks: 10_000,
};
