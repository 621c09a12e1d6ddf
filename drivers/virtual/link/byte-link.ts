/** A wire to one till: bytes in, bytes out. */
export interface ByteLink {
  /** Begins to listen. @throws LinkError when that is not possible */
  start(events: LinkEvents): Promise<void>;
  /** Sends bytes; without a till they are lost. */
  write(bytes: Uint8Array): void;
  /** Ends the connection to the till, after what was written; the till may connect again. */
  dropPeer(): void;
  /** The cable is pulled: nobody can connect until resume. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export interface LinkEvents {
  onUp(): void;
  onDown(): void;
  onBytes(bytes: Uint8Array): void;
  /** the link is lost for good */
  onFailed(error: unknown): void;
}

/** A link that cannot be opened, in a sentence for the person who started the terminal. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
}
