/**
 * COLLISION: the peer spoke at the same time; whether it took ours is not known. REFUSED: the peer said of each transmission that it did not take it
 * (ECR17: three NAK, which also mean "not supported").
 */
export type SendResult = 'DELIVERED' | 'COLLISION' | 'REFUSED';

/** A connection that carries whole messages. Used once, like the transport under it. */
export interface Link {
  readonly description: string;
  /** @throws TransportError */
  open(signal: AbortSignal): Promise<void>;
  isOpen(): boolean;
  /**
   * Sends one message after those before it. With `yieldsToPeer` it is given up at once when both sides speak at the same time.
   * @throws TransportError when the link is not open or breaks; then it is closed.
   */
  send(message: Uint8Array, yieldsToPeer?: boolean): Promise<SendResult>;
  close(reason?: string): Promise<void>;
}

/** Listeners of one link, given when it is made. */
export interface LinkListeners {
  onMessage(message: Uint8Array): void;
  /** Called exactly once after a successful open. */
  onDown(reason: string): void;
  /** Bytes that were repeated or discarded, for the log. */
  onReport(what: string, byteCount: number): void;
}

export type LinkFactory = (listeners: LinkListeners) => Link;
